"""The interval of a mean of scores, by what it is about."""

from __future__ import annotations

import numpy as np

from metrics.data.evidence import Evidence
from metrics.data.results import Interval, Target
from metrics.data.words import MetricError, Text
from metrics.intervals.korn_graubard import (
    clopper_pearson,
    population_size,
    sampled_size,
    variance_of_mean,
    worth,
)
from metrics.intervals.limits import benchmark_limits, population_limits
from metrics.intervals.paired import paired_limits
from metrics.scoring.scores import QuestionScores

_ALONE = Evidence(np.zeros((1, 1), dtype=np.int64))
"""Of questions that do not cluster."""


def limits(
    scores: QuestionScores, evidence: Evidence, target: Target, confidence_level: float
) -> tuple[Interval, float]:
    """Return the limits of a mean of scores, and Korn and Graubard's effective number of questions.

    The limits are in units of the scores and within their range.
    """
    span = scores.high - scores.low
    if span == 0:
        raise MetricError(Text("The score is {value:g} whatever the outcomes.", value=scores.low))
    mean = (scores.mean - scores.low) / span
    if target == "benchmark":
        draws = max(1, scores.n_min // scores.drawn)
        size = _sampled_size(scores, mean, draws)
        ends = (
            clopper_pearson(size * mean, size, confidence_level)
            if scores.within is None
            else benchmark_limits(mean, size, scores.n_questions, draws, confidence_level)
        )
    else:
        clusters = evidence.clusters
        each = scores if clusters is None else scores.each_question(evidence)
        variance = float(variance_of_mean(each.standard, each.questions, clusters))
        groups = None if clusters is None else worth(np.bincount(clusters))
        data = mean, variance, scores.n_questions, confidence_level, groups
        size, ends = float(population_size(*data)), population_limits(*data)
    low, high = (scores.low + span * float(end) for end in ends)
    return Interval(low, high), size


def limits_of_whole_groups(
    scores: QuestionScores, evidence: Evidence, target: Target, confidence_level: float
) -> tuple[Interval, float]:
    """Return `limits` of scores each of which takes all samples of a question together.

    One draw does not tell how much another would differ. On average that is no more than questions
    differ by, so the limits for these questions are those for questions like these, each by itself.
    """
    if target == "benchmark":
        evidence = _ALONE
    return limits(scores, evidence, "population", confidence_level)


def difference_limits(
    scores: QuestionScores, evidence: Evidence, target: Target, confidence_level: float
) -> Interval:
    """Return the limits of a mean of paired differences, which 0 lies in the range of."""
    if target == "benchmark":
        return limits(scores, evidence, target, confidence_level)[0]
    clusters = evidence.clusters
    each = scores if clusters is None else scores.each_question(evidence)
    return Interval(
        *paired_limits(
            each.values,
            each.questions,
            confidence_level,
            clusters=clusters,
            low=scores.low,
            high=scores.high,
        )
    )


def _sampled_size(scores: QuestionScores, mean: float, draws: int) -> float:
    m, span, within = scores.n_questions, scores.high - scores.low, scores.within
    if within is None:
        return m * draws if not scores.subsets else m / (1 / draws + 1 / scores.subsets)
    between = variance_of_mean(scores.standard, scores.questions)
    return float(sampled_size(mean, lambda: within() / span**2, between, m, scores.n_max, draws))
