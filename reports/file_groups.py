"""Group files that belong together: parts of a table, or a tool's samples and results."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import BinaryIO, Literal

from reports import tables
from reports.files.archive import Source, name_of, open_tree
from reports.files.errors import LoadError
from reports.files.packed.zipped import ZIP_STARTS
from reports.files.stored_files import Upload
from reports.files.tree import Tree
from reports.loading import TOOL_READERS, lacking, load
from reports.tables.parts.finding import find_parts

Role = Literal["tool", "table", "beside"]
MOST = 1_000
"""The most files that are looked at; more come as a folder, a zip or a pattern."""


def group_files(sources: Sequence[Source]) -> list[list[int]]:
    r"""Say which of several sources make one report, by their numbers, in the order of the first.

    A file that says nothing by itself, such as the means that a tool states, comes with all files
    of tools that do. Parts of a table come together. Everything else is a report of its own.

    Examples
    --------
    >>> table, other = (("a.csv", b"id,correct\na,1\n"), ("b.csv", b"id,correct\na,0\n"))
    >>> group_files([table, other])
    [[0], [1]]
    >>> solved = b'{"task_id": "A/0", "completion": "1", "passed": true, "result": "passed"}'
    >>> problems = b'{"task_id": "A/0", "prompt": "def f():"}'
    >>> group_files([("s_results.jsonl", solved), table, ("problems.jsonl", problems)])
    [[0, 2], [1]]
    """
    files = [number for number, source in enumerate(sources) if _is_file(source)]
    groups: list[list[int]] = []
    if 1 < len(files) <= MOST:
        groups += _parts(sources, files)
        left = [n for n in files if not any(n in group for group in groups)]
        groups += _of_tools(sources, left)
    joined = {number for group in groups for number in group}
    groups += [[number] for number in range(len(sources)) if number not in joined]
    return sorted(groups)


def _is_file(source: Source) -> bool:
    """Whether a source is a file and no archive."""
    try:
        if isinstance(source, (str, os.PathLike)):
            if not Path(source).is_file():
                return False
        elif not isinstance(source, (tuple, Upload)):
            return False
        with _open(source) as file:
            return not file.read(4).startswith(ZIP_STARTS)
    except (OSError, ValueError):
        return False


def _open(source: Source) -> BinaryIO:
    if isinstance(source, tuple):
        return io.BytesIO(source[1])
    return (source.place if isinstance(source, Upload) else Path(str(source))).open("rb")


def _parts(sources: Sequence[Source], files: Sequence[int]) -> list[list[int]]:
    """Return the files that are parts of one table, by their names and their first lines."""
    numbers: dict[str, int] = {}
    for number in files:
        source = sources[number]
        is_path = isinstance(source, (str, os.PathLike))
        name = os.path.abspath(name_of(source)) if is_path else name_of(source)
        numbers.setdefault(PurePath(name).as_posix().lstrip("/"), number)
    try:
        sizes = {}
        for name, number in numbers.items():
            with _open(sources[number]) as file:
                sizes[name] = file.seek(0, io.SEEK_END)
        found = find_parts(Tree("", sizes, "", lambda path: _open(sources[numbers[path]])))
    except (LoadError, OSError):
        return []
    return [sorted(numbers[path] for path in each.values) for each in found if len(each.values) > 1]


def _of_tools(sources: Sequence[Source], files: Sequence[int]) -> list[list[int]]:
    """Return the files of tools, if some say nothing without the others."""
    roles = {number: _role(sources[number]) for number in files}
    tools = [number for number in files if roles[number] == "tool"]
    if not tools:
        return []
    neighbours = [
        number
        for number in files
        if roles[number] == "beside"
        or (roles[number] == "table" and not _says_something(sources[number]))
    ]
    return [sorted([*tools, *neighbours])] if neighbours else []


def _role(source: Source) -> Role | None:
    """Say what a file is; None of one that cannot be opened, which is refused by itself."""
    try:
        tree = open_tree(source)
        if any(reader.sniff(tree) for reader in TOOL_READERS):
            return "tool"
        return "table" if tables.sniff(tree) and not lacking(tree) else "beside"
    except LoadError:
        return None


def _says_something(source: Source) -> bool:
    try:
        load(source)
    except LoadError:
        return False
    return True
