"""Columns of a curve, with a row for each k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kofn.run_columns import ABOUT, LEVEL, RUN, remark_columns
from kofn.saturation.analysis import CurveCard, Point, known_points, metric_of, reasons_of
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.joining import joined
from kofn.writing.kinds import COUNT, ESTIMATE, POINTS, SHARE, SPAN, WORD, one_of
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

SOURCES: Mapping[str, Text] = {
    "measured": Text("measured"),
    "model": Text("forecast"),
    "bounds": Text("limits only"),
}


class CurveLine(NamedTuple):
    """A point of a curve; none where the curve says why."""

    card: CurveCard
    point: Point | None


def points_to_read(curve: CurveCard) -> tuple[Point, ...]:
    """Return the points to read: those of the k asked for, else each doubling, n and the last."""
    wanted = set(curve.view.k)
    points = known_points(curve)
    if not wanted and curve.found and points:
        last = points[-1].k
        wanted = {1 << exponent for exponent in range(last.bit_length())} | {curve.found.n, last}
        if not any(point.k % 2 == 0 for point in points):
            wanted = {k - 1 + k % 2 for k in wanted}
    return tuple(point for point in points if point.k in wanted)


def lines_to_read(curves: Sequence[CurveCard]) -> list[CurveLine]:
    """Return the lines to read."""
    return [CurveLine(curve, point) for curve in curves for point in points_to_read(curve)]


def screen_columns(curves: Sequence[CurveCard]) -> Columns[CurveCard]:
    """Return what is read of a curve in one line: one try, all samples, and the forecast."""
    shown = {id(curve): _ends(curve) for curve in curves}
    return (
        RUN,
        *(_point(shown, place) for place in range(max(map(len, shown.values()), default=0))),
        *remark_columns(reasons_of),
    )


def _ends(curve: CurveCard) -> list[CurveLine]:
    points = [point for point in points_to_read(curve) if point.value is not None]
    measured = [point for point in points if point.source == "measured"]
    if not curve.view.k:
        points = [*measured[:1], *measured[1:][-1:], *points[len(measured) :][-1:]]
    return [CurveLine(curve, point) for point in points]


def _point(shown: Mapping[int, Sequence[CurveLine]], place: int) -> Column[CurveCard]:
    def line(curve: CurveCard) -> CurveLine | None:
        points = shown[id(curve)]
        return points[place] if place < len(points) else None

    def label(curve: CurveCard) -> Text | None:
        found = line(curve)
        if found is None or found.point is None:
            return None
        if found.point.source == "measured":
            return Text("{metric}", metric=_label(found))
        return Text("{metric}, forecast", metric=_label(found))

    return for_people(label, ESTIMATE, lambda curve: (found := line(curve)) and _value(found))


def _lines(
    points: Callable[[CurveCard], Sequence[Point]],
) -> Callable[[Sequence[CurveCard]], list[CurveLine]]:
    return lambda curves: [
        CurveLine(curve, point) for curve in curves for point in points(curve) or (None,)
    ]


def _label(line: CurveLine) -> str | None:
    return METRICS[metric_of(line.card.view)].label(line.point.k) if line.point else None


def _value(line: CurveLine) -> tuple[float, float | None, float | None] | None:
    point = line.point
    return None if point is None or point.value is None else (point.value, point.low, point.high)


def _possible(line: CurveLine) -> tuple[float, float] | None:
    point = line.point
    if point is None or point.bound_low is None or point.bound_high is None:
        return None
    return point.bound_low, point.bound_high


def _target(line: CurveLine) -> str:
    is_model = line.point is not None and line.point.source == "model"
    return "population" if is_model else line.card.view.target


def _reason(line: CurveLine) -> Text | None:
    reasons = reasons_of(line.card) if _value(line) is None else ()
    return joined(reasons) if reasons else None


COLUMNS: Columns[CurveLine] = (
    *ABOUT,
    in_files("metric", WORD, lambda line: metric_of(line.card.view)),
    for_people(Text("metric"), WORD, _label, ("terminal", "paper")),
    Column("k", Text("{k}", k="k"), COUNT, member("point.k"), ("page",)),
    in_files("source", WORD, member("point.source")),
    Column(("value", "low", "high"), Text("value"), ESTIMATE, _value),
    Column(
        ("bound_low", "bound_high"),
        Text("possible"),
        SPAN,
        _possible,
        help=Text("what is possible without a model"),
    ),
    Column(
        "alike",
        Text("if equally hard"),
        SHARE.optional,
        member("point.alike"),
        ("page",),
        help=Text("if all questions were equally hard"),
    ),
    Column(
        "gain",
        Text("one more try"),
        POINTS.optional,
        member("point.gain"),
        help=Text("of one more try"),
    ),
    for_people(Text("source"), one_of(SOURCES), member("point.source")),
    LEVEL,
    in_files("target", WORD, _target),
    in_files("samples", COUNT, lambda line: line.card.found.n if line.card.found else 0),
    in_files("reason", WORD, _reason),
)
LISTED: Table[CurveCard, CurveLine] = Table(
    "points", COLUMNS, _lines(points_to_read), lines_to_read
)
EVERY_POINT: Table[CurveCard, CurveLine] = Table(
    "points", COLUMNS, _lines(known_points), lines_to_read
)
"""The same at every k."""
