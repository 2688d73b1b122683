"""The beginnings of the files of a tree, read once for every reader that checks them.

The names at the top of a file tell most tools' files: keys of its first JSON object, columns of its
header or schema.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from reports.files.errors import LoadError
from reports.files.tree import Tree, remembered
from reports.json_files.members import member

SIZE = 1 << 16
"""Bytes that are looked at."""
MOST = 2_000
"""Files of a tree that are looked at."""
ROOM = 16 << 20
"""Bytes that are kept of a tree; what begins further files is read whenever it is asked for."""
NAMES = 500_000
"""Names that are kept of a tree, where many files have the same ones."""

_PARQUET = b"PAR1"
_SMALL = 1 << 26
_BLANKS = re.compile(r"[ \t\r\n]*")
_OPENING = re.compile(r"\ufeff?[ \t\r\n]*(\[?)[ \t\r\n]*\{")
_BETWEEN = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_VALUE = json.JSONDecoder()
_TOKEN = re.compile(r'[{}\[\],:]|"[^"\\]*+(?:\\.[^"\\]*+)*+"|"|[^\s{}\[\],:"]+')
_DEEP = 64
_CLOSES = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Head:
    """The beginning of a file."""

    # Keys of its first object, as far as they lie in the beginning, or columns.
    names: frozenset[str] = frozenset()
    # What its first object holds, as far as it lies in the beginning.
    first: Mapping[str, Any] = field(default_factory=dict)
    listed: bool = False  # Whether that is the first of a JSON list.
    lines: bool = False  # Whether other objects follow it, a line each, or it is a line of its own.
    start: bytes = b""

    @cached_property
    def begun(self) -> Any:
        """The first value of JSON, where it is cut as far as it goes; None of another file.

        Examples
        --------
        >>> Head(start=b'[{"eval": {"a": [{"id": 3, "text": "cut').begun
        [{'eval': {'a': [{'id': 3}]}}]
        """
        return _begun(self.start.decode("utf-8", "replace").lstrip("\ufeff"))

    def holds(self, lines: bool, kinds: Mapping[str, type]) -> bool:
        """Whether the first object is a line, if it must be, and has values of some types."""
        fits = (isinstance(self.first.get(name), kind) for name, kind in kinds.items())
        return (self.lines or not lines) and all(fits)


class _Heads:
    """What some files of a tree begin with."""

    def __init__(self) -> None:
        self._found: dict[str, Head] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._name_sets: dict[frozenset[str], frozenset[str]] = {}
        self._size = self._named = 0

    def names(self, tree: Tree, path: str) -> frozenset[str]:
        """Return the names of a file; those that many files have take room once."""
        if path in self._names:
            return self._names[path]
        names = self.get(tree, path).names
        if names not in self._name_sets and self._named < NAMES:
            self._name_sets[names] = names
            self._named += len(names)
        if names in self._name_sets:
            self._names[path] = self._name_sets[names]
        return names

    def get(self, tree: Tree, path: str) -> Head:
        if path in self._found:
            return self._found[path]
        found = _read(tree, path)
        if self._size < ROOM:
            self._found[path] = found
            self._size += len(found.start)
        return found


@remembered
def _heads(_tree: Tree) -> _Heads:
    return _Heads()


def head(tree: Tree, path: str) -> Head:
    """Return the beginning of a file; an empty one if it cannot be read.

    Examples
    --------
    >>> from reports.files.archive import open_tree
    >>> found = head(open_tree(("t.jsonl", b'{"id": 3, "passed": true}')), "t.jsonl")
    >>> sorted(found.names), found.first["id"], found.listed
    (['id', 'passed'], 3, False)
    """
    return _heads(tree).get(tree, path)


def names_of(tree: Tree, path: str) -> frozenset[str]:
    """Return the names at the top of a file, as `head` does; they are kept of more files."""
    return _heads(tree).names(tree, path)


def paths_with(
    tree: Tree, names: Iterable[str], *, lines: bool = False, **kinds: type
) -> Iterator[str]:
    """Give the files whose first object or header has all of some names, of those looked at.

    lines: Whether the object must be a line.
    **kinds: Of what types some of its values must be.
    """
    wanted = frozenset(names)
    for path in looked_at(tree):
        if wanted <= names_of(tree, path) and head(tree, path).holds(lines, kinds):
            yield path


def paths_begun(tree: Tree, names: Iterable[str], name: str, kind: type) -> Iterator[str]:
    """Give the files as `paths_with`, if what a dotted name leads to begins as one of a type."""
    for path in paths_with(tree, names):
        if isinstance(member(head(tree, path).begun, name), kind):
            yield path


def looked_at(tree: Tree) -> list[str]:
    """Return the files of a tree; of more than `MOST` those that lie in the fewest folders."""
    paths = list(tree.files)
    if len(paths) > MOST:
        paths = sorted(paths, key=lambda path: path.count("/"))[:MOST]
    return paths


def _read(tree: Tree, path: str) -> Head:
    try:
        with tree.open(path) as stream:
            start = stream.read(SIZE)
            if start.startswith(_PARQUET):
                whole = stream if stream.seekable() else None
                if whole is None and tree.files[path] <= _SMALL:
                    whole = BytesIO(start + stream.read())
                return Head(frozenset(_columns(whole) if whole else ()), start=_PARQUET)
    except LoadError:
        return Head()
    text = start.decode("utf-8", "replace")
    if opening := _OPENING.match(text):
        names, first, end = _members(text, opening.end())
        lines = not opening[1] and end > 0 and "\n" not in text[opening.start() : end].strip()
        return Head(frozenset(names), first, bool(opening[1]), lines, start)
    return Head(frozenset(_header(text)), start=start)


def _members(text: str, at: int) -> tuple[list[str], dict[str, Any], int]:
    """Return the keys of an object, the values that are whole, and where it ends, 0 if it does not.

    at: Where its first member begins.
    """
    names: list[str] = []
    first: dict[str, Any] = {}
    at = _end(_BLANKS, text, at)
    try:
        while text[at : at + 1] == '"':
            name, at = _VALUE.raw_decode(text, at)
            names.append(name)
            first[name], at = _VALUE.raw_decode(text, _end(_COLON, text, at))
            at = _end(_BETWEEN, text, at)
    except (ValueError, RecursionError):
        return names, first, 0
    return names, first, at if text[at : at + 1] == "}" else 0


def _begun(text: str) -> Any:
    """Return a value of JSON that may be cut: what is whole of it, with all that is open closed."""
    open_: list[str] = []
    whole, closed, before = 0, "", ""
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == '"' or len(open_) > _DEEP:  # a text that is cut, or what nobody writes
            break
        if mark in _CLOSES:
            open_.append(_CLOSES[mark])
        elif mark in "}]" and (not open_ or open_.pop() != mark):
            return None
        is_key = open_[-1:] == ["}"] and before in "{," and mark[0] == '"'
        if mark not in ",:" and not is_key and token.end() < len(text):
            whole, closed = token.end(), "".join(reversed(open_))
        before = mark
        if not open_:
            break
    try:
        return json.loads(text[:whole] + closed) if whole else None
    except (ValueError, RecursionError):
        return None


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _header(text: str) -> list[str]:
    line = text.lstrip("\ufeff").partition("\n")[0]
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _columns(file: BinaryIO) -> list[str]:
    try:
        return list(pq.read_schema(file).names)
    except (pa.ArrowException, OSError, UnicodeError):
        return []
