"""How long k answers take when asked for at once, or one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.budgets.amounts import mean_amount, ratio_amount
from metrics.analyses.budgets.measured import SECONDS, left_out_caveats, measure
from metrics.data.arrays import Integers, Vector
from metrics.data.inputs import require_k, require_level
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.tally import row_counts
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.caveats import copy_caveats
from metrics.estimating.estimation import estimate_entry
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import any_correct
from metrics.scoring.registry import METRICS
from metrics.scoring.soft import best_scores


@result
class AnswerTimes:
    """Seconds until all k answers to a question have come, and until a right one has.

    Attributes
    ----------
    k : int
    all_at_once : Estimate
        Until the slowest of k answers that are asked for at once has come, as a vote needs.
    all_in_turn : Estimate
        Until all k have come, asked for one after another.
    right_at_once : Estimate or None
        Until the first right one of k that are asked for at once has come, given that one is right.
        None where no answer is right.
    right_in_turn : Estimate or None
        The same, one after another.
    all_faster, right_faster : Estimate or None
        How many times as long asking in turn takes. None where asking at once takes no time.
    none_right : Estimate
        The chance that none of k is right, so that one waits for all of them in vain.
    """

    k: int
    all_at_once: Estimate
    all_in_turn: Estimate
    right_at_once: Estimate | None
    right_in_turn: Estimate | None
    all_faster: Estimate | None
    right_faster: Estimate | None
    none_right: Estimate


@one_thread()
def answer_times(
    data: Any,
    seconds: Any,
    k: int | None = None,
    *,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> AnswerTimes:
    r"""Compare how long k answers take when asked for at once and when asked for in turn.

    Each number is a mean over all sets of k samples of a question, and over their orders. With a
    question's n times in ascending order, the slowest of k is the j-th with probability
    :math:`\binom{j-1}{k-1} / \binom{n}{k}`, and the first right one is the j-th fastest right one
    with probability :math:`\binom{n-j}{k-1} / \binom{n}{k}`. It is assumed that asking k at once
    makes none of them slower than it was when the times were measured.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    seconds : array_like of float, shape (M, N), or str
        Seconds of each sample; unknown ones (NaN) are left out. For a run, the name of a column.
    k : int, optional
        By default the fewest samples of any question.
    confidence_level, missing, segment
        As in `estimate`; the intervals are for questions like these.

    Raises
    ------
    MetricError
        If no sample has a time, or k exceeds the samples of a question.

    Examples
    --------
    >>> found = answer_times([[1, 0], [0, 1]] * 10, [[2.0, 4.0], [1.0, 5.0]] * 10)
    >>> found.all_at_once.value, found.all_in_turn.value
    (4.5, 6.0)
    >>> found.right_at_once.value, found.right_in_turn.value, found.none_right.value
    (3.5, 4.75, 0.0)
    """
    level = require_level(confidence_level)
    question = Question("population", level, missing, segment)
    measured = measure(data, seconds, SECONDS, question, failed=False)
    evidence, times = measured.evidence, measured.amounts
    verdicts = evidence.matrix
    if verdicts.max() > 1:
        raise MetricError(Text("Times need 0/1 outcomes; these have categories."))
    k = require_k(evidence.n_min if k is None else k, evidence.n_min)
    passed = estimate_entry(METRICS["pass@k"], evidence, k, question, {})
    caveats = (*left_out_caveats(measured, SECONDS), *copy_caveats(evidence))
    n, c = row_counts(verdicts >= 0), row_counts(verdicts == 1)
    filled = np.where(np.isfinite(times), times, 0.0)
    sums = [np.einsum("ij,ij->i", filled, verdicts == verdict) for verdict in (0, 1)]
    wrong, right = (
        np.divide(each, count, out=np.zeros(len(n)), where=count > 0)
        for each, count in zip(sums, (n - c, c), strict=True)
    )
    slowest, in_turn = best_scores(times, k), k * (sums[0] + sums[1]) / n
    passed_by = [_passed(j, n, c) for j in range(k + 1)]
    solved, tries = passed_by[k], k - np.sum(passed_by[:k], axis=0)
    first = _first_right(np.where(verdicts == 1, times, np.inf), n, k)
    until = (tries - solved - k * (1 - solved)) * wrong + solved * right

    def mean(each: Vector) -> Estimate:
        return mean_amount(each, evidence, level, caveats)

    def ratio(above: Vector, below: Vector) -> Estimate | None:
        return ratio_amount(above, below, evidence, level, caveats)

    low, high = passed.interval or (0.0, 1.0)
    return AnswerTimes(
        k,
        mean(slowest),
        mean(in_turn),
        ratio(first, solved),
        ratio(until, solved),
        ratio(in_turn, slowest),
        ratio(until, first),
        replace(passed, value=1 - passed.value, interval=Interval(1 - high, 1 - low)),
    )


def _passed(k: int, n: Integers, c: Integers) -> Vector:
    """Return the chance that one of k is right, for each question."""
    if k == 0:
        return np.zeros(len(n))
    return _by_n(n, lambda size: payoff_table(any_correct, k, size)[c[n == size]])


def _by_n(n: Integers, of: Callable[[int], Vector]) -> Vector:
    """Put together what questions with each number of samples have."""
    found = np.zeros(len(n))
    for size in np.unique(n).tolist():
        found[n == size] = of(size)
    return found


def _first_right(times: Vector, n: Integers, k: int) -> Vector:
    """Return the mean time of the first right of k samples, 0 for sets without a right one."""
    ordered = np.sort(times, axis=1)
    ordered = np.where(np.isfinite(ordered), ordered, 0.0)

    def of(size: int) -> Vector:
        return np.asarray(ordered[n == size, :size] @ np.diff(payoff_table(any_correct, k, size)))

    return _by_n(n, of)
