"""Means of tokens or seconds over questions, and ratios of such means, as estimates."""

from __future__ import annotations

from typing import Any

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Estimate, Interval
from metrics.data.words import Text
from metrics.intervals.skewed import ratio_limits, skewed_limits

MEAN = Text(
    "Unbiased mean over questions; Student's interval with the skewness of the questions taken out "
    "(Hall)."
)
RATIO = Text(
    "Ratio of two means over the same questions; Student's interval of its logarithm, with one "
    "question more that moves it as far as any."
)
_ABOVE = Interval(0.0, float("inf"))


def mean_amount(
    each: Vector, evidence: Evidence, level: float, caveats: tuple[Text, ...]
) -> Estimate:
    """Average an amount over questions, with the interval for questions like these."""
    found = skewed_limits(each, level, evidence.clusters)
    ends = None if found is None else Interval(max(0.0, float(found[0])), float(found[1]))
    return _estimate(float(each.mean()), ends, level, len(each), MEAN, caveats)


def ratio_amount(
    above: Vector,
    below: Vector,
    evidence: Evidence,
    level: float,
    caveats: tuple[Text, ...],
    weights: tuple[Any, Any] | None = None,
) -> Estimate | None:
    """Divide a mean over questions by another, with the interval for questions like these.

    Either mean is over questions, unless `weights` say what the sums are divided by; None where one
    is 0.
    """
    counted = weights or (above * 0 + 1.0, below * 0 + 1.0)
    first, second = (
        part.sum() / weight.sum() for part, weight in zip((above, below), counted, strict=True)
    )
    if not min(first, second) > 0:
        return None
    influence = (above / first - counted[0]) / counted[0].mean()
    influence = influence - (below / second - counted[1]) / counted[1].mean()
    value = float(first / second)
    limits = ratio_limits(value, influence, level, evidence.clusters)
    ends = None if limits is None else Interval(*limits)
    return _estimate(value, ends, level, len(above), RATIO, caveats)


def _estimate(
    value: float,
    ends: Interval | None,
    level: float,
    count: int,
    method: Text,
    caveats: tuple[Text, ...],
) -> Estimate:
    return Estimate(value, ends, level, "population", count, method, caveats, bounds=_ABOVE)
