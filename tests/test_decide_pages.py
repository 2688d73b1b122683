"""Saturation and Choose n as a visitor meets them, without a browser."""

import json
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from kofn.command import main
from kofn.rendering import percent
from metrics import choose_n, estimate
from tests.test_pages import REPORTS, ROOT, outcomes, table, visit, words

SATURATION = "pages/decide/saturation.py"
CHOOSE_N = "pages/decide/choose_n.py"
HARD = np.repeat(np.eye(8, dtype=int)[[0]], 20, axis=0)
"""One of eight samples is right, in every question."""


def figures(app) -> list[go.Figure]:
    return [go.Figure(json.loads(each.proto.spec)) for each in app.get("plotly_chart")]


def told(app) -> str:
    return re.sub(r"\\(.)", r"\1", words(app))


def choose(app, label, value):
    """Give a widget a value, by its label."""
    kinds = (app.selectbox, app.number_input, app.radio, app.segmented_control)
    (widget,) = (each for kind in kinds for each in kind if each.label == label)
    return widget.set_value(value).run()


def chosen_n(app) -> int:
    return int(re.search(r"n = (\d+)", told(app)).group(1))


# Saturation


def test_saturation_shows_the_library_s_numbers():
    correct = outcomes(40, 8)
    app = visit(SATURATION, ("a.parquet", table(correct)))
    shown = app.dataframe[0].value
    at = shown.set_index("k").loc[4]
    expected = estimate(correct, "pass@k", 4)
    assert at["Value"] == pytest.approx(100 * expected.value)
    assert (at["From"], at["To"]) == pytest.approx(tuple(100 * e for e in expected.interval))
    assert set(shown["Source"]) == {"measured", "by a model"}
    assert len(figures(app)) == 1


def test_several_runs_of_a_dataset_share_a_figure_and_others_wait():
    files = [
        (f"{name}.parquet", table(outcomes(20, n, seed), name, dataset))
        for seed, (name, dataset, n) in enumerate(
            [("alpha", "maths", 8), ("beta", "maths", 4), ("gamma", "code", 2)]
        )
    ]
    app = visit(SATURATION, *files)
    named = {t.name for t in figures(app)[0].data if t.legendgroup and t.showlegend}
    assert named == {"alpha", "beta"}
    app = choose(app, "Dataset", "code")
    assert app.query_params["dataset"] == "code"
    named = {t.name for t in figures(app)[0].data if t.legendgroup and t.showlegend}
    assert named == {"gamma"}


def test_no_more_runs_are_drawn_than_there_are_colours():
    files = [(f"{i}.parquet", table(outcomes(12, 2, i), f"m{i}")) for i in range(11)]
    app = visit(SATURATION, *files)
    assert "Here are 10 of 11 runs" in told(app)
    assert len({trace.legendgroup for trace in figures(app)[0].data if trace.legendgroup}) == 10


def test_settings_of_saturation_live_in_the_link():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))), metric="pass^k", scale="linear")
    assert figures(app)[0].layout.xaxis.type is None
    assert "pass^k" in figures(app)[0].layout.yaxis.title.text
    app = choose(app, "Metric", "maj@k")
    app = choose(app, "Up to k", 10)
    app = choose(app, "Scale of k", "log")
    assert app.query_params["metric"] == "maj@k"
    assert app.query_params["up-to"] == "10"
    assert "scale" not in app.query_params
    assert app.dataframe[0].value["k"].tolist() == [1, 3, 7, 9]


def test_a_setting_that_makes_no_sense_is_left_out_aloud():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))), **{"up-to": "-3"})
    assert "up-to must be a whole number from 2" in told(app)
    assert not app.exception


@pytest.mark.parametrize(
    ("correct", "sentence"),
    [
        (outcomes(30, 1), "sample each question k times"),
        (outcomes(1, 8), "too few to fit a model"),
    ],
)
def test_saturation_says_what_is_missing(correct, sentence):
    app = visit(SATURATION, ("a.parquet", table(correct)))
    assert not app.exception
    assert sentence in told(app)


def test_beyond_the_reach_of_models_saturation_says_so():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))), **{"up-to": "1000"})
    assert "16 times the samples, no model" in told(app)
    assert app.dataframe[0].value["Source"].iloc[-1] == "not known, only bounded"


