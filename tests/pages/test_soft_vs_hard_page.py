"""Soft against hard as a page: the library's numbers, and words for the rest."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kofn.writing.estimates import percent, points
from metrics import soft_hard
from tests.kofn.soft_vs_hard.soft_runs import scores, table
from tests.pages import visiting

PAGE = "pages/behaviour/soft_vs_hard/page.py"


def visit(*files, **query):
    app = visiting.visit(PAGE, *files, **query)
    assert not app.exception
    return app


def words(app):
    kinds = (app.markdown, app.caption, app.info, app.warning)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (6, 1), (6, 2)])
def test_the_page_takes_few_questions_and_samples(shape):
    app = visit(("a.parquet", table(scores(*shape))))
    assert len(app.get("plotly_chart")) == 2


def test_the_page_has_the_numbers_of_the_library():
    soft = scores()
    app = visit(("a.parquet", table(soft)), threshold="0.3", rule="reach", level="0.9")
    truth = soft_hard(soft, threshold=0.3, strict=False, confidence_level=0.9)
    cells = app.dataframe[0].value.iloc[0].tolist()
    for cell, expected in zip(cells[1:3], (truth.accuracy, truth.avg), strict=True):
        assert cell == str(percent(expected.value, *expected.interval))
    assert "right: a score of at least 0.3" in words(app)
    assert app.number_input(key="kofn.Cutoff.threshold").value == 0.3


def test_the_threshold_follows_its_control():
    app = visit(("a.parquet", table(scores())))
    assert app.number_input(key="kofn.Cutoff.threshold").value is None
    app.number_input(key="kofn.Cutoff.threshold").set_value(0.6).run()
    app.selectbox(key="kofn.Cutoff.rule").set_value("reach").run()
    assert app.query_params["threshold"] == "0.6"
    assert "right: a score of at least 0.6" in words(app)
    app.selectbox(key="kofn.Cutoff.rule").set_value("own").run()
    assert "rule" not in app.query_params


def test_each_replica_has_its_accuracies_soft_and_hard():
    soft = scores()
    (found,) = (each.value for each in visit(("a.parquet", table(soft)), more="replicas").table)
    truth = soft_hard(soft)
    assert found["Accuracy"].tolist() == ["soft", "hard"]
    for row, (mine, mean) in enumerate(
        zip(truth.by_replica, (truth.accuracy, truth.avg), strict=True)
    ):
        assert found["Each replica"][row] == ", ".join(str(percent(value)) for value in mine)
        assert found["Mean by question"][row] == str(percent(mean.value))
        assert found["Standard deviation"][row] == str(points(truth.spread[row]))


def test_scores_of_0_and_1_leave_nothing_to_compare():
    hard = (scores() > 0.5).astype(float)
    app = visit(("a.parquet", table(hard)))
    assert "soft and hard accuracy are the same" in app.header[0].value
    assert "identical by construction" not in words(app)


def test_without_scores_the_page_says_what_to_do():
    long = {
        "model": ["m"] * 4,
        "dataset": ["d"] * 4,
        "question_id": ["a", "a", "b", "b"],
        "sample": [0, 1, 0, 1],
        "correct": [1, 0, 1, 1],
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(long), buffer)
    app = visit(("a.parquet", buffer.getvalue()))
    assert not app.get("plotly_chart")
    assert "Load results of textvqa" in app.info[0].value
    assert app.header[0].value.startswith("No run has soft scores")
    assert "soft and hard accuracy are the same" not in words(app)
    assert "95% intervals" not in words(app)


def test_several_runs_are_ranked_in_words():
    app = visit(
        ("a.parquet", table(scores())), ("b.parquet", table(scores(lift=0.3), model="beta"))
    )
    assert "order of the runs" in words(app)
    assert len(app.get("plotly_chart")) == 2


def test_all_datasets_with_scores_are_shown_or_one():
    data = table(scores())
    other = pq.read_table(io.BytesIO(data))
    buffer, bare = io.BytesIO(), io.BytesIO()
    pq.write_table(other.set_column(1, "dataset", pa.array(["docvqa"] * len(other))), buffer)
    none = other.set_column(1, "dataset", pa.array(["maths"] * len(other)))
    pq.write_table(none.drop_columns("score"), bare)
    files = ("a.parquet", data), ("b.parquet", buffer.getvalue()), ("c.parquet", bare.getvalue())
    app = visit(*files)
    chosen = app.selectbox(key="kofn.Focus.dataset")
    assert "docvqa" in chosen.options
    assert "maths" not in chosen.options
    gap = soft_hard(scores()).gap
    assert "On average over 2 datasets partial credit" in visiting.opening(app)
    assert str(points(gap.value)) in visiting.opening(app)
    for name, drawn in (("docvqa", 2), ("maths", 1)):
        app = visit(*files, dataset=name)
        assert len(app.get("plotly_chart")) == drawn
        assert "maths" in words(app)
        assert "link names" not in words(app)
    assert app.selectbox(key="kofn.Focus.dataset").value is None


@pytest.mark.parametrize("runs", [1, 2])
def test_runs_whose_files_have_other_verdicts_are_told_or_counted(runs, monkeypatch):
    monkeypatch.setattr("pages.behaviour.soft_vs_hard.showing.NAMED", 1)
    files = [
        (f"{run}.parquet", table(scores(8, seed=run), scores(8, seed=run) > 0.8, f"m{run}"))
        for run in range(runs)
    ]
    app = visit(*files)
    assert len([each for each in app.warning if "own verdict differs" in each.value]) == runs % 2
    folds = [each.label for each in app.expander if "to know" in each.label]
    assert folds == ([] if runs == 1 else [":orange[**2 things to know**]"])
