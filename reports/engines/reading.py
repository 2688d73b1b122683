"""A table in an engine, given by its address: its rows are counted there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, BinaryIO

import pyarrow as pa

from metrics.data.counts import Counts
from metrics.data.words import Text, some_of
from reports.column_mapping import ColumnMapping
from reports.engines import counting
from reports.engines.connecting import SPARK, TRIED, EngineTable, connect
from reports.engines.remote import InEngine, rows_that_count
from reports.engines.settling import look, meaning_of
from reports.files.addresses import Address
from reports.files.errors import OpenChoice
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.remarks import differing
from reports.run.report import Report, Run
from reports.tables.meaning.refusals import beyond_verdicts, repeated_samples
from reports.tables.meaning.row_facts import Seen
from reports.tables.meaning.settling import Meaning, constant_settings, samples_of
from reports.tables.schema.columns import Columns, names_setting
from reports.tables.schema.glimpses import glimpses
from reports.tables.schema.spelled import looked_at, recognise
from reports.tables.source import Source
from reports.tables.where import Where

_SHOWN = 8
_FIRST = 100
_LOOKED_AT = 1_000
_LETTERS = 4_000
_NOWHERE = -1
_WITHOUT_ARROW = (NotImplementedError, ValueError, ImportError)
"""What Ibis raises for types that Arrow does not have: unknown ones, too long decimals, places."""

Key = tuple[str, str]


def read(
    address: Address, columns: ColumnMapping | None = None, where: str | None = None, **_: Any
) -> Report:
    """Read the table of an engine.

    columns: Columns by what they are, where their names do not say.
    where: Which rows count; see `Where`.
    Raises LoadError if it cannot be read, or it is not clear which column is what.
    """
    table = EngineTable.of(address)
    chosen = None if where is None else Where.read(where)
    connection = connect(table)
    every = connection.table(table)
    rows = rows_that_count(every, chosen)
    fetch = partial(connection.fetch, table)
    schema = _schema(every)
    of = 0
    if chosen is not None:
        of = fetch(every.aggregate(rows=every.count()))["rows"][0].as_py()
        chosen.require_some(len(_head(fetch, rows, rows.columns[:1], 1)), of)
    source = Source(_tree(table), table.names[-1], columns or {}, partial(_values, fetch, rows))
    try:
        runs, notes, held = _runs(source, table, schema, rows, chosen, fetch)
    except OpenChoice as choice:
        choice.table = glimpses(source, schema)
        raise
    if chosen is not None:
        about = chosen.note(held, of, source.place)
        runs = [replace(run, notes=(about, *run.notes)) for run in runs]
    sha = sha256("\0".join((table.shown, where or "", repr(columns or {}))).encode())
    for run in runs:
        assert run.counts is not None
        sha.update(f"{run.model}\0{run.dataset}\0{run.counts.digest}".encode())
    kind = "Spark" if table.scheme == SPARK else table.scheme
    reader = Text("outcome table in {engine}", engine=kind)
    return Report(table.shown, reader, tuple(runs), tuple(notes), sha.hexdigest())


def _tree(table: EngineTable) -> Tree:
    """Return what names the table in messages; there is no file in it."""

    def opener(path: str) -> BinaryIO:
        raise table.error(Text("is no file"), Text("Give the path of a file."))

    return Tree(table.shown, MappingProxyType({table.names[-1]: 0}), "", opener)


def _schema(rows: Any) -> pa.Schema:
    """Return the types of the columns; one that Arrow does not have is one of objects."""
    return pa.schema([(name, _type(kind)) for name, kind in rows.schema().items()])


def _type(kind: Any) -> pa.DataType:
    try:
        return kind.to_pyarrow()
    except _WITHOUT_ARROW:
        return pa.struct([])


def _values(
    fetch: Any, rows: Any, source: Source, names: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """Read some columns of the first rows."""
    first = _head(fetch, rows, names, _LOOKED_AT)
    return zip(*(first[name].to_pylist() for name in names), strict=True)


def _head(fetch: Any, rows: Any, names: Sequence[str], count: int) -> pa.Table:
    """Return some columns of the first rows, the beginning of long texts."""
    cut = {
        name: rows[name].substr(0, _LETTERS) if rows[name].type().is_string() else rows[name]
        for name in names
    }
    return fetch(rows.select(**cut).limit(count))


def _runs(
    source: Source,
    table: EngineTable,
    schema: pa.Schema,
    rows: Any,
    where: Where | None,
    fetch: Any,
) -> tuple[list[Run], list[Note], int]:
    """Return the runs of a table, what was decided, and of how many rows they are."""
    texts = looked_at(source, schema)
    first = _head(fetch, rows, texts, _FIRST) if texts else pa.table({})
    spelled = recognise(source, schema, first)
    columns = Columns.of(source, spelled, first)
    if columns.answers is not None:
        raise source.error(
            Text(
                "has no verdicts beside {extracted} and {reference}",
                extracted=columns.answers.extracted,
                reference=columns.answers.reference,
            ),
            Text("Add a column correct that is true where the two are equal."),
        )
    _require_readable(source, columns, schema, spelled)
    unclustered = replace(columns, cluster=None)
    seen = look(source, rows, unclustered, fetch)
    notes = [*_untried(table)]
    meaning = meaning_of(source, unclustered, seen, notes)
    rows_counted = fetch(counting.counts(rows, meaning))
    every = (row for row in rows_counted.to_pylist() if row["attribute"] == _NOWHERE)
    if count := sum(row["repeated"] for row in every):
        raise repeated_samples(source, meaning.columns, count)
    notes += _left_out(source, meaning, columns.cluster, rows_counted)
    about = _Table(source, table, meaning, where, seen)
    by_run: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_counted.to_pylist():
        by_run[row["model"], row["dataset"]].append(row)
    runs = [about.run(key, by_run[key]) for key in sorted(by_run)]
    return runs, notes, int(seen.total("rows"))


def _require_readable(
    source: Source, columns: Columns, schema: pa.Schema, spelled: pa.Schema
) -> None:
    """Refuse lists that are spelled as texts."""
    if columns.shape == "list":
        for group in (*columns.correct, *columns.score):
            name = group[0]
            if schema.field(name).type != spelled.field(name).type:
                raise source.error(
                    Text("holds lists written as text, which kofn reads only from files"),
                    Text("Store real lists, or write a row for each sample."),
                    name,
                )


def _untried(table: EngineTable) -> Iterator[Note]:
    if table.scheme not in TRIED:
        what = Text(
            "kofn has been tested with Spark and DuckDB but not with {engine}: check a number "
            "that you know.",
            engine=table.scheme,
        )
        yield Note(what, severity="warning")


def _left_out(
    source: Source, meaning: Meaning, cluster: str | None, counts: pa.Table
) -> Iterator[Note]:
    """Say what was counted, and which columns say more of samples than counts do."""
    what = Text(
        "The engine did the counting; {rows} rows of counts were fetched.",
        rows=len(counts),
    )
    yield Note(what, source.place)
    if left := beyond_verdicts(meaning.columns, meaning.outcome):
        what = Text("Only verdicts were counted, without {columns}.", columns=some_of(left, _SHOWN))
        yield Note(what, source.place)
    if cluster is not None:
        what = Text(
            "{column} is not used for clusters: counts do not tell which questions belong "
            "together. If some do, the intervals are too narrow.",
            column=cluster,
        )
        yield Note(what, source.place, severity="warning")


class _Table:
    """What the runs of a table have in common."""

    def __init__(
        self, source: Source, table: EngineTable, meaning: Meaning, where: Where | None, seen: Seen
    ) -> None:
        self.source, self.table, self.meaning, self.where = source, table, meaning, where
        self.seen = {self._key(each): each for each in seen.facts}

    def _key(self, facts: Mapping[str, Any]) -> Key:
        columns, meaning = self.meaning.columns, self.meaning
        model, dataset = facts["model"] or "", facts["dataset"] or ""
        return (
            model if columns.model else meaning.model + model,
            dataset if columns.dataset else meaning.dataset,
        )

    def run(self, key: Key, rows: Sequence[Mapping[str, Any]]) -> Run:
        """Make a run of its counts."""
        model, dataset = key
        notes = list[Note]()
        parts: dict[int, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            parts[row["attribute"]][row["label"]].append(row)
        segments = {}
        for at, name in enumerate(self.meaning.segments):
            if differs := sum(row["differs"] for held in parts[at].values() for row in held):
                notes.append(differing(self.source.place, name, int(differs)))
            else:
                segments[name] = {label: _counts(parts[at][label]) for label in sorted(parts[at])}
        meaning = replace(self.meaning, segments=tuple(segments))
        every = parts[_NOWHERE][""]
        counts = _counts(every, segments)
        failed = sum(row["errors"] for row in every), int(counts.failed @ counts.questions)
        numbers = None if meaning.columns.sample is None else self.seen[key].get("samples")
        n = counts.graded + counts.failed
        settings = constant_settings(names_setting(meaning.columns), self.seen[key])
        grouping, of_samples = samples_of(
            self.source, meaning.columns, n, failed, numbers, counts.questions
        )
        return Run(
            model,
            dataset,
            None,
            counts=counts,
            remote=InEngine(self.table, meaning, self.where, model, dataset),
            notes=(*notes, *of_samples),
            threshold=self.meaning.threshold,
            grouping=grouping,
            source=self.table.shown,
            settings={name: of for name, of in settings.items() if str(of) != model},
        )


def _counts(
    rows: Iterable[Mapping[str, Any]],
    segments: Mapping[str, Mapping[str, Counts]] | None = None,
) -> Counts:
    held = [*rows]
    graded, right, failed, questions = (
        [row[name] for row in held] for name in (*counting.COUNTS, "questions")
    )
    return Counts(graded, right, failed, questions, segments)
