"""A condition on rows for what has them: Arrow, and DuckDB where it means the same there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from metrics.data.words import Text
from reports.tables.engine import Condition, Said, quoted, saying
from reports.tables.schema.data_types import is_number, is_text
from reports.tables.where import Value, Where

_LEAST, _BEYOND = -(1 << 63), 1 << 63


def in_arrow(where: Where, schema: pa.Schema) -> pc.Expression:
    """Return a condition for Arrow.

    Raises
    ------
    LoadError
        If it compares a column with what that does not hold.
    """
    from pyarrow import dataset  # which imports pandas

    called = where.columns(schema.names)
    for name in called.values():
        if schema.names.count(name) > 1:
            raise where.error(
                Text("several columns are called {name:.80}", name=name),
                Text("Give every column its own name."),
            )
    try:
        condition = where.of(_InArrow(where, schema, called))
        dataset.InMemoryDataset(schema.empty_table()).to_table(filter=condition)
    except pa.ArrowException as error:
        problem = Text("does not fit the columns ({why:.200})", why=str(error).splitlines()[0])
        raise where.error(problem) from error
    return condition


def for_fold(where: Where, schema: pa.Schema) -> Condition | None:
    """Return a condition for the fold of a table; None if DuckDB might take it otherwise.

    It does so for floats that are no numbers, for times, and for some patterns.

    Raises
    ------
    LoadError
        As `in_arrow` does.
    """
    expression = in_arrow(where, schema)
    called = where.columns(schema.names)
    folded = [name.casefold() for name in schema.names]
    if any(folded.count(name.casefold()) > 1 or "\0" in name for name in called.values()):
        return None
    try:
        sql = where.of(_InDuckDB(schema, called))
    except _OtherwiseError:
        return None
    return Condition(sql.text, expression, tuple(dict.fromkeys(called.values())))


def possible(
    condition: Condition, schema: pa.Schema, said: Mapping[str, Sequence[Said]]
) -> list[int]:
    """Return the numbers of the parts that their folders do not rule out."""
    import pyarrow.dataset as ds  # which imports pandas
    from pyarrow.fs import LocalFileSystem

    parquet, nowhere = ds.ParquetFileFormat(), LocalFileSystem()
    parts = [
        parquet.make_fragment(str(number), nowhere, saying(dict(zip(said, of, strict=True))))
        for number, of in enumerate(zip(*said.values(), strict=True))
    ]
    found = ds.FileSystemDataset(parts, schema, parquet, nowhere)
    return sorted(int(each.path) for each in found.get_fragments(condition.expression))


@dataclass(frozen=True)
class _InArrow:
    """The columns of a table, by what a condition calls them."""

    where: Where
    schema: pa.Schema
    called: Mapping[str, str]

    def column(self, name: str) -> pc.Expression:
        kind = self.schema.field(self.called[name]).type
        column = pc.field(self.called[name])
        return column.cast(kind.value_type) if types.is_dictionary(kind) else column

    def value(self, name: str, value: Value) -> pc.Expression:
        kind = self.schema.field(self.called[name]).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if is_text(kind) != isinstance(value, str) and (is_text(kind) or is_number(kind)):
            raise self.where.error(
                Text(
                    "compares {name:.80}, which holds {kind}, with {value:.40}",
                    name=name,
                    kind=_called(kind),
                    value=repr(value),
                ),
                Text("Write texts in single quotes, and numbers without."),
            )
        if types.is_temporal(kind) or (types.is_boolean(kind) and value in (0, 1)):
            return pc.scalar(pa.scalar(value).cast(kind))
        return pc.scalar(value)

    def is_null(self, column: pc.Expression) -> pc.Expression:
        return column.is_null()

    def is_like(self, column: pc.Expression, pattern: str, fold: bool) -> pc.Expression:
        return pc.match_like(column, pattern, ignore_case=fold)


def _called(kind: pa.DataType) -> Text:
    return Text("texts") if is_text(kind) else Text("numbers")


class _OtherwiseError(Exception):
    """Something that DuckDB might take otherwise than Arrow."""


@dataclass(frozen=True, eq=False)
class _SQL:
    """A part of a condition as SQL, and what it holds: text, integer, or whether."""

    text: str
    holds: str

    def _compared(self, other: _SQL, sign: str) -> _SQL:
        if self.holds != other.holds:
            raise _OtherwiseError
        return _SQL(f"({self.text} {sign} {other.text})", "boolean")

    def __eq__(self, other: _SQL) -> _SQL:  # type: ignore[override]
        return self._compared(other, "=")

    def __ne__(self, other: _SQL) -> _SQL:  # type: ignore[override]
        return self._compared(other, "<>")

    def __lt__(self, other: _SQL) -> _SQL:
        return self._compared(other, "<")

    def __le__(self, other: _SQL) -> _SQL:
        return self._compared(other, "<=")

    def __gt__(self, other: _SQL) -> _SQL:
        return self._compared(other, ">")

    def __ge__(self, other: _SQL) -> _SQL:
        return self._compared(other, ">=")

    def __and__(self, other: _SQL) -> _SQL:
        return self._compared(other, "AND")

    def __or__(self, other: _SQL) -> _SQL:
        return self._compared(other, "OR")

    def __invert__(self) -> _SQL:
        return _SQL(f"(NOT {self.text})", "boolean")


@dataclass(frozen=True)
class _InDuckDB:
    """The columns of a table, by what a condition calls them."""

    schema: pa.Schema
    called: Mapping[str, str]

    def column(self, name: str) -> _SQL:
        return _SQL(quoted(self.called[name]), self._holds(name))

    def value(self, name: str, value: Value) -> _SQL:
        kind = self._holds(name)
        if isinstance(value, str) and kind == "text" and "\0" not in value:
            return _SQL(quoted(value, "'"), kind)
        if type(value) is int and kind == "integer" and _LEAST < value < _BEYOND:
            return _SQL(f"({value})", kind)
        if kind == "boolean" and type(value) in (bool, int) and value in (0, 1):
            return _SQL("true" if value else "false", kind)
        raise _OtherwiseError

    def is_null(self, column: _SQL) -> _SQL:
        return _SQL(f"({column.text} IS NULL)", "boolean")

    def is_like(self, column: _SQL, pattern: str, fold: bool) -> _SQL:
        if fold or column.holds != "text" or {*pattern} & {*"_\\\0"}:
            raise _OtherwiseError
        return _SQL(f"({column.text} LIKE {quoted(pattern, chr(39))})", "boolean")

    def _holds(self, name: str) -> str:
        kind = self.schema.field(self.called[name]).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if is_text(kind):
            return "text"
        if types.is_boolean(kind):
            return "boolean"
        if types.is_integer(kind) and not types.is_uint64(kind):
            return "integer"
        raise _OtherwiseError
