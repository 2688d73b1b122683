"""Which files hold the texts of a model on a dataset: its predictions, or else its details."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reports.evaluations.details import DetailTable
from reports.evaluations.details.flat import table_of
from reports.evaluations.files.layout import Pair
from reports.evaluations.order import RecordOrder
from reports.evaluations.texts.detail_texts import DetailTexts, TextLayout
from reports.evaluations.texts.prediction_texts import PredictionTexts
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.joining import Joined
from reports.files.tree import Tree
from reports.run.texts import Store


def store_of(
    tree: Tree,
    pair: Pair,
    content: Mapping[str, Any] | None,
    grades: Grades,
    joined: Joined,
    order: RecordOrder | None,
) -> Store | None:
    """Find the texts of a run.

    Parameters
    ----------
    pair : Pair
        The files; those of the predictions that were judged, if a judge wrote the results.
    """
    shape = joined.outcomes.shape
    if pair.judged and order is None:
        return None
    if order is not None and joined.by_id:
        told = np.logical_not(joined.lost.any(axis=1))
        return PredictionTexts(tree.keep(), pair.said, shape, order, told)
    if pair.results is None or content is None or grades.wrong_only or not content.get("details"):
        return None
    details = content["details"]
    layout = TextLayout.of(table_of(details, tree.name, pair.results))
    if layout is None:
        return None
    whole = not isinstance(details, DetailTable)
    grouping, rows = grades.grouping, joined.rows.astype(np.int32)
    return DetailTexts(tree.keep(), pair.results, whole, layout, grouping, rows, shape[1])
