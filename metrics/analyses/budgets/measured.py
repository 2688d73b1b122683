"""What was measured of each sample, such as its tokens or seconds, beside the verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from metrics.data.aligned_numbers import aligned_numbers
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence, outcomes_or_counts
from metrics.data.inputs import outcome_matrix
from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.question import Question
from metrics.data.tally import Tally, row_counts
from metrics.data.words import MetricError, Text

TOKENS = Text("Tokens")
SECONDS = Text("Seconds")
_ROUNDING = 1e-12
_AS_IT_IS = Question()


class Within(NamedTuple):
    """What lies within each of K budgets."""

    right: Integers  # Right samples of each question that are no longer. Shape (M, K).
    # What a sample of each question takes on average that is cut there. Of a question that was not
    # measured at all the mean of the others stands in. Shape (M, K).
    spent: Vector
    cut: Vector  # Share of all samples that are longer. Shape (K,).


@dataclass(frozen=True, eq=False)
class MeasuredSamples:
    """Samples, and what was measured of each."""

    # Of the samples that were measured. Failed ones count as asked, measured or not.
    evidence: Evidence
    # Beside ``evidence.matrix``; NaN where there is no sample, or a failed one has none. Shape
    # (M, N).
    amounts: Vector
    # Samples with a verdict of which nothing was measured, as if they were not there.
    left_out: int
    samples: int  # All samples with a verdict.

    def cut_at(self, budget: float) -> Evidence:
        """Return the evidence if every answer longer than a budget were none."""
        evidence = self.evidence
        assert evidence.outcomes is not None
        long = np.zeros(evidence.outcomes.shape, dtype=bool)
        long[evidence.rows] = self.amounts > budget
        answers = evidence.answers
        if answers is not None:
            answers = np.where(long, -1, np.asarray(answers))
        return Evidence(_cut(evidence.outcomes, long), evidence.missing, evidence.segment, answers)

    def within(self, budgets: Vector) -> Within:
        """Count and add up what lies within each budget, in one pass over the samples."""
        m, size = len(self.amounts), len(budgets) + 1
        known = np.isfinite(self.amounts)
        amounts = self.amounts if known.all() else np.where(known, self.amounts, 0.0)
        places = np.searchsorted(budgets, amounts) + np.arange(m)[:, None] * size

        def added(where: Flags, weights: Any = None) -> Any:
            found = np.bincount(places[where], weights, minlength=m * size)
            return found.reshape(m, size).cumsum(axis=1)

        counts, sums = added(known), added(known, amounts[known])
        number = counts[:, -1:]
        taken = sums[:, :-1] + budgets * (number - counts[:, :-1])
        spent = np.divide(taken, number, out=np.zeros(taken.shape), where=number > 0)
        some = number[:, 0] > 0
        spent[~some] = spent[some].mean(axis=0)
        right = added(self.evidence.matrix == 1)[:, :-1]
        return Within(right, spent, 1 - counts[:, :-1].sum(axis=0) / number.sum())

    def budget_for(self, spent: float) -> float:
        """Return the cut with which a sample takes so much on average, whole from 1 on.

        Infinite where samples take no more anyway.
        """
        amounts, within, taken = self._ascending
        place = int(np.searchsorted(taken, spent * (1 - _ROUNDING)))
        if place == len(taken):
            return float("inf")
        before, base, share = 0.0, 0.0, 1.0
        if place:
            before, base, share = amounts[place - 1], taken[place - 1], 1 - within[place - 1]
        budget = float(before + (spent - base) / share) * (1 + _ROUNDING)
        return float(np.floor(budget)) if budget >= 1 else budget

    @cached_property
    def _ascending(self) -> tuple[Vector, Vector, Vector]:
        """All amounts; what share is no larger, and what a sample takes that is cut there.

        Questions count equally.
        """
        known = np.isfinite(self.amounts)
        number = row_counts(known)
        amounts = self.amounts[known]
        weights = np.repeat(1 / np.maximum(number, 1) / np.count_nonzero(number), number)
        if number.min() < number.max():
            order = np.argsort(amounts)
            amounts, weights = amounts[order], weights[order]
        else:
            amounts.sort()
        within = np.cumsum(weights)
        return amounts, within, np.cumsum(weights * amounts) + amounts * (1 - within)


def measure(
    data: Any,
    by: Any,
    what: Text,
    question: Question = _AS_IT_IS,
    answers: Any = None,
    *,
    failed: bool = True,
) -> MeasuredSamples:
    """Set what was measured beside the verdicts.

    `by` is a matrix, NaN where nothing was measured, or of a run the name of a column. With
    `failed`, failed samples that were not measured stay.
    """
    given = outcomes_or_counts(data)
    if isinstance(given, Tally):
        raise MetricError(Text("This needs each sample; a tally has counts only."))
    outcomes = given if isinstance(given, Outcomes) else Outcomes(outcome_matrix(given, "data"))
    amounts = aligned_numbers(data, by, outcomes.shape, what)
    if np.nanmin(amounts, initial=0.0) < 0 or np.isinf(amounts).any():
        raise MetricError(Text("{what} must be numbers of at least 0.", what=what))
    if answers is None and given is not data:
        answers = getattr(data, "answers", None)
    verdicts = outcomes.correct
    there = verdicts >= (0 if failed else FAILED)
    left = there & np.isnan(amounts)
    amounts = np.where(verdicts > ABSENT, amounts, np.nan)
    samples = int(np.count_nonzero(verdicts >= 0))
    if left.any():
        if not np.isfinite(amounts).any():
            raise MetricError(Text("{what}: no sample has any.", what=what))
        outcomes = _with_verdicts(outcomes, np.where(left, ABSENT, verdicts))
        if answers is not None:
            answers = np.where(left, -1, np.asarray(answers))
    evidence = question.evidence(outcomes, answers)
    if not len(evidence.rows):
        raise MetricError(Text("There is no question with a gradable sample."))
    out = int(np.count_nonzero(left & (verdicts >= 0)))
    amounts = np.where(evidence.matrix >= 0, amounts[evidence.rows], np.nan)
    return MeasuredSamples(evidence, amounts, out, samples)


def cut_at(data: Any, tokens: Any, budget: float) -> Outcomes:
    """Return the outcomes with every answer cut at a number of tokens.

    A longer answer counts as wrong: it would not have been given. These samples cannot tell what a
    model would answer if it knew its limit. Samples without a number of tokens are left out; failed
    ones stay.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    tokens : array_like of float, shape (M, N), or str
        Tokens of each answer, NaN where unknown; for a run, the name of a column.
    budget : float
        The most tokens that an answer may have.

    Returns
    -------
    Outcomes
        For `estimate`, `compare` and every other function.

    Examples
    --------
    >>> cut_at([[1, 1, 0]], [[200, 900, 300]], 500).correct.tolist()
    [[1, 0, 0]]
    """
    if not budget > 0:
        raise MetricError(Text("A budget must be above 0; got {got!r}.", got=budget))
    measured = measure(data, tokens, TOKENS)
    outcomes = measured.cut_at(budget).outcomes
    assert outcomes is not None
    return outcomes


def left_out_caveats(measured: MeasuredSamples, what: Text) -> Iterator[Text]:
    """Yield how many samples are left out since nothing was measured."""
    if measured.left_out:
        yield Text(
            "{what}: {count} of {all} samples has none and is left out.",
            "{what}: {count} of {all} samples have none and are left out.",
            what=what,
            count=measured.left_out,
            all=measured.samples,
        )


def _cut(outcomes: Outcomes, long: Any) -> Outcomes:
    verdicts = np.where(long & (outcomes.correct > 0), 0, outcomes.correct)
    scores = outcomes.scores
    if scores is not None:
        scores = np.where(long & np.isfinite(scores), 0.0, scores)
    return _with_verdicts(outcomes, verdicts, scores)


def _with_verdicts(outcomes: Outcomes, verdicts: Any, scores: Any = None) -> Outcomes:
    """Return outcomes with other verdicts, and with scores where they are given or stay."""
    if scores is None and outcomes.scores is not None:
        scores = np.where(verdicts >= 0, outcomes.scores, np.nan)
    return replace(outcomes, correct=verdicts.astype(np.int8), scores=scores)