def test_saturation_explains_the_gap_to_equally_hard_questions():
    app = visit(SATURATION, ("a.parquet", table(outcomes(40, 8))))
    assert "if all questions were equally hard" in told(app)
    assert "Fitted to half of the samples" in told(app)


def test_a_metric_that_needs_scores_is_offered_only_where_there_are_some():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))))
    (metric,) = (box for box in app.selectbox if box.label == "Metric")
    assert metric.options[:3] == ["pass@k", "pass^k", "maj@k"]
    assert not {"soft-max@k", "plurality@k", "avg@n"} & set(metric.options)
    scored = table(outcomes(20, 4), score=outcomes(20, 4).ravel() * 0.5)
    (metric,) = (
        b for b in visit(SATURATION, ("b.parquet", scored)).selectbox if b.label == "Metric"
    )
    assert "soft-max@k" in metric.options


@pytest.mark.parametrize("page", [SATURATION, CHOOSE_N])
@pytest.mark.parametrize("right", [0, 1])
def test_all_right_and_none_right_are_shown(page, right):
    app = visit(page, ("a.parquet", table(np.full((20, 4), right))))
    assert not app.exception
    assert figures(app)


def turn_to(app, page):
    """Follow a link of the sidebar, which has no settings."""
    app.query_params.clear()
    return app.switch_page(str(ROOT / page)).run()


def test_the_settings_of_a_link_wait_until_something_is_loaded():
    app = turn_to(visit(CHOOSE_N, verifier="no", budget="7"), REPORTS)
    app.file_uploader[0].upload("a.parquet", table(outcomes(30, 9))).run()
    app = turn_to(app, CHOOSE_N)
    assert "pass@n is out of reach" in told(app)
    assert "within 7 samples" in told(app)
    assert app.query_params["verifier"] == "no"


@pytest.mark.parametrize("other", [REPORTS, SATURATION])
def test_settings_are_kept_while_another_page_is_looked_at(other):
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 9))), budget="7", level="0.9")
    app = turn_to(turn_to(app, other), CHOOSE_N)
    assert "within 7 samples" in told(app)
    assert (app.query_params["budget"], app.query_params["level"]) == ("7.0", "0.9")


@pytest.mark.parametrize("page", [SATURATION, CHOOSE_N])
def test_results_without_verdicts_are_a_sentence(page):
    app = visit(page, ("gsm8k.json", b'{"accuracy (4 runs average)": 50.0, "avg@4": 50.0}'))
    assert not app.exception
    assert "does not say which samples were right" in told(app)


# Choose n


def test_choose_n_gives_the_answer_of_the_library():
    correct = outcomes(60, 16)
    app = visit(CHOOSE_N, ("a.parquet", table(correct)))
    choice = choose_n(correct)
    quality = choice.table.quality[choice.safe_n - 1]
    assert f"n = {choice.safe_n} reaches 95% of pass@16" in told(app)
    assert percent(quality, 0.1, 0.9)[0] in told(app)
    assert len(figures(app)) == 3


def test_choose_n_gives_the_answer_of_the_command(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(outcomes(60, 16)))
    flags = {"value": "9", "sample-price": "2", "level": "0.8"}
    arguments = [part for key, value in flags.items() for part in (f"--{key}", value)]
    assert main(["choose-n", str(path), "--format", "json", *arguments]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["choices"]
    app = visit(CHOOSE_N, (path.name, path.read_bytes()), **flags)
    assert answer["answer"] in told(app)


def test_a_dearer_sample_means_fewer_of_them():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(200, 16))), value="20")
    cheap = chosen_n(app)
    app = choose(app, "Price of a sample", 4.0)
    assert app.query_params["sample-price"] == "alpha=4"
    assert chosen_n(app) < cheap
    app = choose(app, "Price of a sample", None)
    assert "sample-price" not in app.query_params
    assert chosen_n(app) == cheap


def test_worth_goes_before_budget_and_budget_before_reach():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(100, 16))))
    assert "reaches 95%" in told(app)
    app = choose(app, "Or a budget, in samples", 3.0)
    assert "within 3" in told(app)
    app = choose(app, "Worth, in samples", 10.0)
    assert "is worth" in told(app)
    assert not any("share to reach" in box.label for box in app.number_input)


