"""Means over questions, and paired differences of two, as estimates."""

from __future__ import annotations

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.estimating.estimation import METHODS, PAIRED, mean_of_scores, method_of
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


def mean_of(scores: QuestionScores, evidence: Evidence, question: Question) -> Estimate:
    """Estimate a mean over questions."""
    method = METHODS[method_of(scores, evidence, question.target)]
    return mean_of_scores(scores, question, limits(scores, evidence, question)[0], method)


def difference_of(scores: QuestionScores, evidence: Evidence, question: Question) -> Estimate:
    """Estimate a mean of paired differences, which 0 lies in the range of."""
    interval = difference_limits(scores, evidence, question)
    method = PAIRED if question.target == "population" else METHODS["pooled"]
    return mean_of_scores(scores, question, interval, method)
