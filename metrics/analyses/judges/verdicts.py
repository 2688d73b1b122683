"""What a judge says of each sample, and what a person says of some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.data.aligned_numbers import aligned_numbers
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.inputs import require_finite, require_range
from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.tally import row_counts
from metrics.data.words import MetricError, Text

HUMAN, HUMAN_GROUP = "human", "human_group"
"""The columns of human labels: of samples, and of questions."""
UNSURE = "human_unsure"
"""The column of samples on which a person looked and cannot tell."""
PROBABILITY = "_probability"
"""What follows the name of labels in the name of the chances with which they were drawn."""
_LABEL = Text("A label")
_JUDGE = Text("A judge")
_CHANCE = Text("A chance")
_ALIKE = 1e-9


def judge_verdicts(data: Any, by: Any, threshold: float, strict: bool) -> Outcomes:
    """Return what a judge says: 1 where it says right, `ABSENT` where it says nothing.

    Without `by` they are the verdicts of a run, or what the judge itself gave.
    """
    require_finite(threshold, "threshold")
    held = getattr(data, "outcomes", data)
    given = held if isinstance(held, Outcomes) else None
    if by is None and given is not None:
        require_range(np.maximum(given.correct, 0), 1, "data")
        verdicts = np.where(given.correct == FAILED, ABSENT, given.correct)
    else:
        numbers = _numbers(data, by, given)
        says = numbers > threshold if strict else numbers >= threshold
        verdicts = np.where(np.isnan(numbers), ABSENT, says)
    if (verdicts < 0).all():
        raise MetricError(Text("The judge has no verdict on any sample."))
    if given is None:
        return Outcomes(verdicts)
    return replace(given, correct=verdicts, scores=None, texts=None, tokens=None)


def _numbers(data: Any, by: Any, given: Outcomes | None) -> Vector:
    if given is not None:
        return aligned_numbers(data, by, given.shape, _JUDGE)
    named = isinstance(by, str)
    columns = getattr(data, "columns", None) if named else None
    values = columns.get(by) if isinstance(columns, Mapping) else data if by is None else by
    shape = np.shape(values if values is not None else data)
    numbers = aligned_numbers(data, by if by is not None else data, shape, _JUDGE)
    return numbers[:, None] if numbers.ndim == 1 else numbers


def any_pass(verdicts: Outcomes) -> Outcomes:
    """Return what a judge says of all candidates of a question: whether any is right."""
    known = (verdicts.correct >= 0).any(axis=1)
    passes = np.where(known, (verdicts.correct == 1).any(axis=1), ABSENT)
    return replace(verdicts, correct=passes[:, None], grouped=True)


def silence_caveats(verdicts: Outcomes, asked: Any) -> Iterator[Text]:
    """Yield how many samples a judge says nothing of.

    What was never asked for is not missed.
    """
    held = getattr(asked, "outcomes", asked)
    expected = held.correct > ABSENT if isinstance(held, Outcomes) else True
    silent = int(((verdicts.correct < 0) & expected).sum())
    if silent:
        yield Text(
            "The judge has no verdict on {count} sample, which is left out.",
            "The judge has no verdict on {count} samples, which are left out.",
            count=silent,
        )


@dataclass(frozen=True, eq=False)
class PersonLabels:
    """What a person says of samples, or of whole questions."""

    # 1 right, 0 wrong, NaN where nobody looked, or where it was chosen by looking. Shape (M, N) or
    # (M, 1).
    right: Vector
    chance: Vector | None  # With what chance each was drawn; None where nothing says so.
    looked: int  # Labels that were chosen by looking, and are left out.

    @property
    def known(self) -> Flags:
        """Where there is a label."""
        return ~np.isnan(self.right)

    @property
    def counts(self) -> Integers:
        """How many labels each question has, shape (M,)."""
        return row_counts(self.known)

    def caveats(self) -> Iterator[Text]:
        """Yield how many labels say nothing of the rest."""
        if self.looked:
            yield Text(
                "{count} label was chosen by looking (its chance of being drawn is 0): it is left "
                "out.",
                "{count} labels were chosen by looking (their chance of being drawn is 0): they "
                "are left out.",
                count=self.looked,
            )


def person_labels(
    data: Any,
    human: Any,
    probability: Any,
    shape: tuple[int, ...],
    groups: bool,
    *,
    or_none: bool = False,
) -> PersonLabels:
    """Return the labels of a person that were not chosen by looking.

    By default those of the columns `HUMAN` or, with `groups`, `HUMAN_GROUP`, and the chances beside
    them.
    """
    held = "question_columns" if groups else "columns"
    expected = shape[:1] if groups else shape
    name = (HUMAN_GROUP if groups else HUMAN) if human is None else human
    columns = getattr(data, held, None)
    beside_it = f"{name}{PROBABILITY}" if isinstance(name, str) else None
    if probability is None and isinstance(columns, Mapping) and beside_it in columns:
        probability = beside_it
    right = _column(data, name, expected, _LABEL, held)
    known = ~np.isnan(right)
    if not np.isin(right[known], (0, 1)).all():
        raise MetricError(Text("A label must be 1 (right), 0 (wrong), or empty."))
    if not known.any() and not or_none:
        raise MetricError(Text("There is no human label."))
    chance, looked = None, np.zeros(right.shape, dtype=bool)
    if probability is not None:
        chance = _column(data, probability, expected, _CHANCE, held)
        if not ((chance[known] >= 0) & (chance[known] <= 1 + _ALIKE)).all():
            raise MetricError(Text("Each label needs the chance of being drawn, from 0 to 1."))
        looked = known & (chance == 0)
    if known.any() and (looked == known).all():
        raise MetricError(
            Text(
                "Every label was chosen by looking (its chance of being drawn is 0): such "
                "labels say nothing about other samples. Have a random share labelled."
            )
        )
    return PersonLabels(np.where(looked, np.nan, right), chance, int(looked.sum()))


def _column(data: Any, values: Any, shape: tuple[int, ...], what: Text, held: str) -> Vector:
    """Return numbers of the samples or of the questions with a row for each question."""
    if not isinstance(values, str) and len(shape) == 2 and np.ndim(values) == 1:
        values = np.asarray(values)[:, None]
    found = aligned_numbers(data, values, shape, what, held)
    return found[:, None] if found.ndim == 1 else found
