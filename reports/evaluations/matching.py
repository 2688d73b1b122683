"""Whether the predictions of a report are those that its details judge.

Another model's are of the same questions, so many hold the answer that was judged, or one of the
same verdict; of those that were judged nearly all do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reports.evaluations.files.predictions import Answered
from reports.evaluations.order import RecordOrder
from reports.evaluations.verdicts.alignment import holds_word
from reports.evaluations.verdicts.grading import Grades
from reports.json_files.interned import CUT, label
from reports.rescoring.rule import NOT_JUDGED, Evaluation, Mark, Prediction, Rule
from reports.rescoring.rules import prepared, rules_of, rules_to_try

FEWEST = 3
"""Predictions that must differ."""
TOLERATED = 0.02
"""The share of the predictions looked at that may differ."""
FOUND = 0.2
"""The least share in which the answers must stand for a rule to be tried that nothing names."""

_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")


class ForeignPredictions(NamedTuple):
    """How many of the predictions looked at are not those that were judged."""

    found: int
    looked_at: int


class _Judged(NamedTuple):
    """A prediction, and the verdict and the answer that the details hold in its place."""

    sample: Prediction
    verdict: int
    answer: str | None


def find_foreign_predictions(
    answered: Answered,
    order: RecordOrder,
    grades: Grades,
    rows: NDArray[np.intp],
    evaluation: Evaluation | None,
) -> ForeignPredictions | None:
    """Hold some predictions against the answers and verdicts of the details.

    answered: With the predictions to look at.
    rows: Which question of the order each of the grades is. Shape (D',).
    evaluation: By whose rule answers are found in predictions; without one, any rule will do.
    Returns: None if they are those that were judged, or nothing tells: they are not only if neither
    the answers stand in them nor a rule finds these.
    """
    held = list(_judged(answered, order, grades, rows, prepared(evaluation)))
    rules = _rules(evaluation, held)
    answers = sum(one.answer is not None for one in held)
    if not rules or (evaluation is None and _without_answer(held) >= (1 - FOUND) * answers):
        return None
    n_differing = len(held)
    for differing in (_without_answer, *map(_otherwise, rules))[not answers :]:
        n_differing = min(n_differing, differing(held))
        if n_differing < FEWEST or n_differing <= TOLERATED * len(held):
            return None
    return ForeignPredictions(n_differing, len(held))


def _rules(evaluation: Evaluation | None, held: Sequence[_Judged]) -> Sequence[Rule]:
    if evaluation is not None:
        return rules_of(evaluation)
    golds = (one.sample.gold for one in held if one.sample.gold is not None)
    return tuple(chain(*rules_to_try(next(golds, None))))


def _judged(
    answered: Answered,
    order: RecordOrder,
    grades: Grades,
    rows: NDArray[np.intp],
    prepare: Callable[[str], str],
) -> Iterator[_Judged]:
    """Yield predictions of questions that lack none, so that it is certain which sample each is."""
    whole = np.logical_not(order.lacking(answered.counts).any(axis=1))
    places = {row: i for i, row in enumerate(rows.tolist())}
    for key, nth, sample in answered.some:
        if nth >= order.per_id:
            continue
        row, slot = map(int, order.place(key, nth))
        if whole[row] and row in places:
            at = places[row], slot
            code = -1 if grades.answers is None else int(grades.answers[at])
            answer = None if code < 0 or grades.labels is None else grades.labels[code]
            prepared = sample._replace(prediction=prepare(sample.prediction))
            yield _Judged(prepared, int(grades.verdicts[at]), answer)


def _without_answer(held: Sequence[_Judged]) -> int:
    """Count the predictions in which the answer does not stand."""
    return sum(one.answer is not None and not _says(one.sample, one.answer) for one in held)


def _says(sample: Prediction, answer: str) -> bool:
    """Return whether the answer stands in what was said, as written or as evaluators write it."""
    text = sample.prediction
    texts = text, text.replace(",", ""), _FRACTION.sub(r"\1/\2", text)
    return any(holds_word(text, answer.removesuffix(CUT)) for text in texts)


def _otherwise(rule: Rule) -> Callable[[Sequence[_Judged]], int]:
    """Return what counts the predictions for which a rule finds another answer or verdict."""

    def differs(one: _Judged, mark: Mark | None) -> bool:
        if mark is None or mark is NOT_JUDGED:
            return False
        if one.answer is not None and mark.answer is not None:
            return label(mark.answer) != one.answer
        return rule.is_right(mark) != bool(one.verdict)

    return lambda held: sum(map(differs, held, rule.mark(one.sample for one in held)))
