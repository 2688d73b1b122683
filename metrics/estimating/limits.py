"""The interval of a mean of scores, by what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Interval
from metrics.data.words import MetricError, Text
from metrics.intervals.binomial import mid_p
from metrics.intervals.clusters import clustered_limits
from metrics.intervals.korn_graubard import (
    population_size,
    sampled_size,
    variance_of_mean,
)
from metrics.intervals.limits import population_limits
from metrics.intervals.paired import paired_limits
from metrics.scoring.scores import QuestionScores

_ALONE = Evidence(np.zeros((1, 1), dtype=np.int64))
"""Of questions that do not cluster."""


def limits(
    scores: QuestionScores, evidence: Evidence, question: Question
) -> tuple[Interval, float]:
    """Return the limits of a mean of scores, and Korn and Graubard's effective number of questions.

    The limits are in units of the scores and within their range.
    """
    span = scores.high - scores.low
    if span == 0:
        raise MetricError(Text("The score is {value:g} whatever the outcomes.", value=scores.low))
    mean, level = (scores.mean - scores.low) / span, question.confidence_level
    if question.target == "benchmark":
        draws = max(1, scores.n_min // scores.drawn)
        size = _sampled_size(scores, mean, draws, level)
        ends = mid_p(mean, size, level)
    else:
        size, ends = _limits_like_these(scores, evidence, mean, level)
    low, high = (scores.low + span * float(end) for end in ends)
    return Interval(low, high), size


def _limits_like_these(
    scores: QuestionScores, evidence: Evidence, mean: float, confidence_level: float
) -> tuple[float, tuple[Any, Any]]:
    if evidence.clusters is not None:
        each = scores.each_question(evidence).standard
        *ends, size = clustered_limits(each, evidence.clusters, confidence_level)
        return size, (ends[0], ends[1])
    variance = float(variance_of_mean(scores.standard, scores.questions))
    data = mean, variance, scores.n_questions, confidence_level
    return float(population_size(*data)), population_limits(*data)


def means_and_limits(
    scores: Sequence[QuestionScores], evidence: Evidence, question: Question
) -> tuple[Vector, Vector, Vector]:
    """Return the means of several scores, and their lower and upper limits, shape (K,) each."""
    rows = [(each.mean, *limits(each, evidence, question)[0]) for each in scores]
    means, low, high = np.array(rows).T.copy()
    return means, low, high


def limits_of_whole_groups(
    scores: QuestionScores, evidence: Evidence, question: Question
) -> tuple[Interval, float]:
    """Return `limits` of scores each of which takes all samples of a question together.

    One draw does not tell how much another would differ. On average that is no more than questions
    differ by, so the limits for these questions are those for questions like these, each by itself.
    """
    if question.target == "benchmark":
        evidence = _ALONE
    return limits(scores, evidence, question._replace(target="population"))


def difference_limits(scores: QuestionScores, evidence: Evidence, question: Question) -> Interval:
    """Return the limits of a mean of paired differences, which 0 lies in the range of."""
    if question.target == "benchmark":
        return limits(scores, evidence, question)[0]
    clusters = evidence.clusters
    each = scores if clusters is None else scores.each_question(evidence)
    return Interval(
        *paired_limits(
            each.values,
            each.questions,
            question.confidence_level,
            clusters=clusters,
            low=scores.low,
            high=scores.high,
        )
    )


def _sampled_size(scores: QuestionScores, mean: float, draws: int, level: float) -> float:
    m, span, within = scores.n_questions, scores.high - scores.low, scores.within
    if within is None:
        return m * draws if not scores.subsets else m / (1 / draws + 1 / scores.subsets)
    between = variance_of_mean(scores.standard, scores.questions)
    sampled = mean, lambda: within() / span**2, between, m, scores.n_max, draws, level
    return float(sampled_size(*sampled))
