"""Candidates as a page: the picture of who picks, its numbers, and what would bring it to life."""

import numpy as np

from kofn.candidates.answer import NEEDED
from kofn.writing.estimates import percent
from metrics import selected
from tests.kofn.candidates.picked_runs import drawn, table
from tests.pages import visiting

PAGE = "pages/results/choose_n/candidates/page.py"


def visit(*files, **query):
    app = visiting.visit(PAGE, *files, **query)
    assert not app.exception
    return app


def test_the_page_draws_who_picks_and_lists_the_numbers_of_the_library():
    right, signal = drawn(30, 4)
    other = np.random.default_rng(5).normal(size=right.shape)
    tokens = np.full(right.shape, 10)
    files = [
        ("a.parquet", table(right, signal, verdict_b=other, tokens_out=tokens)),
        ("b.parquet", table(right, None, "beta")),
    ]
    app = visit(*files)
    (figure,) = visiting.figures(app)
    names = [trace.name for trace in figure.data if trace.name]
    assert names == ["An oracle", "Picked by rm", "Majority vote", "One sample"]
    truth = selected(right, signal, [4])
    cells = app.dataframe[0].value.iloc[-1]
    assert cells["Picked by rm"] == str(percent(truth.value[0], truth.low[0], truth.high[0]))
    assert cells["Tokens"] == "40"
    assert len(app.dataframe[1].value) == 2
    visiting.choose(app, "Picked by", "verdict_b")
    assert app.query_params["signal"] == "verdict_b"
    assert "Picking by verdict_b" in app.header[0].value.replace("\\", "")
    visiting.choose(app, "Run", "beta / maths")
    assert "beta: Among 4 candidates" in visiting.told(app)


def test_without_a_signal_it_says_what_column_it_needs_and_still_draws():
    right, _ = drawn(30, 4)
    app = visit(("a.parquet", table(right)))
    assert str(NEEDED) in visiting.told(app)
    assert len(visiting.figures(app)) == 1


def test_one_sample_of_each_question_draws_nothing():
    right, signal = drawn(30, 1)
    app = visit(("a.parquet", table(right, signal)))
    assert not app.get("plotly_chart")
    assert not app.dataframe
    assert "leaves nothing to pick from" in app.header[0].value


def test_what_is_folded_is_computed_where_it_is_opened():
    right, signal = drawn(30, 4)
    human = np.where(np.arange(right.size).reshape(right.shape) % 4, np.nan, right)
    sure = np.clip(signal / 8 + 0.5, 0, 1)
    data = table(right, sure, human=human, extracted=right)
    app = visiting.visit(PAGE, ("a.parquet", data), nested="yes")
    closed = len(app.dataframe)
    assert "Chosen on half of the questions" in visiting.told(app)
    folds = ("rivals", "trust", "lists", "diversity", "judges")
    for name in folds:
        app.session_state[f"kofn.candidates.{name}"] = True
    app.run()
    assert not app.exception
    heads = [set(each.value.columns) for each in app.dataframe[closed:]]
    columns = ("More than the first", "Signal", "k = 4", "Solved where less", "By labels alone")
    for column in columns:
        assert sum(column in head for head in heads) == 1, column
    app.text_input(key="kofn.Picking.weights").set_value("2,1").run()
    assert app.query_params["weights"] == "2,1"
    assert any("weighted mean" in each.value.to_string() for each in app.dataframe)
    visiting.choose(app, "Judge", "rm")
    assert app.query_params["judge"] == "rm"
    assert "Judge: rm." in visiting.told(app)


def test_the_dataset_with_a_signal_is_shown_first_though_another_has_more_samples():
    (right, signal), (more, _) = drawn(20, 4), drawn(20, 8)
    app = visit(
        ("a.parquet", visiting.table(more, dataset="coding")), ("b.parquet", table(right, signal))
    )
    assert "Picking by rm among 4" in visiting.told(app)
    visiting.choose(app, "Dataset", "coding")
    assert "Among 8 candidates an oracle" in visiting.told(app)
