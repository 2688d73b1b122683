"""A table of any shape as blocks of samples, one row after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED
from metrics.data.packed_texts import PackedTexts
from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.meaning.refusals import require_no_totals
from reports.tables.meaning.row_facts import SeenRows
from reports.tables.meaning.settling import setting_columns, settle
from reports.tables.samples.judging import judge
from reports.tables.samples.layout import Floats, Layout, checked_columns
from reports.tables.samples.lists.covering import Covered
from reports.tables.samples.verdicts import expand, outcomes, signals_of
from reports.tables.schema.columns import Columns
from reports.tables.schema.data_types import is_text
from reports.tables.schema.design import Codes, joint_codes
from reports.tables.schema.spelled import told_by_words
from reports.tables.source import Source
from reports.tables.texts.table_texts import TableRowTexts
from reports.vocabulary import NO_ERROR


@dataclass(frozen=True)
class Blocks:
    """A table as R rows, each a block of W samples of one question.

    A row of a long table is a block of one; of a wide table or one of lists, all its question has.
    """

    source: Source
    columns: Columns
    # Never null.
    model: CodedLabels
    dataset: CodedLabels
    question: CodedLabels
    # 1, 0, `FAILED` where there is none, or `ABSENT` beyond the end of a list.
    verdict: NDArray[np.int8]
    failed: NDArray[np.bool_]  # Whether the row holds an error.
    segments: Mapping[str, CodedLabels]
    # Sorts the rows of a question; None where the table has no column for it.
    order: Codes | None = None
    score: Floats | None = None  # In [0, 1], NaN where there is no verdict.
    # Extracted answers, and why samples ended, their codes as (R, W).
    answers: CodedLabels | None = None
    reasons: CodedLabels | None = None
    cluster: CodedLabels | None = None  # Never null.
    measured: Mapping[str, Floats] = field(default_factory=dict)
    threshold: float | None = None  # The threshold by which verdicts were made of scores.
    notes: tuple[Note, ...] = ()  # What was decided about the table.
    row_texts: TableRowTexts | None = None  # What is kept of what the samples say.
    # What tells how its runs were made.
    settings: Mapping[str, CodedLabels] = field(default_factory=dict)
    # Numbers of a question, NaN in rows that do not say it.
    once: Mapping[str, Floats] = field(default_factory=dict)
    facts: Covered | None = None  # What its questions ask for, and which samples cover it.
    rule: Text | None = None  # By what kofn found the verdicts, where the table states none.

    @cached_property
    def asked(self) -> NDArray[np.integer]:
        """What question of which run each row is about, as codes (R,)."""
        return np.asarray(joint_codes(self.model.codes, self.dataset.codes, self.question.codes))


def blocks(source: Source, columns: Columns, data: pa.Table) -> Blocks:
    """Lay a table of any shape out as blocks of samples.

    Raises LoadError if verdicts or scores are out of range or none is there at all, candidates for
    them disagree, a question, model or sample has no name, or lists differ in length.
    """
    notes: list[Note] = []
    part, rows = SeenRows(data), len(data)
    if columns.question is not None:
        _require_questions(source, columns.question, part.labels(columns.question))
    meaning = settle(source, columns, part, notes)
    columns = meaning.columns
    model, dataset = (
        CodedLabels(np.zeros(rows, np.int32), PackedTexts([name]))
        if column is None
        else part.labels(column)
        for column, name in ((columns.model, meaning.model), (columns.dataset, meaning.dataset))
    )
    for name in columns.settings:
        model = _models_apart(model, name, part.labels(name))
    if columns.shape != "list" and (words := [n for n in columns.numbers if is_text(data[n].type)]):
        notes.append(Note(told_by_words(source, {n: data[n] for n in words}), source.place))
    layout = Layout.of(source, columns, data)
    rule = None
    if columns.answers is not None:
        verdict, rule, judged = judge(source, columns.answers, data, notes)
        answers: CodedLabels | None = judged
        score = threshold = None
    else:
        verdict, score, threshold = _outcomes(source, columns, layout, notes)
        answers = layout.words(columns.extracted, notes)
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
        question=_numbered(rows) if columns.question is None else part.labels(columns.question),
        order=_renumbered(columns, part),
        verdict=verdict,
        score=score,
        failed=failed,
        answers=answers,
        reasons=layout.words(columns.reasons, notes),
        segments={name: labels(data[name]) for name in columns.segments},
        cluster=None if columns.cluster is None else part.labels(columns.cluster),
        measured=dict(
            checked_columns(source, layout.measured({**columns.measured, **signals}, notes), notes)
        ),
        once=dict(checked_columns(source, layout.once(columns.once), notes)),
        threshold=threshold,
        notes=tuple(notes),
        settings=setting_columns(columns, data),
        rule=rule,
    )


def _require_questions(source: Source, column: str, coded: CodedLabels) -> None:
    """Refuse a last row that is none of a question, unless it has further rows."""
    last = int(coded.codes[-1])
    if last >= 0 and np.count_nonzero(coded.codes == last) == 1:
        require_no_totals(source, column, coded.values[last], len(coded.codes))


def _models_apart(model: CodedLabels, name: str, setting: CodedLabels) -> CodedLabels:
    """Return models with a setting as models of their own."""
    values = (*setting.values, "nothing")
    pairs, codes = np.unique(
        model.codes.astype(np.int64) * len(values) + setting.codes % len(values),
        return_inverse=True,
    )
    called = (divmod(int(pair), len(values)) for pair in pairs)
    every = tuple(f"{model.values[m]}, {name}={values[v]}" for m, v in called)
    return CodedLabels(codes.astype(np.int32), PackedTexts(every))


def _numbered(rows: int) -> CodedLabels:
    return CodedLabels(np.arange(rows, dtype=np.int32), PackedTexts(map(str, range(rows))))


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


def _is_set(error: pa.ChunkedArray) -> NDArray[np.bool_]:
    if pa.types.is_nested(error.type):
        return np.asarray(error.is_valid())
    found = labels(error)
    is_set = np.array([*(v.strip().lower() not in NO_ERROR for v in found.values), False])
    return np.asarray(is_set[found.codes], dtype=bool)


def _renumbered(columns: Columns, part: SeenRows) -> Codes | None:
    """Tell samples apart that are numbered anew for each value of a column that means nothing."""
    order = part.about(columns).order
    if order is None:
        return None
    for name in columns.others:
        found = part.labels(name)
        order = order + (int(order.max()) + 1) * (found.codes % (len(found.values) + 1))
        order = np.unique(order, return_inverse=True)[1]
    return order
