"""Long tables of very many rows: DuckDB folds them to one row a question.

A cell is one sample of one run. What is known of it, right, wrong or failed, is one of two bits, or
of four where any failed; those of all cells of a question are one string of bits. So there are no
more groups than questions, however many models answered them, and no sample needs to be sorted into
its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import types

from metrics.outcomes import ABSENT, FAILED
from metrics.tally import row_counts
from metrics.words import Text
from reports.report import Note, Run
from reports.tables.columns import Columns
from reports.tables.engine import Engine, quoted
from reports.tables.folded_texts import FoldedTexts
from reports.tables.gathering import Found
from reports.tables.layout import Labels, labels
from reports.tables.reduction import differing, runs
from reports.tables.shapes import Blocks
from reports.tables.source import Source

ROWS = 5_000_000
"""From how many rows on a table is folded."""

_MOST_NAMES = 64
_MOST_BYTES = 1 << 13
_UNCLEAR = 9
_STATES = {0: ABSENT, 8: 1, 4: 0, 2: FAILED}
_DECODED = 4_096


def is_foldable(columns: Columns, schema: pa.Schema) -> bool:
    """Whether a table has numbered samples, with plain verdicts from one column."""
    if columns.shape != "long" or len(columns.correct) != 1 or columns.sample is None:
        return False
    verdict, sample = (schema.field(name).type for name in (columns.correct[0][0], columns.sample))
    plain = types.is_boolean(verdict) or types.is_integer(verdict)
    return bool(plain and types.is_integer(sample) and columns.error is None)


def fold(source: Source, columns: Columns, path: str) -> Found | None:
    """Read verdicts and segments of a foldable table on disk.

    Returns
    -------
    Found or None
        None where anything is amiss: reading the table in the ordinary way tells what.
    """
    try:
        engine = Engine(path)
        grid = _grid(engine, columns, source.stem)
        table = None if grid is None else _table(engine, columns, grid)
    except duckdb.Error:
        return None
    if grid is None or table is None:
        return None
    order = pc.sort_indices(table["question"])
    verdict = _verdicts(table["bits"].take(order), grid)
    if verdict is None or table["question"].null_count:
        return None
    names = table["question"].take(order).cast(pa.string()).to_pylist()
    notes = [*_left_out(source, columns)]
    segments = {}
    for name in columns.segments:
        found = _constant(source, table.take(order), name, row_counts(verdict != ABSENT))
        if isinstance(found, Note):
            notes.append(found)
        else:
            segments[name] = found
    found_runs: list[Run] = []
    for number, (model, dataset) in enumerate(product(grid.models, grid.datasets)):
        block = verdict[:, number * grid.width : (number + 1) * grid.width]
        asked = np.flatnonzero((block != ABSENT).any(axis=1))
        if asked.size:
            same = np.zeros(len(asked), dtype=np.int32)
            here = runs(
                Blocks(
                    source=source,
                    columns=replace(columns, shape="list"),
                    model=Labels(same, (model,)),
                    dataset=Labels(same, (dataset,)),
                    question=Labels(asked.astype(np.int32), names),
                    verdict=_without_gaps(block[asked]),
                    failed=same > 0,
                    segments={
                        name: Labels(of.codes[asked], of.values) for name, of in segments.items()
                    },
                )
            )
            found_runs += [_with_texts(run, source, columns, path) for run in here]
    return Found(tuple(found_runs), tuple(notes))


def _with_texts(run: Run, source: Source, columns: Columns, path: str) -> Run:
    if not columns.texts or run.outcomes is None:
        return run
    questions, (_, n) = run.outcomes.questions, run.outcomes.shape
    about = (path, columns, run.model, run.dataset, questions, n)
    return replace(run, store=FoldedTexts(source.tree.keep(), source.path, *about))


@dataclass(frozen=True)
class _Grid:
    """The cells: every model and dataset, and the samples from `low` on; and the bits of each."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    low: int
    width: int
    cell: int
    rows: int

    @property
    def size(self) -> int:
        """Bytes of a question."""
        return -(-len(self.models) * len(self.datasets) * self.width * self.cell // 8)


def _grid(engine: Engine, columns: Columns, stem: str) -> _Grid | None:
    """Look what models, datasets and samples there are; None where they are too many or odd."""
    sample, verdict = quoted(str(columns.sample)), quoted(columns.correct[0][0])
    model, dataset = (
        f"{quoted(name)}::VARCHAR" if name else quoted(stem, "'")
        for name in (columns.model, columns.dataset)
    )
    found = engine.query(
        f"SELECT {model}, {dataset}, min({sample})::BIGINT, max({sample})::BIGINT, "
        f"count(*) - count({sample}), min({verdict}::BIGINT), max({verdict}::BIGINT), "
        f"count(*) - count({verdict}), count(*) "
        "FROM rows GROUP BY ALL"
    ).read_all()
    models, datasets, low, high, missing, least, most, failed, rows = (
        column.to_pylist() for column in found.columns
    )
    if None in (*models, *datasets, *low) or any(missing):
        return None
    if not {*least, *most} <= {0, 1, None} or {*most} == {None}:
        return None
    names = tuple(sorted(set(models))), tuple(sorted(set(datasets)))
    grid = _Grid(*names, min(low), max(high) - min(low) + 1, 4 if any(failed) else 2, sum(rows))
    fits = grid.size <= _MOST_BYTES and max(map(len, names)) <= _MOST_NAMES
    return grid if fits else None


def _table(engine: Engine, columns: Columns, grid: _Grid) -> pa.Table:
    """Fold: the bits of each question, and what its segments are."""

    def place(column: str | None, names: tuple[str, ...], step: int) -> str:
        cases = " ".join(f"WHEN ? THEN {code * step}" for code in range(len(names)))
        return f"CASE {quoted(column)}::VARCHAR {cases} END" if column else "0"

    step = grid.width * grid.cell
    places = (
        place(columns.model, grid.models, step * len(grid.datasets)),
        place(columns.dataset, grid.datasets, step),
        f"({quoted(str(columns.sample))}::BIGINT - {grid.low})::INTEGER * {grid.cell}",
        f"coalesce(1 - {quoted(columns.correct[0][0])}::INTEGER, 2)",
    )
    bits = f"bitstring_agg({' + '.join(places)}, 0, {8 * grid.size - 1})::BLOB"
    segments = "".join(
        f", min({name})::VARCHAR, max({name})::VARCHAR, count({name})"
        for name in map(quoted, columns.segments)
    )
    question = quoted(str(columns.question))
    names = (*(grid.models if columns.model else ()), *(grid.datasets if columns.dataset else ()))
    found = engine.query(f"SELECT {question}, {bits}{segments} FROM rows GROUP BY ALL", names)
    parts = (f"{part} {name}" for name in columns.segments for part in ("least", "most", "known"))
    return found.read_all().rename_columns(["question", "bits", *parts])


def _verdicts(bits: pa.ChunkedArray, grid: _Grid) -> NDArray[np.int8] | None:
    """Return the verdicts (M, cells); None if a sample occurs twice."""
    decoder = _decoder(grid.cell)
    verdict = np.empty((len(bits), grid.size), dtype=decoder.dtype)
    packed = np.frombuffer(
        bits.combine_chunks().cast(pa.binary(grid.size)).buffers()[1], np.uint8
    ).reshape(-1, grid.size)
    for start in range(0, len(bits), _DECODED):
        part = slice(start, start + _DECODED)
        np.take(decoder, packed[part], out=verdict[part], mode="clip")
    cells = verdict.view(np.int8)
    twice = cells.max() == _UNCLEAR or np.count_nonzero(cells != ABSENT) != grid.rows
    return None if twice else cells


def _decoder(cell: int) -> NDArray[np.integer]:
    """Return the verdicts that each byte holds, side by side in one integer."""
    shifts = range(8 - cell, -1, -cell)
    found = [
        [_STATES.get((byte >> shift) % (1 << cell) << (4 - cell), _UNCLEAR) for shift in shifts]
        for byte in range(256)
    ]
    return np.array(found, dtype=np.int8).view(f"i{8 // cell}").ravel()


def _without_gaps(block: NDArray[np.int8]) -> NDArray[np.int8]:
    """Move the samples of every question to the front, in their order."""
    if (block != ABSENT).all():
        return np.ascontiguousarray(block)
    order = np.argsort(block == ABSENT, axis=1, kind="stable")
    moved = np.take_along_axis(block, order, axis=1)
    return np.ascontiguousarray(moved[:, (moved != ABSENT).any(axis=0)])


def _constant(source: Source, table: pa.Table, name: str, n: NDArray[np.int64]) -> Labels | Note:
    """Return the label of each question, or that it is not the same for all its samples."""
    least, most, known = (
        table[part] for part in (f"least {name}", f"most {name}", f"known {name}")
    )
    same = pc.and_(
        pc.fill_null(pc.equal(least, most), True),
        pc.or_(pc.equal(known, 0), pc.equal(known, pa.array(n))),
    )
    differ = len(table) - int(pc.sum(same).as_py())
    return differing(source, name, differ) if differ else labels(least)


def _left_out(source: Source, columns: Columns) -> Iterator[Note]:
    groups = (columns.extracted, *columns.score, *columns.measured.values())
    names = [name for group in groups for name in group]
    names += [name for name in (columns.cluster,) if name]
    if names:
        what = Text(
            "The table is so large that only verdicts were read, without {columns}. To have these, "
            "load one file for each model.",
            columns=", ".join(names),
        )
        yield Note(what, source.place, severity="warning")
