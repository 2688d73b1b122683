"""Load any file kofn knows: the first reader that takes a tree for its own reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any, Protocol

from metrics.data.words import Text
from reports import aisbench, opencompass, tables
from reports.files.archive import Source, open_tree
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.progress import Progress, watched
from reports.files.tree import Tree
from reports.harnesses import (
    bigcode,
    evalplus,
    evalscope,
    every_eval_ever,
    helm,
    human_eval,
    inspect,
    lighteval,
    livecodebench,
    lm_eval,
    swebench,
    tau_bench,
)
from reports.known_tool import KnownTool
from reports.run.calibration import Calibration
from reports.run.report import Report
from reports.samples.asking import unused
from reports.samples.heads import MOST, head, paths_with
from reports.told import CALIBRATION, TABLE, Told
from reports.unknown_files import unknown


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


class ToolReader(Reader, Protocol):
    """A module that knows the files of a tool.

    Attributes
    ----------
    TOOL : KnownTool
        What it reads, and what that was checked on.
    """

    @property
    def TOOL(self) -> KnownTool: ...  # noqa: D102


TOOL_READERS: tuple[ToolReader, ...] = (
    inspect,
    every_eval_ever,
    opencompass,
    aisbench,
    bigcode,
    evalplus,
    evalscope,
    helm,
    human_eval,
    lighteval,
    livecodebench,
    lm_eval,
    swebench,
    tau_bench,
)
READERS: tuple[Reader, ...] = (*TOOL_READERS, tables)
TOOLS = tuple(reader.TOOL for reader in TOOL_READERS)


def load_calibration(
    source: Source, *, columns: Told | None = None, progress: Progress | None = None
) -> Calibration:
    """Load a table of labels by a person, which needs no column of verdicts.

    Parameters
    ----------
    source : path, (name, bytes), or binary file object with a ``name``
        A table with a column ``human``, a label for each answer, or ``human_group``, one for each
        question; and the numbers of a judge.
    columns : mapping of str to str, optional
        Columns by what they are, such as ``{"human": "gold"}``, where their names do not say.
    progress : callable, optional
        As for `load`.

    Returns
    -------
    Calibration

    Raises
    ------
    LoadError
        If it cannot be read, or holds no label.
    """
    tree = open_tree(source)
    if progress:
        tree = watched(tree, progress)
    report = tables.read(tree, {**(columns or {}), TABLE: CALIBRATION})
    if len(report.calibrations) > 1:
        raise LoadError(
            tree.name,
            Text("holds several tables"),
            Text("Give the one that is the calibration set."),
        )
    return report.calibrations[0]


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
            alike = _alike(tree) if reader is tables else _of_others(tree, reader)
            report = _read(tree, reader, options)
            return replace(report, notes=(*tree.notes, *report.notes, *alike))
    raise _lacking(tree) or unknown(tree)


def _read(tree: Tree, reader: Reader, options: Mapping[str, Any]) -> Report:
    """Read a tree with those options that its reader takes."""
    taken = signature(reader.read).parameters
    try:
        report = reader.read(tree, **{name: options[name] for name in options if name in taken})
    except LoadError:
        told = {"correct", "score"} & (options.get("columns") or {}).keys()
        if reader is tables and not told and (lacking := _lacking(tree)):
            raise lacking from None
        raise
    passed_over = unused(options.get("columns") or {}) if "columns" not in taken else ()
    return replace(report, notes=(*report.notes, *passed_over))


def _lacking(tree: Tree) -> LoadError | None:
    """Say which file of a tool it is that does not tell how each sample fared."""
    for path in list(tree.files)[:MOST]:
        for tool in TOOLS:
            for each in tool.lacking:
                if each.is_one(path, head(tree, path)):
                    place = path if len(tree.files) > 1 else ""
                    return LoadError(tree.name, each.problem, each.fix, place)
    return None


def _of_others(tree: Tree, reader: Reader) -> Iterator[Note]:
    """Say of which further tools a folder holds files, which are not among the runs."""
    others = [
        each.TOOL.name
        for each in TOOL_READERS
        if each not in (reader, aisbench) and len(tree.files) > 1 and each.sniff(tree)
    ]
    if others:
        what = Text(
            "It holds files of {tools} too, which are left out: load the files of each tool by "
            "themselves.",
            tools=" and ".join(others) if len(others) < 3 else ", ".join(others),
        )
        yield Note(what, severity="warning")


def _alike(tree: Tree) -> Iterator[Note]:
    """Say which tables have the columns of a tool's files and are none of them."""
    for tool in TOOLS:
        for path in paths_with(tree, tool.columns) if tool.columns else ():
            what = Text(
                "It has the columns that {tool} writes, but is not laid out or filled as the tool "
                "does it, so it is read as a table.",
                tool=tool.name,
            )
            yield Note(what, path)
