"""What kofn knows about a tool whose files it reads."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from metrics.data.words import Text
from reports.samples.heads import Head


@dataclass(frozen=True, slots=True)
class Lacking:
    """A file that a tool writes and that does not say how each sample fared."""

    problem: Text  # What it holds, as a clause.
    fix: Text  # What to load instead, and what makes the tool write it.
    is_one: Callable[[str, Head], bool]  # Whether a file is one, of its path and its beginning.


def having(*names: str) -> Callable[[str, Head], bool]:
    """Return whether files have all of these keys or columns.

    Examples
    --------
    >>> having("task_id", "prompt")("x.jsonl", Head(frozenset({"task_id", "prompt", "test"})))
    True
    """
    return lambda _, found: found.names >= {*names}


def having_only(*names: str, perhaps: Collection[str] = ()) -> Callable[[str, Head], bool]:
    """Return whether files have these keys or columns, perhaps some more, and no others.

    Examples
    --------
    >>> having_only("task_id", perhaps=["prompt"])("x.jsonl", Head(frozenset({"task_id", "ok"})))
    False
    """
    return lambda _, found: {*names} <= found.names <= {*names, *perhaps}


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool whose files a reader takes, as ``kofn tools`` lists it."""

    name: str
    files: Text
    versions: str
    # What the reader was checked on: real files with known truth, or files written after the tool's
    # source.
    checked: Text
    # Which option makes the tool write what an ordinary run of it does not.
    more: Text | None = None
    # What its records have: a table that has all of them only looks like the tool's, and so does
    # one that has half of them, unless those are what tables have anyway.
    columns: frozenset[str] = frozenset()
    lacking: tuple[Lacking, ...] = ()  # Its files that are refused, with what to do.
    # What the reader asks for where there are several: ``correct``, ``filter``.
    asks: tuple[str, ...] = ()
    # The newest version that kofn's reading was compared with the truth of; see ``tests/newest``.
    newest: str = ""
