"""Conditions on the rows of a file, fitted to its column types and evaluated by DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa
from pyarrow import types

from metrics.data.words import Text
from reports.tables.engine import ALONE, Condition, PartitionValue, connect, quoted
from reports.tables.schema.data_types import is_number, is_text
from reports.tables.where import Value, Where

_KINDS = (
    *((is_text, "text"), (types.is_boolean, "boolean")),
    *((is_number, "number"), (types.is_temporal, "time")),
)
_NOTHING = "NULL"


class HoldingRows:
    """Of which rows in memory a condition holds: so far of `kept` out of `rows`."""

    def __init__(self, condition: Condition) -> None:
        self.names, self._sql = condition.names, condition.sql
        self._connection = _in_memory().cursor()
        self.kept = self.rows = 0

    def __call__(self, rows: pa.RecordBatch | pa.Table) -> pa.BooleanArray:
        """Look at some rows, which have the columns that it needs."""
        self._connection.register("rows", pa.table([*map(rows.column, self.names)], self.names))
        query = f"SELECT coalesce({self._sql}, false) AS holds FROM rows"
        found = self._connection.sql(query).to_arrow_table()["holds"].combine_chunks()
        self.kept += found.true_count
        self.rows += len(found)
        return found


@cache
def _in_memory() -> Any:
    """Return DuckDB with nothing in it, and without threads, which no fork would have."""
    connection = connect(threads=1)
    for command in ALONE:
        connection.execute(command)
    return connection


def fit_condition(where: Where, schema: pa.Schema) -> Condition:
    """Fit a condition to the columns of a table.

    Raises LoadError if it compares a column with what that does not hold.
    """
    import duckdb  # which takes long

    columns = _Columns(where, schema, frozenset(schema.names))
    folded = [name.casefold() for name in schema.names]
    for name in columns.called.values():
        if folded.count(name.casefold()) > 1:
            raise where.error(
                Text("several columns are called {name:.80}", name=name),
                Text("Give every column its own name."),
            )
    try:
        condition = columns.condition
        HoldingRows(condition)(schema.empty_table())
    except (duckdb.Error, pa.ArrowException, _UnlikeError) as error:
        problem = Text("does not fit the columns ({why:.200})", why=str(error).splitlines()[0])
        raise where.error(problem) from error
    return condition


def possible(
    condition: Condition, schema: pa.Schema, values: Mapping[str, Sequence[PartitionValue]]
) -> list[int]:
    """Return the numbers of the parts that their folders do not rule out."""
    found = _Columns(condition.where, schema, frozenset(values)).condition
    parts = pa.table({name: pa.array(of, schema.field(name).type) for name, of in values.items()})
    held = HoldingRows(Condition(found.where, f"({found.sql}) IS NOT false", tuple(values)))(parts)
    return [number for number, may_hold in enumerate(held.to_pylist()) if may_hold]


class _UnlikeError(Exception):
    """Things of unlike kinds that are compared."""


def _joined(sign: str) -> Any:
    """Return what joins two parts of a condition that hold the same."""

    def join(one: _SQL, other: _SQL) -> _SQL:
        if sign in ("AND", "OR"):
            one.true_or_false()
        if one.holds != other.holds:
            raise _UnlikeError(f"{one.text} {sign} {other.text}")
        return _SQL(f"({one.text} {sign} {other.text})", "boolean")

    return join


@dataclass(frozen=True, eq=False)
class _SQL:
    """A part of a condition as SQL, and what it holds: text, number, boolean, or anything else."""

    text: str
    holds: str

    __eq__, __ne__, __lt__, __le__ = map(_joined, ("=", "<>", "<", "<="))
    __gt__, __ge__, __and__, __or__ = map(_joined, (">", ">=", "AND", "OR"))

    def __invert__(self) -> _SQL:
        return _SQL(f"(NOT {self.true_or_false().text})", "boolean")

    def true_or_false(self) -> _SQL:
        if self.holds != "boolean":
            raise _UnlikeError(f"{self.text} is neither true nor false")
        return self


@dataclass(frozen=True)
class _Columns:
    """The columns of a table as a condition names them; those that are not known hold nothing."""

    where: Where
    schema: pa.Schema
    known: frozenset[str]

    @property
    def called(self) -> dict[str, str]:
        return self.where.columns(self.schema.names)

    @property
    def condition(self) -> Condition:
        sql = self.where.of(self).true_or_false().text
        return Condition(self.where, sql, tuple(dict.fromkeys(self.called.values())))

    def column(self, name: str) -> _SQL:
        name = self.called[name]
        text = quoted(name)
        if types.is_floating(self._kind(name)):
            text = f"nullif({text}, 'nan'::DOUBLE)"
        return _SQL(text if name in self.known else _NOTHING, self._holds(name))

    def value(self, name: str, value: Value) -> _SQL:
        holds = self._holds(self.called[name])
        if (holds == "text") != isinstance(value, str) and holds in ("text", "number"):
            raise self.where.error(
                Text(
                    "compares {name:.80}, which holds {kind}, with {value:.40}",
                    name=name,
                    kind=Text("texts") if holds == "text" else Text("numbers"),
                    value=repr(value),
                ),
                Text("Write texts in single quotes, and numbers without."),
            )
        if isinstance(value, str):
            return _SQL(quoted(value, "'"), holds)
        if holds == "boolean" and value in (0, 1):
            return _SQL("true" if value else "false", holds)
        return _SQL(f"({value})::DOUBLE" if isinstance(value, float) else f"({value})", "number")

    def is_null(self, column: _SQL) -> _SQL:
        return _SQL(_NOTHING if column.text == _NOTHING else f"({column.text} IS NULL)", "boolean")

    def is_like(self, column: _SQL, pattern: str, fold: bool) -> _SQL:
        like: _SQL = _joined("ILIKE" if fold else "LIKE")(
            column, _SQL(quoted(pattern, "'"), "text")
        )
        return like

    def _kind(self, name: str) -> pa.DataType:
        kind = self.schema.field(name).type
        return kind.value_type if types.is_dictionary(kind) else kind

    def _holds(self, name: str) -> str:
        kind = self._kind(name)
        return next((holds for is_of, holds in _KINDS if is_of(kind)), str(kind))
