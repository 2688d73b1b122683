"""What must be said of a curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.saturation.analysis import CurveCard, Point, metric_of, points_of, reasons_of
from kofn.writing.estimates import percent
from kofn.writing.layout import named
from metrics.data.names import MetricName
from metrics.data.results import Backtest
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

TRUST = Text(
    "In simulations of 36 kinds of difficulty, with 30 to 500 questions, the line missed pass@k at "
    "16 times the samples by 1 to 10 points, and by up to 41 where questions are of two kinds, "
    "hardly solvable and nearly always solved. Where it is drawn strong it was more than 5 points "
    "off in 0.6% of the cases; it is drawn faint where more than 15 points lie between the limits "
    "of what is possible. The band held the truth in 98%, in the worst case in 68%, the limits in "
    "92% or more."
)
"""How far to trust what is carried beyond the samples; docs/intervals.md has the study."""


def backtested(found: Backtest, metric: MetricName) -> Text:
    """Say how the model did where the truth is known."""
    return Text(
        "The forecast from half of the samples ({half} of {n}) is {label} = {predicted}; measured "
        "is {observed}.",
        half=found.fitted,
        n=found.k,
        label=METRICS[metric].label(found.k),
        predicted=percent(found.predicted),
        observed=percent(found.observed),
    )


def remarks(curve: CurveCard) -> Iterator[Text]:
    """Say what must be known of a curve: how its model did, and why a part is missing."""
    beyond = curve.found.beyond if curve.found else None
    if beyond is not None and beyond.backtest is not None:
        yield backtested(beyond.backtest, metric_of(curve.view))
    yield from reasons_of(curve)


def difference(curves: Sequence[CurveCard]) -> Text | None:
    """Say where the curves are farthest from those of equally hard questions, and why."""
    last = [(curve, points[-1]) for curve in curves if (points := list(_compared(curve)))]
    if not last:
        return None
    curve, point = max(last, key=lambda each: abs(_apart(each[1])))
    metric = metric_of(curve.view)
    return Text(
        "The thin curve is what {metric} would be if all questions were equally hard. For {run} "
        "it says {alike} at k = {k}; measured is {value}. {why}",
        metric=metric,
        run=named(curve.key),
        alike=percent(point.alike),
        value=percent(point.value),
        k=point.k,
        why=_WHY.get(metric, Text("Questions differ in difficulty, which it leaves out.")),
    )


_WHY = {
    "pass@k": Text(
        "Questions differ: more tries are lost on the hardest, and the easy ones need no more."
    ),
    "pass^k": Text("Questions differ: the easy ones stay right however often they are asked."),
    "maj@k": Text(
        "Questions differ: a longer vote settles each of them, right or wrong, by its own rate."
    ),
}


def _compared(curve: CurveCard) -> Iterator[Point]:
    measured = (point for point in points_of(curve) if point.source == "measured")
    return (point for point in measured if point.alike is not None and point.k > 1)


def _apart(point: Point) -> float:
    return (point.alike or 0.0) - (point.value or 0.0)
