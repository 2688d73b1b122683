"""Several runs in one matrix: each in its cell, the surer the larger, none over another."""

import pytest

from charts.matrix import column
from charts.places import FilledBoard, PlacedRun, places
from charts.theme import colour, symbol
from kofn.guidance.words import describe_places
from metrics.data.words import Text

LEVELS = {name: Text(name) for name in ("low", "medium", "high")}
CELL = ("high", "medium", "low")


def field(count, cell=CELL, chance=0.5):
    runs = [PlacedRun(f"run {i}", i, cell, chance, Text("there")) for i in range(count)]
    return FilledBoard(
        runs, ("pass@k", "avg@n", "cons@k"), LEVELS, frozenset([CELL]), {CELL: Text("row")}
    )


@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_runs_of_one_cell_lie_within_it_and_beside_one_another(count):
    figure = places(field(count))
    spots = [(trace.x[0], trace.y[0]) for trace in figure.data[1:]]
    assert len(set(spots)) == count
    x, y = column(list(LEVELS), CELL), 2
    assert all(abs(a - x) < 0.46 and abs(b - y) < 0.46 for a, b in spots)
    looks = [(trace.marker.color, trace.marker.symbol) for trace in figure.data[1:]]
    assert looks == [(colour(i), symbol(i)) for i in range(count)]


def test_the_area_of_a_marker_is_the_chance():
    sure, half = (places(field(1, chance=chance)).data[1].marker.size for chance in (1.0, 0.5))
    assert (sure / half) ** 2 == pytest.approx(2)


def test_rows_are_outlined_and_what_cannot_be_is_dotted():
    shapes = places(field(1)).layout.shapes
    assert [shape.line.width for shape in shapes].count(3) == 1
    assert [shape.line.dash for shape in shapes].count("solid") == 1
    assert len(shapes) == 27


def test_so_many_runs_that_their_names_leave_no_room_are_named_by_the_pointer_only():
    assert [places(field(count)).layout.showlegend for count in (1, 24, 25)] == [True, True, False]


def test_where_names_of_levels_do_not_fit_they_stand_upright():
    assert places(field(1)).layout.xaxis.autotickangles == (0, 90)


def test_the_description_names_the_fullest_cell():
    assert "Most, 3, have pass@k high, avg@n medium, cons@k low" in str(describe_places(field(3)))
