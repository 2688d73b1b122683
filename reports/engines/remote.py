"""A run whose samples are in an engine, and the queries that it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

import pyarrow as pa

from metrics.data.joint_counts import JointCounts
from metrics.data.outcomes import Segment
from metrics.data.words import Text
from reports.engines import counting
from reports.engines.connecting import Connection, EngineTable, connect
from reports.run.remote import BY_ID, EVERY, Joined, ListOrder, Pair, Which
from reports.tables.meaning.settling import Meaning
from reports.tables.where import Value, Where

PAIRS = 500
"""Of how many pairs an engine looks at in one pass; they bound what it holds beside the rows."""


@dataclass(frozen=True, eq=False)
class InEngine:
    """One model on one dataset of a table; see `reports.run.remote.Remote`.

    It holds no connection, so it may be handed to another process.
    """

    table: EngineTable
    meaning: Meaning
    where: Where | None
    model: str
    dataset: str

    def joints(self, pairs: Sequence[Pair], segment: Segment | None = None) -> list[Joined]:
        """Count the questions by what the runs of each pair show; None of those of two engines."""
        return _joints(pairs, segment)

    def questions(
        self, start: int, count: int, order: ListOrder = BY_ID, which: Which = EVERY
    ) -> pa.Table:
        """List some of the questions, from one place of the order on."""
        if self.meaning.columns.question is None:
            raise self.table.error(
                Text("has no column that names the questions, so they cannot be listed"),
                Text("Name them in a column question_id."),
            )
        connection = connect(self.table)
        each = self.each(connection, [(self.model, self.dataset)])
        page = counting.question_page(each, self.meaning, start, count, order, which)
        return connection.fetch(self.table, page)

    def each(
        self,
        connection: Connection,
        runs: Iterable[tuple[str, str]],
        segment: Segment | None = None,
    ) -> Any:
        """Return the expression of a row for each question of some runs of its table."""
        rows = rows_that_count(connection.table(self.table), self.where)
        names = counting.names(rows, self.meaning)
        chosen = ((names["model"] == model) & (names["dataset"] == name) for model, name in runs)
        each = counting.questions(rows.filter(reduce(or_, chosen)), self.meaning)
        if segment is None:
            return each
        return each.filter(counting.is_in_segment(each, self.meaning, segment))

    def beside(self, other: InEngine) -> bool:
        """Return whether the rows of both are read alike, but for segments of one."""
        one, two = (replace(each.meaning, segments=()) for each in (self, other))
        return (self.table, self.where, one) == (other.table, other.where, two)

    def shares(self, other: InEngine, segment: Segment | None) -> bool:
        """Return whether one engine knows which questions of both are the same."""
        if self.table.server != other.table.server:
            return False
        meanings = self.meaning, other.meaning
        return all(each.columns.question is not None for each in meanings) and (
            segment is None or all(segment[0] in each.segments for each in meanings)
        )


def rows_that_count(rows: Any, where: Where | None) -> Any:
    """Return the rows that count.

    Raises LoadError if the condition does not fit the columns.
    """
    if where is None:
        return rows
    called = where.columns(rows.columns)
    try:
        return rows.filter(where.of(_Columns(rows, called)))
    except (TypeError, ValueError, AttributeError) as error:
        problem = Text("does not fit the columns ({why:.200})", why=str(error).splitlines()[0])
        raise where.error(problem) from error


@dataclass(frozen=True)
class _Columns:
    """The columns of an expression, by what a condition calls them."""

    rows: Any
    called: Mapping[str, str]

    def column(self, name: str) -> Any:
        return self.rows[self.called[name]]

    def value(self, name: str, value: Value) -> Any:
        return value

    def is_null(self, column: Any) -> Any:
        return column.isnull()

    def is_like(self, column: Any, pattern: str, fold: bool) -> Any:
        return column.ilike(pattern) if fold else column.like(pattern)


def _joints(pairs: Sequence[Pair], segment: Segment | None) -> list[Joined]:
    """Count the questions of pairs of runs, those of one engine in as few passes as may be."""
    joints: list[Joined] = [None] * len(pairs)
    servers: dict[str, dict[int, tuple[InEngine, InEngine]]] = {}
    for number, (one, other) in enumerate(pairs):
        if isinstance(one, InEngine) and isinstance(other, InEngine) and one.shares(other, segment):
            servers.setdefault(one.table.server, {})[number] = one, other
    for held in servers.values():
        numbers = list(held)
        for start in range(0, len(numbers), PAIRS):
            some = numbers[start : start + PAIRS]
            counted = _count_pairs([held[number] for number in some], segment)
            for number, joint in zip(some, counted, strict=True):
                joints[number] = joint
    return joints


def _count_pairs(
    pairs: Sequence[tuple[InEngine, InEngine]], segment: Segment | None
) -> list[Joined]:
    """Count the questions of pairs of runs of one engine in one pass."""
    table = pairs[0][0].table
    connection = connect(table)
    tables: list[tuple[InEngine, dict[tuple[str, str], list[int]]]] = []
    for number, pair in enumerate(pairs):
        for side, run in enumerate(pair):
            known = (sides for first, sides in tables if first.beside(run))
            sides = next(known, None)
            if sides is None:
                tables.append((run, sides := {}))
            sides.setdefault((run.model, run.dataset), []).append(2 * number + side)
    first, *others = (
        counting.rows_by_side(run.each(connection, sides, segment), sides) for run, sides in tables
    )
    both = counting.joint(first.union(*others) if others else first)
    counted = connection.fetch(table, both)
    columns = {name: counted[name].to_numpy() for name in counted.column_names}
    of = columns.pop("pair")
    parts = (of == number for number in range(len(pairs)))
    return [
        JointCounts(**{name: column[part] for name, column in columns.items()})
        if part.any()
        else None
        for part in parts
    ]
