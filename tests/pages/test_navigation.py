"""The menu: three sections, pages that need more data, and addresses that have moved."""

import pytest
import streamlit as st

from tests.pages.visiting import OVERVIEW, REPORTS, outcomes, parts, table, visit

MENU = {
    "Results": ["Overview", "Compare", "Trade-offs", "Choose n"],
    "Behaviour": ["Saturation", "Consistency", "Guidance", "Soft vs hard"],
    "Data": ["Reports", "Trust", "Questions"],
}
SAMPLES = "repeated samples"
RIGHT = outcomes(20, 4)


@pytest.fixture
def menu(monkeypatch):
    """The titles of each section that are in the menu after a run."""
    found, navigation = {}, st.navigation

    def look(sections, **options):
        for heading, pages in sections.items():
            found[heading] = [page.title for page in pages if page.visibility == "visible"]
        return navigation(sections, **options)

    monkeypatch.setattr(st, "navigation", look)
    return found


def dimmed(app):
    """Return the links of the sidebar that cannot be followed."""
    links = [link.proto for link in app.sidebar.get("page_link")]
    return [link.label.replace("\\", "") for link in links if link.disabled]


def test_without_data_all_pages_are_in_the_menu(menu):
    assert not dimmed(visit(REPORTS))
    assert menu == MENU


@pytest.mark.parametrize(
    ("files", "needs"),
    [
        (
            [table(RIGHT[:, :1])],
            {
                "Compare": "a second run",
                "Trade-offs": "a second run",
                "Choose n": SAMPLES,
                "Saturation": SAMPLES,
                "Consistency": SAMPLES,
                "Guidance": SAMPLES,
                "Soft vs hard": "soft scores",
            },
        ),
        ([table(RIGHT)], {"Compare": "a second run", "Soft vs hard": "soft scores"}),
        ([table(RIGHT, "a", score=RIGHT.ravel() * 0.9), table(RIGHT, "b")], {}),
    ],
)
def test_pages_for_which_the_data_hold_nothing_say_what_they_need(menu, files, needs):
    app = visit(OVERVIEW, *((f"{at}.parquet", file) for at, file in enumerate(files)))
    assert dimmed(app) == [f"{page}: {what}" for page, what in needs.items()]
    assert menu == {
        heading: [title for title in titles if title not in needs]
        for heading, titles in MENU.items()
    }
    assert ("Needs more data" in [each.value for each in app.sidebar.caption]) is bool(needs)


def test_a_page_that_is_not_in_the_menu_opens_by_its_address():
    app = visit("pages/behaviour/soft_vs_hard/page.py", ("a.parquet", table(RIGHT)))
    assert app.title[0].value == "Soft vs hard"
    assert not app.exception


@pytest.mark.parametrize(
    ("address", "part"), [("candidates", "Best of n"), ("budgets", "Short answers")]
)
def test_what_choose_n_has_taken_over_opens_by_its_old_address(address, part):
    app = visit(REPORTS, ("a.parquet", table(RIGHT)))
    pages = app._registered_pages.items()
    app._page_hash = next(name for name, page in pages if page["url_pathname"] == address)
    app.query_params.update({"dataset": "maths"})
    app.run()
    assert not app.exception
    assert app.title[0].value == "Choose n"
    assert parts(app)[1] == [part]
    assert app.query_params["dataset"] in ("maths", ["maths"])


def test_the_scorecard_is_a_view_of_the_overview_by_its_old_address(menu):
    app = visit(REPORTS, ("a.parquet", table(RIGHT)))
    pages = app._registered_pages.items()
    app._page_hash = next(name for name, page in pages if page["url_pathname"] == "scorecard")
    app.query_params.update({"k": "2", "metrics": "pass@k,avg@n", "detail": "alpha / maths"})
    app.run()
    assert not app.exception
    assert app.title[0].value == "Overview"
    assert list(app.dataframe[0].value.columns) == ["run", "n", "avg@n", "pass@2"]
    assert any("What it says" in each.value for each in app.table)
    assert app.query_params["form"] == "metrics"
