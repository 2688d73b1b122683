"""Anomalies that AISBench found in answers by their token probabilities, matched to samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np

from metrics.data.words import Text
from reports.evaluations.files.layout import Pair
from reports.evaluations.files.predictions import Answered, records
from reports.evaluations.order import RecordOrder
from reports.evaluations.pair import Measuring
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.anomalies import LABEL
from reports.run.labels import Labels
from reports.run.report import Run

NORMAL = "normal"


def with_anomalies(
    tree: Tree,
    pair: Pair,
    measure: Measuring,
    run: Run,
    answered: Answered | None,
    order: RecordOrder | None,
) -> Run:
    """Return what `measure` does of a run with its anomalies."""
    return measure(_joined(run, order, tree, pair), answered, order)


def _joined(run: Run, order: RecordOrder | None, tree: Tree, pair: Pair) -> Run:
    """Return a run with what ``response_anomaly/<model>/<dataset>.jsonl`` says of its answers.

    That goes before what kofn sees in a text; of answers that the tool did not look at, that stays.
    """
    if run.outcomes is None or order is None or not pair.judged_predictions:
        return run
    predictions = PurePosixPath(pair.judged_predictions[0])
    dataset = (pair.judged or pair).dataset
    folder = predictions.parent.parent.parent / "response_anomaly" / predictions.parent.name
    path = (folder / f"{dataset}.jsonl").as_posix()
    if path not in tree.files:
        return run
    try:
        names = dict(_anomaly_names(tree, path))
        asked = [
            (key, names.get((key, record.get("uuid")), ""))
            for key, record in records(tree, pair.judged_predictions)
        ]
    except LoadError as error:
        return replace(run, notes=(*run.notes, Note(error.text, path, severity="warning")))
    keys = np.array([key for key, _ in asked])
    rows, slots = order.records(keys, np.ones_like(keys))
    odd = run.labels.get(LABEL)
    words = odd.words() if odd else np.full(run.outcomes.shape, "", dtype=object)
    looked = 0
    for row, slot, (_, name) in zip(rows.tolist(), slots.tolist(), asked, strict=True):
        if name and row < words.shape[0] and slot < words.shape[1]:
            words[row, slot] = "" if name == NORMAL else name
            looked += 1
    what = Text(
        "AISBench looked for anomalies in {count} of {all} answers by their tokens.",
        count=looked,
        all=len(asked),
    )
    labels = {**run.labels, LABEL: _labels(words)}
    return replace(run, labels=labels, notes=(*run.notes, Note(what, path)))


def _anomaly_names(tree: Tree, path: str) -> Iterator[tuple[tuple[int, str], str]]:
    """Give what is odd in each answer that was looked at, by its id and uuid; the last line holds.

    Lines that say why an answer was not looked at are passed over.
    """
    for key, record in records(tree, [path]):
        if record.get("detection_status") == "completed":
            yield (key, record.get("uuid")), str(record.get("anomaly_type_name"))


def _labels(words: np.ndarray[tuple[int, ...], np.dtype[np.object_]]) -> Labels:
    values, codes = np.unique(words.astype(str), return_inverse=True)
    first = int(values[0] == "")
    return Labels(codes.reshape(words.shape) - first, tuple(values[first:].tolist()))
