"""Guidance as page, command and figure: the library's numbers, and advice that fits them."""

import json
from pathlib import Path

import numpy as np
import pytest

from charts.matrix import matrix
from charts.theme import colour
from kofn.choices.view import View
from kofn.command import main
from kofn.guidance.analysis import Goals, guide_runs
from kofn.guidance.columns import MATRIX, SCENARIOS
from kofn.guidance.figures import board
from kofn.guidance.words import (
    advice,
    answer,
    bias_in_words,
    describe_matrix,
    matrix_words,
    pitfalls,
    place_in_words,
    remedy,
)
from kofn.writing.columns import dtypes
from kofn.writing.estimates import points_of
from metrics import Outcomes, guidance
from metrics.analyses.guidance.decision_matrix import BIAS, CELLS, PROFILES, USE_CASES
from reports import Run
from tests.kofn.indexed import HOSTILE, index
from tests.pages import visiting
from tests.pages.visiting import table

ROOT = Path(__file__).parents[2]
PAGE = "pages/behaviour/guidance/page.py"


def correct(counts, n=4):
    return (np.arange(n) < np.asarray(counts)[:, None]).astype(int)


def mixed(m=40, n=4, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.random((m, 1))).astype(int)


UNSTABLE = correct([2] * 380 + [4] * 20 + [0] * 5)
"""pass@4 .99, avg@4 .52, cons@4 .05: AISBench's first row, settled."""


def card(outcomes, targets=None, **view):
    run = Run("7B", "gsm8k", Outcomes(outcomes))
    (found,) = guide_runs(index(run), View(**view), targets or Goals())
    return found


def sentences(texts):
    return " ".join(map(str, texts))


def visit(*files, **query):
    app = visiting.visit(PAGE, *files, **query)
    assert not app.exception
    return app


def words(app):
    elements = (app.markdown, app.caption, app.info, app.warning)
    shown = [element.value for kind in elements for element in kind]
    tables = (*app.table, *app.dataframe)
    shown += [str(cell) for table in tables for cell in table.value.to_numpy().ravel()]
    return "\n".join(shown).replace("\\", "")


def test_rows_are_the_library_s_numbers():
    data = mixed()
    found = guidance(data, confidence_level=0.9)
    rows = SCENARIOS.rows([card(data, level=0.9)])
    assert [row["scenario"] for row in rows] == ["reliability"] * 2 + ["tolerance"] * 2 + [
        "balanced"
    ]
    for row, (verdict_, target) in zip(
        rows, [(v, t) for v in found.verdicts for t in v.targets], strict=True
    ):
        estimate = found.estimates[target.dimension]
        assert (row["value"], row["low"], row["high"]) == (estimate.value, *estimate.interval)
        assert (row["status"], row["probability"]) == (target.status, target.probability)
        assert row["scenario_probability"] == verdict_.probability
        assert row["questions_to_settle"] == target.questions
        assert row["short"] == target.limit - estimate.value
        way = remedy(found, target)
        assert row["way"] == (None if way is None else str(way))


def test_frames_hold_every_target_and_cell_and_the_reasons_for_none():
    runs = index(Run("7B", "gsm8k", Outcomes(mixed())), Run("7B", "aime", None))
    cards = guide_runs(runs, View(k=(2, 9)), Goals())
    made = SCENARIOS.frame(cards)
    assert list(made.columns) == list(dtypes(SCENARIOS.columns))
    reasons = made["reason"].dropna().tolist()
    assert "pass@9 needs 9 samples" in reasons[0]
    assert "does not say which samples were right" in reasons[1]
    cells = MATRIX.frame(cards)
    assert list(cells.columns) == list(dtypes(MATRIX.columns))
    assert len(cells) == len(CELLS)
    assert cells["probability"].sum() == pytest.approx(1)
    assert cells["here"].sum() == 1
    assert cells["k"].unique().tolist() == [2]


