"""Read the files of a tool's report one by one, with a Note for each that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from metrics.data.words import Text
from reports.column_mapping import ColumnMapping
from reports.files.errors import LoadError, OpenChoice
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.json_files.line import Record, is_torn, read_line
from reports.json_files.located import MAX_LINE
from reports.run.report import Report, Run
from reports.samples.verdict_choice import VerdictChooser

_BREAKS = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
_KINDS: dict[type, Text] = {
    bool: Text("true or false"),
    str: Text("a text"),
    int: Text("a whole number"),
    dict: Text("an object"),
    list: Text("a list"),
}

T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    """What gives one run, or several."""

    path: str
    # Gives the runs, errors of those that cannot be read while others can, and notes on those that
    # are left out.
    read: Callable[[], Iterable[Run | LoadError | Note]]
    used: tuple[str, ...] = ()


def report(
    tree: Tree, reader: Text, parts: Iterable[Part], asking: VerdictChooser | None = None
) -> Report:
    """Read every part of a report.

    Raises LoadError if none gives a run: the first one's; or if none has the verdict that was told.
    One that fails beside others is a Note, and a choice of the report if it only takes to know what
    is meant. A value that is not of the kind which the tool writes is such a failure too.
    """
    runs: list[Run] = []
    notes: list[Note] = []
    errors: list[tuple[str, LoadError]] = []
    used: set[str] = set()
    further: tuple[str, ...] = ()
    for part in parts:
        used.add(part.path)
        if part.used is not further:  # parts may share all that lies beside them
            further = part.used
            used.update(further)
        try:
            for each in part.read():
                if isinstance(each, LoadError):
                    errors.append((part.path, each.kept()))
                elif isinstance(each, Note):
                    notes.append(each)
                else:
                    runs.append(each)
        except LoadError as error:
            errors.append((part.path, error.kept()))
        except _BREAKS:
            errors.append((part.path, unexpected(tree, part.path)))
    if not runs:
        try:
            raise errors[0][1]
        finally:
            del errors  # or else the error would hold on to itself, and to the tree
    if asking:
        asking.require_met(tree)
    notes += [Note(error.within, error.place or path, None, "problem") for path, error in errors]
    choices = tuple(error for _, error in errors if isinstance(error, OpenChoice))
    left = tuple(path for path in tree.files if path not in used)
    return Report(
        tree.name, reader, tuple(runs), tuple(notes), tree.digest, choices=choices, unread=left
    )


@dataclass(frozen=True)
class PartsReader:
    """The reader of a tool's files."""

    name: Text
    # Gives what is read of a tree; where files hold several verdicts, by which was told.
    parts: Callable[[Tree, VerdictChooser], Iterable[Part]]

    def sniff(self, tree: Tree) -> bool:
        """Whether a tree holds files of the tool."""
        return any(True for _ in self.parts(tree, VerdictChooser(None)))

    def read(self, tree: Tree, columns: ColumnMapping | None = None) -> Report:
        """Read every part of a tree; see `report`."""
        asking = VerdictChooser(columns)
        return report(tree, self.name, self.parts(tree, asking), asking)


def file_by_file(
    name: Text,
    find: Callable[[Tree], Iterable[str]],
    runs: Callable[[Tree, str], Iterable[Run]],
    beside: Callable[[Tree, str], Iterable[str]] | None = None,
) -> PartsReader:
    """Return the reader of a tool whose runs lie in one file each, or several in one.

    find: Gives the files that hold runs.
    runs: Reads the runs of a file.
    beside: Gives what else is of the run of a file.
    """

    def parts(tree: Tree, _: VerdictChooser) -> Iterator[Part]:
        for path in find(tree):
            others = tuple(beside(tree, path)) if beside else ()
            yield Part(path, partial(runs, tree, path), others)

    return PartsReader(name, parts)


def unexpected(tree: Tree, place: str) -> LoadError:
    """Make the error of a file that begins like the tool's and goes on otherwise."""
    return tree.error(
        Text("a value is not of the type that the tool writes there"),
        Text("Check that the file is as the tool wrote it, and of a version that kofn reads."),
        place,
    )


def not_scored(tree: Tree, place: str) -> LoadError:
    """Make the error of samples that the tool did not score."""
    return tree.error(
        Text("no sample is scored"),
        Text("Have the tool score them, or load the file that it wrote after that."),
        place,
    )


def without_question(file: str, place: str) -> LoadError:
    """Make the error of a record that names no question."""
    return LoadError(
        file,
        Text("does not say which question it answers"),
        Text("Give the file as the tool wrote it."),
        place,
    )


def json_lines(tree: Tree, path: str) -> Iterator[tuple[int, Record]]:
    """Read the lines of a file that are not empty, each with its number among them.

    The numbers are those of the records of `reports.samples.texts.RecordTexts`. A last line that is
    cut in the middle is left out, and `Tree.torn` says so, unless it is the only one.

    Raises LoadError if a line is no JSON object, or longer than `MAX_LINE`.
    """
    number = 0
    with tree.open(path) as stream:
        for at, line in enumerate(_lines(stream), start=1):
            if line.isspace():
                continue
            if number and is_torn(line) and len(line) < MAX_LINE:
                tree.torn.add(path)
                return
            place = f"{path}, line {at}"
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                problem = Text("is longer than {limit} MiB", limit=MAX_LINE >> 20)
                raise tree.error(problem, Text("Load a part of it."), place)
            record = read_line(line, tree.name, place)
            if not hasattr(record, "get"):
                raise tree.error(
                    Text("is not a JSON object, as each line of it should be"),
                    Text("Give the file as the tool wrote it."),
                    place,
                )
            yield number, record
            number += 1


def needed(record: Record, key: str, kind: type[T], file: str, place: str) -> T:
    """Return a value that a record must have.

    Raises LoadError if it has none, or one of another kind.

    Examples
    --------
    >>> needed({"passed": True}, "passed", bool, "t.jsonl", "line 1")
    True
    >>> needed({"passed": "yes"}, "passed", bool, "t.jsonl", "line 1")
    Traceback (most recent call last):
    ...
    reports.files.errors.LoadError: t.jsonl, line 1: passed is not true or false. Give the file as \
the tool wrote it.
    """
    value = record.get(key)
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise LoadError(
        file,
        Text("{key} is not {kind}", key=key, kind=_KINDS[kind]),
        Text("Give the file as the tool wrote it."),
        place,
    )


def _lines(stream: Any) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE):
        yield line
