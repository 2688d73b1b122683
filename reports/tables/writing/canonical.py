"""The long table that kofn writes itself: a row for every cell of every run.

Questions stand in their order with the same number of rows each. What was never asked is there too,
as ``status = absent``, so that a run comes back as it was. A column that is null throughout a run
is none that the run has; NaN is a value. In JSON, which has no NaN, such a column is left out of
the lines, and null is NaN.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.atomic_writing import replacing
from reports.files.notes import Note
from reports.run.finish_reasons import STATES
from reports.run.report import Run
from reports.tables.encoding import as_unicode
from reports.tables.writing.files import ALWAYS, WRITERS
from reports.tables.writing.formulas import MARKS

SIGNATURE = {b"kofn": b"outcomes 1"}
"""Metadata by which the table is known."""
STATUS = ("graded", "failed", "absent")
SEGMENT, QUESTION, WORD, COLUMN = "segment.", "question.", "label.", "column."
"""What the names of segments, of numbers of a question, of words of a sample, and of measurements
that would be mistaken, or that a spreadsheet would run, begin with."""
FACTS = f"{QUESTION}facts"
"""The gold facts of a question, as JSON in its first row: name, n, c and first of each."""

_LABEL = pa.dictionary(pa.int32(), pa.string())
FIXED = pa.schema(
    [
        *zip(ALWAYS, (pa.int32(), *[_LABEL] * 3, pa.int32(), pa.int8(), _LABEL), strict=True),
        ("score", pa.float64()),
        ("threshold", pa.float64()),
        ("strict", pa.bool_()),
        ("extracted", pa.int32()),
        ("cluster", pa.int64()),
        ("verified", pa.bool_()),
        ("grouping", _LABEL),
        ("settings", _LABEL),
    ]
)
"""The columns of every such table."""
ADDED = ("verified", "grouping", "settings")
"""Those that tables of earlier versions lack. The first is for readers of the table: what it says
is about the numbers of a file that the table is not. The last is JSON in the first row of a run."""
STATE = "state"
"""That of `Run.states`, if files tell more of any run than its verdicts. It is made of the other
columns, and not read back."""
LABEL = "extracted_label"
"""That of the answers which the codes in ``extracted`` stand for, if any run names them."""
TYPELESS = (".csv", ".jsonl")
"""Formats that do not say what a column holds: measurements are floats there."""
_ROWS = 1_000_000


def write(runs: Sequence[Run], path: str | os.PathLike[str]) -> tuple[Note, ...]:
    """Write runs as one table, a million rows at a time.

    runs: Those without outcomes are left out.
    path: Its suffix, one of `reports.tables.SUFFIXES`, says the format. Replaced if it exists, once
        the table is whole.
    Returns: What could not be written.
    Raises OSError if the file cannot be written.
    """
    notes = [*_lost(runs)]
    suffix = Path(path).suffix.lower()
    kinds = _kinds(runs, notes)
    if suffix in TYPELESS:
        kinds = dict.fromkeys(kinds, pa.float64())
    further = _Further.of(runs, kinds)
    schema = pa.schema([*FIXED, *further.fields()], SIGNATURE)
    with replacing(path) as part, WRITERS[suffix](part, schema) as writer:
        for number, run in enumerate(runs):
            for columns in _chunks(run, number, further):
                writer.write_batch(pa.record_batch(columns, schema=schema))
    return tuple(notes)


@dataclass(frozen=True)
class _Further:
    """The columns beside those that every such table has."""

    # Segments, numbers of a question, and words of a sample.
    segments: tuple[str, ...]
    once: tuple[str, ...]
    words: tuple[str, ...]
    # Whether any run knows more of its samples than verdicts, names its answers, or has facts.
    states: bool
    labels: bool
    facts: bool
    kinds: Mapping[str, pa.DataType]  # Measurements.

    @classmethod
    def of(cls, runs: Sequence[Run], kinds: Mapping[str, pa.DataType]) -> _Further:
        """Find what any of the runs has."""
        held = [(run, run.outcomes) for run in runs if run.outcomes is not None]
        return cls(
            tuple(dict.fromkeys(name for _, outcomes in held for name in outcomes.segments)),
            tuple(dict.fromkeys(name for run, _ in held for name in run.question_columns)),
            tuple(dict.fromkeys(name for run, _ in held for name in run.labels)),
            any(run.states is not None and run.states.is_told for run, _ in held),
            any(run.answer_labels is not None for run, _ in held),
            any(run.facts is not None for run, _ in held),
            kinds,
        )

    def fields(self) -> Iterator[tuple[str, pa.DataType]]:
        """Yield their names and types."""
        yield from ((SEGMENT + as_unicode(name), _LABEL) for name in self.segments)
        if self.states:
            yield STATE, _LABEL
        if self.labels:
            yield LABEL, _LABEL
        if self.facts:
            yield FACTS, _LABEL
        yield from ((QUESTION + as_unicode(name), pa.float64()) for name in self.once)
        yield from ((WORD + as_unicode(name), _LABEL) for name in self.words)
        yield from ((_column(name), kind) for name, kind in self.kinds.items())


def _lost(runs: Sequence[Run]) -> Iterator[Note]:
    what = Text("The table holds no texts, so it does not show which samples repeat one another.")
    for run in runs:
        copies = run.outcomes and run.outcomes.copies
        if copies and copies.sign == "texts" and copies.share > 0:
            yield Note(what, f"{run.model} / {run.dataset}", severity="warning")


def _kinds(runs: Sequence[Run], notes: list[Note]) -> dict[str, pa.DataType]:
    """Find one type for each measurement of all runs; note what is no number."""
    types: dict[str, list[np.dtype[Any]]] = {}
    for run in runs:
        if run.outcomes is None:
            what = Text("Has no outcomes to write; the notes of its report say why.")
            notes.append(Note(what, f"{run.model} / {run.dataset}", severity="warning"))
            continue
        for name, values in run.columns.items():
            types.setdefault(name, []).append(values.dtype)
    kinds = {}
    for name, dtypes in types.items():
        if any(dtype.kind not in "biuf" for dtype in dtypes):
            what = Text("{column} is left out: it does not hold numbers.", column=name)
            notes.append(Note(what, severity="warning"))
        else:
            kind = np.result_type(*dtypes)
            kinds[name] = pa.float64() if kind.kind == "f" else pa.from_numpy_dtype(kind)
    return kinds


def _chunks(run: Run, number: int, further: _Further) -> Iterator[list[pa.Array]]:
    """Yield the columns of some whole questions at a time."""
    outcomes = run.outcomes
    if outcomes is None:
        return
    m, n = outcomes.shape
    step = max(1, _ROWS // n)
    facts = _facts_of(run)
    for start in range(0, m, step):
        part = slice(start, min(start + step, m))
        size = (part.stop - start) * n
        verdict = outcomes.correct[part].ravel()

        def constant(value: object, kind: pa.DataType, size: int = size) -> pa.Array:
            return (
                pa.nulls(size, kind) if value is None else pa.repeat(pa.scalar(value, kind), size)
            )

        def label(values: Sequence[str], codes: Any) -> pa.Array:
            texts = pa.array(list(map(as_unicode, values)), pa.string())
            return pa.DictionaryArray.from_arrays(np.asarray(codes, np.int32), texts)

        def cells(values: Any, kind: pa.DataType, part: slice = part, size: int = size) -> pa.Array:
            if values is None:
                return pa.nulls(size, kind)
            return pa.array(values[part].ravel().astype(kind.to_pandas_dtype()), kind)

        def segment(name: str, part: slice = part, size: int = size, n: int = n) -> pa.Array:
            if name not in outcomes.segments:
                return pa.nulls(size, _LABEL)
            values, codes = np.unique(outcomes.segments[name][part], return_inverse=True)
            return label(values.tolist(), np.repeat(codes, n))

        def once(name: str, part: slice = part, size: int = size) -> pa.Array:
            if name not in run.question_columns:
                return pa.nulls(size, pa.float64())
            return pa.array(np.repeat(run.question_columns[name][part].astype(np.float64), n))

        clusters = outcomes.clusters
        yield [
            constant(number, pa.int32()),
            label([run.model], np.zeros(size)),
            label([run.dataset], np.zeros(size)),
            label(outcomes.questions[part], np.repeat(np.arange(part.stop - start), n)),
            pa.array(np.tile(np.arange(n, dtype=np.int32), part.stop - start)),
            pa.array(verdict, mask=verdict < 0),
            label(STATUS, -np.minimum(verdict, 0)),
            cells(outcomes.scores, pa.float64()),
            constant(run.threshold, pa.float64()),
            constant(run.strict, pa.bool_()),
            cells(run.answers, pa.int32()),
            pa.nulls(size, pa.int64())
            if clusters is None
            else pa.array(np.repeat(clusters[part].astype(np.int64), n)),
            constant(run.verified, pa.bool_()),
            label([run.grouping], np.zeros(size)),
            _settings(run, size) if start == 0 else pa.nulls(size, _LABEL),
            *map(segment, further.segments),
            *([_states(run, part, size)] if further.states else ()),
            *([_words(run.answers, run.answer_labels, part, size)] if further.labels else ()),
            *([_facts(facts, part, n)] if further.facts else ()),
            *map(once, further.once),
            *(
                _words(None, None, part, size)
                if each is None
                else _words(each.codes, each.values, part, size)
                for each in map(run.labels.get, further.words)
            ),
            *(cells(run.columns.get(name), kind) for name, kind in further.kinds.items()),
        ]


def _settings(run: Run, size: int) -> pa.Array:
    """Return the settings of a run, once."""
    if not run.settings:
        return pa.nulls(size, _LABEL)
    first = pa.array(np.zeros(size, np.int32), mask=np.arange(size) > 0)
    return pa.DictionaryArray.from_arrays(first, [json.dumps(dict(run.settings))])


def _facts_of(run: Run) -> dict[int, list[tuple[str, int, int, int | None]]]:
    """Return name, n, c and first of the gold facts of each question."""
    found: dict[int, list[tuple[str, int, int, int | None]]] = {}
    if run.facts is not None:
        facts, size = run.facts, len(run.facts.question)
        names = facts.names or [""] * size
        first = [None] * size if facts.first is None else facts.first.tolist()
        counts = zip(names, facts.n.tolist(), facts.c.tolist(), first, strict=True)
        for question, fact in zip(facts.question.tolist(), counts, strict=True):
            found.setdefault(question, []).append(fact)
    return found


def _facts(
    of: Mapping[int, list[tuple[str, int, int, int | None]]], part: slice, n: int
) -> pa.Array:
    """Return the gold facts of some questions, once each."""
    asked = [question for question in range(part.start, part.stop) if question in of]
    indices = np.full((part.stop - part.start) * n, -1, np.int32)
    indices[(np.array(asked, np.int64) - part.start) * n] = np.arange(len(asked))
    texts = pa.array([json.dumps(of[question]) for question in asked], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(indices, mask=indices < 0), texts)


def _words(
    codes: NDArray[np.signedinteger] | None, values: Sequence[str] | None, part: slice, size: int
) -> pa.Array:
    """Return the answers, or other words, of the samples of some questions."""
    if codes is None or values is None:
        return pa.nulls(size, _LABEL)
    of_part = codes[part].ravel()
    used, numbers = np.unique(of_part, return_inverse=True)
    texts = ["" if code < 0 else as_unicode(values[code]) for code in used.tolist()]
    return pa.DictionaryArray.from_arrays(
        pa.array(numbers.astype(np.int32), mask=of_part < 0), pa.array(texts, pa.string())
    )


def _states(run: Run, part: slice, size: int) -> pa.Array:
    """Return the states of the samples of some questions."""
    states = run.states
    if states is None:
        return pa.nulls(size, _LABEL)
    return _words(states.codes, STATES, part, size)


def _column(name: str) -> str:
    mistaken = name in (*FIXED.names, STATE, LABEL) or name.startswith(
        (SEGMENT, QUESTION, WORD, COLUMN, *MARKS)
    )
    return as_unicode(COLUMN + name if mistaken else name)
