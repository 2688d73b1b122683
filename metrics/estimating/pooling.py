"""The average of a metric over the subsets of a suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot
from statistics import fmean
from typing import Any

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.inputs import number_vector
from metrics.data.results import Estimate, Interval
from metrics.data.words import MetricError, Text
from metrics.intervals.binomial import clopper_pearson

METHOD = Text("Weighted mean of the subsets' estimates; Korn-Graubard limits at its variance.")

EQUAL = 12
"""To so many digits means are the same, in whatever order a computer adds."""
APART = Text("Mean of the subsets' numbers; the limits of each, combined as independent (MOVER).")


def pool(estimates: Sequence[Estimate], weights: Any = None) -> Estimate:
    r"""Average the estimates of a suite's subsets.

    .. math:: m = \sum_g w_g m_g, \qquad
              V = \sum_g w_g^2 \frac{m_g (1 - m_g) + 1/M_g}{n_g}

    with scores as shares of their range and the effective number of questions :math:`n_g` of each
    subset; the limits are Clopper-Pearson at the n whose variance is V, regularised in the same
    way. A single subset keeps its own interval.

    Parameters
    ----------
    estimates : sequence of Estimate
        One metric of the subsets, with one target and one confidence level.
    weights : array_like of float, optional
        At least 0, not all 0; scaled to sum to 1. By default subsets count equally (the "naive
        average"); pass their numbers of questions for the average over all questions.

    Returns
    -------
    Estimate
        Subsets are assumed to be independent.

    Raises
    ------
    MetricError
        If there is no estimate, or they differ in target, level or range, or one has no interval of
        its own or is not a mean over questions.

    Examples
    --------
    >>> from kofn.metrics import estimate
    >>> halves = [estimate([[1, 0]] * 20, "avg@n"), estimate([[1, 1]] * 20, "avg@n")]
    >>> suite = pool(halves, weights=[3, 1])
    >>> suite.value, suite.n_questions
    (0.625, 40)
    """
    if not estimates:
        raise MetricError(Text("There is nothing to pool."))
    if len({(e.target, e.confidence_level) for e in estimates}) > 1:
        raise MetricError(Text("Estimates of different targets or levels cannot be pooled."))
    if any(e.n_effective is None for e in estimates):
        raise MetricError(
            Text(
                "Only means over questions can be pooled, not blends, posteriors or scores "
                "without bounds."
            )
        )
    if len({e.bounds for e in estimates}) > 1:
        raise MetricError(Text("Scores of different ranges cannot be pooled."))
    first, count = estimates[0], len(estimates)
    w = number_vector(np.ones(count) if weights is None else weights, "weights", count)
    if np.any(w < 0) or not np.any(w):
        raise MetricError(
            Text("weights must be at least 0 and not all 0; got {got!r}.", got=weights)
        )
    w = w / w.max() / (w / w.max()).sum()
    bottom, span = first.bounds.low, first.bounds.high - first.bounds.low
    value = np.array([(e.value - bottom) / span for e in estimates])
    questions = np.array([e.n_questions for e in estimates])
    size = np.array([e.n_effective for e in estimates], dtype=np.float64)
    mean = float(w @ value) if count == 1 else round(float(w @ value), EQUAL)
    counted = w > 0
    (pooled,), (low,), (high,) = pooled_limits(
        value[:, None], size[:, None], questions, w, first.confidence_level
    )
    interval = Interval(bottom + span * float(low), bottom + span * float(high))
    if counted.sum() == 1:
        interval = estimates[int(counted.argmax())].interval or interval
    return Estimate(
        bottom + span * mean,
        interval,
        first.confidence_level,
        first.target,
        int(questions.sum()),
        METHOD,
        tuple(_own_caveats(estimates)),
        float(pooled),
        first.bounds,
    )


def pooled_limits(
    value: Vector, size: Vector, questions: Vector, weights: Vector, level: float
) -> tuple[Vector, Vector, Vector]:
    """Return the effective number of questions of weighted means, and their limits; see `pool`.

    value, size: Shares of G subsets for each of K means, and their effective numbers of questions.
        Shape (G, K).
    questions, weights: The weights sum to 1. Shape (G,).
    """
    counted = weights > 0
    w, value, size, own = weights[counted], value[counted], size[counted], questions[counted]
    mean, prior = w @ value, float(w**2 @ (1 / own) / (w @ w))
    spread = (w**2)[:, None] * (value * (1 - value) + 1 / own[:, None])
    known = (size > 0).all(axis=0)
    each = np.divide(spread, size, out=np.ones(spread.shape), where=size > 0).sum(axis=0)
    pooled = np.where(known, (mean * (1 - mean) + prior) / each, 0.0)
    low, high = clopper_pearson(pooled * mean, pooled, level)
    return pooled, np.asarray(low), np.asarray(high)


def _own_caveats(estimates: Sequence[Estimate]) -> Iterator[Text]:
    count = sum(bool(estimate.caveats) for estimate in estimates)
    if count:
        yield Text(
            "{count} of its {all} subsets comes with caveats.",
            "{count} of its {all} subsets come with caveats.",
            count=count,
            all=len(estimates),
        )


def mean_apart(estimates: Sequence[Estimate]) -> Estimate:
    r"""Average numbers of independent subsets, which count equally, by the limits of each (MOVER).

    With values :math:`d_g` and limits :math:`l_g, u_g` of G subsets their mean d has the limits

    .. math:: d - \frac{1}{G} \sqrt{\sum_g (d_g - l_g)^2}, \qquad
              d + \frac{1}{G} \sqrt{\sum_g (u_g - d_g)^2}

    Examples
    --------
    >>> from metrics import estimate
    >>> found = mean_apart([estimate([[1, 0]] * 20, "avg@n"), estimate([[1, 1]] * 20, "avg@n")])
    >>> found.value, found.n_questions
    (0.75, 40)
    """
    first, *others = estimates
    if not others:
        return first
    value, interval = fmean(each.value for each in estimates), None
    ends = [each.interval for each in estimates]
    known = [end for end in ends if end is not None]
    if len(known) == len(ends):
        below, above = (
            hypot(*(each.value - end[side] for each, end in zip(estimates, known, strict=True)))
            / len(ends)
            for side in (0, 1)
        )
        interval = Interval(value - below, value + above)
    questions = sum(each.n_questions for each in estimates)
    return replace(
        first, value=value, interval=interval, n_questions=questions, method=APART, n_effective=None
    )
