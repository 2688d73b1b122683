"""A table of any shape as blocks of samples, one row after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.outcomes import ABSENT, FAILED
from metrics.packed_texts import PackedTexts
from metrics.words import Text, some_of
from reports.interned import SHOWN
from reports.report import Note
from reports.tables.columns import Columns
from reports.tables.counts import expand
from reports.tables.kinds import is_text
from reports.tables.layout import Floats, Labels, Layout, labels
from reports.tables.source import Source
from reports.tables.verdicts import outcomes


@dataclass(frozen=True)
class Blocks:
    """A table as R rows, each a block of W samples of one question.

    A row of a long table is a block of one; of a wide table or one of lists, all its question has.

    Attributes
    ----------
    model, dataset, question : Labels
        Never null.
    order : int array (R,) or None
        Sorts the rows of a question; None where the table has no column for it.
    verdict : int8 array (R, W)
        1, 0, `FAILED` where there is none, or `ABSENT` beyond the end of a list.
    score : float array (R, W) or None
        In [0, 1], NaN where there is no verdict.
    failed : bool array (R,)
        Whether the row holds an error.
    answers : Labels or None
        Extracted answers, their codes as (R, W).
    segments : mapping of str to Labels
    cluster : Labels or None
        Never null.
    measured : mapping of str to float array (R, W)
    threshold : float or None
        The mark by which verdicts were made of scores.
    notes : tuple of Note
        What was decided about the table.
    """

    source: Source
    columns: Columns
    model: Labels
    dataset: Labels
    question: Labels
    verdict: NDArray[np.int8]
    failed: NDArray[np.bool_]
    segments: Mapping[str, Labels]
    order: NDArray[np.int64] | None = None
    score: Floats | None = None
    answers: Labels | None = None
    cluster: Labels | None = None
    measured: Mapping[str, Floats] = field(default_factory=dict)
    threshold: float | None = None
    notes: tuple[Note, ...] = ()


def blocks(source: Source, columns: Columns, data: pa.Table) -> Blocks:
    """Lay a table of any shape out as blocks of samples.

    Raises
    ------
    LoadError
        If verdicts or scores are out of range or none is there at all, candidates for them
        disagree, a question, model or sample has no name, or lists differ in length.
    """
    notes: list[Note] = []
    if columns.alternatives:
        what = Text(
            "Questions are told apart by {column}; if another column is meant ({others}), say "
            "--column question_id=NAME.",
            column=columns.question,
            others=", ".join(columns.alternatives),
        )
        notes.append(Note(what, source.place))
    if columns.shape != "list" and (words := [n for n in columns.numbers if is_text(data[n].type)]):
        what = Text(
            "Verdicts are words in {column}: yes, pass, correct and true count as right, no, fail, "
            "incorrect and false as wrong.",
            column=some_of(words, 3),
        )
        notes.append(Note(what, source.place))
    if columns.unread:
        what = Text(
            "{columns} is left out: it holds texts that are no plain numbers.",
            columns=some_of((f"{name:.60}" for name in columns.unread), 5),
        )
        notes.append(Note(what, source.place, severity="warning"))
    layout = Layout.of(source, columns, data)
    verdict, score, threshold = _outcomes(source, columns, layout, notes)
    rows = len(data)
    failed = np.zeros(rows, bool)
    if columns.error is not None:
        failed = _is_set(data[columns.error])
        verdict[failed] = FAILED
    if layout.lengths is not None:
        verdict[np.arange(verdict.shape[1]) >= layout.lengths[:, None]] = ABSENT
    if score is not None:
        score[verdict < 0] = np.nan

    def names(column: str) -> Labels:
        found = labels(data[column])
        if missing := int(np.count_nonzero(found.codes < 0)):
            raise source.error(
                Text("is empty in {count} row", "is empty in {count} rows", count=missing),
                Text("Fill it in for every row."),
                column,
            )
        return found

    same = Labels(np.zeros(rows, np.int32), PackedTexts([source.stem]))
    model = names(columns.model) if columns.model else same
    dataset = names(columns.dataset) if columns.dataset else same
    named = _named(columns, data, model, dataset)
    if named is None:
        _require_questions(source, columns, data)
    if columns.question is None:
        what = Text("Questions are named by {column}.", column=columns.naming)
        if named is None:
            what = Text("No column names the questions; they are numbered by row.")
        notes.append(Note(what, source.place))
    return Blocks(
        source=source,
        columns=columns,
        model=model,
        dataset=dataset,
        question=named or (names(columns.question) if columns.question else _numbered(rows)),
        order=_order(names(columns.sample)) if columns.sample else None,
        verdict=verdict,
        score=score,
        failed=failed,
        answers=layout.answers(columns.extracted, notes),
        segments={name: labels(data[name]) for name in columns.segments},
        cluster=names(columns.cluster) if columns.cluster else None,
        measured=dict(layout.measured(columns.measured, notes)),
        threshold=threshold,
        notes=tuple(notes),
    )


def _require_questions(source: Source, columns: Columns, data: pa.Table) -> None:
    """Refuse a row a model, which may be all questions of it, or all samples of one."""
    if columns.shape == "long" or columns.question not in (None, columns.model):
        return
    run = [name for name in (columns.model, columns.dataset) if name]
    if columns.model and data.select(run).group_by(run).aggregate([]).num_rows == len(data):
        raise source.error(
            Text(
                "has one row for each model and none for each question, so its values may be "
                "samples of one question or questions that were asked once"
            ),
            Text(
                "Give a row for each question of each model, and name the question in a column "
                "question_id, even if there is only one."
            ),
            columns.model,
        )


def _named(columns: Columns, data: pa.Table, model: Labels, dataset: Labels) -> Labels | None:
    """Return what names the questions without being meant to: short texts, each once in a run."""
    if columns.naming is None:
        return None
    found = labels(data[columns.naming])
    rows = np.stack((model.codes, dataset.codes, found.codes))
    once = np.unique(rows, axis=1).shape[1] == len(data)
    short = max(map(len, found.values), default=0) <= SHOWN
    return found if once and short and found.codes.min() >= 0 else None


def _numbered(rows: int) -> Labels:
    return Labels(np.arange(rows, dtype=np.int32), PackedTexts(map(str, range(rows))))


def _outcomes(
    source: Source, columns: Columns, layout: Layout, notes: list[Note]
) -> tuple[NDArray[np.int8], Floats | None, float | None]:
    if columns.shape != "counts":
        return outcomes(source, columns, layout, notes)
    rows = len(layout.data)
    n, right, rate = (
        np.full(rows, float(name))
        if isinstance(name, int)
        else None
        if name is None
        else layout.values((name,))[:, 0]
        for name in (columns.n, columns.right, columns.rate)
    )
    assert n is not None
    return expand(source, n, right, rate, columns.numbers, notes), None, None


def _order(sample: Labels) -> NDArray[np.int64]:
    """Rank the values of the sample column, numbers by value."""
    try:
        keys = np.array(sample.values, dtype=np.float64)
    except ValueError:
        keys = np.array(sample.values)
    return np.asarray(np.unique(keys, return_inverse=True)[1][sample.codes], dtype=np.int64)


def _is_set(error: pa.ChunkedArray) -> NDArray[np.bool_]:
    if pa.types.is_nested(error.type):
        return np.asarray(error.is_valid())
    found = labels(error)
    nothing = ("", "false", "none", "null", "0")
    is_set = np.array([*(v.strip().lower() not in nothing for v in found.values), False])
    return np.asarray(is_set[found.codes], dtype=bool)
