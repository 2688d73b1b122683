"""Gather samples, in any order, into the matrices of a run, questions by samples."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.duplicates import hash_of_text
from metrics.data.outcomes import ABSENT, FAILED, SOLVED_ABOVE, Outcomes
from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.stored_files import Files
from reports.files.tree import Tree
from reports.json_files.interned import LONGEST, SHOWN, digest, label
from reports.json_files.located import Span, lines
from reports.run.finish_reasons import PLAIN, thoughts, unfinished
from reports.run.labels import Labels
from reports.run.reasons import CUT_SHORT
from reports.run.reconcile import UNEXPLAINED, compared
from reports.run.remarks import missing, not_scored, segment, uneven, without_verdict
from reports.run.report import Run
from reports.run.texts import Store
from reports.run.turns import written
from reports.samples.texts import DecodedTexts, RecordTexts

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(slots=True)
class Sample:
    """One sample."""

    question: str
    # Which sample of its question it is, in any numbering that all questions share; None where the
    # order of the records is all there is.
    number: int | None = None
    # The tool's verdict; None where it has none, as for a request that failed.
    correct: bool | int | None = None
    # Its soft score from 0 to 1. Where no sample of a run has a verdict, scores decide.
    score: float | None = None
    extracted: Any = None  # The answer found in it, any value of JSON; None where there is none.
    # What the model said: of it are kept a hash, to tell copies, and whether its thoughts end.
    prediction: str | None = None
    # tokens_in, tokens_out, latency_s, cost, and any further number by its own name.
    measured: Mapping[str, float | None] = field(default_factory=lambda: _NOTHING)
    # Words: finish_reason, error.
    labels: Mapping[str, str | None] = field(default_factory=lambda: _NOTHING)
    segments: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)  # Labels of its question.
    # Where its texts are: the number of the record and the place among what that says; see
    # `reports.samples.texts.RecordTexts`.
    record: int = -1
    slot: int = 0


MOST_NAMES = 200
"""Measurements, words and segments of a run that are kept, of each."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gathered:
    """The matrices of a run's samples."""

    outcomes: Outcomes
    answers: NDArray[np.signedinteger] | None
    answer_labels: Sequence[str] | None
    columns: Mapping[str, Floats]
    labels: Mapping[str, Labels]
    # Where the texts of each sample are; -1 for none.
    records: NDArray[np.int32]
    slots: NDArray[np.int32]
    threshold: float | None  # By which verdicts were made of scores.
    notes: tuple[Note, ...]

    def texts(
        self,
        tree: Tree,
        paths: Sequence[str],
        decode: Callable[[bytes], DecodedTexts],
        records: Callable[[Files, str], Iterable[Span]] = lines,
        *,
        asks: bool = True,
    ) -> RecordTexts:
        """Return the texts of these samples, in the files that were read; see `RecordTexts`."""
        return RecordTexts(tree.keep(), paths, decode, self.records, self.slots, records, asks=asks)

    def run(
        self,
        model: str,
        dataset: str,
        *,
        source: str,
        store: Store | None = None,
        reported: Mapping[str, float] | None = None,
        notes: Sequence[Note] = (),
        cut: Sequence[Note] = (),
        explanations: Mapping[str, Text] | None = None,
        **more: Any,
    ) -> Run:
        """Return the run of these samples, with the numbers stated of it checked.

        cut: Says how the samples are fewer than those that all stated numbers are of.
        **more: Further fields of `Run`: ``time``, ``settings``.
        """
        run = Run(
            model,
            dataset,
            self.outcomes,
            reported=reported or {},
            notes=(*cut, *notes, *self.notes),
            explanations=dict.fromkeys(reported or {}, CUT_SHORT) if cut else explanations or {},
            threshold=self.threshold,
            answers=self.answers,
            answer_labels=self.answer_labels,
            columns=self.columns,
            labels=self.labels,
            source=source,
            store=store,
            **more,
        )
        return replace(run, verified=verified(run))


