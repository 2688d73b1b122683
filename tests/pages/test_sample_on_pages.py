"""Each page of the sample: in Chinese beside visitors who read English, and in good order."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.proto.Block_pb2 import Block as Proto
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from tests.kofn.test_in_chinese import english
from tests.pages.visiting import OVERVIEW, PAGES, REPORTS, figures, visit, visit_sample
from tests.wide import wide_but

CHINESE = re.compile("[一-鿿]")
SMALL = {"markdown", "page_link", "selectbox", "text_input", "caption", "button", "popover"}
TOP = Proto.Column.TOP
ON_ONE_LINE = (Proto.FlexContainer.ALIGN_CENTER, Proto.FlexContainer.ALIGN_END)
LABELS = ("button", "selectbox", "multiselect", "number_input", "pills", "text_input", "toggle")


def opened(page: str, language: str = "zh") -> AppTest:
    app = visit_sample(page, lang=language)
    assert not app.exception
    assert app.session_state["kofn.reports"]
    return app


once = cache(opened)


def said(app: AppTest) -> str:
    """Return the sentences and labels of a page, without markup."""
    kinds = (app.title, app.header, app.markdown, app.caption, app.info, app.warning, app.error)
    found = [each.value for kind in kinds for each in kind]
    found += [each.label for kind in LABELS for each in getattr(app, kind, ())]
    plain = re.sub(r"<style>.*?</style>|:\w+(?:/\w+)?:|:\w+\[", "", "\n".join(map(str, found)))
    return re.sub(r"\\(.)", r"\1", plain)


@pytest.mark.parametrize("page", wide_but([OVERVIEW, REPORTS], PAGES))
def test_a_page_says_all_in_chinese(page):
    text = said(once(page))
    assert CHINESE.search(text)
    assert not english(text)


def test_one_server_speaks_to_each_visitor_in_their_language():
    first, other, again = (said(opened(PAGES[0], language)) for language in ("zh", "en", "zh"))
    assert first == again
    assert not CHINESE.search(other)


def test_the_switch_is_there_where_a_page_stops_for_want_of_data():
    app = visit(PAGES[0], lang="zh")
    assert not app.exception
    (switch,) = (each for each in app.sidebar.segmented_control if each.options[1:] == ["中文"])
    assert switch.value == "zh"


def test_the_example_is_drawn_in_the_language_of_each_visitor():
    for language in ("en", "zh", "en"):
        (drawn,) = figures(visit(REPORTS, lang=language))
        assert bool(CHINESE.search(drawn.layout.yaxis.title.text)) == (language == "zh")


def rows(block: Block) -> Iterator[tuple[Block, list[Block]]]:
    """Yield what stands side by side."""
    for below in block.children.values():
        if isinstance(below, Block):
            flex = getattr(below.proto, "flex_container", None)
            if flex and flex.direction == Proto.FlexContainer.HORIZONTAL:
                yield below, [*below.children.values()]
            yield from rows(below)


@pytest.mark.parametrize("page", wide_but([OVERVIEW, REPORTS], PAGES))
def test_what_stands_in_a_row_stands_on_one_line(page):
    """Words beside a button, a box or a link have its middle or its foot at theirs."""
    for row, beside in rows(once(page).main):
        kinds = {each.type for each in beside}
        if kinds == {"column"}:
            held = [each.children.values() for each in beside]
            small = all(e.type in SMALL for each in held for e in each)
            for column in beside:
                assert not small or column.proto.vertical_alignment != TOP, [*held]
        elif len(kinds) > 1:
            assert row.proto.flex_container.align in ON_ONE_LINE, kinds


@pytest.mark.parametrize("page", PAGES)
def test_names_along_an_axis_cannot_be_dragged_out_of_sight(page):
    for figure in figures(once(page)):
        for axis in figure.select_yaxes(lambda axis: axis.ticktext is not None):
            assert axis.fixedrange, axis.ticktext
