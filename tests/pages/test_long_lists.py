"""A long list of questions goes by pages, which follow the open question and the link."""

import pytest

from tests.pages.reading_questions import QUESTIONS, box, button, listed
from tests.pages.visiting import outcomes, table, visit


@pytest.fixture
def long_list(monkeypatch):
    """Open the last question of the second page of three."""
    monkeypatch.setattr("pages.data.questions.list_pages.PAGE", 25)
    return visit(QUESTIONS, ("a.parquet", table(outcomes(60, 2))), open="q49")


def marked(app):
    (row,) = app.session_state[app.dataframe[0].proto.id]["selection"]["rows"]
    return listed(app)[row]


def test_a_long_list_shows_the_page_of_the_open_question_and_follows_it(long_list):
    app = long_list
    assert listed(app) == [f"q{i}" for i in range(25, 50)]
    assert marked(app) == "q49"
    button(app, "Previous").click().run()
    assert marked(app) == "q48"
    for _step in range(2):
        button(app, "Next").click().run()
    assert listed(app) == [f"q{i}" for i in range(50, 60)]
    assert marked(app) == "q50"
    assert "page" not in app.query_params


def test_the_page_of_a_long_list_is_in_the_link_until_the_list_is_another(long_list):
    app = long_list
    app.get("pagination")[0].set_value(1).run()
    assert listed(app) == [f"q{i}" for i in range(25)]
    assert app.query_params["page"] == "1"
    assert app.query_params["open"] == "q49"
    box(app, "Sort by").set_value("right").run()
    assert "page" not in app.query_params


def test_a_list_stays_on_its_page_when_the_question_is_closed(long_list):
    button(long_list, "Close").click().run()
    assert listed(long_list) == [f"q{i}" for i in range(25, 50)]
    assert long_list.query_params["page"] == "2"


@pytest.mark.parametrize(("page", "first"), [("3", "q50"), ("99", "q50"), ("none", "q0")])
def test_a_link_leads_to_a_page(monkeypatch, page, first):
    monkeypatch.setattr("pages.data.questions.list_pages.PAGE", 25)
    app = visit(QUESTIONS, ("a.parquet", table(outcomes(60, 2))), page=page)
    assert listed(app)[0] == first
    assert not app.exception
