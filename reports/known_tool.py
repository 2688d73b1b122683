"""What kofn knows of a tool whose files it reads."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.data.words import Text


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool whose files a reader takes, as ``kofn tools`` lists it.

    Attributes
    ----------
    name : str
    files : Text
        What the reader takes.
    versions : str
        Of which versions of the tool.
    checked : Text
        What the reader was checked on: real files with known truth, or files written after the
        tool's source.
    more : Text or None
        Which option makes the tool write what an ordinary run of it does not.
    columns : frozenset of str
        What its records have: a table that has all of them only looks like the tool's.
    """

    name: str
    files: Text
    versions: str
    checked: Text
    more: Text | None = None
    columns: frozenset[str] = frozenset()
