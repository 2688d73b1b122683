"""Recognise outcome tables and read each into runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

import pyarrow as pa

from metrics.data.words import Text
from reports.column_mapping import ColumnMapping
from reports.files.archive import open_tree
from reports.files.errors import LoadError, OpenChoice
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.calibration import Calibration
from reports.run.report import Report, Run
from reports.tables.formats import (
    arrays,
    arrow,
    delimited,
    orients,
    parquet,
    records,
    written,
)
from reports.tables.formats.parquet_table import ParquetTable
from reports.tables.partitioned import Parts
from reports.tables.parts.finding import find_parts, mixed_columns, same_runs
from reports.tables.parts.joining import JoinedTree, with_parts_joined
from reports.tables.samples.calibrations import is_spot_check, is_told, read_labels
from reports.tables.samples.gathering import Found
from reports.tables.schema.glimpses import glimpses
from reports.tables.source import NoColumn, Source, Values
from reports.tables.where import Where

_HEAD = 1 << 16
_ARRAYS = ".npz"


class Format(Protocol):
    """A module that knows one format of tables.

    `sniff` tells it by first bytes, `SUFFIXES` where these say nothing. `schema` reads names and
    types of the columns, `values` columns row by row; None where there are no columns.
    """

    @property
    def NAME(self) -> Text: ...  # noqa: D102
    @property
    def SUFFIXES(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def sniff(self) -> Callable[[bytes], bool]: ...  # noqa: D102
    @property
    def read(self) -> Callable[[Source], Found]: ...  # noqa: D102
    @property
    def schema(self) -> Callable[[Source], pa.Schema] | None: ...  # noqa: D102
    @property
    def values(self) -> Values | None: ...  # noqa: D102


FORMATS: tuple[Format, ...] = (parquet, arrow, arrays, written, orients, records, delimited)
_SUFFIXES = (".json", _ARRAYS, *(suffix for known in FORMATS for suffix in known.SUFFIXES))


def sniff(tree: Tree) -> bool:
    """Whether the tree holds a table, perhaps in parts: by first bytes of a file, or by names."""
    try:
        return bool(find_parts(tree)) or any(_tables(tree, path, {}) for path in tree.files)
    except LoadError:
        return True


def tables_of(tree: Tree) -> dict[str, str]:
    """Return a file of each table, and what the table is called: of parts the first."""
    parts = find_parts(tree)
    named = {path: each.path for each in parts for path in each.values}
    first = {next(iter(each.values)) for each in parts}
    return {
        path: named.get(path, path) for path in tree.files if path in first or path not in named
    }


def read(tree: Tree, columns: ColumnMapping | None = None, where: str | None = None) -> Report:
    """Read every table of the tree; each gives a run for each model and dataset in it.

    The parts of one table, such as ``part-00000.parquet``, are joined first, and so are files that
    turn out to be parts.

    columns: Columns by what they are, such as ``{"correct": "verdict"}``, where their names do not
        say.
    where: Which rows count; see `Where`.
    Raises LoadError if no file gives any outcomes. A file that fails beside others that load is a
    Note, and a choice of the report if it only takes to know what a column is.
    """
    report = _read_tables(tree, columns or {}, where)
    likely = [*same_runs(tree, report.runs)]
    further = [parts for parts in likely if _have_same_columns(tree, parts)]
    if further:
        together = _read_tables(tree, columns or {}, where, further)
        if _samples(together) == _samples(report):
            likely, report = [parts for parts in likely if parts not in further], together
    return replace(report, notes=(*report.notes, *map(mixed_columns, likely)))


def _have_same_columns(tree: Tree, parts: Parts) -> bool:
    tables = (_tables(tree, path, {})[0] for path in parts.values)
    names = {frozenset(known.schema(source).names) for source, known in tables if known.schema}
    return len(names) == 1


def _samples(report: Report) -> dict[tuple[str, str], int]:
    """Count the samples of each model on each dataset."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for run in report.runs:
        found[run.model, run.dataset] += run.outcomes.n_samples() if run.outcomes else 0
    return found


