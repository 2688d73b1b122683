"""Names at the ends of lines do not lie over one another."""

from itertools import pairwise

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts.line_ends import GAP, End, apart, name_ends, told_apart


@given(st.lists(st.floats(0, 100), max_size=30), st.floats(0.1, 5))
def test_places_keep_their_order_their_distance_and_within(places, least):
    moved = apart(places, (0.0, 100.0), least)
    order = sorted(range(len(places)), key=places.__getitem__)
    steps = [moved[b] - moved[a] for a, b in pairwise(order)]
    room = min(least, 100 / max(len(places) - 1, 1))
    assert all(step >= room - 1e-9 for step in steps)
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in moved)


@given(st.lists(st.integers(1, 9), max_size=8, unique=True))
def test_places_that_are_apart_stay(places):
    fractions = [10.0 * place for place in places]
    assert apart(fractions, (0.0, 100.0), 10.0) == pytest.approx(fractions)


def test_two_in_one_place_part_evenly():
    assert apart([50.0, 50.0], (0.0, 100.0), 4.0) == [48.0, 52.0]


def test_places_at_an_end_do_not_run_into_those_below():
    assert apart([0.84, 0.99, 1.0], (0.0, 1.0), 0.1) == pytest.approx([0.8, 0.9, 1.0])


def test_a_name_is_letters_in_the_colour_of_its_line_and_has_room():
    figure = go.Figure()
    ends = [End("<b>7B</b>", 40.0, "#123456"), End("a" * 99, 41.0, "#654321", strong=True)]
    name_ends(figure, ends, (0, 100), 400)
    first, second = figure.layout.annotations
    assert first.text == "&lt;b&gt;7B&lt;/b&gt;"
    assert first.font.color == "#123456"
    assert second.y - first.y == pytest.approx(GAP * 100 / 400)
    assert second.text.startswith("<b>aaa")
    assert 100 < figure.layout.margin.r < 180


def test_nothing_to_name_takes_no_room():
    figure = go.Figure()
    name_ends(figure, [], (0, 100), 400)
    assert not figure.layout.annotations
    assert figure.layout.margin.r < 20


def test_long_names_are_told_apart_by_what_differs():
    names = [f"provider/a-long-model-name-{size}-instruct" for size in ("7b", "70b")]
    assert told_apart(names, 20) == ["…7b-instruct", "…70b-instruct"]
    assert told_apart(["a" * 30, "a" * 29 + "b"], 20) == ["a" * 30, "a" * 29 + "b"]
    assert told_apart(["x" * 30], 20) == ["x" * 30]