def test_without_a_check_a_vote_is_used_and_pass_n_is_out_of_reach():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(60, 9))), verifier="no")
    assert "pass@n is out of reach" in told(app)
    assert "maj@n" in figures(app)[0].layout.yaxis.title.text
    answers = np.where(outcomes(60, 9).ravel(), "4", "5")
    app = visit(CHOOSE_N, ("b.parquet", table(outcomes(60, 9), extracted=answers)), verifier="no")
    assert "plurality@n" in figures(app)[0].layout.yaxis.title.text


def test_tokens_are_offered_where_the_file_has_them_and_some_may_be_missing():
    correct = outcomes(30, 8)
    tokens = np.where(np.arange(correct.size) % 7 == 0, None, 100).astype(object)
    app = visit(CHOOSE_N, ("a.parquet", table(correct, tokens_out=tokens)))
    (basis,) = (box for box in app.selectbox if box.label == "Costs rest on")
    assert "Tokens, as measured" in basis.options
    app = choose(app, "Costs rest on", "tokens")
    assert not app.exception
    assert "no known cost" in told(app)
    plain = visit(CHOOSE_N, ("b.parquet", table(correct)))
    (basis,) = (box for box in plain.selectbox if box.label == "Costs rest on")
    assert "Tokens, as measured" not in basis.options


def test_typed_tokens_need_no_file():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 8))), basis="typed")
    assert "Type how many tokens" in told(app)
    app = choose(app, "Mean tokens out", 1000.0)
    app = choose(app, "Price of 1M tokens out", 2.0)
    assert app.query_params["tokens"] == "alpha=0,1000"
    assert "n = " in told(app)


@pytest.mark.parametrize(
    "query", [{"value": "-1"}, {"budget": "1e99"}, {"sample-price": "free"}, {"reach": "0"}]
)
def test_prices_that_make_no_sense_are_left_out_aloud(query):
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 8))), **query)
    assert not app.exception
    assert "A setting of this link is left out" in told(app)
    assert "reaches 95%" in told(app)


@pytest.mark.parametrize("shape", [(30, 1), (1, 8), (1, 1)])
def test_the_smallest_data_have_an_answer_or_a_reason(shape):
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(*shape))))
    assert not app.exception
    if shape[1] == 1:
        assert "Only n = 1 can be looked at" in told(app)
        assert len(figures(app)) == 1


def test_several_models_stand_side_by_side_and_none_dominates_the_frontier():
    cheap, dear = outcomes(50, 16, 1), outcomes(50, 4, 2) | outcomes(50, 4, 3)
    files = [("a.parquet", table(cheap, "cheap")), ("b.parquet", table(dear, "dear"))]
    app = visit(CHOOSE_N, *files, **{"sample-price": "cheap=1"})
    assert "none of dear" in told(app)
    (price,) = (
        box
        for box in app.number_input
        if box.label == "Price of a sample" and box.key.endswith("dear")
    )
    app = price.set_value(8.0).run()
    names = {trace.name for trace in figures(app)[0].data if trace.showlegend is not False}
    assert names == {"cheap", "dear", "best for its cost"}
    assert app.dataframe[0].value["Best for its cost"].any()


def test_runs_with_different_numbers_of_samples_go_as_far_as_each_has_them():
    files = [("a.parquet", table(outcomes(30, 8))), ("b.parquet", table(outcomes(30, 4), "beta"))]
    app = visit(CHOOSE_N, *files)
    assert not app.exception
    assert "of pass@8" in told(app)
    assert "of pass@4" in told(app)


def ragged() -> bytes:
    """Return outcomes where the first question has 3 samples and the others 8."""
    lines = [
        {"model": "alpha", "dataset": "maths", "question_id": i, "sample": j, "correct": int(right)}
        for i, row in enumerate(outcomes(30, 8))
        for j, right in enumerate(row[: 3 if i == 0 else 8])
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def test_ragged_samples_go_as_far_as_every_question_has_them():
    app = visit(CHOOSE_N, ("a.jsonl", ragged()))
    assert "of pass@3" in told(app)
    assert "Questions have 3 to 8 samples" in told(app)
    measured = turn_to(app, SATURATION).dataframe[0].value.set_index("Source").loc["measured"]
    assert measured["k"].max() == 3


def test_the_main_path_takes_three_clicks():
    app = visit(REPORTS)
    app.button(key="kofn.sample").click().run()
    links = [link.proto.page for link in app.get("page_link")]
    assert "scorecard" in links
    app = app.switch_page(str(ROOT / "pages/measure/scorecard.py")).run()
    links = [link.proto.page for link in app.get("page_link")]
    assert "choose-n" in links
