"""Logs of Inspect in a tree: .eval files, which are zips, and .json files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.archive import open_within
from reports.files.progress import Progress, meter
from reports.files.stored_files import Files
from reports.files.tree import Tree
from reports.harnesses.inspect.header import START, Header
from reports.harnesses.inspect.records import (
    RECORD,
    RECORDS,
    SampleRecord,
    converted,
    decoded,
    dividing,
    prediction_in,
    question_in,
    scores_of,
    spent,
    texts_of,
    values_of,
)
from reports.harnesses.inspect.runs import Known, choose, run_of
from reports.json_files.entries import Entries
from reports.json_files.located import Reading, entries
from reports.json_files.strict import NOT_FINITE, parse_file, require_whole
from reports.run.report import Run
from reports.run.texts import Store
from reports.samples.gathering import Gathered, Sample, gather
from reports.samples.heads import head, names_of
from reports.samples.reading import Part
from reports.samples.texts import RecordTexts
from reports.samples.verdict_choice import VerdictChooser


@dataclass(frozen=True, eq=False)
class _Members:
    """The members that are samples: their names tell where they are, as `Located` does."""

    files: Files
    paths: Sequence[str]

    @property
    def size(self) -> int:
        return len(self.paths)

    def read(self, numbers: NDArray[np.integer]) -> Iterator[bytes]:
        for number in numbers.tolist():
            with self.files.stream(self.paths[number]) as stream:
                yield stream.read()

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        yield self.read

    def scan(self, progress: Progress | None) -> Iterator[bytes]:
        at = meter(progress, self.size)
        for path, data in zip(self.paths, self.read(np.arange(self.size)), strict=True):
            at(path, 1)
            yield data


class MemberTexts(RecordTexts):
    """Texts of the run of an .eval log, in which each sample is a member."""

    def _located(self, progress: Progress | None = None) -> _Members:
        return _Members(self.files, self.paths)


_HEADER, _SAMPLES = "header.json", "samples/"
_NAMES = frozenset({"version", "status", "eval"})


@dataclass(frozen=True)
class InspectLog:
    """One log."""

    tree: Tree
    path: str  # Its file; "" where the tree is the log.

    def part(self, asking: VerdictChooser, known: Known) -> Part:
        """Return what reads it, and adds it to what is known."""
        used = () if self.path else tuple(self.tree.files)
        return Part(self.path or START, partial(self._runs, asking, known), used)

    def _runs(self, asking: VerdictChooser, known: Known) -> Iterator[Run]:
        content: _Archived | _Whole
        if self.path and not _is_archive(self.tree, self.path):
            content = _Whole(self.tree, self.path)
        else:
            tree = open_within(self.tree, self.path) if self.path else self.tree
            content = _Archived(tree)
        header = content.header()
        yield self._run(content, header, asking)
        if header.eval_id:
            known.add((header.eval_id,))

    def _run(self, content: _Archived | _Whole, header: Header, asking: VerdictChooser) -> Run:
        place = self.path
        scorer = choose(self.tree, place, self._scorers(content.records()), asking)
        model = header.model
        samples = (_sample(number, record, scorer, model) for number, record in content.records())
        found = gather(samples, self.tree.name, place, questions=header.questions)
        return run_of(found, header, scorer, place or self.tree.name, content.store(found))

    def _scorers(self, records: Iterator[tuple[int, SampleRecord]]) -> list[str]:
        """Return the scorers of the first sample that has any."""
        record = None
        for _, record in records:
            if names := list(values_of(record)):
                return names
        if record is None:
            raise self.tree.error(
                Text("holds no samples"),
                Text("Evaluate again without --no-log-samples."),
                self.path,
            )
        return []


def find_logs(tree: Tree) -> Iterator[InspectLog]:
    """Give the logs of a tree."""
    if START in tree.files:
        yield InspectLog(tree, "")
        return
    for path in tree.files:
        if _is_archive(tree, path) or _is_json(tree, path):
            yield InspectLog(tree, path)


def _is_archive(tree: Tree, path: str) -> bool:
    return path.endswith(".eval") and START.encode() in head(tree, path).start


def _is_json(tree: Tree, path: str) -> bool:
    if not path.endswith(".json"):
        return False
    if not names_of(tree, path) >= _NAMES:
        return False
    start = head(tree, path).start
    return b'"eval_id"' in start or (b'"run_id"' in start and b'"task"' in start)


@dataclass(frozen=True)
class _Archived:
    """An .eval log: a member for each sample."""

    tree: Tree

    def header(self) -> Header:
        path = _HEADER if _HEADER in self.tree.files else START
        value = parse_file(self.tree, path, absent=NOT_FINITE)
        return Header(value if isinstance(value, dict) else {})

    @property
    def paths(self) -> list[str]:
        return [
            path for path in self.tree.files if path.startswith(_SAMPLES) and path.endswith(".json")
        ]

    def records(self) -> Iterator[tuple[int, SampleRecord]]:
        for number, path in enumerate(self.paths):
            require_whole(self.tree, path)
            yield number, decoded(RECORD, self.tree.read(path), self.tree.name, path)

    def store(self, gathered: Gathered) -> Store:
        return MemberTexts(
            self.tree.keep(),
            self.paths,
            texts_of,
            gathered.records,
            gathered.slots,
            poses=question_in,
        )


@dataclass(frozen=True)
class _Whole:
    """A .json log: an object with a list of samples."""

    tree: Tree
    path: str

    def _entries(self, stream: Any) -> Entries:
        return Entries(stream, "samples", self.tree.name, self.path)

    def header(self) -> Header:
        with self.tree.open(self.path) as stream:
            found = self._entries(stream)
            return Header(found.before or self._parsed())

    def _parsed(self) -> dict[str, Any]:
        value = parse_file(self.tree, self.path, absent=NOT_FINITE)
        return value if isinstance(value, dict) else {}

    def records(self) -> Iterator[tuple[int, SampleRecord]]:
        number = 0
        with self.tree.open(self.path) as stream:
            found = self._entries(stream)
            blocks = found if found.found else ()
            for block in blocks:
                for record in decoded(RECORDS, block.data, self.tree.name, self.path):
                    yield number, record
                    number += 1
        if not found.found:
            for each in self._parsed().get("samples") or ():
                yield number, converted(each, SampleRecord, self.tree.name, self.path)
                number += 1

    def store(self, gathered: Gathered) -> Store:
        return RecordTexts(
            self.tree.keep(),
            [self.path],
            texts_of,
            gathered.records,
            gathered.slots,
            partial(entries, member="samples"),
            poses=question_in,
        )


def _sample(number: int, record: SampleRecord, scorer: str, model: str) -> Sample:
    values = values_of(record)
    score = scores_of(record).get(scorer.partition(".")[0])
    output = record.output
    ended = output.choices[0] if output.choices else None
    return Sample(
        str(record.id),
        record.epoch,
        score=values.pop(scorer, None),
        extracted=score.answer if score else None,
        prediction=prediction_in(record.output),
        measured={
            **spent(record.model_usage or {}, model),
            "latency_s": record.working_time,
            "total_time_s": record.total_time,
            **{f"score.{name}": value for name, value in values.items()},
        },
        labels={
            "finish_reason": ended.stop_reason if ended else None,
            "error": record.error.message if record.error else None,
            "limit": record.limit.type if record.limit else None,
        },
        segments=dividing(record.metadata or {}),
        record=number,
    )