def test_targets_by_default_are_aisbench_s_and_survive_a_link():
    assert Goals().scenarios == USE_CASES
    chosen = Goals(high=0.9, tolerance_avg=0.6)
    assert chosen.to_query() == {"high": ["0.9"], "tolerance-avg": ["0.6"]}
    assert Goals.from_query(chosen.to_query()) == (chosen, ())
    assert chosen.scenarios[1].targets == {"pass": 0.8, "avg": 0.6}
    assert len(Goals.from_query({"high": "90", "low": "x"})[1]) == 2


def test_lines_that_cross_are_a_reason():
    assert "low must be below high" in str(card(mixed(), Goals(high=0.4)).reason)


def test_a_settled_row_gets_its_advice_and_its_pitfall():
    found = card(UNSTABLE, Goals(low=0.4)).found
    assert found.cell == ("high", "medium", "low")
    assert "AISBench's row holds: High potential, poor stability" in sentences(advice(found))
    assert "Undecided" not in sentences(place_in_words(found))
    assert "Do not neglect cons@4" in sentences(pitfalls(found))


def test_all_right_has_a_nearest_row_and_no_pitfall():
    found = card(correct([4] * 500)).found
    assert "Nearest of AISBench's rows" in sentences(advice(found))
    assert list(pitfalls(found)) == []


def test_undecided_names_the_cells_and_what_would_settle_it():
    found = card(mixed()).found
    said = sentences(place_in_words(found))
    assert "Undecided between pass@4" in said
    assert "The place is open" in said
    assert len(found.likely()) > 2
    assert "more cell" in said


@pytest.mark.parametrize(("n", "view", "seen"), [(1, {}, "known"), (4, {"k": (1,)}, "looked at")])
def test_only_pass_at_1_is_a_pitfall_where_it_is_all_there_is_or_all_that_is_asked_for(
    n, view, seen
):
    (said,) = pitfalls(card(mixed(n=n), **view).found)
    assert str(said).startswith(f"Only pass@1 is {seen}")


def test_avg_alone_hides_what_it_leaves_open():
    found = card(correct([2] * 50)).found
    said = sentences(pitfalls(found))
    assert "avg@4 alone hides" in said
    low, high = found.open_ranges["cons"]
    assert f"from {low:.0%} to {high:.0%}" in said


def test_bias_is_offered_by_agreement():
    run = Run("7B", "d", Outcomes(np.zeros((60, 4), int)), answers=np.full((60, 4), 3, np.int32))
    (found,) = guide_runs(index(run), View(), Goals())
    assert str(bias_in_words(found.found)).startswith("100%: on 100% of the questions")
    assert "N/A" in str(bias_in_words(card(mixed()).found))


def test_a_matrix_shows_every_cell():
    found = card(mixed()).found
    drawn = board(found, 3)
    figure = matrix(drawn, words=matrix_words())
    outlines, bars = figure.layout.shapes[::2], figure.layout.shapes[1::2]
    assert len(outlines) == len(bars) == len(CELLS)
    assert {bar.fillcolor for bar in bars} == {colour(3)}
    dotted = [shape.line.dash == "dot" for shape in outlines]
    assert dotted.count(False) == len(found.possible)
    heights = [
        (bar.y1 - bar.y0) / (edge.y1 - edge.y0) for bar, edge in zip(bars, outlines, strict=True)
    ]
    assert heights == pytest.approx(list(found.probability.values()))
    texts = [text for trace in figure.data for text in trace.text]
    assert texts.count("–") == len(CELLS) - len(found.possible)
    assert sum("●" in text for text in texts) == 1
    outlined = [shape for shape in outlines if shape.line.width > 1]
    assert len(outlined) == sum(profile.cell in found.possible for profile in PROFILES) == 3
    assert figure.layout.paper_bgcolor is None
    likeliest = max(found.probability.values())
    assert f"{likeliest:.0%}" in str(describe_matrix(drawn))


@pytest.mark.parametrize("data", [mixed(1, 1), mixed(1, 4), mixed(6, 1), correct([4] * 30)])
def test_the_page_takes_few_questions_one_sample_and_all_right(data):
    app = visit(("a.parquet", table(data)))
    assert len(app.get("plotly_chart")) == (2 if data.shape[1] > 1 else 0)
    assert app.header[0].value


