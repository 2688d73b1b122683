"""Means over questions, and paired differences of two, as estimates."""

from __future__ import annotations

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Estimate, Interval, Target
from metrics.data.words import Text
from metrics.estimating.estimation import METHODS, PAIRED
from metrics.estimating.limits import difference_limits, limits
from metrics.scoring.scores import QuestionScores

DIFFERENCE = Interval(-1.0, 1.0)


def each_question(values: Vector, low: float = 0.0, high: float = 1.0) -> QuestionScores:
    """Return scores of questions, of which it is not known what other samples would give."""
    return QuestionScores(values, np.ones(len(values), dtype=np.int64), 1, 1, 1, low, high)


def difference(first: QuestionScores, last: QuestionScores) -> QuestionScores:
    """Return last minus first, question by question."""
    drawn = [each.subsets for each in (first, last) if each.subsets]
    return QuestionScores(
        last.values - first.values,
        last.questions,
        last.n_min,
        last.n_max,
        last.drawn,
        *DIFFERENCE,
        subsets=min(drawn, default=0),
    )


def mean_of(scores: QuestionScores, evidence: Evidence, confidence_level: float) -> Estimate:
    """Estimate a mean over questions like these."""
    method = METHODS["population" if evidence.clusters is None else "clustered"]
    interval = limits(scores, evidence, "population", confidence_level)[0]
    return _estimate(scores, interval, confidence_level, "population", method)


def difference_of(
    scores: QuestionScores, evidence: Evidence, target: Target, confidence_level: float
) -> Estimate:
    """Estimate a mean of paired differences, which 0 lies in the range of."""
    interval = difference_limits(scores, evidence, target, confidence_level)
    method = PAIRED if target == "population" else METHODS["pooled"]
    return _estimate(scores, interval, confidence_level, target, method)


def _estimate(
    scores: QuestionScores, interval: Interval, level: float, target: Target, method: Text
) -> Estimate:
    bounds = Interval(scores.low, scores.high)
    return Estimate(scores.mean, interval, level, target, scores.n_questions, method, bounds=bounds)