def _read_tables(
    tree: Tree, columns: ColumnMapping, where: str | None, further: Sequence[Parts] = ()
) -> Report:
    """Read every table; of some, the parts are known."""
    joined = with_parts_joined(tree, further)
    runs_read: list[Run] = []
    notes: list[Note] = []
    tree, chosen, tables_at = _rows_kept(joined, columns, where)
    kinds: list[Text] = []
    failures: list[tuple[str, LoadError]] = []
    calibrations: list[Calibration] = []
    for path in tree.files:
        try:
            tables = tables_at(path)
        except LoadError as error:
            failures.append((path, error.kept()))
            continue
        for source, known in tables:
            try:
                if is_told(source):
                    calibrations.append(_read_labels(source, known))
                    continue
                runs, remarks = _read_among_others(source, known)
            except LoadError as error:
                if not isinstance(error, OpenChoice) or not is_spot_check(source, known.schema):
                    failures.append((source.path, error.kept()))
                    continue
                try:
                    calibrations.append(_read_labels(source, known))
                except LoadError as unfilled:
                    failures.append((source.path, unfilled.kept()))
            else:
                about = (chosen[path],) if path in chosen else ()
                runs_read += [replace(run, notes=(*about, *run.notes)) for run in runs]
                notes += remarks
                kinds.append(known.NAME)
    if not runs_read and not calibrations:
        raise failures[0][1]
    notes = [*joined.notes, *notes, *(note for each in calibrations for note in each.notes)]
    notes += (
        Note(error.within, error.place or path, severity="problem") for path, error in failures
    )
    choices = tuple(error for _, error in failures if isinstance(error, OpenChoice))
    return Report(
        tree.name,
        _kind(kinds, calibrations),
        tuple(runs_read),
        tuple(notes),
        tree.digest,
        choices=choices,
        calibrations=tuple(calibrations),
    )


def _rows_kept(
    joined: JoinedTree, columns: ColumnMapping, where: str | None
) -> tuple[Tree, Mapping[str, Note], Callable[[str], Sequence[tuple[Source, Format]]]]:
    """Keep the rows that count; return the tree, notes, and the tables of a file.

    What a file is was known before: of one row its first bytes may not tell.
    """

    @cache
    def known(path: str) -> list[tuple[Source, Format]]:
        if path not in joined.parts:
            return _tables(joined.tree, path, columns)
        table = ParquetTable(joined.whole, joined.parts[path])
        return [(Source(joined.tree, path, columns, parquet.values, table), parquet)]

    if where is None:
        return joined.tree, {}, known
    from reports.tables.filtered_tables import with_rows_filtered  # which imports pandas

    condition = Where.read(where)
    rows, notes = with_rows_filtered(joined.tree, condition, known)

    def tables(path: str) -> Sequence[tuple[Source, Format]]:
        if path in notes:
            return [(replace(source, tree=rows), form) for source, form in known(path)]
        return [
            (
                replace(
                    source,
                    tree=rows,
                    rows_elsewhere=replace(ParquetTable.of(source), where=condition),
                ),
                form,
            )
            for source, form in known(path)
            if form is parquet
        ] or _tables(rows, path, columns)

    return rows, notes, tables


def _kind(kinds: Sequence[Text], calibrations: Sequence[Calibration]) -> Text:
    """Say what the tables are."""
    if not kinds:
        lists = any(each.spot_check for each in calibrations)
        return Text("labels of a spot check") if lists else Text("calibration set")
    if len(set(kinds)) > 1:
        return Text("outcome tables")
    return Text("outcome table ({kind})", kind=kinds[0])


def _tables(tree: Tree, path: str, columns: ColumnMapping) -> list[tuple[Source, Format]]:
    """Recognise a file, or the arrays within one."""
    lower = path.lower()
    if len(tree.files) > 1 and not lower.endswith(_SUFFIXES):
        return []
    if lower.endswith(_ARRAYS):
        within = open_tree((path, tree.read(path)))
        given = {name: min(within.given(name), tree.given(path)) for name in within.files}
        within = replace(within, packed=given)
        names = [name for name in within.files if not name.lower().endswith(_ARRAYS)]
        return [table for name in names for table in _tables(within, name, columns)]
    if arrays.is_mask(tree, path):
        return []
    with tree.open(path) as stream:
        head = stream.read(_HEAD)
    by_content = (known for known in FORMATS if known.sniff(head))
    by_name = (known for known in FORMATS if lower.endswith(known.SUFFIXES))
    known = next(by_content, None) or next(by_name, None)
    return [(Source(tree, path, columns, known.values), known)] if known else []


def _read_among_others(source: Source, known: Format) -> Found:
    """Read a table, which may lack a column that the user named for others."""
    try:
        return _read(source, known)
    except NoColumn as error:
        if len(source.tree.files) == 1:
            raise
        left = source.without(error.role, error.name)
        runs, notes = _read_among_others(left, known)
        what = Text(
            "The table has no column {name} to use as {role}; kofn goes by the names of its "
            "columns.",
            name=f"{error.name:.80}",
            role=error.role,
        )
        return Found(runs, (*notes, Note(what, source.path)))


def _read_labels(source: Source, known: Format) -> Calibration:
    return read_labels(source, lambda labels: _read(labels, known), known.schema)


def _read(source: Source, known: Format) -> Found:
    """Read a table; where it does not say which column is what, its columns are looked at."""
    try:
        with source.reading(known.NAME):
            return known.read(source)
    except OpenChoice as choice:
        if known.schema is not None:
            with source.reading(known.NAME):
                choice.table = glimpses(source, known.schema(source))
        raise
