"""JSON that pandas writes in orients other than records, recognised and refused."""

from __future__ import annotations

from typing import Any

from metrics.data.words import Text
from reports.samples.heads import Head
from reports.tables.samples.gathering import Found
from reports.tables.schema.names import ALIASES, key
from reports.tables.source import HEAD, Source

NAME = Text("JSON of pandas")
SUFFIXES: tuple[str, ...] = ()
schema = None
values = None

_NAMES = {name for role in ("question_id", "sample", "correct", "score") for name in ALIASES[role]}
_FIX = Text('Write it with DataFrame.to_json(FILE, orient="records", lines=True).')


def sniff(head: bytes) -> bool:
    """Whether a file begins like a table in JSON that is no list of records."""
    return _orient(head) is not None


def read(source: Source) -> Found:
    """Refuse it; what it takes is said."""
    with source.open() as stream:
        orient = _orient(stream.read(HEAD))
    problem = Text('is a table in JSON as pandas writes it with orient="{orient}"', orient=orient)
    raise source.error(problem, _FIX)


def _orient(head: bytes) -> str | None:
    """Return which layout of pandas a file begins with; None of any other."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return None
    begun = Head(start=head).begun
    if isinstance(begun, list):
        rows = [row for row in begun if isinstance(row, list) and row and all(map(_is_cell, row))]
        return "values" if rows and len(rows) == len(begun) else None
    if not isinstance(begun, dict):
        return None
    if isinstance(begun.get("schema"), dict) and "pandas_version" in begun["schema"]:
        return "table"
    if isinstance(begun.get("columns"), list) and {"index", "data"} & begun.keys():
        return "split"
    below = [*begun.values()]
    if not below or not all(isinstance(each, dict) and each for each in below):
        return None
    if not all(_is_cell(cell) for each in below for cell in each.values()):
        return None
    are_numbered = [*below[0]] == [*map(str, range(len(below[0])))]
    if are_numbered or _NAMES & {*map(key, begun)}:
        return "columns"
    return "index" if _NAMES & {*map(key, below[0])} else None


def _is_cell(value: Any) -> bool:
    return not isinstance(value, dict)
