"""A run whose samples are in an engine: what it answers about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa

from metrics.data.joint_counts import JointCounts
from metrics.data.outcomes import Segment
from metrics.data.words import Text
from reports.engines import counting
from reports.engines.connecting import Connection, Place, connect
from reports.engines.meaning import Meaning
from reports.run.remote import BY_ID, EVERY, Order, Remote, Which
from reports.tables.where import Value, Where


@dataclass(frozen=True, eq=False)
class InEngine:
    """One model on one dataset of a table; see `reports.run.remote.Remote`.

    It holds no connection, so it may be handed to another process.
    """

    place: Place
    meaning: Meaning
    where: Where | None
    model: str
    dataset: str

    def joint(self, other: Remote, segment: Segment | None = None) -> JointCounts | None:
        """Count the questions by what two runs show of each; None if not of one engine."""
        if not isinstance(other, InEngine) or other.place.server != self.place.server:
            return None
        if self.meaning.columns.question is None or other.meaning.columns.question is None:
            return None
        return _joint(self, other, segment)

    def questions(
        self, start: int, count: int, order: Order = BY_ID, which: Which = EVERY
    ) -> pa.Table:
        """List some of the questions, from one place of the order on."""
        if self.meaning.columns.question is None:
            raise self.place.error(
                Text("has no column that names the questions, so they cannot be listed"),
                Text("Name them in a column question_id."),
            )
        connection = connect(self.place)
        page = counting.page(self.each(connection), self.meaning, start, count, order, which)
        return connection.fetch(self.place, page)

    def each(self, connection: Connection) -> Any:
        """Return the expression of a row for each of its questions."""
        rows = kept(connection.table(self.place), self.where)
        names = counting.names(rows, self.meaning)
        rows = rows.filter(names["model"] == self.model, names["dataset"] == self.dataset)
        return counting.questions(rows, self.meaning)

    def of(self, connection: Connection, segment: Segment | None) -> Any:
        """Return the expression of a row for each of its questions of a segment."""
        each = self.each(connection)
        if segment is None:
            return each
        return each.filter(counting.in_segment(each, self.meaning, segment))


def kept(rows: Any, where: Where | None) -> Any:
    """Return the rows that count.

    Raises
    ------
    LoadError
        If the condition does not fit the columns.
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


@lru_cache(256)
def _joint(one: InEngine, other: InEngine, segment: Segment | None) -> JointCounts:
    connection = connect(one.place)
    pairs = counting.joint(one.of(connection, segment), other.of(connection, segment))
    found = connection.fetch(one.place, pairs)
    return JointCounts(**{name: found[name].to_numpy() for name in found.column_names})
