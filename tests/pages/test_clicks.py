"""What a click on a table does, which a page without a browser is told by the callback itself."""

import pytest
import streamlit
from streamlit import session_state
from streamlit.delta_generator import DeltaGenerator
from streamlit.util import AttributeDictionary

from tests.pages.visiting import OVERVIEW, outcomes, table, visit

QUESTIONS = "pages/data/questions/page.py"
FILES = [(f"{m}.parquet", table(outcomes(9, seed=m), f"m{m}")) for m in (1, 2)]
NONE = {"rows": [], "columns": [], "cells": []}


@pytest.fixture
def click(monkeypatch):
    """Run a page once more, with something selected in its first table that can be clicked."""
    selections = []

    def clickable(show):
        def shown(*given, **how):
            if selections and callable(how.get("on_select")):
                chosen = AttributeDictionary({"selection": AttributeDictionary(selections.pop())})
                with monkeypatch.context() as patch:
                    patch.setitem(session_state, how["key"], chosen)
                    how["on_select"]()
            return show(*given, **how)

        return shown

    monkeypatch.setattr(DeltaGenerator, "dataframe", clickable(DeltaGenerator.dataframe))
    monkeypatch.setattr("streamlit.dataframe", clickable(streamlit.dataframe))
    monkeypatch.setattr("streamlit.rerun", lambda *parts: None)

    def clicked(app, **selection):
        selections.append(NONE | selection)
        app.run()
        assert not app.exception
        assert not selections
        return app.run().query_params

    return clicked


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
