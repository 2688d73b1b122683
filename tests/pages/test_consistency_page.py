"""Votes against averages as a page."""

import json
from itertools import product

import numpy as np
import pytest

from kofn.consistency.words import replicas_in_short
from metrics import consistency, estimate, replicas
from tests.kofn.consistency.voted_runs import answers_of, table, verdicts
from tests.pages import visiting

PAGE = "pages/behaviour/consistency/page.py"


def visit(*files, **query):
    return visiting.visit(PAGE, *files, **query)


def words(app):
    kinds = (app.markdown, app.caption, app.info, app.warning, app.header)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


def test_the_page_shows_runs_and_the_questions_of_one() -> None:
    app = visit(("a.parquet", table(verdicts())), ("b.parquet", table(verdicts(seed=1), "beta")))
    assert not app.exception
    shown = app.dataframe[0].value
    assert shown["Vote"].tolist() == ["cons@5"] * 2
    alpha = shown.set_index("Run").loc["alpha / maths"]
    assert alpha["Right by vote"].startswith(f"{consistency(verdicts()).cons.value:.1%} (")
    assert "Questions of one run" in words(app)
    assert "no extracted answers" in words(app)
    assert len(app.get("plotly_chart")) == 2
    saved = json.loads(app.get("plotly_chart")[0].proto.config)["toImageButtonOptions"]
    assert saved == {"format": "svg", "filename": "consistency"}
    assert alpha["Run to run"] == str(replicas_in_short(replicas(verdicts())))
    assert shown["Run to run"].str.contains(" points, by chance ").all()


def test_the_page_shows_agreement_where_there_are_answers() -> None:
    correct = verdicts()
    answers = np.char.add("a", answers_of(correct).astype(str))
    app = visit(("a.parquet", table(correct, extracted=answers)))
    assert not app.exception
    assert len(app.get("plotly_chart")) == 3
    assert "confidently wrong" in words(app)
    links = [link.proto.label for link in app.get("page_link")]
    assert "Confidently wrong" in links


@pytest.mark.parametrize(
    ("correct", "said"),
    [
        (verdicts(n=2), "A vote of an even number can tie"),
        (verdicts(1), "One question says nothing"),
        (np.ones((30, 5), dtype=np.int8), "Every question scores 1"),
        (np.zeros((30, 5), dtype=np.int8), "Every question scores 0"),
    ],
)
def test_the_page_opens_for_edges(correct, said) -> None:
    app = visit(("a.parquet", table(correct)))
    assert not app.exception
    assert said in words(app) + app.dataframe[0].value.to_string()


def test_a_k_beyond_the_samples_is_said_and_a_smaller_one_is_a_vote_of_k() -> None:
    app = visit(("a.parquet", table(verdicts())), k="9")
    assert not app.exception
    assert "maj@9 needs 9 samples" in words(app)
    assert not app.dataframe
    app = visit(("a.parquet", table(verdicts())), k="3")
    assert app.dataframe[0].value["Vote"].tolist() == ["maj@3"]
    assert "not a majority of k" in words(app)
    assert app.dataframe[0].value["AISBench's formula"].iloc[0].endswith("%")


def test_settings_come_from_the_url_and_go_there() -> None:
    app = visit(("a.parquet", table(verdicts())), x="pass@k", margin="0.3", region="yes")
    assert not app.exception
    assert "within 30" not in words(app)
    app.selectbox(key="kofn.VoteChoices.x").set_value("avg@n").run()
    assert "within 30 points" in words(app)
    assert app.query_params["margin"] == "0.3"
    assert "x" not in app.query_params
    app.number_input(key="kofn.VoteChoices.margin").set_value(2.0).run()
    assert "margin" not in app.query_params


def test_segments_are_further_points() -> None:
    part = np.repeat([["x"], ["y"]], 20, axis=0).repeat(5, axis=1)
    app = visit(("a.parquet", table(verdicts(), category=part)), by="category")
    assert not app.exception
    assert len(app.dataframe[0].value) == 3
    app = visit(("a.parquet", table(verdicts(), category=part)), by="subject")
    assert "No run has segments by subject" in words(app)
    assert len(app.dataframe[0].value) == 1


def test_a_model_over_datasets_lies_at_the_mean_of_its_runs() -> None:
    runs = {
        (model, dataset): verdicts(20, 4, seed)
        for seed, (model, dataset) in enumerate(product(("alpha", "beta"), ("maths", "words")))
    }
    files = [
        (f"{'-'.join(named)}.parquet", visiting.table(correct, *named))
        for named, correct in runs.items()
    ]
    app = visit(*files, x="pass@k")
    drawn = {each.name: each.x for each in visiting.figures(app)[0].data}
    for model in ("alpha", "beta"):
        own = [
            estimate(correct, "pass@k").value
            for (each, _), correct in runs.items()
            if each == model
        ]
        assert drawn[model] == pytest.approx([100 * np.mean(own)])


def test_a_segment_is_named_below_its_run() -> None:
    part = np.repeat([["x"], ["y"]], 20, axis=0).repeat(5, axis=1)
    app = visit(("a.parquet", table(verdicts(), category=part)), by="category")
    assert app.dataframe[0].value["Segment"].tolist()[1:] == ["category=x", "category=y"]


def test_with_one_sample_each_there_is_nothing_to_draw() -> None:
    app = visit(("a.parquet", table([[1], [0], [1]])))
    assert not app.exception
    assert "there is nothing to vote" in app.header[0].value
    assert not app.dataframe
    assert not app.get("plotly_chart")


def test_the_vote_with_half_of_its_ties_has_a_column_of_its_own() -> None:
    found = consistency(verdicts(n=2))
    (line,) = visit(("a.parquet", table(verdicts(n=2)))).dataframe[0].value.to_dict("records")
    assert line["Ties"] == f"{found.tied:.1%}"
    assert line["Right with half of the ties"] == f"{found.with_half_ties:.1%}"
    odd = visit(("a.parquet", table(verdicts()))).dataframe[0].value
    assert "Ties" not in odd


@pytest.mark.parametrize("runs", [12, 13])
def test_of_more_runs_than_have_crosses_the_one_that_is_shown_has_one(runs):
    rows = [
        f"m{m},q{q},{(q + m + s) % 3 % 2}" for m in range(runs) for q in range(4) for s in range(3)
    ]
    data = "\n".join(["model,question_id,correct", *rows]).encode()
    app = visit(("r.csv", data))
    assert not app.exception
    assert ("is marked with a cross" in words(app)) == (runs > 12)