def verified(run: Run) -> bool | None:
    """Return whether the samples give every number that the file states and kofn computes.

    A difference whose reason is known is none against the samples. None if nothing was compared.
    """
    lines = [line for line in compared(run) if line.recomputed is not None]
    if not lines:
        return None
    return not any(line.reason is UNEXPLAINED for line in lines)


def gather(
    samples: Iterable[Sample], file: str, place: str, *, questions: Iterable[str] = ()
) -> Gathered:
    """Gather samples of one run as they come; nothing of them is kept but numbers and short texts.

    questions: Ids in their order, where it is known; the others follow in the order in which they
        come, and those without samples are left out.
    Raises LoadError if there is none, no sample has a verdict or score, one number occurs twice in
    a question, or questions are very uneven in samples.

    Examples
    --------
    >>> said = [Sample("a", correct=True), Sample("b", correct=False), Sample("a", correct=False)]
    >>> found = gather(said, "report.jsonl", "")
    >>> found.outcomes.questions, found.outcomes.correct.tolist()
    (('a', 'b'), [[1, 0], [0, -2]])
    """
    grown = _Grown(questions)
    for sample in samples:
        grown.add(sample)
    if not grown.size:
        raise LoadError(
            file,
            Text("holds no samples"),
            Text("Check that the tool ran to its end, and that the file was copied in full."),
            place,
        )
    return _Laid(grown, file, place).gathered()


def gather_apart(
    samples: Iterable[tuple[str, Sample]], file: str, place: str
) -> dict[str, Gathered]:
    """Gather samples of several runs that lie in one file, each with the name of its run."""
    grown: dict[str, _Grown] = {}
    for name, sample in samples:
        if name not in grown:
            grown[name] = _Grown(())
        grown[name].add(sample)
    return {name: _Laid(each, file, place).gathered() for name, each in grown.items()}


class _Column:
    """Numbers of samples, of which many may have none."""

    def __init__(self, size: int) -> None:
        self.values = array("d", [math.nan]) * size

    def put(self, size: int, value: float) -> None:
        """Give the last of so many samples a number."""
        if gap := size - 1 - len(self.values):
            self.values.extend(array("d", [math.nan]) * gap)
        self.values.append(value)

    def all(self, size: int) -> Floats:
        found = np.full(size, math.nan)
        found[: len(self.values)] = self.values
        return found


