"""Load any file kofn knows: each reader reads the files of a tree that it recognises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from typing import Any, Protocol

from metrics.data.words import Text, some_of
from reports import aisbench, engines, opencompass, tables
from reports.column_mapping import CALIBRATION, JUDGE, TABLE, ColumnMapping, with_column
from reports.files.addresses import Address
from reports.files.archive import Source, name_of, open_tree
from reports.files.errors import LoadError, OpenChoice, VerdictChoice
from reports.files.notes import Note
from reports.files.progress import Progress
from reports.files.tree import Tree, watched
from reports.harnesses import (
    bigcode,
    deepeval,
    evalplus,
    evalscope,
    every_eval_ever,
    helm,
    human_eval,
    inspect,
    lighteval,
    livecodebench,
    lm_eval,
    lmms_eval,
    nemo_skills,
    promptfoo,
    simple_evals,
    swebench,
    tau_bench,
    verifiers,
)
from reports.known_tool import KnownTool
from reports.readings.judging import Rule
from reports.roles import require_roles
from reports.run.calibration import Calibration
from reports.run.duplicates import without_doubles
from reports.run.remarks import dated
from reports.run.report import Report
from reports.samples.heads import MOST, head, looked_at, names_of
from reports.samples.verdict_choice import unused_columns
from reports.tables.formats.frames import Frame, as_file
from reports.tables.schema.names import ALIASES
from reports.unknown_files import unknown_error


class FormatReader(Protocol):
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


class ToolReader(FormatReader, Protocol):
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
    deepeval,
    evalplus,
    evalscope,
    helm,
    human_eval,
    lighteval,
    livecodebench,
    lmms_eval,
    lm_eval,
    nemo_skills,
    promptfoo,
    simple_evals,
    swebench,
    tau_bench,
    verifiers,
)
TOOLS = tuple(reader.TOOL for reader in TOOL_READERS)
_EVALUATIONS: tuple[ToolReader, ...] = (opencompass, aisbench)
_FOLDERS = {"results", "predictions", "performances", "configs", "summary", "summaries"}
_USUAL = frozenset(name for names in ALIASES.values() for name in names)
"""Columns that tables have whoever wrote them, and that make none look like a tool's."""
_SHOWN = 3


def load_calibration(
    source: Source, *, columns: ColumnMapping | None = None, progress: Progress | None = None
) -> Calibration:
    """Load a table of human labels, which needs no column of verdicts.

    Parameters
    ----------
    source : path, (name, bytes), or binary file object with a ``name``
        A table with a column ``human``, a label for each answer, or ``human_group``, one for each
        question; and the judge's numbers.
    columns : mapping of str to str, optional
        Which column holds what, such as ``{"human": "gold"}``, where names do not say.
    progress : callable, optional
        As for `load`.

    Returns
    -------
    Calibration

    Raises
    ------
    LoadError
        If it cannot be read, or holds no label.

    Examples
    --------
    >>> rows = ["question_id,sample,judge,human", "a,0,1,1", "a,1,0,1"]
    >>> labels = load_calibration(("judged.csv", chr(10).join(rows).encode()))
    >>> labels.columns["human"].tolist(), labels.columns["judge"].tolist()
    ([[1.0, 1.0]], [[1.0, 0.0]])
    """
    require_roles(columns or {}, name_of(source))
    tree = open_tree(source)
    if progress:
        tree = watched(tree, progress)
    report = tables.read(tree, {**(columns or {}), TABLE: CALIBRATION})
    if len(report.calibrations) > 1:
        raise tree.error(
            Text("holds several tables"), Text("Give the one that is the calibration set.")
        )
    return report.calibrations[0]


