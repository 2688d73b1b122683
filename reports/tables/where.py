"""Conditions on the rows of a table, as in SQL, which can read only its columns.

DuckDB says what the text means, and runs none of it. What it names is translated for whatever has
the rows: only columns, values and what is in `Where` is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Protocol

from metrics.data.words import Text, instead_of
from reports.files.errors import LoadError
from reports.files.notes import Note

_QUERY = "SELECT 1 FROM rows WHERE (\n{text}\n)"
_LETTERS = 10_000
_OPTION = "--where"
_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "COMPARE_EQUAL": eq,
    "COMPARE_NOTEQUAL": ne,
    "COMPARE_LESSTHAN": lt,
    "COMPARE_LESSTHANOREQUALTO": le,
    "COMPARE_GREATERTHAN": gt,
    "COMPARE_GREATERTHANOREQUALTO": ge,
}
_CONJUNCTIONS = {"CONJUNCTION_AND": and_, "CONJUNCTION_OR": or_}
_LIKE = {"~~": (False, False), "~~*": (True, False), "!~~": (False, True), "!~~*": (True, True)}
"""Whether upper and lower case are the same, and whether those that are alike are left out."""
_KINDS: Mapping[str, Callable[[str], Any]] = {
    "STRING": str,
    "INTEGER": int,
    "NUMERIC": float,
    "BOOLEAN": lambda text: text == "true",
}
_TIMES = ("DATE", "TIMESTAMP")

Value = str | int | float | bool
Node = Mapping[str, Any]


class HasRows(Protocol):
    """What has rows: columns by name, and what can be asked of them."""

    def column(self, name: str) -> Any:
        """Return a column."""

    def value(self, name: str, value: Value) -> Any:
        """Return a value to compare a column with."""

    def is_null(self, column: Any) -> Any:
        """Say where a column holds nothing."""

    def is_like(self, column: Any, pattern: str, fold: bool) -> Any:
        """Say where a column matches a pattern of SQL."""


@dataclass(frozen=True)
class Where:
    """A condition on the rows of a table, as in SQL after WHERE.

    It is made of columns and values, compared by =, <>, <, <=, > and >=, IN, BETWEEN, LIKE, ILIKE
    and IS NULL, joined by AND, OR and NOT. Rows of which it is neither true nor false do not count.
    """

    text: str

    @classmethod
    def read(cls, text: str) -> Where:
        """Read a condition.

        Raises LoadError if it is none, or holds anything else than is said above.

        Examples
        --------
        >>> Where.read("split = 'test' AND level IN (1, 2)").names
        ('split', 'level')
        """
        _parsed(text)
        return cls(text)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it names, as it does."""
        return tuple(dict.fromkeys(_columns_in(_parsed(self.text))))

    def of(self, rows: HasRows) -> Any:
        """Return the condition for what has rows."""
        return _holds(_parsed(self.text), rows)

    def error(self, problem: Text, fix: Text | None = None) -> LoadError:
        """Make the error of this condition."""
        return _refused(self.text, problem, fix)

    def columns(self, names: Sequence[str]) -> dict[str, str]:
        """Return what the columns that it names are called in a table.

        Raises LoadError if the table has no such column, or several but for upper and lower case.
        """
        called = {}
        for name in self.names:
            same_name = [each for each in names if each.casefold() == name.casefold()]
            if name not in names and len(same_name) != 1:
                raise self.error(
                    Text("there is no column {name:.80}", name=name),
                    instead_of(f"{name:.80}", [f"{each:.60}" for each in names]),
                )
            called[name] = name if name in names else same_name[0]
        return called

    def require_some(self, matching: int, rows: int) -> None:
        """Refuse a condition that holds of no row."""
        if not matching:
            raise self.error(
                Text("matches 0 of {rows} rows", rows=rows),
                Text("Check how its values are spelled."),
            )

    def note(self, matching: int, rows: int, place: str) -> Note:
        """Say how many rows count."""
        what = Text(
            "Only rows where {text:.200}: {kept} of {rows}.",
            text=self.text,
            kept=matching,
            rows=rows,
        )
        return Note(what, place, rows - matching)


class _Anything:
    """Rows, columns and values of which nothing is known."""

    def _itself(self, *_: Any) -> _Anything:
        return self

    column = value = is_null = is_like = _itself
    __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __invert__ = _itself
    __eq__ = __ne__ = _itself  # type: ignore[assignment]


def _columns_in(node: Any) -> Iterator[str]:
    """Yield the columns that a condition names, as it does."""
    match node:
        case {"class": "COLUMN_REF", "column_names": [name]}:
            yield name
        case {} | [*_]:
            for each in node.values() if isinstance(node, dict) else node:
                yield from _columns_in(each)