class _Words:
    """Words of samples, of which many may have none; of a long one its beginning and a digest."""

    def __init__(self, size: int) -> None:
        self.codes = array("l", [-1]) * size
        self.known: dict[str, int] = {}

    def put(self, size: int, value: Any) -> None:
        """Give the last of so many samples a word."""
        if gap := size - 1 - len(self.codes):
            self.codes.extend(array("l", [-1]) * gap)
        word = written(value)
        if len(word) > LONGEST:
            word = word[:SHOWN] + digest(word)
        self.codes.append(self.known.setdefault(word, len(self.known)))

    def all(self, size: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Return the code of each sample, -1 for none, and the words as labels."""
        found = np.full(size, -1, np.int32)
        found[: len(self.codes)] = self.codes
        return found, tuple(map(label, self.known))


class _Grown:
    """What is kept of the samples so far."""

    def __init__(self, questions: Iterable[str]) -> None:
        self.questions: dict[str, int] = {}
        for question in questions:
            self.questions.setdefault(question, len(self.questions))
        self.question, self.number = array("l"), array("q")
        self.verdict, self.text_hashes = array("b"), array("q")
        self.answered, self.thoughts = array("b"), array("b")
        self.record, self.slot = array("l"), array("l")
        self.score = _Column(0)
        self.answer = _Words(0)
        self.measured: dict[str, _Column] = {}
        self.labels: dict[str, _Words] = {}
        self.segments: dict[str, _Words] = {}
        self.left_out: set[str] = set()

    @property
    def size(self) -> int:
        return len(self.question)

    def add(self, sample: Sample) -> None:
        self.question.append(self.questions.setdefault(sample.question, len(self.questions)))
        self.number.append(-1 if sample.number is None else sample.number)
        verdict = sample.correct
        self.verdict.append(FAILED if verdict is None else min(max(int(verdict), FAILED), 127))
        self.text_hashes.append(hash_of_text(sample.prediction))
        self.answered.append(bool(sample.prediction))
        self.thoughts.append(thoughts(sample.prediction))
        self.record.append(sample.record)
        self.slot.append(sample.slot)
        size = len(self.question)
        if sample.score is not None:
            self.score.put(size, sample.score)
        if sample.extracted is not None:
            self.answer.put(size, sample.extracted)
        for name, value in sample.measured.items():
            if value is not None and not math.isnan(value):
                self._put(self.measured, name, _Column, size, value)
        for name, word in sample.labels.items():
            if word is not None:
                self._put(self.labels, name, _Words, size, word)
        for name, word in sample.segments.items():
            if word is not None:
                self._put(self.segments, name, _Words, size, word)

    def _put(self, known: dict[str, Any], name: str, kind: Any, size: int, value: Any) -> None:
        if name not in known:
            if len(known) >= MOST_NAMES:
                self.left_out.add(f"{name:.40}")
                return
            known[name] = kind(size - 1)
        known[name].put(size, value)


class _Laid:
    """Samples laid out as matrices."""

    def __init__(self, grown: _Grown, file: str, place: str) -> None:
        self.grown, self.file, self.place = grown, file, place
        self.notes: list[Note] = []
        question = np.array(grown.question, np.int64)
        asked, self.rows = np.unique(question, return_inverse=True)
        names = list(grown.questions)
        self.questions = [names[code] for code in asked.tolist()]
        self.cells, self.shape, self.numbers = self._cells(np.array(grown.number, np.int64))

    def _cells(self, number: NDArray[np.int64]) -> tuple[NDArray[np.int64], tuple[int, int], int]:
        """Say which cell of the matrix each sample is, and how many numbers samples have."""
        counts = np.bincount(self.rows)
        given = (number >= 0).all()
        known, place = np.unique(number, return_inverse=True)
        numbers = len(known) if given else int(counts.max())
        if not given or numbers > 2 * counts.max():
            by_row = (
                np.lexsort((number, self.rows)) if given else np.argsort(self.rows, kind="stable")
            )
            place = np.empty(len(number), np.int64)
            starts = np.cumsum(counts) - counts
            place[by_row] = np.arange(len(number)) - np.repeat(starts, counts)
        width = int(place.max()) + 1
        if problem := uneven(counts, width):
            raise LoadError(self.file, *problem, self.place)
        cells = self.rows * width + place
        used = np.bincount(cells, minlength=1)
        if used.max() > 1:
            row = int(np.argmax(used > 1)) // width
            raise LoadError(
                self.file,
                Text(
                    "question {question:.80} has the same sample more than once",
                    question=self.questions[row],
                ),
                Text("Load one run at a time; several runs of a question are several files."),
                self.place,
            )
        return cells, (len(counts), width), numbers

    def matrix(self, values: Any, fill: Any, kind: Any) -> NDArray[Any]:
        found = np.full(self.shape, fill, kind)
        found.flat[self.cells] = np.asarray(values)
        return found

    def gathered(self) -> Gathered:
        grown, size = self.grown, self.grown.size
        columns = {
            name: self.matrix(column.all(size), np.nan, float)
            for name, column in grown.measured.items()
        }
        verdict = self.matrix(grown.verdict, ABSENT, np.int8)
        score = self.matrix(grown.score.all(size), np.nan, float)
        verdict, soft, threshold = self._judged(verdict, score, columns)
        n = np.count_nonzero(verdict != ABSENT, axis=1)
        labels = dict(self._labels())
        self.notes += self._without_verdict(verdict == FAILED, labels.get("error"))
        self.notes += filter(None, [missing(self.place, n, self.numbers)])
        codes, answers = grown.answer.all(size)
        if grown.left_out:
            what = Text(
                "Of each record {limit} measurements and labels are kept; {names} and others are "
                "left out.",
                limit=MOST_NAMES,
                names=min(grown.left_out),
            )
            self.notes.append(Note(what, self.place, severity="warning"))
        outcomes = Outcomes(
            verdict,
            soft,
            self.questions,
            dict(self._segments()),
            texts=self.matrix(grown.text_hashes, 0, np.int64) if any(grown.text_hashes) else None,
            tokens=columns.get("tokens_out"),
        )
        return Gathered(
            outcomes,
            self.matrix(codes, -1, np.int32) if answers else None,
            answers or None,
            columns,
            {**labels, **self._unfinished()},
            self.matrix(grown.record, -1, np.int32),
            self.matrix(grown.slot, 0, np.int32),
            threshold,
            tuple(self.notes),
        )

    def _without_verdict(self, lacking: NDArray[np.bool_], error: Labels | None) -> Iterator[Note]:
        """Say how many samples have no verdict: those that failed, and answered ones."""
        failed = lacking & (self.matrix(self.grown.answered, 0, np.int8) == 0)
        if error is not None:
            failed |= lacking & (error.codes >= 0)
        if count := int(np.count_nonzero(failed)):
            yield without_verdict(self.place, count)
        if count := int(np.count_nonzero(lacking & ~failed)):
            yield not_scored(self.place, count)

    def _judged(
        self, verdict: NDArray[np.int8], score: Floats, columns: dict[str, Floats]
    ) -> tuple[NDArray[np.int8], Floats | None, float | None]:
        """Make verdicts of scores where there is none, and say which scores are soft scores."""
        graded = verdict >= 0
        has_score = ~np.isnan(score)
        if not graded.any() and not has_score.any():
            raise LoadError(
                self.file,
                Text("no sample has a verdict or a score"),
                Text("Check that the tool has scored its samples."),
                self.place,
            )
        fits = bool(
            (has_score[graded].all()) and ((score[has_score] >= 0) & (score[has_score] <= 1)).all()
        )
        if not graded.any():
            if not fits:
                raise LoadError(
                    self.file,
                    Text(
                        "scores run from {low:g} to {high:g}, and no verdict says which samples "
                        "are right",
                        low=float(np.nanmin(score)),
                        high=float(np.nanmax(score)),
                    ),
                    Text("Give soft scores from 0 to 1, or a column of verdicts."),
                    self.place,
                )
            if np.isin(score[has_score], (0, 1)).all():
                verdict[has_score] = score[has_score]
                return verdict, None, None
            what = Text(
                "No verdict says which samples are correct; a score above {threshold} counts as "
                "correct.",
                threshold=SOLVED_ABOVE,
            )
            self.notes.append(Note(what, self.place, severity="warning"))
            verdict[has_score] = score[has_score] > SOLVED_ABOVE
            return verdict, score, SOLVED_ABOVE
        if not has_score.any() or (fits and np.array_equal(score[graded], verdict[graded])):
            return verdict, None, None
        if fits:
            return verdict, np.where(graded, score, np.nan), None
        columns["score"] = score
        what = Text(
            "Soft scores are not used: some lie outside 0 to 1, or graded samples have none. "
            "They are kept as a measurement."
        )
        self.notes.append(Note(what, self.place, severity="warning"))
        return verdict, None, None

    def _segments(self) -> Iterator[tuple[str, NDArray[np.str_]]]:
        m = self.shape[0]
        for name, words in self.grown.segments.items():
            codes, values = words.all(self.grown.size)
            of_question = np.full(m, -1, np.int32)
            of_question[self.rows[::-1]] = codes[::-1]
            differs = np.unique(self.rows[codes != of_question[self.rows]]).size
            found = segment(self.place, name, of_question, values, differs)
            if isinstance(found, Note):
                self.notes.append(found)
            else:
                yield name, found

    def _unfinished(self) -> dict[str, Labels]:
        found = np.frombuffer(self.grown.thoughts, np.int8)
        return unfinished(self.matrix(found, 0, np.int8)) if (found > PLAIN).any() else {}

    def _labels(self) -> Iterator[tuple[str, Labels]]:
        for name, words in self.grown.labels.items():
            codes, values = words.all(self.grown.size)
            yield name, Labels(self.matrix(codes, -1, np.int32), values)
