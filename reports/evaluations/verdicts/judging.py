"""Runs in which a model judges the predictions of another: ``<dataset>-<judge>``.

The judge is asked about each prediction by itself; the reference of its reply is the uuid of the
prediction, and that tells question and sample. Its results have either one sample a row, with that
reference, or the shape of the model's: each question's samples in the order of the judge's replies,
and after them an empty one for each request that failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.files.layout import Pair
from reports.evaluations.files.predictions import records
from reports.evaluations.files.tool import Tool
from reports.evaluations.verdicts.edit_judges import grade_edits, scores_in
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.grouping import Grouping
from reports.files.tree import Tree
from reports.rescoring.rules import prepared

T = TypeVar("T", bound=np.generic)

RIGHT = "A"
"""What a judge's answer ends in if it finds the prediction right."""

Places = Mapping[str, tuple[int, int]]
"""Question and sample of each prediction, by its uuid."""


def put_back(
    tree: Tree, pair: Pair, judged: Pair, grades: Grades | None, n: int, edits: bool, tool: Tool
) -> Grades:
    """Give each verdict of a judge to the prediction it is about.

    pair, judged: The judge's files, and those of the predictions it judges.
    grades: What the judge's results hold; without them its own replies tell.
    n: Samples of each question.
    Returns: Predictions without a judgement are not judged: the tool counts an empty reply for
    each.
    Raises LoadError if a verdict is about no prediction, or it is not known about which.
    """
    places = dict(_places(tree, judged.predictions))
    replies = _replies(tree, pair.predictions)
    if grades is None and edits:
        scored = [(scores_in(text), uuid) for _, uuid, text in replies]
        edited = grade_edits([scores for scores, _ in scored], [uuid for _, uuid in scored])
        in_place = _of_rows(edited, places, len(places))
    elif grades is not None and grades.references and {*grades.references} <= places.keys():
        in_place = _of_rows(grades, places, len(grades.references))
    else:
        asked = 1 + max((question for question, _ in places.values()), default=0)
        shape = (asked, n) if grades is None else grades.verdicts.shape
        in_place = _of_questions(grades, replies, places, shape, tool)
    if in_place is None:
        raise tree.error(
            Text(
                "the judge's verdicts do not match the predictions in {file} or the judge's "
                "replies beside them",
                file=judged.predictions[0],
            ),
            Text("Load the report with the predictions that were judged, and all replies."),
            pair.results or pair.predictions[0],
        )
    return in_place


def _of_rows(grades: Grades, places: Places, seen: int) -> Grades | None:
    """Put back verdicts that name the prediction they are about."""
    about = grades.references or []
    if not about or not {*about} <= places.keys():
        return None
    rows, columns = np.array(list(places.values())).T
    order = np.full((int(rows.max()) + 1, int(columns.max()) + 1), -1)
    for i, uuid in enumerate(about):
        order[places[uuid]] = i
    unjudged = np.zeros(order.shape, dtype=bool)
    unjudged[rows, columns] = order[rows, columns] < 0
    if grades.unjudged is not None:
        unjudged |= _placed(grades.unjudged, order)
    return _in_order(grades, order, unjudged, Grouping(unjudged.shape), seen)


def _of_questions(
    grades: Grades | None,
    replies: Iterable[tuple[int, str, str]],
    places: Places,
    shape: tuple[int, int],
    tool: Tool,
) -> Grades | None:
    """Put back verdicts that are in the order of the judge's replies to each question."""
    questions, n = shape
    order, right = np.full(shape, -1), np.zeros(shape, dtype=np.int8)
    seen: Counter[int] = Counter()
    for question, uuid, text in replies:
        place, nth = places.get(uuid, (-1, 0)), seen[question]
        if place[0] != question or question >= questions or max(nth, place[1]) >= n:
            return None
        order[place] = question * n + nth
        right[question, nth] = text[-1:] == RIGHT
        seen[question] += 1
    if grades is None:
        mixed = tool.mixes and min(shape) > 1
        grades = Grades(right, None, None, None, Grouping(shape, mixed), judged=True)
    if not seen or (grades.verdicts != right).any():
        return None
    unjudged = np.zeros(shape, dtype=bool)
    for place in places.values():
        if place[0] < questions and place[1] < n:
            unjudged[place] = order[place] < 0
    for question in np.flatnonzero((order < 0).any(axis=1)).tolist():
        free = np.setdiff1d(question * n + np.arange(n), order[question])
        order[question, order[question] < 0] = free
    positions = np.stack([grades.grouping.positions(sample) for sample in range(n)], axis=1)
    grouping = replace(grades.grouping, places=positions.ravel()[order])
    return _in_order(grades, order, unjudged, grouping)


def _in_order(
    grades: Grades,
    order: NDArray[np.intp],
    unjudged: NDArray[np.bool_],
    grouping: Grouping,
    seen: int | None = None,
) -> Grades:
    """Return verdicts and scores by question and sample."""
    return replace(
        grades,
        verdicts=_placed(grades.verdicts, order),
        scores=None if grades.scores is None else _placed(grades.scores, order),
        answers=None,
        labels=None,
        references=None,
        grouping=grouping,
        seen=seen,
        unjudged=unjudged,
        further={
            name: np.where(order < 0, np.nan, values.ravel()[order])
            for name, values in grades.further.items()
        },
    )


def _placed(values: NDArray[T], order: NDArray[np.intp]) -> NDArray[T]:
    """Return values by question and sample; 0 where the order names none."""
    return np.where(order < 0, np.zeros(1, values.dtype), values.ravel()[order])


def _places(tree: Tree, files: Sequence[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Give the question and sample of each prediction by its uuid."""
    seen: Counter[int] = Counter()
    for question, record in records(tree, files):
        yield str(record.get("uuid")), (question, seen[question])
        seen[question] += 1


def _replies(tree: Tree, files: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Give the question of each reply, the uuid of what it is about, and its text."""
    read = prepared(None)
    for question, record in records(tree, files):
        yield question, str(record.get("gold")), read(str(record.get("prediction")))
