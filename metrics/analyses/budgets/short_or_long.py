"""Several short answers or a long one, for the same tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from metrics.analyses.budgets.amounts import mean_amount
from metrics.analyses.budgets.measured import TOKENS, MeasuredSamples, left_out_caveats, measure
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_k, require_positive
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval, Target
from metrics.data.shown import result
from metrics.data.tally import row_counts
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import METHODS, PAIRED, estimate_entry, mean_of_scores
from metrics.estimating.limits import difference_limits
from metrics.intervals.korn_graubard import variance_of_mean
from metrics.scoring.registry import Metric, find_metric
from metrics.scoring.scores import QuestionScores

GAIN = Text(
    "{paired} Wider by how far the cut, at which both take as many tokens, would move with "
    "other questions.",
    paired=PAIRED,
)
_STEP = 0.1


@result
class Answers:
    """A number of answers to a question, each cut at a number of tokens.

    Attributes
    ----------
    k : int
    budget : float or None
        The most tokens of an answer; None where none is cut.
    spent : Estimate
        Tokens that they take on average over questions.
    value : Estimate
        The metric.
    """

    k: int
    budget: float | None
    spent: Estimate
    value: Estimate


@result
class ShortOrLong:
    """Several short answers compared with a long one that takes as many tokens.

    Attributes
    ----------
    metric : str
    short, long : Answers
        ``long`` is one answer.
    gain : Estimate
        How much more the short ones solve, paired; below 0 where they solve less.
    """

    metric: MetricName
    short: Answers
    long: Answers
    gain: Estimate


@one_thread()
def short_or_long(
    data: Any,
    tokens: Any,
    k: int,
    metric: MetricName = "pass@k",
    *,
    spent: float | None = None,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
) -> ShortOrLong:
    """Compare k short answers with one long answer, for the same number of tokens.

    The k are cut where together they take as many tokens as the long one on average. Other
    questions would move the cut, which the interval for questions like these allows for. An answer
    that is cut counts as wrong.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    tokens : array_like of float, shape (M, N), or str
        Tokens of each answer, NaN where unknown; for a run, the name of a column.
    k : int
        Number of short answers. With 1 only the cut matters, if ``spent`` is less than one takes.
    metric : str
        A metric of k samples that `token_budgets` takes; for one it is the share of right answers.
    spent : float, optional
        Tokens of the short ones together: at most, and by default, what one uncut answer takes. The
        long one is cut to take as many, except for k = 1, where it stays uncut.
    target, confidence_level, missing, segment, answers
        As in `estimate`.

    Raises
    ------
    MetricError
        If no sample has a number of tokens, k answers cannot have one token each, or as `estimate`
        does.

    Examples
    --------
    Half of the answers are short, and as often right: two of 200 tokens cost what one of 400 does.

    >>> found = short_or_long([[1, 0, 1, 0]] * 40, [[200, 200, 600, 600]] * 40, 2)
    >>> found.short.budget, found.short.spent.value, found.long.spent.value
    (200.0, 400.0, 400.0)
    >>> round(found.short.value.value, 2), found.long.value.value
    (0.5, 0.5)
    """
    question = Question(target, confidence_level, missing, segment)
    measured = measure(data, tokens, TOKENS, question, answers)
    entry = find_metric(metric)
    k = require_k(k, measured.evidence.n_min)
    require_supported(entry, measured.evidence, k, question)
    uncut = float(_each_mean(measured, np.inf).mean())
    paid = uncut if spent is None else require_positive(spent, "spent")
    if paid > uncut * (1 + 1e-9):
        raise MetricError(
            Text("One answer takes {most:g} tokens on average; got {got:g}.", most=uncut, got=paid)
        )
    left = tuple(left_out_caveats(measured, TOKENS))

    def at(count: int, budget: float) -> Answers:
        cut = measured.cut_at(budget) if np.isfinite(budget) else measured.evidence
        value = estimate_entry(entry, cut, count, question, {})
        each = count * _each_mean(measured, budget)
        taken = mean_amount(each, measured.evidence, confidence_level, left)
        return Answers(count, budget if np.isfinite(budget) else None, taken, value)

    several = measured.budget_for(paid / k)
    if several < 1:
        raise MetricError(
            Text(
                "An answer of {tokens} is not possible.",
                "{count} answers cannot share the {tokens} of one.",
                count=k,
                tokens=Text("{count:g} token", "{count:g} tokens", count=paid),
            )
        )
    alone = np.inf if k == 1 or spent is None else measured.budget_for(paid)
    some, one = (_scored(measured, entry, *each) for each in ((k, several), (1, alone)))
    gains = replace(some, values=some.values - one.values, drawn=k, low=-1.0, within=None)
    low, high = difference_limits(gains, measured.evidence, question)
    if target == "population":
        paid_by_each = _each_mean(measured, np.inf) if spent is None else paid
        moved = np.array(gains.values)
        for sign, count, budget in ((-1, k, several), (1, 1, alone)):
            if np.isfinite(budget):
                off = count * _each_mean(measured, budget) - paid_by_each
                moved += sign * _steepness(measured, entry, count, budget) * off
        low, high = _widened(gains, moved, (low, high), measured.evidence, confidence_level)
    return ShortOrLong(
        metric,
        at(k, several),
        at(1, alone),
        mean_of_scores(
            gains,
            question,
            Interval(low, high),
            GAIN if target == "population" else METHODS["pooled"],
            (*left, *design_caveats(gains, target), *copy_caveats(measured.evidence)),
        ),
    )


def _scored(measured: MeasuredSamples, metric: Metric, k: int, budget: float) -> QuestionScores:
    """Score each question, in the order of the evidence."""
    cut = measured.cut_at(budget) if np.isfinite(budget) else measured.evidence
    return replace(metric.scores(cut, k, {}).each_question(cut), rescore=None)


def _steepness(measured: MeasuredSamples, metric: Metric, k: int, budget: float) -> float:
    """Return what k answers solve more for each token more, around a budget."""
    spent = _each_mean(measured, budget).mean()
    around = [measured.budget_for(spent * (1 + step)) for step in (-_STEP, _STEP)]
    solved = [_scored(measured, metric, k, each).mean for each in around]
    taken = [k * _each_mean(measured, each).mean() for each in around]
    return float((solved[1] - solved[0]) / (taken[1] - taken[0])) if taken[1] > taken[0] else 0.0


def _widened(
    gains: QuestionScores,
    moved: Vector,
    ends: tuple[float, float],
    evidence: Evidence,
    level: float,
) -> tuple[float, float]:
    """Widen an interval by what the cut itself would move with other questions."""
    variances = (
        float(variance_of_mean(each, gains.questions, evidence.clusters))
        for each in (gains.values, moved)
    )
    fixed, free = variances
    further = float(ndtri((1 + level) / 2)) ** 2 * max(0.0, free - fixed)
    low, high = (np.sqrt((gains.mean - end) ** 2 + further) for end in ends)
    return max(-1.0, gains.mean - low), min(1.0, gains.mean + high)


def _each_mean(measured: MeasuredSamples, budget: float) -> Vector:
    """Return what an answer cut at a budget takes on average, for each question measured."""
    known = np.isfinite(measured.amounts)
    taken = np.minimum(measured.amounts, budget)
    sums = (taken if known.all() else np.where(known, taken, 0.0)).sum(axis=1)
    number = row_counts(known)
    some = number > 0
    means = np.divide(sums, number, out=np.zeros(len(sums)), where=some)
    return np.asarray(np.where(some, means, means[some].mean()))
