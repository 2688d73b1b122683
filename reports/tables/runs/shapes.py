"""A table of any shape as blocks of samples, one row after the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED
from metrics.data.packed_texts import PackedTexts
from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.json_files.interned import SHOWN
from reports.tables.columns.choosing import INDEX
from reports.tables.columns.columns import Columns
from reports.tables.columns.counts import expand
from reports.tables.columns.data_types import is_text
from reports.tables.columns.names import DATASETS, MODELS, key
from reports.tables.runs.covering import Covered
from reports.tables.runs.layout import Floats, Labels, Layout, Said, labels
from reports.tables.runs.persons import checked
from reports.tables.runs.splitting import (
    Rows,
    are_numbered,
    joined,
    only_value,
    ranks,
    require_told,
)
from reports.tables.runs.stated import Stated, stated
from reports.tables.runs.verdicts import outcomes, signals_of
from reports.tables.source import Source

_FEW = 1_000


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
    answers, reasons : Labels or None
        Extracted answers, and why samples ended, their codes as (R, W).
    segments : mapping of str to Labels
    cluster : Labels or None
        Never null.
    measured : mapping of str to float array (R, W)
    threshold : float or None
        The threshold by which verdicts were made of scores.
    notes : tuple of Note
        What was decided about the table.
    said : Said or None
        What is kept of what the samples say.
    settings : mapping of str to Stated
        What tells how its runs were made.
    once : mapping of str to float array (R,)
        Numbers of a question, NaN in rows that do not say it.
    facts : Covered or None
        What its questions ask for, and which samples cover it.
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
    reasons: Labels | None = None
    cluster: Labels | None = None
    measured: Mapping[str, Floats] = field(default_factory=dict)
    threshold: float | None = None
    notes: tuple[Note, ...] = ()
    said: Said | None = None
    settings: Mapping[str, Stated] = field(default_factory=dict)
    once: Mapping[str, Floats] = field(default_factory=dict)
    facts: Covered | None = None

    @cached_property
    def asked(self) -> NDArray[np.integer]:
        """What question of which run each row is about, as codes (R,)."""
        return np.asarray(joined(self.model.codes, self.dataset.codes, self.question.codes))


def blocks(source: Source, columns: Columns, data: pa.Table) -> Blocks:
    """Lay a table of any shape out as blocks of samples.

    Raises
    ------
    LoadError
        If verdicts or scores are out of range or none is there at all, candidates for them
        disagree, a question, model or sample has no name, or lists differ in length.
    """
    notes = [*columns.notes]
    columns = _with_values(source, columns, data, notes)
    rows = len(data)

    def names(column: str) -> Labels:
        found = labels(data[column])
        if missing := int(np.count_nonzero(found.codes < 0)):
            raise source.error(
                Text("is empty in {count} row", "is empty in {count} rows", count=missing),
                Text("Fill it in for every row."),
                column,
            )
        return found

    def run_names(column: str | None, known: Collection[str]) -> Labels:
        if column is not None:
            return names(column)
        value = only_value(data, columns.dividing, known)
        return Labels(np.zeros(rows, np.int32), PackedTexts([value or source.stem]))

    model = run_names(columns.model, MODELS)
    dataset = run_names(columns.dataset, DATASETS)
    for name in columns.settings:
        model = _apart(model, name, labels(data[name]))
    named = _named(columns, data, model, dataset)
    question = named
    if question is None and columns.question is not None:
        question = names(columns.question)
    order = ranks(names(columns.sample)) if columns.sample is not None else None
    run = model.codes * np.int32(len(dataset.values)) + dataset.codes
    about = Rows(run, _question_codes(columns, data, question), order)
    notes += require_told(source, about, data, columns)
    columns = _counted(source, columns, data, about)
    if named is None:
        _require_questions(source, columns, data)
    if columns.question is None:
        what = Text("Questions are named by {column}.", column=columns.naming)
        if named is None:
            what = Text("No column names the questions; they are numbered by row.")
        notes.append(Note(what, source.place))
    if columns.shape != "list" and (words := [n for n in columns.numbers if is_text(data[n].type)]):
        told = Text(
            "Verdicts are words in {column}: {right} counts as right, every other as wrong.",
            column=some_of(words, 3),
            right=some_of(source.right, 5),
        )
        what = Text(
            "Verdicts are words in {column}: yes, pass, correct and true count as right, no, fail, "
            "incorrect and false as wrong.",
            column=some_of(words, 3),
        )
        notes.append(Note(told if source.right else what, source.place))
    layout = Layout.of(source, columns, data)
    verdict, score, threshold = _outcomes(source, columns, layout, notes)
    signals = signals_of(columns, layout, verdict, score)
    failed = np.zeros(rows, bool)
    if columns.error is not None:
        failed = _is_set(data[columns.error])
        verdict[failed] = FAILED
    if layout.lengths is not None:
        verdict[np.arange(verdict.shape[1]) >= layout.lengths[:, None]] = ABSENT
    if score is not None:
        score[verdict < 0] = np.nan
    return Blocks(
        source=source,
        columns=columns,
        model=model,
        dataset=dataset,
        question=question or _numbered(rows),
        order=_renumbered(columns, data, order),
        verdict=verdict,
        score=score,
        failed=failed,
        answers=layout.words(columns.extracted, notes),
        reasons=layout.words(columns.reasons, notes),
        segments={name: labels(data[name]) for name in columns.segments},
        cluster=names(columns.cluster) if columns.cluster else None,
        measured=dict(
            checked(source, layout.measured({**columns.measured, **signals}, notes), notes)
        ),
        once=dict(checked(source, layout.once(columns.once), notes)),
        threshold=threshold,
        notes=tuple(notes),
        settings=stated(columns, data),
    )


def _with_values(source: Source, columns: Columns, data: pa.Table, notes: list[Note]) -> Columns:
    """Leave out names of runs and samples that no row has, and rows that are only numbered."""
    if columns.sample not in (None, source.chosen.get("sample")):
        held = labels(data[columns.sample]).values
        if len(held) == 1 and not are_numbered(held):
            columns = replace(columns, sample=None)
    names = (columns.model, columns.dataset, columns.sample, columns.cluster)
    empty = [name for name in names if name and _is_empty(data[name])]
    if empty:
        what = Text(
            "{columns} has no value in any row and is left out.",
            columns=some_of((f"{name:.60}" for name in empty), 4),
        )
        notes.append(Note(what, source.place))
        model, dataset, sample, cluster = (None if name in empty else name for name in names)
        columns = replace(columns, model=model, dataset=dataset, sample=sample, cluster=cluster)
    if columns.question is None or key(columns.question) not in INDEX:
        return columns
    if columns.question == source.chosen.get("question_id"):
        return columns
    found = labels(data[columns.question])
    rows_only = len(found.values) == len(data) and all(map(str.isdecimal, found.values))
    if columns.shape == "long" and rows_only:
        raise columns.asks_for_questions(source)
    if columns.shape != "long" and found.values == tuple(map(str, range(len(data)))):
        return replace(columns, question=None)
    what = Text("The first column has no name; its values are taken to name the questions.")
    notes.append(Note(what, source.place))
    return columns


def _apart(model: Labels, name: str, setting: Labels) -> Labels:
    """Return models with a setting as models of their own."""
    values = (*setting.values, "nothing")
    pairs, codes = np.unique(
        model.codes.astype(np.int64) * len(values) + setting.codes % len(values),
        return_inverse=True,
    )
    called = (divmod(int(pair), len(values)) for pair in pairs)
    every = tuple(f"{model.values[m]}, {name}={values[v]}" for m, v in called)
    return Labels(codes.astype(np.int32), PackedTexts(every))


def _question_codes(
    columns: Columns, data: pa.Table, question: Labels | None
) -> NDArray[np.int32] | None:
    """Return what tells the questions apart, even if it does not do so in the end."""
    if question is None and columns.naming is not None:
        question = labels(data[columns.naming])
    return None if question is None or question.codes.min() < 0 else question.codes


def _is_empty(column: pa.ChunkedArray) -> bool:
    return all(bool(labels(part).codes.max() < 0) for part in (column[:_FEW], column))


def _counted(source: Source, columns: Columns, data: pa.Table, rows: Rows) -> Columns:
    """Take outcomes beside a number of samples for counts, or ask if they are.

    Raises
    ------
    RoleChoice
        If none is above 1, so that each may be the verdict on one sample.
    """
    if columns.shape != "long" or not isinstance(columns.n, str) or columns.sample:
        return columns
    once = rows.distinct() == len(data)
    n = pc.max(pc.cast(data[columns.n], pa.float64(), safe=False)).as_py() or 0
    if not once or n <= 1:
        return columns
    ((name, *_), *_) = columns.correct or columns.score
    if {name} & {*source.chosen.values()}:
        return columns
    if not is_text(data[name].type):
        most = pc.max(pc.cast(data[name], pa.float64(), safe=False)).as_py() or 0
        if most > 1 and columns.correct:
            return replace(columns, shape="counts", correct=(), score=(), right=name)
    problem = Text(
        "stands beside {n}, up to {most:g}, and each question has one row: it may count right "
        "samples, or judge one of them",
        n=columns.n,
        most=n,
    )
    raise source.ask_what(problem, name, ("c", "correct") if columns.correct else ("rate", "score"))


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


def _renumbered(
    columns: Columns, data: pa.Table, order: NDArray[np.int64] | None
) -> NDArray[np.int64] | None:
    """Tell samples apart that are numbered anew for each value of a column that means nothing."""
    if order is None:
        return None
    for name in columns.others:
        found = labels(data[name])
        order = order + (int(order.max()) + 1) * (found.codes % (len(found.values) + 1))
        order = np.unique(order, return_inverse=True)[1]
    return order


def _is_set(error: pa.ChunkedArray) -> NDArray[np.bool_]:
    if pa.types.is_nested(error.type):
        return np.asarray(error.is_valid())
    found = labels(error)
    nothing = ("", "false", "none", "null", "0")
    is_set = np.array([*(v.strip().lower() not in nothing for v in found.values), False])
    return np.asarray(is_set[found.codes], dtype=bool)