def load(
    source: Source | list[Source] | Frame,
    *,
    progress: Progress | None = None,
    judge: Rule | None = None,
    **options: Any,
) -> Report:
    """Load a report.

    Parameters
    ----------
    source : str, path, (name, bytes), binary file object with a ``name``, or table
        A harness's report (folder, zip or single file) or a table of outcomes, given by its path,
        a pattern such as ``runs/*.parquet``, or the address of remote storage or an engine; or a
        table of pandas, polars or Arrow. A list of paths or files is loaded as one report.
    progress : callable, optional
        Called with the bytes read and their total, if that takes more than half a second.
    judge : {"exact", "letter", "number", "formula"}, optional
        The rule by which to judge a table with texts and references but no verdicts: the text, or
        the last letter, number or formula that it states, equals the reference.
    **options
        Options of the file's reader, such as ``columns={"correct": "verdict"}`` and
        ``where="split = 'test'"`` for a table; other readers need no columns, and refuse
        conditions.

    Returns
    -------
    Report

    Raises
    ------
    LoadError
        If the file cannot be read, or no reader knows it.
    TypeError
        If the source cannot be loaded, such as a query that was not collected.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"task": ["a", "a", "b"], "try": [0, 1, 0], "ok": [True, False, True]})
    >>> (run,) = load(table, columns={"question_id": "task", "correct": "ok"}).runs
    >>> run.outcomes.correct.tolist()
    [[1, 0], [1, -2]]
    >>> said = pa.table({"task": ["a", "b"], "response": ["It is 3.", "So 4."], "answer": [3, 5]})
    >>> load(said, judge="number").runs[0].outcomes.correct.tolist()
    [[1], [0]]
    """
    if judge is not None:
        options["columns"] = with_column(_columns_of(options), JUDGE, judge)
    if isinstance(source, Frame):
        source = as_file(source)
    if isinstance(source, (str, PathLike)):
        source = Address.read(source)
    require_roles(_columns_of(options), name_of(source))
    if isinstance(source, Address) and source.kind == "engine":
        return engines.read(source, **options)
    tree = open_tree(source)
    if progress:
        tree = watched(tree, progress)
    found, failed = _of_tools(tree, options)
    if not found and not failed and tables.sniff(tree):
        report = _of_tables(tree, options)
        return _settled(replace(report, notes=(*tree.notes, *report.notes)), tree)
    if not found:
        raise failed.pop(0) if failed else lacking(tree) or unknown_error(tree)
    if options.get("where") is not None:
        raise tree.error(
            Text(
                "is a report of {tool}; --where chooses rows of tables only", tool=found[0][0].name
            ),
            Text("Leave out --where."),
        )
    report = _joined([each for _, each in found])
    if isinstance(source, list):  # in the order that they were given
        places = {path: place for place, path in enumerate(tree.files)}
        runs = sorted(report.runs, key=lambda run: places.get(run.source, len(places)))
        report = replace(report, runs=tuple(runs))
    asked = {role for tool, _ in found for role in tool.asks}
    mapped = {role: names for role, names in _columns_of(options).items() if role not in asked}
    notes = [*tree.notes, *report.notes, *unused_columns(mapped), *_unread(failed, report.unread)]
    choices = (*report.choices, *(error for error in failed if isinstance(error, OpenChoice)))
    return _settled(replace(report, notes=tuple(notes), choices=choices), tree)


def _settled(report: Report, tree: Tree) -> Report:
    """Say what was unfinished, and count questions once that stand twice."""
    return without_doubles(dated(report, tree), tree)


def _of_tools(
    tree: Tree, options: Mapping[str, Any]
) -> tuple[list[tuple[KnownTool, Report]], list[LoadError]]:
    """Let each reader read what those before it left, and give what could not be read too.

    A verdict that is told need be in the files of one tool only. The evaluations come last, since
    they go by folders and do not say what they left.
    """
    reading = _Reading(tree)
    for reader in TOOL_READERS:
        if reader not in _EVALUATIONS:
            reading.let(reader, reading.left, options)
    if any(tool.asks for tool, _ in reading.found):
        for reader, error in reading.unmet():
            columns = _columns_of(options)
            mapped = {role: names for role, names in columns.items() if role != error.role}
            reading.let(reader, reading.left, {**options, "columns": mapped})
    any_read = bool(reading.found or reading.failed)
    left: Tree | None = None
    for reader in _EVALUATIONS:
        if left is not reading.left:
            left = reading.left
            paths = (path for path in left.files if not any_read or _is_evaluation(tree, path))
            given = left.only(paths)
        reading.let(reader, given, options)
    return reading.found, [error for _, error in reading.failed]


