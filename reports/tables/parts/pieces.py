"""Pieces of a file that was cut by split, recognised by their names and beginnings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, product, takewhile
from pathlib import PurePosixPath
from string import ascii_lowercase, digits

from reports.files.tree import Tree
from reports.tables.encoding import decoded_head
from reports.tables.formats import delimited

_FIRST = re.compile(r"(.*?)(a{2,}|0{2,})(\.[a-z]+)?", re.DOTALL)
_ALPHABETS = {"a": (ascii_lowercase,), "0": (digits, digits + "abcdef")}
_HEAD = 1 << 16
_OWN = "x"
"""What split begins names with that nobody gave it."""


@dataclass(frozen=True)
class Cut:
    """A file that was cut."""

    folder: PurePosixPath
    name: str  # Without what it ended in.
    end: str  # What the name of a table of its format ends in.
    paths: list[str]  # Of the pieces, in their order.


def find_pieces(tree: Tree, formats: Mapping[str, str]) -> Iterator[Cut]:
    """Find the files that were cut; one that lacks a piece is none of them."""
    for path in tree.files:
        file = PurePosixPath(path)
        if not (first := _FIRST.fullmatch(file.name)):
            continue
        kind, end = first[2][0], first[3] or ""
        for width in range(len(first[2]), 1, -1):
            prefix = first[1] + first[2][width:]
            pieces = _pieces(tree, (file.parent / prefix).as_posix(), kind, width, end)
            if len(pieces) > 1:
                named = PurePosixPath(prefix.rstrip(".")).suffix.lower()
                known = formats.get(named) or formats.get(end)
                by_name = kind == "a" or prefix == _OWN
                if _is_cut(tree, pieces, by_name, named in formats, formats.get(end)):
                    is_json = _head(tree, path).lstrip().startswith(b"{")
                    unnamed = ".jsonl" if is_json else ".csv"
                    stem = PurePosixPath(prefix.rstrip("._-")).stem
                    yield Cut(file.parent, stem, known or unnamed, pieces)
                break


def _pieces(tree: Tree, prefix: str, kind: str, width: int, end: str) -> list[str]:
    """Return the files of all marks from the first one on; none where one is missing."""
    found = max(
        (
            [*takewhile(tree.files.__contains__, (prefix + mark + end for mark in marks))]
            for alphabet in _ALPHABETS[kind]
            for marks in (_fixed(alphabet, width), _widening(alphabet, width))
        ),
        key=len,
    )
    mark = f"[{_ALPHABETS[kind][-1]}]{{{width},}}"
    like = re.compile(re.escape(prefix) + mark + re.escape(end))
    return found if sum(1 for path in tree.files if like.fullmatch(path)) == len(found) else []


def _fixed(alphabet: str, width: int) -> Iterator[str]:
    """Yield the marks of so many letters, as ``split -a`` makes them."""
    return map("".join, product(alphabet, repeat=width))


def _widening(alphabet: str, width: int) -> Iterator[str]:
    """Yield marks that widen where they would end: after yz comes zaaa."""
    for more in count():
        for mark in _fixed(alphabet, width + more):
            if mark[0] == alphabet[-1]:
                break
            yield more * alphabet[-1] + mark


def _is_cut(tree: Tree, pieces: list[str], by_name: bool, named: bool, own: str | None) -> bool:
    """Whether files are pieces of one, and not runs that are counted so.

    by_name: Whether nobody but split calls files so.
    named: Whether the name of the whole tells its format.
    own: The format that each tells by its own end.
    """
    if own == ".csv":
        first, second = (_head(tree, path) for path in pieces[:2])
        return not delimited.sniff(second) and _line(first) != _line(second)
    if own is None:
        return named or by_name or delimited.sniff(_head(tree, pieces[0]))
    return own == ".jsonl" and by_name


def _head(tree: Tree, path: str) -> bytes:
    with tree.open(path) as stream:
        return stream.read(_HEAD)


def _line(head: bytes) -> str:
    return decoded_head(head).partition("\n")[0]
