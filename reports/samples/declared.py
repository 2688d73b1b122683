"""Readers declared by their fields, for tools that write one record per sample.

A reader says which field is what, what is said of a run beside its records, and which files hold
some:

>>> from reports.files.archive import open_tree
>>> from reports.samples.heads import paths_with
>>> from reports.samples.reading import file_by_file
>>> fields = Fields(
...     "task", correct="passed", prediction="answer", measured={"tokens_out": "usage.out"}
... )
>>> def about(tree, path, model, apart):
...     return About("7B", "sums", {"tool": "mytool"})
>>> def files(tree):
...     return paths_with(tree, {"task", "answer", "passed"})
>>> reader = file_by_file(Text("results of mytool"), files, Records(fields, about).runs)

>>> line = b'{"task": "a", "answer": "4", "passed": true, "usage": {"out": 1}}'
>>> (run,) = reader.read(open_tree(("mine.jsonl", line))).runs
>>> run.outcomes.correct.tolist(), run.columns["tokens_out"].tolist(), run.settings["n"]
([[1]], [[1.0]], 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from metrics.data.outcomes import ABSENT
from metrics.data.words import Text, shortened
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.json_files.located import entries, lines
from reports.json_files.members import member, number
from reports.json_files.strict import NOT_FINITE, object_in, parse, parse_file
from reports.run.naming import model_of
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.run.texts import Store
from reports.run.turns import written
from reports.samples.dividing import FEW, LONGEST
from reports.samples.gathering import Gathered, Sample, gather_apart
from reports.samples.reading import json_lines, needed, unexpected, without_question
from reports.samples.texts import DecodedTexts, TextsBeside

_LONGEST = 60
Shown = Any
"""What a function returns that finds a text: such functions go to the processes of pages."""
Get = str | Callable[[Any], Any]
"""A field of a record by its dotted name, or a function of a module that finds it."""


def value(record: Any, get: Get) -> Any:
    """Return what a field of a record holds; None where it has none."""
    return get(record) if callable(get) else member(record, get)


@dataclass(frozen=True)
class Fields:
    """Which field of a record is what; what a tool does not write is ""."""

    # As `Sample` and `DecodedTexts` have them; ``question`` may be of any value that tells it.
    # Functions that find texts return `Shown`.
    question: Get
    number: Get = ""
    correct: Get = ""
    score: Get = ""
    extracted: Get = ""
    prediction: Get = ""
    prompt: Get = ""
    reference: Get = ""
    # What tells runs apart whose records lie in one file, such as a prompt.
    model: Get = ""
    dataset: Get = ""
    run_key: Get = ""
    # By the names that `Sample` has for them.
    measured: Mapping[str, Get] = field(default_factory=dict)
    labels: Mapping[str, Get] = field(default_factory=dict)
    segments: Get = ""  # An object whose short texts divide the questions.

    def sample(self, record: Any, at: int, file: str, place: str) -> Sample:
        """Return the sample that the record with this number tells.

        Raises
        ------
        LoadError
            If it names no question.
        """
        question = value(record, self.question)
        if question is None:
            raise without_question(file, place)
        prediction = value(record, self.prediction)
        parts = value(record, self.segments)
        return Sample(
            str(question),
            value(record, self.number),
            value(record, self.correct),
            value(record, self.score),
            value(record, self.extracted),
            prediction if isinstance(prediction, str) else None,
            {name: number(value(record, get)) for name, get in self.measured.items()},
            {name: _word(value(record, get)) for name, get in self.labels.items()},
            _labels(parts) if isinstance(parts, Mapping) else {},
            at,
        )

    @property
    def texts(self) -> Callable[[bytes], DecodedTexts]:
        """What tells the texts of a record, for a process of its own too."""
        return partial(
            _texts, prompt=self.prompt, reference=self.reference, prediction=self.prediction
        )


def _texts(data: bytes, *, prompt: Get, reference: Get, prediction: Get) -> DecodedTexts:
    """Return what the bytes of a record say."""
    record = parse(data, "", absent=NOT_FINITE)
    return value(record, prompt), value(record, reference), [value(record, prediction)]


@dataclass(frozen=True)
class About:
    """What the files of a run say of it beside its records."""

    # model, dataset: Their names; None where nothing tells them.
    model: Any = None
    dataset: Any = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    reported: Mapping[str, float] = field(default_factory=dict)
    counterparts: Mapping[str, str] = field(default_factory=dict)
    samples: int | None = None  # How many the tool counted.
    time: datetime | None = None
    notes: Sequence[Note] = ()
    # The name of the file without what the tool adds, where the model is known from that only.
    file: str = ""
    # Gives texts that lie in other files, such as prompts.
    texts_elsewhere: Callable[[Gathered], Iterable[Store]] | None = None


def _itself(record: Any) -> tuple[Any]:
    return (record,)


@dataclass(frozen=True)
class Records:
    """The runs of files of records."""

    fields: Fields
    # What is said of a run: by the tree, the file, and the model and what else tells it apart, as
    # its records name them.
    about: Callable[[Tree, str, Any, Any], About]
    # The dotted name of the list that holds the records of a file; None of lines.
    member: str | None = None
    # Gives what `fields` take of a record: itself, or one for each sample that it tells.
    each: Callable[[Any], Iterable[Any]] = _itself
    needs: Mapping[str, type] = field(default_factory=dict)  # What every line must have.

    def runs(self, tree: Tree, path: str, *others: str) -> Iterator[Run]:
        """Read the runs of a file, one for each that its records tell apart.

        *others: Files that hold further samples of the same questions.
        """
        names: dict[str, tuple[Any, ...]] = {}
        telling = (self.fields.model, self.fields.dataset, self.fields.run_key)
        paths = (path, *others)

        def samples() -> Iterator[tuple[str, Sample]]:
            for at, (part, place, record) in enumerate(self._records(tree, paths)):
                for one in self.each(record):
                    named = tuple(value(one, get) for get in telling)
                    names.setdefault(key := repr(named), named)
                    sample = self.fields.sample(one, at, tree.name, place)
                    sample.number = part if others else sample.number
                    yield key, sample

        for key, gathered in gather_apart(samples(), tree.name, path).items():
            model, dataset, apart = names[key]
            about = self.about(tree, path, model, apart)
            named = model_of(path, stated=model or about.model, file=about.file)
            within = lines if self.member is None else partial(entries, member=self.member)
            held = int((gathered.outcomes.correct != ABSENT).sum())
            store: Store = gathered.texts(tree, paths, self.fields.texts, within)
            for other in about.texts_elsewhere(gathered) if about.texts_elsewhere else ():
                store = TextsBeside(other, store)
            yield gathered.run(
                named.model,
                str(dataset or about.dataset or PurePosixPath(path).stem),
                source=path,
                store=store,
                notes=[
                    *named.notes,
                    *about.notes,
                    *cut_short(path, held, about.samples, Text("samples")),
                ],
                reported=about.reported,
                counterparts=about.counterparts,
                settings={**about.settings, "n": gathered.outcomes.shape[1]},
                time=about.time,
            )

    def _records(self, tree: Tree, paths: Iterable[str]) -> Iterator[tuple[int, str, Any]]:
        """Give the records of all files, each with which file it is of and its place there."""
        for part, path in enumerate(paths):
            if self.member is None:
                for number, record in json_lines(tree, path):
                    place = f"{path}, record {number + 1}"
                    for key, kind in self.needs.items():
                        needed(record, key, kind, tree.name, place)
                    yield part, place, record
                continue
            listed = value(parse_file(tree, path, absent=NOT_FINITE), self.member)
            if not isinstance(listed, list):
                raise unexpected(tree, path)
            for number, record in enumerate(listed, start=1):
                yield part, f"{path}, record {number}", record


def question_name(label: Any, *identity: Any) -> str:
    """Name a question that has no id: by a text, and a digest of all that tells it from others.

    Examples
    --------
    >>> question_name("What is 2 + 3?", {"answer": "5"})
    'What is 2 + 3? #c85158'
    """
    mark = digest(written([label, *identity]))[:6]
    return f"{shortened(str(label), _LONGEST)} #{mark}"


def object_beside(tree: Tree, path: str, name: str) -> Mapping[str, Any]:
    """Return the object that a file of this name in the same folder holds; {} where none does.

    A name may lead to other folders: ``configs/eval.json``.
    """
    other = (PurePosixPath(path).parent / name).as_posix()
    return object_in(tree, other if other in tree.files else None)


def _word(found: Any) -> str | None:
    return found if isinstance(found, str) and found else None


def _labels(parts: Mapping[str, Any]) -> dict[str, str]:
    words = {name: each for name, each in parts.items() if isinstance(each, str)}
    short = [name for name, each in words.items() if 0 < len(each) <= LONGEST]
    return {name: words[name] for name in short[:FEW]}
