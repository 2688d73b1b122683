"""Runs in which a model judges the predictions of another: ``<dataset>-<judge>``.

The judge is asked about each prediction by itself, so its results have one sample a row; the
reference of a row is the uuid of the prediction, and that tells question and sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from metrics.words import Text
from reports.aisbench.grading import Grades
from reports.aisbench.grouping import Grouping
from reports.aisbench.layout import Pair
from reports.aisbench.predictions import records
from reports.report import LoadError
from reports.tree import Tree

RIGHT = "A"
"""What a judge's answer ends in if it finds the prediction right."""


def put_back(tree: Tree, pair: Pair, judged: Pair, grades: Grades | None) -> Grades:
    """Give each verdict of a judge to the prediction it is about.

    Parameters
    ----------
    tree : Tree
    pair, judged : Pair
        The judge's files, and those of the predictions it judges.
    grades : Grades or None
        What the judge's results hold; without them its own predictions tell.

    Raises
    ------
    LoadError
        If a verdict is about no prediction.
    """
    places = {uuid: place for place, uuid in _places(tree, judged.predictions)}
    verdicts = _stored(grades) if grades else _answered(tree, pair.predictions)
    if not places or not all(uuid in places for uuid, _ in verdicts):
        raise LoadError(
            tree.name,
            Text(
                "the judge's verdicts are about predictions that {file} does not hold",
                file=judged.predictions[0],
            ),
            Text("Load the report with the predictions that were judged."),
            pair.results or pair.predictions[0],
        )
    questions, samples = np.array(list(places.values())).max(axis=0) + 1
    right = np.zeros((questions, samples), dtype=np.int8)
    for uuid, verdict in verdicts:
        right[places[uuid]] = verdict
    grouping = Grouping(right.shape)
    return Grades(right, None, None, None, grouping, judged=True, seen=len(verdicts))


def _places(tree: Tree, files: Sequence[str]) -> Iterator[tuple[tuple[int, int], str]]:
    seen: Counter[int] = Counter()
    for key, record in records(tree, files):
        yield (key, seen[key]), str(record.get("uuid"))
        seen[key] += 1


def _stored(grades: Grades) -> list[tuple[str, int]]:
    return list(zip(grades.references or [], grades.verdicts[:, 0].tolist(), strict=True))


def _answered(tree: Tree, files: Sequence[str]) -> list[tuple[str, int]]:
    return [
        (str(record.get("gold")), int(str(record.get("prediction"))[-1:] == RIGHT))
        for _, record in records(tree, files)
    ]
