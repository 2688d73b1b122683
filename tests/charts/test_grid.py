"""A grid shows each number over its interval."""

import pytest

from charts.grid import GridCell, describe_grid, grid
from metrics.data.results import Interval
from metrics.data.words import Text

HOSTILE = "<img src=x onerror=alert(1)>"


def cell(line, column, value, number=0):
    interval = None if value is None else Interval(value - 0.1, value + 0.1)
    text = "N/A" if value is None else f"{value:.0%}"
    return GridCell(line, column, value, interval, text, Text("{name}", name=HOSTILE), number)


CELLS = [cell(0, 0, 0.5), cell(0, 1, 0.9, 1), cell(1, 0, None)]


def test_an_interval_lies_within_its_cell():
    figure = grid(CELLS, ["a", "b"], ["x", "y"])
    for line in (trace for trace in figure.data if trace.mode == "lines"):
        for x in line.x:
            assert x is None or -0.5 < x < 1.5
    thick = [trace for trace in figure.data if trace.mode == "lines" and trace.line.width > 1]
    (first, _second) = thick
    assert first.x[1] - first.x[0] == pytest.approx(0.2 / 0.6 * 0.84)


def test_a_click_tells_the_cell():
    (texts,) = (
        trace for trace in grid(CELLS, ["a", "b"], ["x", "y"]).data if trace.customdata is not None
    )
    assert list(texts.customdata) == [0, 1, 2]
    assert list(texts.text) == ["50%", "90%", "N/A"]


def test_there_are_few_traces_whatever_the_size():
    many = [cell(line, column, 0.5, line) for line in range(20) for column in range(20)]
    figure = grid(many, [f"m{i}" for i in range(20)], [f"d{i}" for i in range(20)], 1)
    assert len(figure.data) <= 2 + 2 * 20


def test_names_are_letters_and_not_markup():
    figure = grid(CELLS, [HOSTILE, "b"], [HOSTILE, "y"])
    assert "<img" not in figure.to_json().replace("\\u003c", "<")


def test_the_grid_is_described():
    assert "The highest is 90%, of a on y" in str(describe_grid(CELLS, ["a", "b"], ["x", "y"]))
    assert str(describe_grid([], [], [])) == "A grid without any number."


def test_a_number_that_is_nought_is_not_the_highest():
    cells = [cell(0, 0, 0.0), cell(1, 0, 0.5)]
    assert "The highest is 50%, of b" in str(describe_grid(cells, ["a", "b"], ["x"]))