def _holds(node: Node, rows: HasRows) -> Any:
    """Return where a condition holds."""
    match node:
        case {"class": "CONJUNCTION", "type": kind, "children": parts}:
            return reduce(_CONJUNCTIONS[kind], [_holds(part, rows) for part in parts])
        case {"class": "OPERATOR", "type": "OPERATOR_NOT", "children": [part]}:
            return ~_holds(part, rows)
        case {"class": "OPERATOR", "type": "OPERATOR_IS_NULL", "children": [part]}:
            return rows.is_null(rows.column(_column(part)))
        case {"class": "OPERATOR", "type": "OPERATOR_IS_NOT_NULL", "children": [part]}:
            return ~rows.is_null(rows.column(_column(part)))
        case {"class": "OPERATOR", "type": "COMPARE_IN", "children": [part, *values]}:
            return reduce(or_, [_compared(eq, part, value, rows) for value in values])
        case {"class": "BETWEEN", "input": part, "lower": low, "upper": high}:
            return _compared(ge, part, low, rows) & _compared(le, part, high, rows)
        case {"class": "COMPARISON", "type": kind, "left": one, "right": other} if (
            kind in _COMPARISONS
        ):
            return _compared(_COMPARISONS[kind], one, other, rows)
        case {
            "class": "FUNCTION",
            "function_name": name,
            "schema": "",
            "arguments": [one, other],
        } if name in _LIKE:
            fold, negated = _LIKE[name]
            pattern = _value(other["expression"])
            if not isinstance(pattern, str):
                raise _Unknown
            is_like = rows.is_like(rows.column(_column(one["expression"])), pattern, fold)
            return ~is_like if negated else is_like
        case {"class": "COLUMN_REF"}:
            return rows.column(_column(node))
    raise _Unknown


def _compared(how: Callable[[Any, Any], Any], one: Node, other: Node, rows: HasRows) -> Any:
    """Compare a column with another, or with a value."""
    if one["class"] != "COLUMN_REF":
        name = _column(other)
        return how(rows.value(name, _value(one)), rows.column(name))
    name = _column(one)
    if other["class"] == "COLUMN_REF":
        return how(rows.column(name), rows.column(_column(other)))
    return how(rows.column(name), rows.value(name, _value(other)))


class _Unknown(Exception):
    """Something that no condition is made of."""


def _column(node: Node) -> str:
    match node:
        case {"class": "COLUMN_REF", "column_names": [str(name)]}:
            return name
    raise _Unknown


def _value(node: Node) -> Value:
    match node:
        case {"class": "CONSTANT", "literal": {"kind": kind, "text": text}} if kind in _KINDS:
            value: Value = _KINDS[kind](text)
            return value
        case {"class": "CAST", "child": child, "type_expr": {"type_name": name}} if name in _TIMES:
            return _value(child)
    raise _Unknown


@lru_cache(64)
def _parsed(text: str) -> Node:
    """Return what a condition means, as DuckDB reads it."""
    if len(text) > _LETTERS:
        raise _refused(text, Text("is longer than {most} characters", most=_LETTERS))
    import duckdb  # which takes long

    with duckdb.connect(config={"enable_external_access": False}) as connection:
        query = "SELECT json_serialize_sql(?::VARCHAR)"
        (read,) = connection.execute(query, [_QUERY.format(text=text)]).fetchone() or ("",)
    parsed = json.loads(read)
    if parsed["error"]:
        why = parsed["error_message"].splitlines()[0]
        raise _refused(text, Text("is not a condition ({why:.100})", why=why))
    try:
        match parsed["statements"]:
            case [
                {
                    "node": {
                        "type": "SELECT_NODE",
                        "modifiers": [],
                        "from_table": {"type": "BASE_TABLE", "table_name": "rows", "sample": None},
                        "where_clause": {} as condition,
                        "group_expressions": [],
                        "having": None,
                        "sample": None,
                        "qualify": None,
                    }
                }
            ]:
                _holds(condition, _Anything())
                read_as: Node = condition
                return read_as
        raise _Unknown
    except (_Unknown, RecursionError):
        problem = Text("does more than compare columns with values")
        fix = Text(
            "Use =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, AND, OR and NOT, texts in single "
            "quotes and odd names in double ones."
        )
        raise _refused(text, problem, fix) from None


def _refused(text: str, problem: Text, fix: Text | None = None) -> LoadError:
    usual = Text("Write it as in SQL, such as {option} \"split = 'test'\".", option=_OPTION)
    return LoadError(f"{_OPTION} {text:.200}", problem, fix or usual)
