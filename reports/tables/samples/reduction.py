"""Turn blocks, one per row, into runs with a matrix of questions by samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.words import Text
from reports.files.notes import Note
from reports.json_files.interned import label
from reports.run.fingerprint import Settings
from reports.run.finish_reasons import REASON, unfinished
from reports.run.labels import Labels as Words
from reports.run.remarks import segment
from reports.run.report import Run
from reports.tables.meaning.codes import CodedLabels
from reports.tables.meaning.refusals import repeated_samples, require_few_names, require_few_runs
from reports.tables.meaning.settling import samples_of, setting, unnumbered_note
from reports.tables.samples.layout import require_even
from reports.tables.samples.shapes import Blocks
from reports.tables.texts.table_texts import TableTexts, TextLines


@dataclass(frozen=True)
class _Grid:
    """Where each block of a run stands in its matrix of M questions by N samples."""

    codes: NDArray[np.integer[Any]]  # Of the questions.
    rows: NDArray[np.intp]  # Rows of the table, sorted by question.
    question: NDArray[np.integer[Any]]  # Of each such row, 0 … M - 1.
    # Which block of the matrix, read line by line, each such row is.
    cells: NDArray[np.integer[Any]]
    blocks: int  # Blocks in a line of the matrix.

    @property
    def first(self) -> NDArray[np.intp]:
        """The first row of each question."""
        return self.rows[self.starts]

    @property
    def starts(self) -> NDArray[np.intp]:
        """Where each question begins in its rows."""
        return np.flatnonzero(np.diff(self.question, prepend=-1))

    @property
    def numbers(self) -> NDArray[np.int32]:
        """Which row of the table each block of the matrix is, -1 for none."""
        numbers = np.full((len(self.codes), self.blocks), -1, dtype=np.int32)
        numbers.flat[self.cells] = self.rows
        return numbers

    def place(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        """Lay a column (R, W) of the table out as the matrix (M, N)."""
        m, width = len(self.codes), values.shape[1]
        matrix = np.full((m * self.blocks, width), fill, dtype=values.dtype)
        matrix[self.cells] = values[self.rows]
        return matrix.reshape(m, self.blocks * width)


def runs(table: Blocks, texts: TextLines | None = None) -> tuple[Run, ...]:
    """Make one run for each model and dataset, in the order of the table.

    texts: What has the texts of its rows.
    Raises LoadError if there are too many models or datasets, a question has the same sample twice,
    or its samples are so uneven in number that the matrix would be mostly empty.
    """
    require_few_names(table.source, table.columns.model, len(table.model.values))
    require_few_names(table.source, table.columns.dataset, len(table.dataset.values))
    pairs = table.model.codes * np.int32(len(table.dataset.values)) + table.dataset.codes
    sizes = np.bincount(pairs)
    require_few_runs(table.source, int(np.count_nonzero(sizes)))
    small = pairs.astype(np.min_scalar_type(len(sizes)))
    by_run = np.split(np.argsort(small, kind="stable"), np.cumsum(sizes)[:-1])
    return tuple(_run(table, by_run[pair], texts) for pair in np.flatnonzero(sizes))


def _run(table: Blocks, rows: NDArray[np.intp], texts: TextLines | None) -> Run:
    grid = _grid(table, rows)
    verdict = grid.place(table.verdict, ABSENT)
    failed = int(np.count_nonzero(table.failed[rows])), int(np.count_nonzero(verdict == FAILED))
    numbers = None
    if table.order is not None:
        numbers = int(np.count_nonzero(np.bincount(table.order[grid.rows])))
    n = np.bincount(grid.question)
    grouping, notes = samples_of(table.source, table.columns, n, failed, numbers)
    if table.order is None and grid.blocks > 1:
        notes.insert(0, unnumbered_note(table.source))
    segments = {}
    for name, labels in table.segments.items():
        of_question, differs = _constant(grid, labels)
        found = segment(table.source.place, name, of_question, labels.values, differs)
        if isinstance(found, Note):
            notes.append(found)
        else:
            segments[name] = found
    measured = {role: grid.place(values, np.nan) for role, values in table.measured.items()}
    once = {name: _numbers_once(table, grid, name, notes) for name in table.once}
    dataset = table.dataset.values[table.dataset.codes[rows[0]]]
    return Run(
        model=table.model.values[table.model.codes[rows[0]]],
        dataset=dataset,
        outcomes=Outcomes(
            verdict,
            None if table.score is None else grid.place(table.score, np.nan),
            table.question.values.take(grid.codes),
            segments,
            _clusters(table, grid, notes),
            texts=None if table.row_texts is None else grid.place(table.row_texts.hashes, 0),
            tokens=measured.get("tokens_out"),
        ),
        notes=tuple(notes),
        threshold=table.threshold,
        assumed=table.threshold is not None,
        rule=table.rule,
        grouping=grouping,
        answers=None if table.answers is None else grid.place(table.answers.codes, -1),
        answer_labels=None if table.answers is None else [*map(label, table.answers.values)],
        columns=measured,
        labels=_words(table, grid),
        source=table.source.path if table.source.place else table.source.tree.name,
        store=None if texts is None else TableTexts(texts, grid.numbers, verdict.shape[1]),
        settings=_settings(table, rows),
        question_columns=once,
        names_dataset=table.columns.names_dataset or dataset != table.source.stem,
        facts=None if table.facts is None else table.facts.of(table.asked[grid.first]),
    )


def _words(table: Blocks, grid: _Grid) -> dict[str, Words]:
    """Return why samples ended, and which texts are unfinished."""
    found = {} if table.row_texts is None else unfinished(grid.place(table.row_texts.thoughts, 0))
    if table.reasons is None or not table.reasons.values:
        return found
    codes, values = table.reasons.codes, [*map(label, table.reasons.values)]
    codes = grid.place(codes, -1).astype(np.min_scalar_type(-len(values)))
    return found | {REASON: Words(codes, values)}


def _settings(table: Blocks, rows: NDArray[np.intp]) -> Settings:
    """Return what holds of all rows, but for what already names the run."""
    named = {table.model.values[table.model.codes[rows[0]]]}
    found = {}
    for name, of in table.settings.items():
        codes, first = of.codes[rows], int(of.codes[rows[0]])
        if first >= 0 and (codes == first).all():
            found[name] = setting(of.values[first])
    return {name: value for name, value in found.items() if str(value) not in named}


def _grid(table: Blocks, rows: NDArray[np.intp]) -> _Grid:
    codes = table.question.codes[rows]
    if np.array_equal(codes, np.arange(len(rows))):
        return _Grid(codes, rows, codes, codes, 1)
    occurrences = np.bincount(codes)
    first = np.full(len(occurrences), len(codes), dtype=np.int32)
    first[codes[::-1]] = np.arange(len(codes), dtype=np.int32)[::-1]
    present = np.argsort(first)[: np.count_nonzero(occurrences)].astype(np.int32)
    counts = occurrences[present]
    require_even(table.source, table.columns.question, counts)
    rank = first
    rank[present] = np.arange(len(present), dtype=np.int32)
    question = rank[codes]
    key = question
    if table.order is not None:
        key = question * (table.order.max() + 1) + table.order[rows]
    by_key = _sorted(key)
    if table.order is not None or table.columns.shape != "long":
        repeated = np.flatnonzero(np.diff(key[by_key]) == 0)
        if repeated.size:
            name = table.question.values[table.question.codes[rows[by_key[repeated[0]]]]]
            raise repeated_samples(table.source, table.columns, len(repeated), name)
    question = question[by_key]
    cells = np.arange(len(rows))
    cells += (counts.max() * np.arange(len(counts)) - np.cumsum(counts) + counts)[question]
    return _Grid(present, rows[by_key], question, cells, int(counts.max()))


def _sorted(key: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """Sort keys stably; where they are dense and distinct by putting each in its place."""
    size = int(key.max()) + 1
    if size <= 4 * len(key):
        places = np.full(size, -1, dtype=np.int32)
        places[key] = np.arange(len(key), dtype=np.int32)
        found = places[places >= 0]
        if len(found) == len(key):
            return found
    return np.argsort(key, kind="stable")


def _numbers_once(table: Blocks, grid: _Grid, name: str, notes: list[Note]) -> NDArray[np.float64]:
    """Return the number of each question, NaN where its rows give none, or several with a note."""
    values = table.once[name][grid.rows]
    least, most = (each.reduceat(values, grid.starts) for each in (np.fmin, np.fmax))
    differs = least < most
    if count := int(np.count_nonzero(differs)):
        what = Text(
            "{column} differs between the samples of {count} question, where it is left empty.",
            "{column} differs between the samples of {count} questions, where it is left empty.",
            column=name,
            count=count,
        )
        notes.append(Note(what, table.source.place, count, "warning"))
    return np.where(differs, np.nan, least)


def _clusters(table: Blocks, grid: _Grid, notes: list[Note]) -> NDArray[np.int32] | None:
    """Return the cluster of each question, or note why there are none."""
    if table.cluster is None:
        return None
    clusters, differs = _constant(grid, table.cluster)
    if differs:
        what = Text(
            "{column} is not used for clusters: it differs between the samples of {count} "
            "question.",
            "{column} is not used for clusters: it differs between the samples of {count} "
            "questions.",
            column=table.columns.cluster,
            count=differs,
        )
        notes.append(Note(what, table.source.place, differs, "warning"))
        return None
    return clusters


def _constant(grid: _Grid, labels: CodedLabels) -> tuple[NDArray[np.int32], int]:
    """Return the code of each question's first sample, and of how many questions others differ."""
    codes = labels.codes[grid.rows]
    of_question = codes[grid.starts]
    return of_question, np.unique(grid.question[codes != of_question[grid.question]]).size
