"""DuckDB folds long tables of very many rows into one row per question.

All that is known of a question is one string of bits. So there are no more groups than questions,
however many models answered them, and no sample needs to be sorted into its place. A cell is one
sample of one run: wrong, right and failed are a bit of it each; there is no third where nothing
failed. The cells of a run fill whole bytes.

Read in the ordinary way, 25 million rows take 3 to 6 times as long and 2.3 GiB in
place of .3. Batches that DuckDB makes are no quicker there than those of Arrow. Written in Ibis,
the fold of 10 million rows takes .75 s in place of .68, and 1.2 s before it to import and connect.

A label that differs between the runs of a question is none of it here, for any of them; where rows
are laid out or counted in an engine, each run is looked at alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product, repeat
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import types

from metrics.data.arrays import Flags
from metrics.data.outcomes import ABSENT, FAILED, Outcomes, QuestionIds
from metrics.data.tally import row_counts
from metrics.data.words import Enumerated, Text
from reports.files.errors import LoadError, OpenChoice
from reports.files.notes import Note
from reports.run.fingerprint import Setting
from reports.run.finish_reasons import REASON, ends_cut
from reports.run.labels import Labels
from reports.run.remarks import segment
from reports.run.report import Run
from reports.tables.engine import Engine, Stored, quoted
from reports.tables.meaning.codes import labels, pack_texts
from reports.tables.meaning.refusals import beyond_verdicts
from reports.tables.meaning.row_facts import Seen, SeenRows
from reports.tables.meaning.settling import Meaning, constant_settings, samples_of, settle
from reports.tables.samples.gathering import Found
from reports.tables.schema.columns import Columns, names_setting
from reports.tables.schema.data_types import is_text
from reports.tables.schema.names import DATASETS, MODELS, key
from reports.tables.source import Source
from reports.tables.texts.folded_texts import FoldedTexts

ROWS = 5_000_000
"""From how many rows on a table is folded."""

_MOST_NAMES = 64
_PART = 500_000
_MOST_BYTES = 1 << 13
_PARTS = ("least", "most", "known")

Extent = tuple[int, int, int]
"""The least and the most of a column, and how many rows have a value."""
STATES = (0, 1, FAILED)
"""What each bit of a cell says."""


@dataclass(frozen=True)
class CellGrid:
    """Every model and dataset, and their samples from `low` on."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    low: int  # Number of the first sample.
    width: int  # Samples of a run.
    cell: int  # Bits of a sample: 2, or 4 where any failed.

    @property
    def step(self) -> int:
        """Bits of a run."""
        return -(-self.width * self.cell // 8) * 8

    @property
    def size(self) -> int:
        """Bytes of a question."""
        return len(self.models) * len(self.datasets) * self.step // 8

    def verdicts(self, packed: NDArray[np.uint8]) -> Iterator[tuple[str, str, NDArray[np.int8]]]:
        """Yield model, dataset and verdicts (M, width) of each run from the bytes (M, size)."""
        length = self.step // 8
        word = 2 if length % 2 == 0 else 1
        decoder = _decoder(self.cell, word)
        for number, (model, dataset) in enumerate(product(self.models, self.datasets)):
            part = packed[:, number * length : (number + 1) * length]
            words = np.ascontiguousarray(part).view(f">u{word}")
            yield model, dataset, decoder[words].view(np.int8)[:, : self.width]


def _decoder(cell: int, word: int) -> NDArray[np.integer]:
    """Return the verdicts that a word of so many bytes holds, side by side in one integer."""
    words = np.arange(1 << 8 * word, dtype=f">u{word}")
    bits = np.unpackbits(words.view(np.uint8)).reshape(len(words), -1, cell)
    verdicts = np.full(bits.shape[:2], ABSENT, dtype=np.int8)
    for bit, state in enumerate(STATES[:cell]):
        verdicts[bits[..., bit] == 1] = state
    return verdicts.view(f"i{verdicts.shape[1]}").ravel()


def is_foldable(columns: Columns, schema: pa.Schema) -> bool:
    """Whether a table has numbered samples, with plain verdicts from one column.

    Its names are texts or integers: DuckDB and Arrow spell others in different ways.
    """
    if columns.shape != "long" or len(columns.correct) != 1 or columns.sample is None:
        return False
    if columns.settings or columns.others:
        return False
    verdict, sample = (schema.field(name).type for name in (columns.correct[0][0], columns.sample))
    plain = types.is_boolean(verdict) or types.is_integer(verdict)
    named = filter(None, (columns.question, columns.model, columns.dataset))
    kinds = [schema.field(name).type for name in named]
    return bool(
        plain
        and types.is_integer(sample)
        and columns.error is None
        and all(is_text(kind) or types.is_integer(kind) for kind in kinds)
    )


def count(stored: Stored) -> int | None:
    """Return how many rows count; None where DuckDB cannot say."""
    import duckdb  # which takes long, and few tables need it

    try:
        (found,) = Engine(stored).query("SELECT count(*) AS rows FROM rows").read_all().to_pylist()
    except duckdb.Error:
        return None
    return int(found["rows"])


def fold(
    source: Source, columns: Columns, paths: tuple[str, ...], stored: Stored, rows: int
) -> Found | None:
    """Read verdicts and segments of a foldable table of so many rows.

    paths: Of the table or its parts, within the files of the tree.
    stored: Where they are on disk.
    Returns: None where anything is amiss: reading the table in the ordinary way tells what.
    Raises RoleChoice if a column may tell models, datasets or settings apart.
    """
    import duckdb  # which takes long, and few tables need it

    try:
        engine = Engine(stored)
        names = {name: _names(engine, name) for name in _naming_columns(columns)}
        if any(names[name] is None for name in (columns.model, columns.dataset) if name):
            return None
        notes: list[Note] = []
        extents = _extents(engine, str(columns.sample), columns.correct[0][0])
        meaning = settle(source, columns, _look(engine, columns, names, extents[0], rows), notes)
        grid = _grid(meaning, names, extents, rows)
        if grid is None:
            return None
        columns, reasons = meaning.columns, _reasons(engine, meaning.columns)
        tell = partial(source.tree.tell, source.path)
        table = _table(engine, columns, grid, reasons, tell)
    except OpenChoice:
        raise
    except (duckdb.Error, LoadError):
        return None
    table = table.take(pc.sort_indices(table["question"]))
    if table["question"].null_count:
        return None
    packed = _bytes(table["bits"], grid)
    cut = _bytes(table["cut"], grid) if reasons else None
    notes += _left_out(source, columns, reasons)
    segments = dict(_segments(source, columns, table, packed, notes))
    settings = _settings(engine, columns)
    stores: Callable[..., FoldedTexts] | None = None
    if columns.texts:
        stores = partial(FoldedTexts, source.tree.keep(), paths, stored, columns)
    asked = table["question"]
    runs = [*_runs(source, columns, grid, packed, asked, segments, reasons, cut, settings, stores)]
    if sum(run.outcomes.n_samples() for run in runs if run.outcomes) != rows:
        return None  # a sample occurs twice
    return Found(tuple(runs), tuple(notes))


def _bytes(bits: pa.ChunkedArray, grid: CellGrid) -> NDArray[np.uint8]:
    """Return the bits of each question as bytes, shape (M, size)."""
    whole = pc.fill_null(bits, bytes(grid.size)).combine_chunks().cast(pa.binary(grid.size))
    return np.frombuffer(whole.buffers()[1], np.uint8).reshape(-1, grid.size)


def _runs(
    source: Source,
    columns: Columns,
    grid: CellGrid,
    cells: NDArray[np.uint8],
    questions: pa.ChunkedArray,
    segments: Mapping[str, NDArray[np.str_]],
    reasons: _Reasons | None,
    cut: NDArray[np.uint8] | None,
    settings: Mapping[tuple[str, ...], dict[str, Setting]],
    stores: Callable[..., FoldedTexts] | None,
) -> Iterator[Run]:
    """Yield the runs that there are; those on the same questions share their ids."""
    names = pack_texts(questions.cast(pa.string()))
    ids: dict[bytes, QuestionIds] = {}
    of_runs = repeat(None) if cut is None else (block for _, _, block in grid.verdicts(cut))
    for (model, dataset, block), cut_block in zip(grid.verdicts(cells), of_runs, strict=False):
        n = row_counts(block != ABSENT)
        asked = slice(None) if n.all() else n > 0
        if not n.any():
            continue
        which = np.packbits(n > 0).tobytes()
        if which not in ids:
            ids[which] = QuestionIds(names.take(n > 0))
        order = _to_front(block[asked])
        verdict = _moved(block[asked], order)
        labels = {}
        if cut_block is not None and reasons is not None:
            was_cut = _moved(cut_block[asked], order) != ABSENT
            labels = {REASON: reasons.labels(was_cut, verdict)}
        failed = 0, int(np.count_nonzero(verdict == FAILED))
        numbers = int(np.count_nonzero((block != ABSENT).any(axis=0)))
        grouping, notes = samples_of(source, columns, n[asked], failed, numbers)
        named = (columns.model, model), (columns.dataset, dataset)
        yield Run(
            model,
            dataset,
            Outcomes(verdict, None, ids[which], {name: of[asked] for name, of in segments.items()}),
            notes=tuple(notes),
            labels=labels,
            grouping=grouping,
            source=source.path if source.place else source.tree.name,
            store=stores and stores(model, dataset, ids[which], verdict.shape[1]),
            settings=settings.get(tuple(name for column, name in named if column), {}),
            names_dataset=columns.names_dataset or dataset != source.stem,
        )


def _settings(engine: Engine, columns: Columns) -> dict[tuple[str, ...], dict[str, Setting]]:
    """Return what holds throughout of each run, by the model and dataset that columns name."""
    names = names_setting(columns)
    runs = [f"{quoted(name)}::VARCHAR" for name in (columns.model, columns.dataset) if name]
    if not names:
        return {}
    looks = ["count(*)"]
    for each in map(quoted, names):
        looks += [f"count({each})", f"min({each})::VARCHAR", f"max({each})::VARCHAR"]
    facts = ["rows", *(f"{fact} {name}" for name in names for fact in ("held", "least", "most"))]
    query = f"SELECT {', '.join((*runs, *looks))} FROM rows GROUP BY ALL"
    found = zip(*engine.query(query).read_all().to_pydict().values(), strict=True)
    return {
        row[: len(runs)]: constant_settings(names, dict(zip(facts, row[len(runs) :], strict=True)))
        for row in found
    }


def _naming_columns(columns: Columns) -> list[str]:
    """Return the columns that name the runs, or may do so for all rows."""
    named = [name for name in (columns.model, columns.dataset) if name]
    known = {*(() if columns.model else MODELS), *(() if columns.dataset else DATASETS)}
    return [*named, *(name for name in columns.dividing if key(name) in known)]


def _look(
    engine: Engine,
    columns: Columns,
    names: Mapping[str, tuple[str | None, ...] | None],
    samples: Extent,
    rows: int,
) -> Seen:
    """Return what is to be seen of the rows before they are folded.

    That each has a question is seen as they are, and whether a sample occurs twice.
    """
    facts: dict[str, Any] = {"rows": rows, f"held {columns.question}": rows}
    low, high, numbered = samples
    facts |= {f"least {columns.sample}": str(low), f"most {columns.sample}": str(high)}
    facts[f"held {columns.sample}"] = numbered
    for name, known in names.items():
        held = [each for each in known or () if each is not None]
        facts[f"held {name}"] = rows - (None in (known or ())) if held else 0
        facts |= {f"least {name}": min(held, default=None), f"most {name}": max(held, default=None)}

    def part(columns: Columns) -> SeenRows:
        named = (columns.model, columns.dataset, columns.question, columns.sample)
        others = (*columns.dividing, columns.correct[0][0])
        wanted = dict.fromkeys(quoted(name) for name in (*named, *others) if name)
        some = f"hash({quoted(str(columns.question))}) % {1 + rows // _PART} = 0"
        query = f"SELECT {', '.join(wanted)} FROM rows WHERE {some}"
        return SeenRows(engine.query(query).read_all())

    return Seen([facts], part if columns.dividing else None)


def _grid(
    meaning: Meaning,
    names: Mapping[str, tuple[str | None, ...] | None],
    extents: Sequence[Extent],
    rows: int,
) -> CellGrid | None:
    """Return what models, datasets and samples there are; None where they are too many or odd."""
    columns = meaning.columns
    (low, high, _), (least, most, known) = extents
    if not known or not {least, most} <= {0, 1}:
        return None
    models, datasets = (
        tuple(sorted(map(str, names[column] or ()))) if column else (name,)
        for column, name in ((columns.model, meaning.model), (columns.dataset, meaning.dataset))
    )
    grid = CellGrid(models, datasets, low, high - low + 1, 2 if known == rows else 4)
    return grid if grid.size <= _MOST_BYTES else None


def _extents(engine: Engine, *columns: str) -> list[Extent]:
    """Return least and most of columns, and how many values there are.

    Asked for so plainly, numbers come from the statistics of the file without reading the columns.
    """
    looks = [f"min({name}), max({name}), count({name})" for name in map(quoted, columns)]
    found = engine.query(f"SELECT {', '.join(looks)} FROM rows").read_all()
    values = [column[0].as_py() for column in found.columns]
    return [(*values[at : at + 3],) for at in range(0, len(values), 3)]


def _names(engine: Engine, column: str) -> tuple[str | None, ...] | None:
    """Return the distinct values of a column; None where they are too many."""
    query = f"SELECT DISTINCT {quoted(column)}::VARCHAR FROM rows LIMIT {_MOST_NAMES + 1}"
    names = engine.query(query).read_all().column(0).to_pylist()
    return tuple(names) if len(names) <= _MOST_NAMES else None


@dataclass(frozen=True)
class _Reasons:
    """Why samples ended."""

    cut: tuple[str, ...]  # The reasons that mean that a sample was cut.
    all_told: bool  # Whether every sample has a reason that means something.

    def labels(self, was_cut: Flags, verdict: NDArray[np.int8]) -> Labels:
        """Return a word for each sample, those that were not cut under one."""
        other = np.where(self.all_told & (verdict != ABSENT), np.int8(1), np.int8(-1))
        return Labels(np.where(was_cut, np.int8(0), other), ("length", "other"))


def _reasons(engine: Engine, columns: Columns) -> _Reasons | None:
    """Look which reasons there are; None where no column has any, or they are too many."""
    if not columns.reasons:
        return None
    found = _names(engine, columns.reasons[0])
    if found is None or found == (None,):
        return None
    means = {reason or "": ends_cut(reason or "") for reason in found}
    cut = tuple(sorted(reason for reason, was_cut in means.items() if was_cut))
    return _Reasons(cut, None not in means.values())


def _table(
    engine: Engine,
    columns: Columns,
    grid: CellGrid,
    reasons: _Reasons | None,
    tell: Callable[[float], None],
) -> pa.Table:
    """Fold: the bits of each question, those of samples that were cut, and its segments."""

    def place(column: str | None, names: tuple[str, ...], step: int) -> str:
        if column is None:
            return "0"
        keys, steps = ", ".join("?" * len(names)), [*range(0, len(names) * step, step)]
        return f"{steps}[list_position([{keys}], {quoted(column)}::VARCHAR)]"

    places = (
        place(columns.model, grid.models, grid.step * len(grid.datasets)),
        place(columns.dataset, grid.datasets, grid.step),
        f"({quoted(str(columns.sample))}::BIGINT - {grid.low})::INTEGER * {grid.cell}",
        f"coalesce({quoted(columns.correct[0][0])}::INTEGER, {STATES.index(FAILED)})",
    )
    bits = f"bitstring_agg({' + '.join(places)}, 0, {8 * grid.size - 1})::BLOB"
    cut = ""
    if reasons:
        listed = f"[{', '.join('?' * len(reasons.cut))}]::VARCHAR[]"
        ended = f"list_contains({listed}, {quoted(columns.reasons[0])}::VARCHAR)"
        cut = (
            f", bitstring_agg({' + '.join(places[:-1])}, 0, {8 * grid.size - 1})"
            f" FILTER (WHERE {ended})::BLOB"
        )
    segments = "".join(
        f", min({name})::VARCHAR, max({name})::VARCHAR, count({name})"
        for name in map(quoted, columns.segments)
    )
    question = quoted(str(columns.question))
    names = (*(grid.models if columns.model else ()), *(grid.datasets if columns.dataset else ()))
    query = f"SELECT {question}, {bits}{cut}{segments} FROM rows GROUP BY ALL"
    parts = (f"{part} {name}" for name in columns.segments for part in _PARTS)
    given = (*names, *names, *reasons.cut) if reasons else names
    return engine.read(query, given, tell).rename_columns(
        ["question", "bits", *(["cut"] if reasons else []), *parts]
    )


def _to_front(block: NDArray[np.int8]) -> NDArray[np.intp] | None:
    """Return the order that moves the samples of every question to the front; None if they are."""
    if (block != ABSENT).all():
        return None
    held = block != ABSENT
    return np.argsort(~held, axis=1, kind="stable")[:, : int(row_counts(held).max())]


def _moved(block: NDArray[np.int8], order: NDArray[np.intp] | None) -> NDArray[np.int8]:
    return np.ascontiguousarray(block if order is None else np.take_along_axis(block, order, 1))


def _segments(
    source: Source,
    columns: Columns,
    table: pa.Table,
    packed: NDArray[np.uint8],
    notes: list[Note],
) -> Iterator[tuple[str, NDArray[np.str_]]]:
    """Yield the labels of the questions; note why a column cannot divide them."""
    if not columns.segments:
        return
    n = pa.array(np.bitwise_count(packed).sum(axis=1, dtype=np.int64))
    for name in columns.segments:
        least, most, known = (table[f"{part} {name}"] for part in _PARTS)
        same = pc.and_(
            pc.fill_null(pc.equal(least, most), True),
            pc.or_(pc.equal(known, 0), pc.equal(known, n)),
        )
        differs = len(table) - int(pc.sum(same).as_py())
        codes = labels(least)
        found = segment(source.place, name, codes.codes, codes.values, differs)
        if isinstance(found, Note):
            notes.append(found)
        else:
            yield name, found


def _left_out(source: Source, columns: Columns, reasons: _Reasons | None) -> Iterator[Note]:
    if left := beyond_verdicts(columns, columns.reasons if reasons else ()):
        what = Text(
            "The table is so large that only verdicts were read, without {columns}. To have these, "
            "load one file for each model.",
            columns=Enumerated(left),
        )
        yield Note(what, source.place, severity="warning")