class _Reading:
    """What was read of a tree so far, what could not be, and what is left."""

    def __init__(self, tree: Tree) -> None:
        self.left = tree
        self.found: list[tuple[KnownTool, Report]] = []
        self.failed: list[tuple[ToolReader, LoadError]] = []

    def let(self, reader: ToolReader, given: Tree, options: Mapping[str, Any]) -> None:
        """Let a reader read some of what is left, if it is its own."""
        if not given.files or not reader.sniff(given):
            return
        try:
            report = _read(given, reader, options)
        except LoadError as error:
            self.failed.append((reader, error.kept()))
            return
        read = given.files.keys() - {*report.unread}
        unread = tuple(path for path in self.left.files if path not in read)
        self.found.append((reader.TOOL, replace(report, unread=unread)))
        self.left = self.left.only(unread)

    def unmet(self) -> list[tuple[ToolReader, VerdictChoice]]:
        """Take out the readers that lack the verdict that was told, to read again."""
        asked = [(r, error) for r, error in self.failed if isinstance(error, VerdictChoice)]
        self.failed = [each for each in self.failed if not isinstance(each[1], VerdictChoice)]
        return asked


def _is_evaluation(tree: Tree, path: str) -> bool:
    """Whether a file lies as those of an evaluation do, and is not known to be of another tool."""
    if _FOLDERS.isdisjoint(path.split("/")[:-1]):
        return False
    begun = head(tree, path)
    return not any(
        each.is_one(path, begun)
        for tool in TOOLS
        for each in tool.lacking
        if tool not in (opencompass.TOOL, aisbench.TOOL)
    )


def _columns_of(options: Mapping[str, Any]) -> ColumnMapping:
    return options.get("columns") or {}


def _read(tree: Tree, reader: FormatReader, options: Mapping[str, Any]) -> Report:
    """Read a tree with those options that its reader takes."""
    taken = signature(reader.read).parameters
    return reader.read(tree, **{name: options[name] for name in options if name in taken})


def _of_tables(tree: Tree, options: Mapping[str, Any]) -> Report:
    """Read tables; what can be none since it is a file of a tool, is refused as that."""
    try:
        report = _read(tree, tables, options)
    except LoadError:
        verdict_roles = {"correct", "score"} & _columns_of(options).keys()
        if not verdict_roles and (refused := lacking(tree)):
            raise refused from None
        raise
    return replace(report, notes=(*report.notes, *_lookalike_notes(tree)))


def _joined(reports: Sequence[Report]) -> Report:
    """Return one report of what several readers read of a tree."""
    first, *others = reports
    for other in others:
        first = replace(
            first,
            reader=Text("{some}, {more}", some=first.reader, more=other.reader),
            runs=(*first.runs, *other.runs),
            notes=(*first.notes, *other.notes),
            suites=(*first.suites, *other.suites),
            choices=(*first.choices, *other.choices),
            unread=tuple(path for path in first.unread if path in other.unread),
        )
    return first


def _unread(failed: Iterable[LoadError], unread: Sequence[str]) -> Iterator[Note]:
    """Say what failed beside what was read, and of which files nothing was read."""
    places = set()
    for error in failed:
        places.add(error.place.partition(", ")[0])
        yield Note(error.within, error.place, severity="problem")
    if left := [path for path in unread if path not in places]:
        what = Text(
            "kofn found nothing that it can read in {paths}.",
            "kofn found nothing that it can read in {count} files: {paths}.",
            count=len(left),
            paths=some_of(left, _SHOWN),
        )
        yield Note(what, count=len(left))


def lacking(tree: Tree) -> LoadError | None:
    """Say which file of a tool it is that does not tell how each sample fared."""
    for path in list(tree.files)[:MOST]:
        begun = head(tree, path)
        for tool in TOOLS:
            for each in tool.lacking:
                if each.is_one(path, begun):
                    place = path if len(tree.files) > 1 else ""
                    return tree.error(each.problem, each.fix, place)
    return None


def _lookalike_notes(tree: Tree) -> Iterator[Note]:
    """Say which tables look by their columns like a tool's files and are none of them."""
    of = tables.tables_of(tree)
    some = looked_at(tree.only(of))
    for tool in TOOLS:
        for path in some:
            shared = tool.columns & names_of(tree, path)
            if shared == tool.columns:
                what = Text(
                    "It has the columns that {tool} writes, but not in the tool's layout, so it "
                    "is read as a plain table.",
                    tool=tool.name,
                )
                yield Note(what, of[path])
            elif 2 * len(shared) >= len(tool.columns) and shared - _USUAL:
                what = Text(
                    "It has some of the columns that {tool} writes ({names}), but lacks others "
                    "({lacking}), so it is read as a plain table.",
                    tool=tool.name,
                    names=some_of(sorted(shared), _SHOWN),
                    lacking=some_of(sorted(tool.columns - shared), _SHOWN),
                )
                yield Note(what, of[path])
