"""Each page in Chinese, beside visitors who read English."""

import re

import pytest

from tests.kofn.test_in_chinese import english
from tests.pages.visiting import PAGES, visit, visit_sample

CHINESE = re.compile("[一-鿿]")
LABELS = ("button", "selectbox", "multiselect", "number_input", "pills", "text_input", "toggle")


def said(page: str, language: str) -> str:
    """Return the sentences and labels of a page of the sample, without markup."""
    app = visit_sample(page, lang=language)
    assert not app.exception
    assert app.session_state["kofn.reports"]
    kinds = (app.title, app.header, app.markdown, app.caption, app.info, app.warning, app.error)
    found = [each.value for kind in kinds for each in kind]
    found += [each.label for kind in LABELS for each in getattr(app, kind, ())]
    plain = re.sub(r"<style>.*?</style>|:\w+(?:/\w+)?:|:\w+\[", "", "\n".join(map(str, found)))
    return re.sub(r"\\(.)", r"\1", plain)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_all_in_chinese(page):
    text = said(page, "zh")
    assert CHINESE.search(text)
    assert not english(text)


def test_one_server_speaks_to_each_visitor_in_their_language():
    first, other, again = (said(PAGES[0], language) for language in ("zh", "en", "zh"))
    assert first == again
    assert not CHINESE.search(other)


def test_the_switch_is_there_where_a_page_stops_for_want_of_data():
    app = visit(PAGES[0], lang="zh")
    assert not app.exception
    (switch,) = (each for each in app.sidebar.segmented_control if each.options[1:] == ["中文"])
    assert switch.value == "zh"
