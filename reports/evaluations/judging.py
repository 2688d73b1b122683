"""Runs in which a model judges the predictions of another: ``<dataset>-<judge>``.

The judge is asked about each prediction by itself, so its results have one sample a row; the
reference of a row is the uuid of the prediction, and that tells question and sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.words import Text
from reports.errors import LoadError
from reports.evaluations.edit_judges import grade_edits, scores_in
from reports.evaluations.grading import Grades
from reports.evaluations.grouping import Grouping
from reports.evaluations.layout import Pair
from reports.evaluations.predictions import records
from reports.rescoring.rules import prepared
from reports.tree import Tree

T = TypeVar("T", bound=np.generic)

RIGHT = "A"
"""What a judge's answer ends in if it finds the prediction right."""


def put_back(
    tree: Tree, pair: Pair, judged: Pair, grades: Grades | None, edits: bool = False
) -> Grades:
    """Give each verdict of a judge to the prediction it is about.

    Parameters
    ----------
    tree : Tree
    pair, judged : Pair
        The judge's files, and those of the predictions it judges.
    grades : Grades or None
        What the judge's results hold; without them its own replies tell.
    edits : bool
        Whether it judges edited images.

    Returns
    -------
    Grades
        Predictions without a judgement are not judged: the tool counts an empty reply for each.

    Raises
    ------
    LoadError
        If a verdict is about no prediction.
    """
    places = {uuid: place for place, uuid in _places(tree, judged.predictions)}
    found = grades or _replied(tree, pair.predictions, edits)
    about = found.references
    if not places or not about or not all(uuid in places for uuid in about):
        raise LoadError(
            tree.name,
            Text(
                "the judge's verdicts are about predictions that {file} does not hold",
                file=judged.predictions[0],
            ),
            Text("Load the report with the predictions that were judged."),
            pair.results or pair.predictions[0],
        )
    rows, columns = np.array(list(places.values())).T
    shape = int(rows.max()) + 1, int(columns.max()) + 1
    judged_rows, judged_columns = np.array([places[uuid] for uuid in about]).T

    def placed(values: NDArray[T]) -> NDArray[T]:
        array = np.zeros(shape, values.dtype)
        array[judged_rows, judged_columns] = values[:, 0]
        return array

    unjudged = np.zeros(shape, dtype=bool)
    unjudged[rows, columns] = True
    unjudged[judged_rows, judged_columns] = found.unjudged is not None and found.unjudged[:, 0]
    return replace(
        found,
        verdicts=placed(found.verdicts),
        scores=None if found.scores is None else placed(found.scores),
        answers=None,
        labels=None,
        references=None,
        grouping=Grouping(shape),
        seen=len(about) if grades else len(places),
        unjudged=unjudged,
    )


def _places(tree: Tree, files: Sequence[str]) -> Iterator[tuple[tuple[int, int], str]]:
    seen: Counter[int] = Counter()
    for key, record in records(tree, files):
        yield (key, seen[key]), str(record.get("uuid"))
        seen[key] += 1


def _replied(tree: Tree, files: Sequence[str], edits: bool) -> Grades:
    read = prepared(None)
    replies, about = [], []
    for _, record in records(tree, files):
        replies.append(read(str(record.get("prediction"))))
        about.append(str(record.get("gold")))
    if edits:
        return grade_edits(list(map(scores_in, replies)), about)
    right = np.array([[reply[-1:] == RIGHT] for reply in replies], dtype=np.int8)
    return Grades(right, None, None, about, Grouping(right.shape), judged=True)
