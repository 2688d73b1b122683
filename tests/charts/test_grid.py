"""A grid shows each number over its interval."""

import re
from dataclasses import replace

import pytest

from charts.grid import GridCell, grid
from charts.theme import colour
from kofn.overview.words import describe_grid, grid_scale
from metrics.data.results import Interval
from metrics.data.words import Text

HOSTILE = "<img src=x onerror=alert(1)>"


def cell(line, column, value, number=0):
    interval = None if value is None else Interval(value - 0.1, value + 0.1)
    text = "N/A" if value is None else f"{value:.0%}"
    return GridCell(line, column, value, interval, text, Text("{name}", name=HOSTILE), number)


CELLS = [cell(0, 0, 0.5), cell(0, 1, 0.9, 1), cell(1, 0, None)]


def test_an_interval_lies_within_its_cell():
    figure = grid(CELLS, ["a", "b"], ["x", "y"], scale_text=grid_scale)
    spans = {}
    for shape in figure.layout.shapes:
        found = re.findall(r"M([\d.-]+),[\d.-]+H([\d.-]+)", shape.path)
        ends = [tuple(map(float, pair)) for pair in found]
        assert all(-0.5 < x < 1.5 for pair in ends for x in pair)
        spans.setdefault(shape.line.width, []).extend(ends)
    (low, high), _second = spans[5]
    assert high - low == pytest.approx(0.2 / 0.6 * 0.84, abs=1e-4)
    assert len(spans[1]) == 2, "a line for each cell with a number"


def test_a_value_is_marked_where_it_lies_in_its_interval():
    figure = grid(CELLS, ["a", "b"], ["x", "y"], scale_text=grid_scale)
    (mark,) = (
        shape
        for shape in figure.layout.shapes
        if shape.line.width == 3 and shape.line.color == colour(1)
    )
    x, top, bottom = map(float, re.fullmatch(r"M([\d.-]+),([\d.-]+)V([\d.-]+)", mark.path).groups())
    assert x == pytest.approx(0.5 + 0.08 + 0.84 * (0.9 - 0.4) / 0.6, abs=1e-4)
    assert bottom - top == pytest.approx(11 / 46, abs=1e-3)


def test_a_grid_without_numbers_has_no_lines_of_which_to_speak():
    open_ = replace(CELLS[0], value=0.15, interval=None)
    whole, point, bare = (
        grid(cells, ["a"], ["x"], scale_text=grid_scale)
        for cells in (CELLS[:1], [open_], CELLS[2:])
    )
    assert [note.text for note in whole.layout.annotations] == ["Each line runs from 40% to 60%."]
    assert [note.text for note in point.layout.annotations] == ["Each line runs from 10% to 20%."]
    assert not bare.layout.annotations
    assert not bare.layout.shapes


def test_a_click_tells_the_cell():
    (texts,) = (
        trace
        for trace in grid(CELLS, ["a", "b"], ["x", "y"], scale_text=grid_scale).data
        if trace.customdata is not None
    )
    assert list(texts.customdata) == [0, 1, 2]
    assert list(texts.text) == ["50%", "90%", "N/A"]


def test_there_is_little_to_draw_whatever_the_size():
    many = [cell(line, column, 0.5, line) for line in range(40) for column in range(10)]
    figure = grid(
        many, [f"m{i}" for i in range(40)], [f"d{i}" for i in range(10)], 1, scale_text=grid_scale
    )
    assert figure.layout.height < 1200
    assert len(figure.data) == 1
    assert len(figure.layout.shapes) == 1 + 2 * 10 + 1, "two for each colour"
    strokes = {1: 0, 3: 0, 5: 0}
    for shape in figure.layout.shapes:
        strokes[shape.line.width] += (shape.path or "").count("M")
    assert strokes == dict.fromkeys(strokes, len(many)), "each cell has all three"


def test_names_are_letters_and_not_markup():
    figure = grid(CELLS, [HOSTILE, "b"], [HOSTILE, "y"], scale_text=grid_scale)
    assert "<img" not in figure.to_json().replace("\\u003c", "<")


def test_the_grid_is_described():
    assert "The highest is 90%, of a on y" in str(describe_grid(CELLS, ["a", "b"], ["x", "y"]))
    assert str(describe_grid([], [], [])) == "A grid without any number."


def test_a_number_that_is_nought_is_not_the_highest():
    cells = [cell(0, 0, 0.0), cell(1, 0, 0.5)]
    assert "The highest is 50%, of b" in str(describe_grid(cells, ["a", "b"], ["x"]))


def test_names_have_room_above_as_they_may_be_turned():
    named = [f"{letter}{'x' * 19}" for letter in "abcdefghijklmnopqrst"]
    few, many = (
        grid(CELLS, ["a"], named[:count], scale_text=grid_scale).layout for count in (8, 20)
    )
    assert few.margin.t > 20 * 4
    assert many.margin.t > 20 * 5.5, "upright on a phone"
    assert [*many.xaxis.autotickangles] == [-40, -90]
    assert grid(CELLS, ["a"], ["x", "y"], scale_text=grid_scale).layout.xaxis.tickangle == 0


def test_the_names_of_lines_have_their_room_before_a_browser_measures_them():
    for name, letters in (("a", 1), ("sequoia-72b", 11), ("a" * 80, 26)):
        figure = grid(CELLS, [name, "b"], ["x", "y"], scale_text=grid_scale)
        assert figure.layout.margin.l == 20 + 6 * letters
