"""Tables of human labels: calibration sets of a judge, and lists that were filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT
from metrics.data.words import Text
from reports.column_mapping import CALIBRATION, TABLE
from reports.files.errors import LoadError
from reports.run.calibration import Calibration
from reports.run.report import Run
from reports.tables.samples.gathering import Found
from reports.tables.schema.names import ALIASES, CORRECT, LABELS, SCORE, key, numbered
from reports.tables.source import Source

WHY = "why"
"""The column by which a list of samples to look at is known."""

Read = Callable[[Source], Found]
Schema = Callable[[Source], pa.Schema]


def is_told(source: Source) -> bool:
    """Whether the user says that a table is a calibration set."""
    return source.column_mapping.get(TABLE) == CALIBRATION


def is_spot_check(source: Source, schema: Schema | None) -> bool:
    """Whether a table without outcomes is a list that kofn drew, by the names of its columns."""
    if schema is None:
        return False
    names = {*map(key, schema(source).names)}
    chances = {f"{label}_probability" for label in LABELS}
    return WHY in names and bool(names & chances) and not names & {*CORRECT, *SCORE}


def read_labels(source: Source, read: Read, schema: Schema | None) -> Calibration:
    """Read a table whose verdicts are the labels of a person.

    Raises LoadError if no column holds such labels, or none is filled in.
    """
    mapping = {role: names for role, names in source.column_mapping.items() if role != TABLE}
    known = None if schema is None else {key(name): name for name in schema(source).names}
    spot_check = known is not None and WHY in known
    if known is not None:
        mapping = {**mapping, "correct": _label(source, known)}
    found = read(replace(source, column_mapping=mapping, labels=True))
    labelled = [run for run in found.runs if run.outcomes is not None and _has_labels(run)]
    if not labelled:
        raise _no_labels(source)
    return _joined(source, labelled, spot_check, found)


def _label(source: Source, known: dict[str, str]) -> str:
    """Return the column of labels, or what numbered ones have in common."""
    for role in LABELS:
        if role in source.chosen:
            return source.chosen[role]
        for name in ALIASES[role]:
            if name in known:
                return known[name]
            if any(found and found[0] == name for found in map(numbered, known)):
                return name
    raise _no_labels(source)


def _no_labels(source: Source) -> LoadError:
    return source.error(
        Text("has no column of human labels"),
        Text("Call it human, a label for each answer, or human_group, one for each question."),
    )


def _has_labels(run: Run) -> bool:
    return "human" in run.columns or "human_group" in run.question_columns


def _joined(source: Source, runs: Sequence[Run], spot_check: bool, labels: Found) -> Calibration:
    """Put the questions of all models and datasets one below the other."""
    width = max(run.outcomes.shape[1] for run in runs if run.outcomes is not None)
    columns: dict[str, NDArray[np.float64]] = {}
    once: dict[str, NDArray[np.float64]] = {}
    sizes = [len(run.outcomes.questions) for run in runs if run.outcomes is not None]
    starts = np.cumsum([0, *sizes]).tolist()
    for run, start, size in zip(runs, starts, sizes, strict=False):
        part = slice(start, start + size)
        for name, values in _columns(run).items():
            column = columns.setdefault(name, np.full((starts[-1], width), np.nan))
            column[part, : values.shape[1]] = values
        for name, values in run.question_columns.items():
            once.setdefault(name, np.full(starts[-1], np.nan))[part] = values
    numbers = columns.pop("sample", None)
    names = [
        (run.model, run.dataset) for run, size in zip(runs, sizes, strict=True) for _ in range(size)
    ]
    return Calibration(
        source.path if source.place else source.tree.name,
        tuple(q for run in runs if run.outcomes is not None for q in run.outcomes.questions),
        columns,
        once,
        tuple("" if model == source.stem else model for model, _ in names),
        tuple("" if dataset == source.stem else dataset for _, dataset in names),
        np.nan_to_num(_numbers(runs, width) if numbers is None else numbers, nan=-1).astype(int),
        spot_check,
        labels.notes,
        source.tree.digest,
    )


def _columns(run: Run) -> dict[str, NDArray[np.float64]]:
    """Return the numbers of the samples of a run, with its scores, which may be a judge's."""
    scores = None if run.outcomes is None else run.outcomes.scores
    return {**run.columns, **({} if scores is None else {"score": scores})}


def _numbers(runs: Sequence[Run], width: int) -> NDArray[np.float64]:
    """Return the places of samples as their numbers."""
    held = [run.outcomes.correct != ABSENT for run in runs if run.outcomes is not None]
    found = np.full((sum(map(len, held)), width), np.nan)
    start = 0
    for each in held:
        places = np.where(each, np.arange(each.shape[1]), np.nan)
        found[start : start + len(each), : each.shape[1]] = places
        start += len(each)
    return found