def test_many_runs_have_their_advice_in_a_table_and_one_in_sentences():
    names = ["a", "b", "c", "d"]
    app = visit(*((f"{name}.parquet", table(mixed(seed=1), model=name)) for name in names))
    (told,) = (each.value for each in app.dataframe if "Checking gains" in each.value)
    known = card(mixed(seed=1)).found
    gain = str(points_of(known.gaps.checked))
    assert told["Checking gains"].tolist() == [gain] * 4
    sentence = list(map(str, advice(known)))[1]
    assert words(app).count(sentence) == 1
    is_nearest = known.row()[1] > 0
    assert all(text.startswith("nearest") is is_nearest for text in told["AISBench's row"])


def test_one_sample_is_said_once_and_no_target_is_judged_by_it():
    once = [(f"{name}.parquet", table(mixed(n=1), model=name)) for name in "ab"]
    app = visit(*once)
    assert app.header[0].value.startswith("One sample a question says nothing")
    assert "One sample a question" not in words(app)
    assert "not met" not in words(app).replace("not met where", "")
    app = visit(*once, ("c.parquet", table(mixed(), model="c")))
    assert "a and b have one sample a question and are not judged" in visiting.opening(app)
    assert app.dataframe[0].value["Run"].tolist() == ["c"]
    assert "One sample a question" not in words(app)


def test_that_agreement_takes_answers_is_said_once():
    files = [(f"{name}.parquet", table(mixed(seed=3), model=name)) for name in "ab"]
    assert words(visit(*files)).count("takes extracted answers") == 1


def test_every_run_of_a_dataset_is_placed_and_listed_the_best_first():
    shares = np.linspace(0.2, 0.9, 12)
    files = [
        (f"{i}.parquet", table(correct([4 * int(j < 40 * p) for j in range(40)]), model=f"m{i}"))
        for i, p in enumerate(shares)
    ]
    app = visit(*files)
    for listed in app.dataframe:
        assert listed.value["Run"].tolist() == [f"m{i}" for i in range(11, -1, -1)]
    assert "m11" in app.header[0].value


def test_the_page_opens_with_its_answer():
    app = visit(("a.parquet", table(UNSTABLE)), low="0.4")
    said = str(answer([card(UNSTABLE)])).replace("7B", "alpha")
    assert visiting.opening(app).startswith(said)


def test_the_page_shows_status_rows_and_what_cannot_occur():
    app = visit(("a.parquet", table(UNSTABLE)), low="0.4")
    said = words(app)
    assert "\u2717 cons@4" in said
    assert ":red-badge[not met]" in said
    assert "Cannot occur" in said
    assert "the third with agreement" in said
    assert "Do not neglect cons@4" in said
    assert "High potential, poor stability" in said


def test_the_chance_of_each_row_stands_beside_each_run():
    files = [("a.parquet", table(UNSTABLE)), ("b.parquet", table(mixed(), model="beta"))]
    (chances,) = (each.value for each in visit(*files).table if "Run" in each.value)
    assert chances["Run"].tolist() == ["beta", "alpha"]
    for row, outcomes in enumerate((mixed(), UNSTABLE)):
        found = guidance(outcomes)
        for profile in PROFILES:
            status = str(profile.status)
            if profile == BIAS:
                assert status not in chances
            else:
                assert chances[status][row] == f"{found.probability[profile.cell]:.0%}"
        assert chances[f"{BIAS.status}, by agreement"][row] == str(bias_in_words(found))


def test_core_and_auxiliary_metrics_are_as_the_document_has_them():
    app = visit(("a.parquet", table(mixed())))
    (scenarios,) = (each.value for each in app.table if "Core metric" in each.value)
    assert scenarios["Core metric"].tolist() == ["cons@k", "pass@k", "avg@n"]
    assert scenarios["Auxiliary"].tolist() == ["pass@k", "avg@n", "cons@k, pass@k"]
    targets = [text.replace("\\", "") for text in scenarios["Targets"]]
    assert targets == ["cons@k > 80%, pass@k > 90%", "pass@k > 80%, avg@n > 70%", "avg@n > 75%"]


