"""Load any file kofn knows: the first reader that takes a tree for its own reads it."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import PurePosixPath
from typing import Any, Protocol

from metrics.words import Text
from reports import aisbench, opencompass, tables
from reports.archive import Source, open_tree
from reports.errors import LoadError
from reports.progress import Progress, watched
from reports.report import Report
from reports.tree import Tree


class Reader(Protocol):
    """A module that knows one format.

    Attributes
    ----------
    sniff : callable
        Whether a tree is of this format, by its content rather than by its name.
    read : callable
        Reads such a tree; takes the options of the format by name.
    """

    @property
    def sniff(self) -> Callable[[Tree], bool]: ...  # noqa: D102
    @property
    def read(self) -> Callable[..., Report]: ...  # noqa: D102


READERS: tuple[Reader, ...] = (opencompass, aisbench, tables)

_LOOKS_LIKE: tuple[tuple[tuple[bytes, ...], set[str], Text], ...] = (
    ((b"\x80",), {".pkl", ".pickle", ".pt", ".pth"}, Text("a Python pickle")),
    ((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!"), {".tar"}, Text("another archive")),
    ((b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8"), set(), Text("a document or picture")),
    ((), {".zip"}, Text("a zip inside another zip or folder")),
    ((), {".xlsx", ".xls", ".docx"}, Text("an office document")),
    ((), {".py", ".sh", ".ipynb"}, Text("a script")),
    ((b"\xff\xfe", b"\xfe\xff"), set(), Text("text in UTF-16 instead of UTF-8")),
    ((b"{", b"["), {".json"}, Text("JSON, but not a results file of AISBench or OpenCompass")),
    ((), {".txt", ".md", ".log", ".html"}, Text("plain text")),
)
"""First bytes, endings, and what a file with either is."""


def load(source: Source, *, progress: Progress | None = None, **options: Any) -> Report:
    """Load a report.

    Parameters
    ----------
    source : path, (name, bytes), or binary file object with a ``name``
        A report of a harness as folder, zip or single file, or a table of outcomes.
    progress : callable, optional
        Told how many bytes of how many were read, if that takes more than half a second.
    **options
        Those that the reader of the file takes, such as ``columns={"correct": "verdict"}`` for a
        table; other readers do without.

    Returns
    -------
    Report

    Raises
    ------
    LoadError
        If the file cannot be read, or no reader knows it.
    """
    tree = open_tree(source)
    if progress:
        tree = watched(tree, progress)
    for reader in READERS:
        if reader.sniff(tree):
            taken = signature(reader.read).parameters
            known = {name: value for name, value in options.items() if name in taken}
            return reader.read(tree, **known)
    raise LoadError(
        tree.name,
        Text("looks like {what}; kofn does not read that", what=_looks_like(tree)),
        Text(
            "Give a report of AISBench or OpenCompass as a folder, a zip or a results/*.json file, "
            "or a table (Parquet, CSV, JSONL, Arrow, npz) with columns such as question_id, sample "
            "and correct."
        ),
    )


def _looks_like(tree: Tree) -> Text:
    path = next(iter(tree.files))
    suffixes = {PurePosixPath(path).suffix.lower() for path in tree.files}
    with tree.open(path) as stream:
        start = stream.read(8)
    for starts, endings, what in _LOOKS_LIKE:
        if suffixes <= endings or (len(tree.files) == 1 and start.startswith(starts)):
            return what
    if len(tree.files) == 1:
        return Text("a file of an unknown kind")
    return Text("{count} files without an evaluation report", count=len(tree.files))
