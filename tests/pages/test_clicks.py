"""What a click on a table or a figure does: a page without a browser is told by the callback."""

from urllib.parse import parse_qs

import numpy as np
import pytest
import streamlit
from streamlit import session_state
from streamlit.delta_generator import DeltaGenerator
from streamlit.util import AttributeDictionary

from tests.pages.visiting import (
    CHOOSE_N,
    OVERVIEW,
    SATURATION,
    choose,
    figures,
    outcomes,
    table,
    visit,
)

QUESTIONS = "pages/data/questions/page.py"
CONSISTENCY = "pages/behaviour/consistency/page.py"
TRADE_OFFS = "pages/results/trade_offs/page.py"
FILES = [(f"{m}.parquet", table(outcomes(9, seed=m), f"m{m}")) for m in (1, 2)]
NONE = {"rows": [], "columns": [], "cells": [], "points": []}
LINE = {"x": 1, "y": 2}
"""A point of a line, which stands for nothing."""


@pytest.fixture
def click(monkeypatch):
    """Run a page once more, with something selected or typed in the first place of a name."""
    selections = []

    def clickable(show):
        def shown(*given, **how):
            tell = how.get("on_select", how.get("on_change"))
            if selections and callable(tell) and selections[0] in how["key"]:
                told = selections.pop()
                selections.clear()
                with monkeypatch.context() as patch:
                    patch.setattr("streamlit.rerun", lambda *parts: None)
                    session_state[how["key"]] = AttributeDictionary(told)
                    tell()
                    del session_state[how["key"]]
            return show(*given, **how)

        return shown

    monkeypatch.setattr(DeltaGenerator, "dataframe", clickable(DeltaGenerator.dataframe))
    for name in ("dataframe", "plotly_chart", "data_editor"):
        monkeypatch.setattr(f"streamlit.{name}", clickable(getattr(streamlit, name)))

    def clicked(app, name="kofn.", edited=None, **selection):
        told = {"edited_rows": edited, "selection": AttributeDictionary(NONE | selection)}
        selections[:] = [name, told]
        app.run()
        assert not app.exception
        assert not selections
        return app.run().query_params

    return clicked


def places(*numbers):
    """What is clicked of a figure, of whose points some stand for something."""
    return [LINE, *({"customdata": number} for number in numbers)]


def test_a_question_is_opened_by_its_row_or_a_cell_and_a_column_sorts_both_ways(click):
    app = visit(QUESTIONS, *FILES)
    listed = app.selectbox(key="kofn.questions.name").options
    assert click(app, rows=[2])["open"] == listed[2]
    assert click(app, cells=[(1, "question")])["open"] == listed[1]
    app = visit(QUESTIONS, *FILES)
    for column, down in (("question", True), ("question", False), ("samples", True)):
        found = click(app, columns=[column])
        assert found["sort"] == ("right" if column == "samples" else column)
        assert ("down" in found) == down


def test_a_run_is_opened_by_its_row_and_a_metric_sorts_the_scores(click):
    app = visit(OVERVIEW, *FILES, form="metrics")
    runs = app.dataframe[0].value.iloc[:, 0]
    assert click(app, rows=[1])["detail"] == f"{runs[1]} / maths"
    assert click(app, cells=[(0, "run")])["detail"] == f"{runs[0]} / maths"
    assert click(app, columns=["pass@k"])["sort"] == "pass@k"


def test_a_run_is_opened_by_its_cell_among_models_and_datasets(click):
    app = visit(OVERVIEW, *FILES, form="table")
    shown = app.dataframe[0].value
    found = click(app, cells=[(1, shown.columns[-1])])
    assert found["detail"] == f"{shown.index[1]} / maths"
    assert "detail" not in click(app)


def test_a_run_is_opened_by_its_number_in_the_picture(click):
    app = visit(OVERVIEW, *FILES)
    numbers = next(each for each in figures(app)[0].data if each.customdata)
    second = numbers.hovertext[1].partition(":")[0]
    assert click(app, "overview", points=places(1, 0))["detail"] == second
    assert "detail" in click(app, "overview", points=[LINE])


def test_a_curve_is_given_its_band(click):
    app = visit(SATURATION, *FILES)
    before = [each.name for each in figures(app)[0].data if each.fill == "toself"]
    other = 1 if before == ["m1"] else 0
    assert click(app, "pass@k over k", points=places(other))["band"] == f"m{1 + other} / maths"
    assert [each.name for each in figures(app)[0].data if each.fill] != before


def test_a_run_among_trade_offs_is_kept_in_the_link(click):
    app = visit(TRADE_OFFS, *FILES, x="pass^k")
    assert click(app, "trade-offs", points=places(1))["detail"] == "m2 / maths"


def linked(app, label):
    """Where a link of the page leads, if it is there."""
    return [
        {name: values[0] for name, values in parse_qs(each.proto.query_string).items()}
        for each in app.get("page_link")
        if each.proto.label.replace("\\", "") == label
    ]


def test_points_and_bubbles_of_consistency_lead_to_their_questions(click):
    right = np.array([[1, 1, 1, 1]] * 3 + [[0, 0, 0, 0]] * 2 + [[1, 1, 1, 0]])
    answers = np.where(right, "a", np.tile(["b", "b", "c", "d"], (6, 1))).ravel()
    files = [(f"{m}.parquet", table(right, m, extracted=answers)) for m in ("alpha", "beta")]
    app = visit(CONSISTENCY, *files, detail="beta / maths")
    click(app, "consistency", points=places(0))
    (run,) = linked(app, "Questions of alpha / maths")
    assert run["a"] == "alpha / maths"
    click(app, "votes", points=places(2))
    assert [each["right"] for each in linked(app, "3 questions")] == ["0.875,1.0"]
    (named,) = (each for each in app.selectbox if "agreement" in each.key)
    before = {each.proto.id for each in app.get("plotly_chart")}
    named.select_index(2).run()
    (agreed,) = linked(app, "2 questions")
    anew = {each.proto.id for each in app.get("plotly_chart")} - before
    assert len(anew) == 1, "a click would still show where another was chosen by its name"
    assert (agreed["right"], agreed["agreed"]) == ("0.0,0.125", "0.375,0.625")


def test_what_is_typed_into_the_table_of_prices_is_of_what_it_is_asked_about(click):
    """That of another thing is dropped."""
    files = [("a.parquet", table(outcomes(9), "m", tokens_out=np.full(36, 9)))]
    app = visit(CHOOSE_N, *files, **{"token-price": "1,2"})
    assert "basis" not in app.query_params
    found = click(app, "kofn.prices", edited={0: {"output": 3.0}})
    assert (found["basis"], found["token-price"]) == ("tokens", "m=1,3")
    app = choose(app, "Price of", "samples")
    assert app.query_params["basis"] == "samples"
    (shown,) = app.data_editor
    assert list(shown.value) == ["model", "price"]
