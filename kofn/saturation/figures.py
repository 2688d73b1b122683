"""Turn curves into the data of the saturation chart."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from charts.saturation import Growth, saturation
from charts.theme import Stretch
from kofn.card import names
from kofn.leaderboard.lines import first_group, numbers_of_cards
from kofn.saturation.analysis import CurveCard, Point, known_points, metric_of
from kofn.saturation.columns import SOURCES
from kofn.saturation.words import (
    best_first,
    metric_axis,
    one_more_try,
    point_detail,
    possible_range,
    saturation_words,
)
from kofn.writing.estimates import percent, points, span
from metrics.data.words import Text
from metrics.scoring.registry import METRICS


def growths(
    curves: Sequence[CurveCard], numbers: Mapping[str, int], banded: Collection[str]
) -> tuple[Growth, ...]:
    """Turn curves of numbered runs into those that are drawn, named by model if that is enough.

    Those whose keys are in `banded` have bands.
    """
    called = zip(names(curves), curves, strict=True)
    return tuple(
        _growth(curve, name, numbers[curve.key], banded=curve.key in banded)
        for name, curve in called
        if known_points(curve)
    )


def axis_title(curves: Sequence[CurveCard]) -> Text:
    """Say what the vertical axis of curves of one metric shows."""
    view = curves[0].view
    return metric_axis(metric=metric_of(view), level=100 * view.level)


def _growth(curve: CurveCard, name: str, number: int, *, banded: bool) -> Growth:
    def part(shown: Callable[[Point], bool], bounds: bool = False) -> Stretch:
        points = [point for point in known_points(curve) if shown(point)]
        ends = [
            (point.bound_low, point.bound_high) if bounds else (point.low, point.high)
            for point in points
        ]
        return Stretch(
            np.array([point.k for point in points]),
            _numbers([None if bounds else point.value for point in points]),
            _numbers([low for low, _ in ends]),
            _numbers([high for _, high in ends]),
            [_detail(name, curve, point) for point in points],
        )

    alike = [point for point in known_points(curve) if point.alike is not None]
    unknown = np.full(len(alike), np.nan)
    return Growth(
        name,
        number,
        part(lambda point: point.source == "measured"),
        part(lambda point: point.source == "model"),
        part(lambda point: point.bound_low is not None, bounds=True),
        Stretch(
            np.array([point.k for point in alike]),
            _numbers([point.alike for point in alike]),
            unknown,
            unknown,
        ),
        np.array(
            [point.firm for point in known_points(curve) if point.source == "model"], np.bool_
        ),
        banded,
    )


def _numbers(values: Sequence[float | None]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _detail(name: str, curve: CurveCard, point: Point) -> tuple[Text, ...]:
    lines = [Text("{name}", name=name)]
    label = METRICS[metric_of(curve.view)].label(point.k)
    if point.value is not None:
        value = percent(point.value, point.low, point.high)
        lines.append(point_detail(label=label, value=value, source=SOURCES[point.source]))
    if point.bound_low is not None and point.bound_high is not None:
        possible = span(point.bound_low, point.bound_high)
        lines.append(possible_range(label=label, span=possible))
    if point.gain is not None:
        lines.append(one_more_try(gain=points(point.gain)))
    return tuple(lines)


def picture(curves: Sequence[CurveCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw the metric against k over all datasets, or the first; None where there is nothing.

    With the bands of the highest run, unless others are chosen.
    """
    shown = [curve for curve in first_group(curves) if known_points(curve)]
    if not shown:
        return None
    span = shown[0].settings
    banded = span.banded or (best_first(shown)[0].key,)
    lines = growths(shown, numbers_of_cards(shown, numbers), banded)
    return saturation(
        lines, axis_title(shown), logarithmic=span.scale == "log", words=saturation_words()
    )
