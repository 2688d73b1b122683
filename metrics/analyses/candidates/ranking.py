"""How well a signal ranks the samples of a question."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.signals import candidates, unknown_signal_caveats
from metrics.analyses.candidates.ways import Way
from metrics.data.arrays import Vector
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import FEW_QUESTIONS, copy_caveats
from metrics.intervals.korn_graubard import population_size, worth
from metrics.intervals.limits import population_limits


def pooled_share(
    hits: Vector, counts: Vector, clusters: NDArray[np.intp] | None, confidence_level: float
) -> tuple[float, Interval, float]:
    """Return a share of all, with its interval for questions like these and its effective size.

    Hits and counts are those of each question; some count is above 0.

    Examples
    --------
    >>> share, (low, high), _ = pooled_share(np.array([2.0, 1]), np.array([2.0, 2]), None, 0.95)
    >>> share, round(float(low), 3), round(float(high), 3)
    (0.75, 0.0, 1.0)
    """
    there = counts > 0
    groups = np.arange(len(counts)) if clusters is None else clusters
    groups = np.unique(groups[there], return_inverse=True)[1]
    total = float(counts.sum())
    value = min(float(hits.sum()) / total, 1.0)
    counted = worth(np.bincount(groups, counts[there]))
    deviations = np.bincount(groups, (hits - value * counts)[there])
    variance = counted.unbiased * float(deviations @ deviations) / total**2
    m = round(total)
    low, high = population_limits(value, variance, m, confidence_level, counted)
    size = float(population_size(value, variance, m, confidence_level, counted))
    return value, Interval(float(low), float(high)), size


_METHOD = Text(
    "Share of all pairs of a right and a wrong sample of one question; Korn-Graubard interval with "
    "the pairs of a question as a cluster."
)
LEFT_OUT = Text("they are left out")


def ranking_quality(
    data: Any,
    by: Any,
    *,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Estimate:
    r"""Estimate the chance that a right sample outranks a wrong one of the same question.

    .. math:: R = \frac{\sum_i N_i}{\sum_i c_i (n_i - c_i)}

    where :math:`N_i` counts the pairs in which the right sample has the higher signal, and ties as
    half. A useless signal has one half. Unlike a mean of such chances over questions, it does not
    depend on n. It says nothing about how a signal compares samples of different questions.

    Parameters
    ----------
    data, by, confidence_level, missing, segment
        As in `selected`; samples without a signal form no pair.

    Returns
    -------
    Estimate
        Of questions like these; ``n_questions`` counts those with right and wrong samples.

    Raises
    ------
    MetricError
        As `selected`, and where no question has both right and wrong samples.

    Examples
    --------
    Of four pairs three are ranked as they should be:

    >>> found = ranking_quality([[1, 0, 1, 0], [1, 1, 1, 1]], [[0.9, 0.5, 0.4, 0.1]] * 2)
    >>> found.value, found.n_questions
    (0.75, 1)
    """
    question = Question("population", confidence_level, missing, segment)
    evidence = question.evidence(data)
    require_supported(Way(by).metric(data), evidence, None, question)
    pool = candidates(data, evidence, by, False)
    known = pool.known()
    above, pairs = (np.zeros(len(known.held)) for _ in range(2))
    for rows, block in known.ordered():
        n = block.payoff.shape[1]
        right = block.payoff @ np.ones(n)
        above[rows] = block.payoff @ np.arange(1.0, n + 1) - right * (right + 1) / 2
        pairs[rows] = np.round(right) * (n - np.round(right))
    mixed = pairs > 0
    if not mixed.any():
        raise MetricError(Text("No question has both right and wrong samples to rank."))
    value, interval, size = pooled_share(above, pairs, evidence.clusters, confidence_level)
    questions = int(mixed.sum())
    few = Text(
        "{count} questions with right and wrong samples are too few for a claim about others.",
        count=questions,
    )
    return Estimate(
        value,
        interval,
        confidence_level,
        "population",
        questions,
        _METHOD,
        (
            *((few,) if questions < FEW_QUESTIONS else ()),
            *unknown_signal_caveats(pool, LEFT_OUT),
            *copy_caveats(evidence),
        ),
        size,
    )
