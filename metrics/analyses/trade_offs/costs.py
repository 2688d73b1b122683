"""What some samples of a question cost on average, with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from metrics.analyses.choose_n.sample_costs import cost_matrix, sample_costs
from metrics.data.arrays import Integers, Vector
from metrics.data.inputs import require_level
from metrics.data.question import Question
from metrics.data.results import Interval, Target
from metrics.data.tally import row_counts
from metrics.intervals.skewed import skewed_limits

_AS_IT_IS = Question()


@dataclass(frozen=True, slots=True)
class Cost:
    """Mean cost of some samples of a question."""

    value: float
    # None where it is known without doubt, or where nothing tells how sure it is.
    interval: Interval | None
    confidence_level: float
    target: Target
    n_questions: int
    unknown: int = 0  # Samples whose cost is not known; the mean of the others stands in.


def mean_cost(
    data: Any,
    cost_per_sample: Any,
    samples: int | None = None,
    question: Question = _AS_IT_IS,
) -> Cost:
    """Average over questions what some samples of each cost.

    For questions like these the interval is Hall's; see `metrics.intervals.skewed`. For these
    questions it is Student's, by the variance between the samples of a question.

    data: Verdicts. Shape (M, N).
    cost_per_sample: As `metrics.choose_n` takes it. Shape (M, N).
    samples: How many are drawn; by default all of each question.

    Examples
    --------
    >>> found = mean_cost([[1, 0], [1, 1], [0, 0]], [[2, 4], [1, 1], [5, 7]], samples=10)
    >>> found.value, [round(end, 1) for end in found.interval]
    (33.333333333333336, [0.0, 115.9])
    >>> mean_cost([[1, 0], [1, 1]], 0.5, samples=10).value
    5.0
    """
    level, target = require_level(question.confidence_level), question.target
    evidence = question.evidence(data)
    n, questions = evidence.sizes
    count = int(questions.sum())
    costs = sample_costs(evidence, cost_per_sample)
    if not costs.each:
        drawn = float(n @ questions / count) if samples is None else samples
        return Cost(costs.wrong * drawn, None, level, target, count)
    verdicts = evidence.matrix
    n, c = row_counts(verdicts >= 0), row_counts(verdicts == 1)
    drawn_of_each = n if samples is None else np.full(len(n), samples)
    each = (costs.wrong * (n - c) + costs.right * c) / n * drawn_of_each
    if target == "benchmark":
        known = cost_matrix(evidence, cost_per_sample)
        ends = _limits_within(each, np.where(verdicts >= 0, known, np.nan), drawn_of_each, level)
    else:
        ends = skewed_limits(each, level, evidence.clusters)
    value = float(each.mean())
    interval = None if ends is None else Interval(max(0.0, float(ends[0])), float(ends[1]))
    return Cost(value, interval, level, target, len(n), costs.unknown)


def _limits_within(
    each: Vector, known: Vector, drawn: Integers, level: float
) -> tuple[float, float] | None:
    held = np.isfinite(known)
    n = row_counts(held)
    if n.min() < 2:
        return None
    filled = np.where(held, known, 0.0)
    deviations = np.where(held, known - (filled.sum(axis=1) / n)[:, None], 0.0)
    variances = (deviations**2).sum(axis=1) / (n - 1) / n * drawn**2
    t = float(stdtrit(n.sum() - len(n), (1 + level) / 2))
    reach = t * float(np.sqrt(variances.sum())) / len(n)
    return float(each.mean()) - reach, float(each.mean()) + reach
