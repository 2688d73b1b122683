"""Best of n on Choose n: the picture of who picks, its numbers, and what would bring it to life."""

import json

import numpy as np

from kofn.candidates.words import NEEDED
from kofn.writing.estimates import percent
from metrics import selected
from tests.kofn.candidates.picked_runs import drawn, table
from tests.pages import visiting


def visit(*files, **query):
    app = visiting.visit(visiting.CHOOSE_N, *files, more="best-of-n", **query)
    assert not app.exception
    return app


def tables(app, head):
    """The tables with a column."""
    return [each.value for each in app.dataframe if head in each.value]


def test_the_page_draws_who_picks_and_lists_the_numbers_of_the_library():
    right, signal = drawn(30, 4)
    other = np.random.default_rng(5).normal(size=right.shape)
    tokens = np.full(right.shape, 10)
    files = [
        ("a.parquet", table(right, signal, verdict_b=other, tokens_out=tokens)),
        ("b.parquet", table(right, None, "beta")),
    ]
    app = visit(*files)
    _choice, figure = visiting.figures(app)
    names = [trace.name for trace in figure.data if trace.name]
    assert names == ["An oracle", "Picked by rm", "Majority vote", "One sample"]
    truth = selected(right, signal, [4])
    (by_k,) = tables(app, "Tokens")
    cells = by_k.iloc[-1]
    assert cells["Picked by rm"] == str(percent(truth.value[0], truth.low[0], truth.high[0]))
    assert cells["Tokens"] == "40"
    (every,) = tables(app, "Of what is possible")
    assert len(every) == 2
    visiting.choose(app, "Picked by", "verdict_b")
    assert app.query_params["signal"] == "verdict_b"
    assert "Picking by verdict_b" in visiting.told(app)
    for lowest, signal in ((True, "-verdict_b"), (False, "verdict_b")):
        app.toggle(key="kofn.Picking.lowest").set_value(lowest).run()
        assert app.query_params["signal"] == signal
    visiting.choose(app, "Run", "beta / maths")
    assert "beta: Among 4 candidates" in visiting.told(app)


def test_without_a_signal_it_says_what_column_it_needs_and_still_draws():
    right, _ = drawn(30, 4)
    app = visit(("a.parquet", table(right)))
    assert str(NEEDED) in visiting.told(app)
    assert len(visiting.figures(app)) == 2


def test_one_sample_of_each_question_draws_nothing():
    right, signal = drawn(30, 1)
    app = visit(("a.parquet", table(right, signal)))
    assert not app.get("plotly_chart")
    assert "leaves no choice" in visiting.told(app)


def test_what_is_folded_is_computed_where_it_is_opened():
    right, signal = drawn(30, 4)
    human = np.where(np.arange(right.size).reshape(right.shape) % 4, np.nan, right)
    sure = np.clip(signal / 8 + 0.5, 0, 1)
    data = table(right, sure, human=human, extracted=right)
    app = visit(("a.parquet", data), nested="yes")
    closed = len(app.dataframe)
    assert not tables(app, "Of what is possible"), "one run stands beside no other"
    assert "When one half of the questions chooses" in visiting.told(app)
    folds = ("rivals", "trust", "lists", "diversity")
    visiting.unfold(app, *(f"candidates.{name}" for name in folds))
    assert not app.exception
    heads = [set(each.value.columns) for each in app.dataframe[closed:]]
    columns = ("More than the first", "Signal", "k = 4", "Solved where less")
    for column in columns:
        assert sum(column in head for head in heads) == 1, column
    app.text_input(key="kofn.Picking.weights").set_value("2,1").run()
    assert app.query_params["weights"] == "2,1"
    assert any("weighted mean" in each.value.to_string() for each in app.dataframe)


def test_judges_and_what_to_see_to_stand_on_trust():
    right, signal = drawn(30, 4)
    human = np.where(np.arange(right.size).reshape(right.shape) % 4, np.nan, right)
    sure = np.clip(signal / 8 + 0.5, 0, 1)
    file = "a.parquet", table(right, sure, human=human, extracted=right)
    app = visiting.visit("pages/data/trust/page.py", file)
    assert not tables(app, "As judged")
    visiting.look_closer(app, "judges")
    assert not app.exception
    assert len(tables(app, "By labels alone")) == 1
    assert "The judge of the verdicts agrees with people on " in visiting.told(app)
    (seen_to,) = tables(app, "How it stands")
    states = set(seen_to["State"])
    assert states <= {"done", "missing", "look"}
    done = (seen_to["State"] == "done").sum()
    assert f"{done} of {len(seen_to)} points done" in visiting.told(app)
    visiting.choose(app, "Judge", "rm")
    assert app.query_params["judge"] == "rm"
    assert "rm agrees with people on " in visiting.told(app)


def test_texts_are_compared_where_it_is_asked_how_much_candidates_differ():
    lines = [
        {"question_id": f"q{q}", "sample": s, "correct": s % 2, "prediction": f"It is {q * s}."}
        for q in range(4)
        for s in range(3)
    ]
    app = visit(("t.jsonl", "\n".join(map(json.dumps, lines)).encode()))
    visiting.unfold(app, "candidates.diversity")
    assert not app.exception
    (differ,) = tables(app, "Solved where less")
    assert differ["Number"].tolist() == ["distinct-1", "distinct-2", "apart", "clones"]
    assert differ["Mean"][3].startswith("25.0% (")
