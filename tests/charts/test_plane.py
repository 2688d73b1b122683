"""Runs between two numbers: what is named, joined and crossed."""

import json

import plotly.graph_objects as go
import pytest

from charts.plane import CROSSES, Axis, Dot, plane
from kofn.trade_offs.words import BEATEN_BY_NONE, describe_plane
from metrics.data.results import Interval
from metrics.data.words import Text

COST, SHARE = Axis(Text("cost"), False, True), Axis(Text("share"), True, False)


def dot(name: str, x: float, y: float, best: bool = False) -> Dot:
    return Dot(name, 0, (x, y), (None, Interval(y - 0.1, y + 0.1)), Text(name), best)


def points(figure: go.Figure) -> dict[str, go.Scatter]:
    return {trace.name: trace for trace in figure.data if trace.customdata is not None}


def test_the_best_are_joined_in_percent_and_the_others_are_fainter() -> None:
    figure = plane(
        [dot("a", 1, 0.5, True), dot("b", 2, 0.8, True), dot("c", 3, 0.7)],
        (COST, SHARE),
        front=BEATEN_BY_NONE,
    )
    front = figure.data[0]
    assert (list(front.x), list(front.y), front.line.shape) == ([1, 2], [50, 80], "hv")
    drawn = points(figure)
    assert [drawn[name].marker.opacity for name in "abc"] == [1, 1, 0.55]
    assert (drawn["b"].x[0], drawn["b"].y[0]) == (2, 80)


def test_of_a_metric_across_the_line_goes_the_other_way() -> None:
    figure = plane(
        [dot("a", 0.2, 0.8, True), dot("b", 0.5, 0.5, True)], (SHARE, SHARE), front=BEATEN_BY_NONE
    )
    assert figure.data[0].line.shape == "vh"


@pytest.mark.parametrize("count", [CROSSES, CROSSES + 1])
def test_few_runs_have_crosses_and_names_of_many_the_chosen_one(count: int) -> None:
    dots = [dot(f"m{i}", i + 1, 0.1 + i / 20) for i in range(count)]
    drawn = points(plane(dots, (COST, SHARE), chosen=3, front=BEATEN_BY_NONE))
    crossed = [name for name, trace in drawn.items() if trace.error_y.array is not None]
    named = [name for name, trace in drawn.items() if trace.showlegend]
    assert crossed == named == (["m3"] if count > CROSSES else list(drawn))


def test_costs_that_spread_double_and_others_start_at_nothing_or_nearby() -> None:
    wide = plane([dot("a", 1, 0.5), dot("b", 100, 0.5)], (COST, SHARE), front=BEATEN_BY_NONE)
    assert wide.layout.xaxis.type == "log"
    assert "10" in wide.layout.xaxis.ticktext
    usual = plane([dot("a", 30, 0.5), dot("b", 100, 0.5)], (COST, SHARE), front=BEATEN_BY_NONE)
    assert usual.layout.xaxis.range[0] == 0
    low, high = plane(
        [dot("a", 90, 0.5), dot("b", 100, 0.5)], (COST, SHARE), front=BEATEN_BY_NONE
    ).layout.xaxis.range
    assert 80 < low < 90
    assert 100 < high < 110


def test_an_axis_reaches_the_ends_of_the_intervals_drawn() -> None:
    few = [dot("a", 1, 0.55), dot("b", 2, 0.58)]
    low, high = plane(few, (COST, SHARE), front=BEATEN_BY_NONE).layout.yaxis.range
    assert low < 45
    assert high > 68
    many = [dot(f"m{i}", i, 0.55) for i in range(CROSSES + 1)]
    assert plane(many, (COST, SHARE), front=BEATEN_BY_NONE).layout.yaxis.range == (37, 63)
    alone = Dot("a", 0, (1.0, 1.0), (None, None), Text("a"), True)
    assert plane([alone], (COST, SHARE), front=BEATEN_BY_NONE).layout.yaxis.range == (77, 103)
    nothing = plane([], (COST, SHARE), front=BEATEN_BY_NONE).layout
    assert (nothing.xaxis.range, nothing.yaxis.range) == ((0, 1.15), (-3, 103))


@pytest.mark.parametrize(
    ("at", "expected"), [((0.0, 0.0), (0, 1)), ((9.0, 9.0), (8.55, 9.45)), ((0.0, 2.0), (0, 2.3))]
)
def test_costs_that_are_all_the_same_have_room_around_them(at, expected) -> None:
    dots = [dot("a", at[0], 0.5), dot("b", at[1], 0.5)]
    drawn = plane(dots, (COST, SHARE), front=BEATEN_BY_NONE).layout.xaxis
    assert drawn.range == pytest.approx(expected)


def test_names_stand_beside_the_picture_in_the_order_of_the_points() -> None:
    figure = plane(
        [dot("a", 10, 0.5), dot("b", 10, 0.9), dot("c", 10, 0.7, True)],
        (COST, SHARE),
        front=BEATEN_BY_NONE,
    )
    drawn = points(figure)
    assert sorted(drawn, key=lambda name: drawn[name].legendrank) == ["b", "c", "a"]
    assert {trace.mode for trace in drawn.values()} == {"markers"}
    assert figure.layout.showlegend


def test_a_name_is_no_markup() -> None:
    figure = plane([dot("<b>x</b>", 1, 0.5, True)], (COST, SHARE), front=BEATEN_BY_NONE)
    assert "<b>" not in json.dumps(json.loads(figure.to_json())["data"])


def test_it_is_said_in_words() -> None:
    told = str(describe_plane([dot("a", 1, 0.5, True), dot("b", 2, 0.4)], (COST, SHARE)))
    assert told.startswith("2 runs between cost and share, 1 of them beaten by no other.")
