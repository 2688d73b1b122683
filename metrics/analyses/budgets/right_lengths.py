"""Whether right answers are longer or shorter than wrong ones to the same question."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.analyses.budgets.amounts import ratio_amount
from metrics.analyses.budgets.measured import TOKENS, left_out_caveats, measure
from metrics.data.arrays import Flags, Vector
from metrics.data.inputs import require_level
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate
from metrics.data.shown import result
from metrics.data.tally import equal_runs, row_counts
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import mean_of
from metrics.scoring.scores import question_scores


@result
class RightLengths:
    """The lengths of right answers compared with those of wrong ones.

    Attributes
    ----------
    ratio : Estimate or None
        Mean length of the right answers to a question divided by that of its wrong ones, both
        averaged over the questions that have both. None where wrong ones are empty.
    longer : Estimate
        The chance that a right answer is longer than a wrong one to the same question; a tie
        counts half.
    over_all : Estimate or None
        Mean length of all right answers divided by that of all wrong ones. Hard questions have long
        and wrong answers, so it says more about the questions than about the answers. None where
        wrong ones are empty.
    right, wrong : float
        Mean length of the right and of the wrong answers to the questions that have both.
    n_questions : int
        Questions with right answers and wrong ones.
    """

    ratio: Estimate | None
    longer: Estimate
    over_all: Estimate | None
    right: float
    wrong: float
    n_questions: int


@one_thread()
def right_lengths(
    data: Any,
    tokens: Any,
    *,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> RightLengths:
    """Compare the lengths of right and of wrong answers, question by question.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    tokens : array_like of float, shape (M, N), or str
        Tokens of each answer, NaN where unknown; for a run, the name of a column. Any other measure
        of length will do.
    confidence_level, missing, segment
        As in `estimate`; the intervals are for questions like these.

    Raises
    ------
    MetricError
        If no sample has a number of tokens, or no question has right answers and wrong ones.

    Examples
    --------
    Right answers are half as long. The hard question has the longest and fewer right ones:

    >>> found = right_lengths([[1, 1, 1, 0], [1, 0, 0, 0]] * 9, [[1, 1, 1, 2], [4, 8, 8, 8]] * 9)
    >>> round(found.ratio.value, 2), found.longer.value, round(found.over_all.value, 2)
    (0.5, 0.0, 0.27)
    """
    level = require_level(confidence_level)
    question = Question("population", level, missing, segment)
    measured = measure(data, tokens, TOKENS, question)
    evidence, amounts = measured.evidence, measured.amounts
    verdicts = evidence.matrix
    if verdicts.max() > 1:
        raise MetricError(Text("Lengths are compared for 0/1 outcomes; these have categories."))
    filled = np.where(np.isfinite(amounts), amounts, 0.0)
    held = [(verdicts == verdict) & np.isfinite(amounts) for verdict in (1, 0)]
    counts = [row_counts(each) for each in held]
    sums = [np.einsum("ij,ij->i", filled, each) for each in held]
    mixed = np.minimum(*counts) > 0
    if not mixed.any():
        raise MetricError(Text("No question has both right and wrong answers to compare."))
    both = evidence.only(evidence.rows[mixed])
    m = int(mixed.sum())
    right, wrong = (each[mixed] / count[mixed] for each, count in zip(sums, counts, strict=True))
    chances = _longer(amounts[mixed], held[0][mixed], held[1][mixed])
    scores = question_scores(chances, samples=counts[0], drawn=1)
    caveats = (*left_out_caveats(measured, TOKENS), *copy_caveats(evidence))

    return RightLengths(
        ratio_amount(right, wrong, both, level, caveats),
        mean_of(scores, both, question, (*design_caveats(scores, "population"), *caveats)),
        ratio_amount(sums[0], sums[1], evidence, level, caveats, (counts[0], counts[1])),
        float(right.mean()),
        float(wrong.mean()),
        m,
    )


def _longer(amounts: Vector, right: Flags, wrong: Flags) -> Vector:
    """Return the share of pairs of a right and a wrong answer whose right one is longer.

    From the mean ranks of Mann and Whitney; a tie counts half.
    """
    held = right | wrong
    values = np.where(held, amounts, np.inf)
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    starts, size = equal_runs(ordered)
    mean_rank = starts % ordered.shape[1] + (size + 1) / 2
    ranks = np.repeat(mean_rank, size).reshape(ordered.shape)
    of_right = np.take_along_axis(right, order, axis=1)
    count, others = row_counts(right), row_counts(wrong)
    sums = np.einsum("ij,ij->i", ranks, of_right)
    return np.asarray((sums - count * (count + 1) / 2) / (count * others))
