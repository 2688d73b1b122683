"""Curves as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import ABOUT, about, frame_of
from kofn.saturation.analysis import CurveCard, Point, metric_of, points_of, reasons_of
from kofn.writing.rendering import ENGLISH, printable, render
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

SOURCES: Mapping[str, Text] = {
    "measured": Text("measured"),
    "model": Text("forecast"),
    "bounds": Text("limits only"),
}


def listed(curve: CurveCard) -> tuple[Point, ...]:
    """Return the points to read: those of the k asked for, else each doubling, n and the last."""
    wanted = set(curve.view.k)
    points = points_of(curve)
    if not wanted and curve.found and points:
        last = points[-1].k
        wanted = {1 << exponent for exponent in range(last.bit_length())} | {curve.found.n, last}
        if not any(point.k % 2 == 0 for point in points):
            wanted = {k - 1 + k % 2 for k in wanted}
    return tuple(point for point in points if point.k in wanted)


def rows(
    curves: Sequence[CurveCard],
    points: Callable[[CurveCard], Sequence[Point]] = listed,
    translations: gettext.NullTranslations = ENGLISH,
) -> list[dict[str, Any]]:
    """Lay curves out flat, one row for each run and k.

    Parameters
    ----------
    curves : sequence of CurveCard
    points : callable
        Which points of a curve.
    translations : gettext.NullTranslations, optional
        For the reasons.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`, fractions in full precision; what does not exist is None. A run
        without any point has one row, with its reason.
    """

    def row(curve: CurveCard, point: Point | None) -> dict[str, Any]:
        numbers = {name: getattr(point, name, None) for name in _NUMBERS}
        reason = " ".join(render(why, translations) for why in reasons_of(curve))
        return {
            **about(curve),
            "metric": metric_of(curve.view),
            **numbers,
            "level": curve.view.level,
            "target": "population" if numbers["source"] == "model" else curve.view.target,
            "samples": curve.found.n if curve.found else 0,
            "reason": printable(reason) if numbers["value"] is None else None,
        }

    return [row(curve, point) for curve in curves for point in points(curve) or (None,)]


_NUMBERS = ("k", "source", "value", "low", "high", "bound_low", "bound_high", "alike", "gain")
COLUMNS = ABOUT | {
    "metric": "string",
    "k": "Int64",
    "source": "string",
    **dict.fromkeys(_NUMBERS[2:], "Float64"),
    "level": "Float64",
    "target": "string",
    "samples": "Int64",
    "reason": "string",
}


def frame(
    curves: Sequence[CurveCard],
    points: Callable[[CurveCard], Sequence[Point]] = listed,
    translations: gettext.NullTranslations = ENGLISH,
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, with the columns and types of `COLUMNS`."""
    return frame_of(rows(curves, points, translations), COLUMNS)
