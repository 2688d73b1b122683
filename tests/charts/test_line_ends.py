"""Names at the ends of lines do not lie over one another, and stay near their lines."""

from html import unescape
from itertools import pairwise

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts.axes import amounts
from charts.line_ends import GAP, End, name_ends, spread_out


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20))
def test_heights_are_a_gap_apart_in_their_order(heights):
    found = spread_out(heights, (0, 100), 5.0)
    ordered = sorted(zip(heights, found, strict=True))
    assert all(b[1] - a[1] >= 5 - 1e-9 for a, b in pairwise(ordered) if a[0] < b[0])
    assert all(b - a >= 5 - 1e-9 for a, b in pairwise(sorted(found)))
    assert min(found) >= -1e-9
    assert max(found) <= 100 + 1e-9


@given(st.lists(st.integers(0, 9), unique=True, min_size=1))
def test_heights_that_are_apart_stay(heights):
    spread = [10.0 * each + 5 for each in heights]
    assert spread_out(spread, (0, 100), 10.0) == pytest.approx(spread)


def test_more_names_than_fit_share_the_space():
    found = sorted(spread_out([1.0] * 41, (0, 100), 5.0))
    assert [b - a for a, b in pairwise(found)] == pytest.approx([2.5] * 40)


def test_each_line_is_named_in_its_colour_and_the_margin_holds_the_names():
    figure, hostile = go.Figure(), "<b>x</b>" + 90 * "y"
    name_ends(figure, [End("one", 5, "red", True), End(hostile, 5, "blue")], (0, 10), 300)
    first, second = figure.layout.annotations
    assert (first.text, first.font.color) == ("<b>one</b>", "red")
    lines = second.text.split("<br>")
    assert len(lines) == 2
    assert "<" not in "".join(lines)
    assert abs(first.y - second.y) == pytest.approx(2 * GAP * 10 / 300)
    assert figure.layout.margin.r >= 7 * max(map(len, map(unescape, lines)))


def test_names_take_one_line_where_two_have_no_room_and_marks_are_never_broken():
    aim = End("aim: 83.0% of all", 5, "grey")
    runs = [End(f"sequoia-{number}b-chat", 5, "red") for number in range(4)]
    one, two = go.Figure(), go.Figure()
    name_ends(one, runs, (0, 10), 2 * GAP * 4, [aim])
    name_ends(two, runs, (0, 10), 2 * GAP * 5, [aim])
    assert not any("<br>" in each.text for each in one.layout.annotations)
    *named, mark = two.layout.annotations
    assert [each.text for each in named] == [f"sequoia-<br>{number}b-chat" for number in range(4)]
    assert mark.text == aim.name


@given(st.floats(1e-9, 1e9), st.floats(2, 1e9))
def test_ticks_are_round_within_the_axis_and_neither_one_nor_many(low, factor):
    ticks, written = amounts(low, low * factor)
    assert all(low <= tick <= low * factor for tick in ticks)
    assert 2 <= len(ticks) <= 10
    assert len(set(written)) == len(written)
    assert [float(text.replace(",", "")) for text in written] == pytest.approx(ticks)