def test_one_run_is_chosen_for_its_details():
    files = [("a.parquet", table(mixed())), ("b.parquet", table(UNSTABLE, model="beta"))]
    app = visit(*files)
    unstable = str(next(pitfalls(card(UNSTABLE).found)))
    assert unstable not in words(app)
    app.selectbox(key="kofn.InDetail.detail").set_value("beta").run()
    assert app.query_params["detail"] == "beta"
    assert unstable in words(app)
    assert len(app.get("plotly_chart")) == 2


def test_targets_follow_their_controls_and_the_link():
    app = visit(("a.parquet", table(mixed())), **{"balanced-avg": "0.2"})
    assert app.number_input(key="kofn.Goals.balanced_avg").value == 20
    assert app.dataframe[0].value["Balanced"][0] == "\u2713 met"
    app.number_input(key="kofn.Goals.balanced_avg").set_value(95.0).run()
    assert app.dataframe[0].value["Balanced"][0].startswith("\u2717 avg@4 ")
    assert app.query_params["balanced-avg"] == "0.95"
    assert "your own" in words(app)


def test_a_link_whose_lines_cross_says_so():
    app = visit(("a.parquet", table(mixed())), low="0.9", high="0.2")
    assert not app.get("plotly_chart")
    assert "low must be below high" in words(app)
    app.number_input(key="kofn.Goals.low").set_value(10.0).run()
    assert len(app.get("plotly_chart")) == 2


@pytest.mark.parametrize("value", ["0", "1", "nan", "x"])
def test_any_link_opens(value):
    links = {setting.key: value for setting in Goals.SETTINGS[1:]}
    app = visit(("a.parquet", table(mixed(6))), **links)
    assert len(app.warning) == (0 if value in "01" else len(links))


def test_several_runs_and_k_stand_in_one_matrix():
    files = [("a.parquet", table(mixed())), ("b.parquet", table(mixed(seed=1), model="beta"))]
    app = visit(*files, k="2,4")
    assert len(app.dataframe[0].value) == 4
    assert len(app.get("plotly_chart")) == 2
    assert "k = 2" in words(app)


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_the_command_prints_every_format(form, tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(mixed(), model=HOSTILE))
    flags = ["--format", form, "--balanced-avg", "0.2", "--k", "3"]
    assert main(["guide", str(path), *flags]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "maj@3" in printed
    if form == "json":
        document = json.loads(printed)
        truth = guidance(mixed(), k=3)
        assert len(document["matrix"]) == len(CELLS)
        for row in document["matrix"]:
            cell = row["pass"], row["avg"], row["cons"]
            assert row["probability"] == truth.probability[cell]
            assert row["possible"] == (cell in truth.possible)
        assert document["targets"]["balanced-avg"] == 0.2
        assert document["runs"][0]["questions_to_settle"] == truth.questions()


def test_the_command_says_why_there_is_nothing(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(mixed()))
    assert main(["guide", str(path), "--k", "9"]) == 2
    printed = capsys.readouterr()
    assert "pass@9 needs 9 samples" in printed.out
    assert "No run has a place in the decision matrix" in printed.err
    assert main(["guide", str(path), "--high", "80"]) == 2
    assert "high must be from 0 to 1" in capsys.readouterr().err
    assert main(["guide", str(path), "--format", "md", "--k", "9"]) == 2
    assert "pass@9 needs 9 samples" in capsys.readouterr().out


@pytest.mark.parametrize(("n", "query", "seen"), [(1, {}, "known"), (4, {"k": "1"}, "looked at")])
def test_the_scorecard_says_too_that_only_pass_at_1_is_seen(n, query, seen):
    app = visiting.visit_scores(("a.parquet", table(mixed(n=n))), **query)
    assert f"Only pass@1 is {seen}" in words(app)
    app = visiting.visit_scores(("a.parquet", table(mixed())), k="1,2")
    assert "Only pass@1" not in words(app)
