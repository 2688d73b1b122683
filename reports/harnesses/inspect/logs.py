"""Logs of Inspect in a tree: .eval files, which are zips, and .json files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from metrics.data.words import Text
from reports.files.archive import open_within
from reports.files.errors import LoadError
from reports.files.keeping import Files
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.inspect.header import Header
from reports.harnesses.inspect.members import MemberTexts
from reports.harnesses.inspect.records import (
    RECORD,
    RECORDS,
    Record,
    converted,
    decoded,
    said_in,
    texts_of,
)
from reports.harnesses.inspect.reducers import reasons, stated_names, unmatched
from reports.harnesses.inspect.scores import scores_of, values_of
from reports.json_files.entries import Entries
from reports.json_files.located import Span, entries
from reports.json_files.strict import NOT_FINITE, parse_file
from reports.run.report import Run
from reports.run.texts import Store
from reports.samples.gathering import Gathered, gathered
from reports.samples.heads import head
from reports.samples.reading import Part, ask
from reports.samples.sample import Sample
from reports.samples.texts import RecordTexts
from reports.told import Told

_START, _HEADER, _SAMPLES = "_journal/start.json", "header.json", "samples/"
_NAMES = frozenset({"version", "status", "eval"})
_LONGEST = 64
"""Letters of a label beyond which it names no segment."""


@dataclass(frozen=True)
class Log:
    """One log.

    Attributes
    ----------
    tree : Tree
        In which it lies.
    path : str
        Its file; "" where the tree is the log.
    """

    tree: Tree
    path: str

    def part(self, told: Told) -> Part:
        """Return what reads it."""
        used = () if self.path else tuple(self.tree.files)
        return Part(self.path or _START, partial(self._runs, told), used)

    def _runs(self, told: Told) -> Iterator[Run]:
        content: _Archived | _Whole
        if self.path and not _is_archive(self.tree, self.path):
            content = _Whole(self.tree, self.path)
        else:
            tree = open_within(self.tree, self.path) if self.path else self.tree
            content = _Archived(tree)
        yield self._run(content, told)

    def _run(self, content: _Archived | _Whole, told: Told) -> Run:
        place = self.path
        header = content.header()
        scorer, records = self._chosen(content.records(), told)
        model = header.model
        samples = (_sample(number, record, scorer, model) for number, record in records)
        found = gathered(samples, self.tree.name, place, questions=header.questions)
        stated = header.stated(scorer)
        values = found.columns.get("score")
        scored = _scored(found) if values is None else values
        broken = unmatched(stated, scored)
        run = found.run(
            model,
            header.task,
            source=place or self.tree.name,
            store=content.store(found),
            reported=stated_names(stated, found.outcomes.shape[1]),
            explanations=reasons(stated, scored),
            notes=(*header.notes(place), *_not_given(broken, place)),
            time=header.time,
            settings=header.settings(scorer),
        )
        return replace(run, verified=False) if broken else run

    def _chosen(
        self, records: Iterator[tuple[int, Record]], told: Told
    ) -> tuple[str, Iterable[tuple[int, Record]]]:
        """Find out whose values are the outcomes, by the first sample that has any.

        Raises
        ------
        LoadError
            If no sample is scored, or several scorers could be meant and none is told.
        """
        seen: list[tuple[int, Record]] = []
        for each in records:
            seen.append(each)
            if names := list(values_of(each[1])):
                break
        else:
            if not seen:
                raise LoadError(
                    self.tree.name,
                    Text("holds no samples"),
                    Text("Evaluate again without --no-log-samples."),
                    self.path,
                )
            raise LoadError(
                self.tree.name,
                Text("no sample is scored"),
                Text("Score them with inspect score, or load a log that was scored."),
                self.path,
            )
        chosen = told.get("correct")
        if chosen not in names and len(names) > 1:
            problem = Text("{count} scorers could each be the outcomes", count=len(names))
            raise ask(self.tree, self.path, problem, names)
        return str(chosen if chosen in names else names[0]), chain(seen, records)


def find_logs(tree: Tree) -> Iterator[Log]:
    """Give the logs of a tree."""
    if _START in tree.files:
        yield Log(tree, "")
        return
    for path in tree.files:
        if _is_archive(tree, path) or _is_json(tree, path):
            yield Log(tree, path)


def _is_archive(tree: Tree, path: str) -> bool:
    return path.endswith(".eval") and _START.encode() in head(tree, path).start


def _is_json(tree: Tree, path: str) -> bool:
    if not path.endswith(".json"):
        return False
    found = head(tree, path)
    return (found.names >= _NAMES and b'"eval_id"' in found.start) or (
        found.names >= _NAMES and b'"run_id"' in found.start and b'"task"' in found.start
    )


@dataclass(frozen=True)
class _Archived:
    """An .eval log: a member for each sample."""

    tree: Tree

    def header(self) -> Header:
        path = _HEADER if _HEADER in self.tree.files else _START
        value = parse_file(self.tree, path, absent=NOT_FINITE)
        return Header(value if isinstance(value, dict) else {})

    @property
    def paths(self) -> list[str]:
        return [
            path for path in self.tree.files if path.startswith(_SAMPLES) and path.endswith(".json")
        ]

    def records(self) -> Iterator[tuple[int, Record]]:
        for number, path in enumerate(self.paths):
            data = self.tree.read(path)
            yield number, decoded(RECORD, data, self.tree.name, path)

    def store(self, found: Gathered) -> Store:
        return MemberTexts(self.tree.keep(), self.paths, found.records)


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

    def records(self) -> Iterator[tuple[int, Record]]:
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
                yield number, converted(each, Record, self.tree.name, self.path)
                number += 1

    def store(self, found: Gathered) -> Store:
        return RecordTexts(
            self.tree.keep(), [self.path], texts_of, found.records, found.slots, _in_samples
        )


def _in_samples(files: Files, path: str) -> Iterator[Span]:
    return entries(files, path, "samples")


def _sample(number: int, record: Record, scorer: str, model: str) -> Sample:
    values = values_of(record)
    score = scores_of(record).get(scorer.partition(".")[0])
    usage = record.model_usage or {}
    spent = [usage[model]] if model in usage else [*usage.values()]
    said = record.output
    ended = said.choices[0] if said.choices else None
    return Sample(
        str(record.id),
        record.epoch,
        score=values.pop(scorer, None),
        extracted=score.answer if score else None,
        said=said_in(record.output),
        measured={
            "tokens_in": sum(
                each.input_tokens
                + (each.input_tokens_cache_read or 0)
                + (each.input_tokens_cache_write or 0)
                for each in spent
            )
            if spent
            else None,
            "tokens_out": sum(each.output_tokens for each in spent) if spent else None,
            "reasoning_tokens": spent[0].reasoning_tokens if len(spent) == 1 else None,
            "cost": _sum([each.total_cost for each in usage.values()]),
            "latency_s": record.working_time,
            "total_time_s": record.total_time,
            **{f"score.{name}": value for name, value in values.items()},
        },
        labels={
            "finish_reason": ended.stop_reason if ended else None,
            "error": record.error.message if record.error else None,
            "limit": record.limit.type if record.limit else None,
        },
        segments={
            name: value
            for name, value in (record.metadata or {}).items()
            if isinstance(value, bool) or (isinstance(value, str) and len(value) <= _LONGEST)
        },
        record=number,
    )


def _not_given(names: list[str], place: str) -> Iterator[Note]:
    if names:
        what = Text(
            "The samples do not give what the log states of {names}: it was scored or changed "
            "since, or samples are missing.",
            names=", ".join(names),
        )
        yield Note(what, place, severity="warning")


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if known else None


def _scored(found: Gathered) -> np.ndarray[Any, np.dtype[np.float64]]:
    outcomes = found.outcomes
    values = outcomes.correct.astype(float) if outcomes.scores is None else outcomes.scores.copy()
    values[outcomes.correct < 0] = np.nan
    return values
