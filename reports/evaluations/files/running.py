"""Predictions of an unfinished evaluation, which are in temporary files until it ends.

AISBench writes all that one process asks to ``predictions/<model>/tmp/tmp_<id>.jsonl``, each line
with its dataset; OpenCompass those of a dataset to ``predictions/<model>/tmp_<dataset>.jsonl``,
older ones to ``.json``. Both remove them once a dataset has its own file, but AISBench not where a
request has failed: then that file counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import msgspec

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Unfinished
from reports.files.stored_files import CHUNK, KeptFile, keep_made
from reports.files.tree import Tree
from reports.json_files.line import is_torn
from reports.json_files.located import MAX_LINE
from reports.run.remarks import SO_FAR

_BEGINS = "tmp_"


class _Line(msgspec.Struct):
    """What is asked of a line before it is taken."""

    data_abbr: str = ""
    success: bool = True
    idx: str | int | None = None


_LINES = msgspec.json.Decoder(_Line)


@dataclass(slots=True)
class Running:
    """The predictions so far of a model on a dataset."""

    paths: list[str] = field(default_factory=list)  # The files that they were taken from.
    failed: int = 0  # Requests that failed so far.

    def note(self, held: int, n: int) -> Unfinished:
        """Say how many predictions there are so far, and what they are.

        n: Samples that each question is to have.
        """
        what = Text(
            "The run had not ended: there are {held} predictions, which kofn judged, and no "
            "results. Each question should have {n}. Missing predictions count neither as right "
            "nor as wrong. {caution}",
            held=held,
            n=n,
            caution=SO_FAR,
        )
        if self.failed:
            what = Text(
                "{what} {count} request failed so far and counts as missing.",
                "{what} {count} requests failed so far and count as missing.",
                what=what,
                count=self.failed,
            )
        return Unfinished(what, self.paths[0], None, "warning", held, None, Text("predictions"))


@dataclass(frozen=True)
class _RunningFile:
    """A file of predictions so far, as its place tells."""

    path: str
    root: tuple[str, ...]
    model: str
    dataset: str

    def target(self, dataset: str) -> str:
        """Return where the predictions of a dataset are to be."""
        ending = ".json" if self.dataset else ".jsonl"
        return "/".join((*self.root, "predictions", self.model, dataset + ending))


def is_running(path: str) -> bool:
    """Whether a file holds predictions of an evaluation that goes on, by where it lies.

    Examples
    --------
    >>> is_running("predictions/alpha/tmp/tmp_1f.jsonl"), is_running("predictions/alpha/a.jsonl")
    (True, False)
    """
    return _running_file(path) is not None


def with_running(tree: Tree) -> tuple[Tree, Mapping[str, Running]]:
    """Return a tree in which such predictions lie where they are to be, and which these are.

    Lines that are cut in the middle are left out, and so are files that cannot be read.
    """
    given = [found for path in tree.files if (found := _running_file(path)) is not None]
    if not given:
        return tree, {}
    lines: dict[str, list[tuple[_RunningFile, str]]] = {}
    running: dict[str, Running] = {}
    for each in given:
        try:
            datasets = _datasets(tree, each)
        except LoadError:
            continue
        for dataset, failed in datasets.items():
            target = each.target(dataset)
            if not _is_there(tree, each, dataset):
                known = running.setdefault(target, Running())
                known.paths.append(each.path)
                known.failed += failed
                lines.setdefault(target, []).append((each, dataset))
    made = {path: _keep(tree, path, parts) for path, parts in lines.items()}
    sizes = {path: size for path, size in tree.files.items() if not is_running(path)}
    return tree.with_made(sizes, made), running


def _running_file(path: str) -> _RunningFile | None:
    if _BEGINS not in path:
        return None
    match path.split("/"):
        case (*root, "predictions", model, "tmp", file) if file.startswith(
            _BEGINS
        ) and file.endswith(".jsonl"):
            return _RunningFile(path, tuple(root), model, "")
        case (*root, "predictions", model, file) if file.startswith(_BEGINS) and file.endswith(
            (".json", ".jsonl")
        ):
            return _RunningFile(
                path, tuple(root), model, PurePosixPath(file).stem.removeprefix(_BEGINS)
            )
    return None


def _is_there(tree: Tree, given: _RunningFile, dataset: str) -> bool:
    """Whether a dataset has its own file already."""
    stem = given.target(dataset).removesuffix("l").removesuffix(".json")
    results = "/".join((*given.root, "results", given.model, f"{dataset}.json"))
    return any(path in tree.files for path in (f"{stem}.json", f"{stem}.jsonl", results))


def _datasets(tree: Tree, given: _RunningFile) -> dict[str, int]:
    """Return how many requests failed of each dataset in a file."""
    if given.dataset:
        return {given.dataset: 0}
    found: dict[str, int] = {}
    for _, line in _lines(tree, given.path):
        failed = found.setdefault(line.data_abbr, 0)
        found[line.data_abbr] = failed + (not line.success)
    found.pop("", None)
    return found


def _keep(tree: Tree, path: str, parts: Sequence[tuple[_RunningFile, str]]) -> KeptFile:
    if path.endswith(".jsonl"):
        return keep_made(tree.keep(), path, _taken(tree, parts))
    ((given, _),) = parts[:1]
    whole = given.path.endswith(".json")
    chunks = _copied(tree, given.path) if whole else _numbered(tree, given.path)
    return keep_made(tree.keep(), path, chunks)


def _taken(tree: Tree, parts: Sequence[tuple[_RunningFile, str]]) -> Iterator[bytes]:
    """Give the lines of a dataset."""
    for given, dataset in parts:
        for data, line in _lines(tree, given.path):
            if line.data_abbr == dataset and line.success:
                yield data.rstrip(b"\n") + b"\n"


def _numbered(tree: Tree, path: str) -> Iterator[bytes]:
    """Give lines as one object, each by its number."""
    between = b"{"
    for data, line in _lines(tree, path):
        if line.idx is not None:
            yield between + msgspec.json.encode(str(line.idx)) + b": " + data.strip()
            between = b",\n"
    yield b"}" if between != b"{" else b"{}"


def _copied(tree: Tree, path: str) -> Iterator[bytes]:
    with tree.open(path) as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def _lines(tree: Tree, path: str) -> Iterator[tuple[bytes, _Line]]:
    """Give the lines of a file that are whole, and objects."""
    with tree.open(path) as stream:
        while data := stream.readline(MAX_LINE):
            if data.isspace() or is_torn(data):
                continue
            try:
                yield data, _LINES.decode(data)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
