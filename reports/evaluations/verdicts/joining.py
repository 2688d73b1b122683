"""Join grades and predictions: match their questions, and find missing samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from reports.evaluations.files.predictions import Answered
from reports.evaluations.order import RecordOrder
from reports.evaluations.verdicts.alignment import align
from reports.evaluations.verdicts.grading import Grades
from reports.run.finish_reasons import unfinished
from reports.run.labels import Labels


@dataclass(frozen=True, eq=False, slots=True)
class Joined:
    """The outcomes of one pair, missing samples marked."""

    outcomes: Outcomes  # By id where every question has one; by position in the details otherwise.
    answers: NDArray[np.signedinteger] | None
    asked: int  # Questions of the dataset, D, as far as anything tells.
    dropped: tuple[int, ...]  # Ids that the details lack.
    failed: NDArray[np.bool_]
    # Samples without a prediction, if the details show that some of them were answered: then the
    # predictions are incomplete and do not tell which requests failed.
    lost: NDArray[np.bool_]
    failed_right: bool  # Whether the evaluator found a failed request right.
    # Whether the evaluation counts more samples than were asked for, the others as empty.
    padded: bool
    # Samples whose score does not give their verdict; there are no scores in the outcomes then.
    contradicted: int
    rows: NDArray[np.intp]  # Where the questions of the grades stand in the outcomes, increasing.
    by_id: bool  # Whether that is their id.
    columns: Mapping[str, NDArray[np.float64]]  # Further verdicts.
    labels: Mapping[str, Labels]  # Which texts are unfinished.


def join(
    grades: Grades,
    answered: Answered | None,
    order: RecordOrder | None,
    read_golds: Callable[[], Sequence[str | None]],
    *,
    running: bool = False,
) -> Joined:
    """Give each question its id and mark what is missing.

    order: None where the predictions are missing, or of no use.
    read_golds: Returns the raw reference of each id; called if questions were dropped.
    running: Whether what has no prediction is not there yet, and did not fail.
    """
    questions, n = grades.verdicts.shape
    asked = questions if order is None else order.shape[0]
    rows: NDArray[np.intp] | None = np.arange(questions)
    if grades.ids is not None:
        rows = grades.ids
    elif asked > questions or not grades.by_id:
        rows = None
        if grades.references is not None and order is not None and order.per_id == n:
            rows = align(grades.references, read_golds())
    by_id = rows is not None
    if rows is None:
        rows, order = np.arange(questions), None
    size = questions if order is None else asked
    failed, sent = np.zeros((size, n), dtype=bool), n
    if order is not None and answered is not None:
        failed = order.lacking(answered.counts)
        sent = answered.sent(n) if order.per_id == n else n
    lost = np.zeros_like(failed)
    if (failed[rows] & grades.answered).any():
        failed, lost, sent = lost, failed, n

    waited_for = failed if running else np.zeros_like(failed)
    failed = failed & ~waited_for
    failed_right = bool(grades.verdicts[failed[rows]].any())
    held = np.zeros(size, dtype=bool)
    held[rows] = True
    missing = failed if held.all() else failed & held[:, None]
    for unknown in (grades.unjudged, None if grades.scores is None else grades.unscored):
        if unknown is not None:
            missing = missing.copy()
            missing[rows] |= unknown

    def placed(values: NDArray[Any], if_dropped: Any, if_failed: Any, kind: Any) -> NDArray[Any]:
        array = np.full((size, n), if_dropped, dtype=kind)
        array[rows] = values
        array[missing] = if_failed
        array[waited_for] = if_dropped
        return array[:, :sent]

    def labelled(words: Sequence[str]) -> NDArray[np.str_]:
        array = np.full(size, "", dtype=object)
        array[rows] = words
        return array.astype(str)

    scores, contradicted = grades.scores, 0
    if scores is not None and grades.threshold is not None:
        passes = np.greater if grades.strict else np.greater_equal
        contradicted = int((passes(scores, grades.threshold) != grades.verdicts).sum())
        scores = None if contradicted else placed(scores, np.nan, np.nan, np.float64)
    texts, thoughts = _hashes_and_thoughts(answered, order, (size, n), sent)
    is_known = ~lost[:, :sent].any(axis=1, keepdims=True)
    return Joined(
        Outcomes(
            placed(grades.verdicts, ABSENT, FAILED, np.int8),
            scores,
            segments={kind: labelled(found) for kind, found in grades.segments.items()},
            grouped=grades.grouping.known != "unknown",
            texts=texts,
        ),
        None if grades.answers is None else placed(grades.answers, -1, -1, grades.answers.dtype),
        asked,
        tuple(np.flatnonzero(~held).tolist()),
        failed[:, :sent],
        lost[:, :sent],
        failed_right,
        sent < n,
        contradicted,
        rows,
        by_id,
        {name: placed(each, np.nan, np.nan, np.float64) for name, each in grades.further.items()},
        unfinished(thoughts * is_known),
    )


def _hashes_and_thoughts(
    answered: Answered | None, order: RecordOrder | None, shape: tuple[int, int], sent: int
) -> tuple[NDArray[np.int64] | None, NDArray[np.int8]]:
    """Return the hash of what each sample says, and how its thoughts stand.

    Only where the predictions are theirs. Which sample of a question one is may differ from the
    outcomes.
    """
    texts, thoughts = np.zeros(shape, np.int64), np.zeros(shape, np.int8)
    if answered is None or order is None:
        return None, thoughts[:, :sent]
    rows, slots = order.records(answered.keys, np.ones_like(answered.keys))
    held = (rows < shape[0]) & (slots < shape[1])
    for found, given in ((texts, answered.texts), (thoughts, answered.thoughts)):
        found[rows[held], slots[held]] = given[held]
    return texts[:, :sent], thoughts[:, :sent]
