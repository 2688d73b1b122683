"""The part of the data that an estimate rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.counts import NEEDS_SAMPLES, Counts
from metrics.data.duplicates import Copies
from metrics.data.inputs import outcome_matrix, require_shape
from metrics.data.long_tables import columns_of, outcomes_of_table
from metrics.data.outcomes import FAILED, Missing, Outcomes, QuestionIds, Segment
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text

Known = Outcomes | Counts
"""What is known of the samples of a run: each of them, or how many there are."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Data, with the treatment of failed requests and the segment of questions chosen."""

    # What was observed; of a `reports.Run` its outcomes or counts, and its answers unless there are
    # others. Shape (M, N).
    data: Any
    missing: Missing = "wrong"  # What failed requests count as.
    segment: Segment | None = None  # (attribute, label), of Outcomes and Counts only.
    answers: Any = None  # Codes of the extracted answers, for votes by answer. Shape (M, N).

    def __post_init__(self) -> None:
        given = outcomes_or_counts(self.data)
        if isinstance(given, Known) and given is not self.data and self.answers is None:
            answers = None if columns_of(self.data) else self.data.answers
            object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "data", given)
        if self.segment is not None and self.known is None:
            raise MetricError(
                Text("Only Outcomes have segments; got a {got}.", got=type(self.data).__name__)
            )

    @property
    def outcomes(self) -> Outcomes | None:
        """The data, if they are Outcomes."""
        return self.data if isinstance(self.data, Outcomes) else None

    @property
    def grouped(self) -> bool:
        """Whether it is known which samples are of one question."""
        return self.outcomes is None or self.outcomes.grouped

    @property
    def known(self) -> Known | None:
        """The data, if they tell failed requests and segments: Outcomes or Counts."""
        return self.data if isinstance(self.data, Known) else None

    @property
    def sampled(self) -> Outcomes:
        """The data where samples must be known one by one.

        Raises MetricError unless they are Outcomes.
        """
        if self.outcomes is None:
            raise MetricError(NEEDS_SAMPLES)
        return self.outcomes

    @property
    def counts_only(self) -> bool:
        """Whether nothing is known but how many questions have which counts."""
        return isinstance(self.data, Counts | Tally)

    @cached_property
    def tally(self) -> Tally:
        """How many questions have each (n, c)."""
        if self.known is not None:
            return self.known.tally(self.missing, self.segment)
        return Tally.of(self.data, "data")

    @cached_property
    def sizes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of samples n, and how many questions have each; of any outcomes."""
        if isinstance(self.data, Tally):
            return self.data.n, self.data.questions
        if self.known is not None:
            sizes = self.known.sizes(self.missing, self.segment)
            if not len(sizes[0]):
                raise MetricError(Text("There is no question with a gradable sample."))
            return sizes
        shape = outcome_matrix(self.data, "data").shape
        return np.array([shape[1]]), np.array([shape[0]])

    @cached_property
    def n_min(self) -> int:
        """The fewest samples of any question: the largest k that every question supports."""
        return self.data.n_min if isinstance(self.data, Tally) else int(self.sizes[0].min())

    @property
    def clusters(self) -> NDArray[np.intp] | None:
        """Cluster of each question with a gradable sample, 0 … G-1, where questions cluster."""
        if self.outcomes is None or self.outcomes.clusters is None:
            return None
        clusters = self.outcomes.clusters[self.outcomes.members(self.segment)][self._gradable]
        return np.unique(clusters, return_inverse=True)[1].astype(np.intp)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Where in the outcomes the questions with a gradable sample stand."""
        members = self.sampled.members(self.segment)
        return np.arange(self.sampled.shape[0])[members][self._gradable]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the outcomes that were given, with the questions that `matrix` leaves out."""
        return (self.matrix if self.outcomes is None else self.outcomes).shape

    def of_rows(self, given: NDArray[Any]) -> NDArray[Any]:
        """Return the rows that `matrix` has, of what stands beside all questions."""
        return given if self.outcomes is None else given[self.rows]

    def only(self, rows: NDArray[np.intp]) -> Evidence:
        """Return the evidence of some questions, in this order, and of no segment."""
        data = self.sampled
        part = Outcomes(
            data.correct[rows],
            None if data.scores is None else data.scores[rows],
            data.questions.take(rows),
            clusters=None if data.clusters is None else data.clusters[rows],
            texts=None if data.texts is None else data.texts[rows],
            tokens=None if data.tokens is None else data.tokens[rows],
        )
        answers = None if self.answers is None else np.asarray(self.answers)[rows]
        return Evidence(part, self.missing, answers=answers)

    @property
    def copies(self) -> Copies | None:
        """What repeats itself among the samples; None where there is no sign."""
        return None if self.outcomes is None else self.outcomes.copies

    @property
    def ids(self) -> QuestionIds:
        """Ids of the questions with a gradable sample."""
        if self.outcomes is None:
            return QuestionIds(range(len(self.matrix)))
        members = np.arange(len(self.outcomes.questions))[self.outcomes.members(self.segment)]
        return QuestionIds(self.outcomes.questions.take(members[self._gradable]))

    @property
    def each_question(self) -> Tally:
        """The tally with a row for each question, in order, to go with `clusters`."""
        n, c = (counts[self._gradable] for counts in self._counts)
        return Tally(n, c, np.ones(len(n), dtype=np.int64))

    @property
    def binary(self) -> bool:
        """Whether outcomes are right or wrong; counts and plain matrices always are."""
        return self.outcomes is None or bool(self.outcomes.correct.max() <= 1)

    @property
    def matrix(self) -> NDArray[Any]:
        """Verdicts or categories of each gradable question, shape (M, N); negative: missing."""
        if isinstance(self.data, Tally):
            raise MetricError(
                Text("This needs the outcome of each sample; a tally has counts only.")
            )
        if self.outcomes is None:
            return outcome_matrix(self.data, "data")
        block = np.array(self.outcomes.correct[self.outcomes.members(self.segment)])
        replacement = {"wrong": 0, "omit": -1, "right": 1}[self.missing]
        block[block == -1] = replacement
        return block[(block >= 0).any(axis=1)]

    @cached_property
    def soft(self) -> Vector | None:
        """Soft scores of each gradable question, shape (M, N); NaN: missing. None without any."""
        if self.outcomes is None or self.outcomes.scores is None:
            return None
        members = self.outcomes.members(self.segment)
        scores = self.outcomes.scores[members]
        if self.outcomes.complete:
            return scores
        if self.missing != "omit":
            failed = self.outcomes.correct[members] == FAILED
            scores = np.where(failed, 0.0 if self.missing == "wrong" else 1.0, scores)
        graded = self.outcomes.samples(self.missing, self.segment) > 0
        return scores if graded.all() else scores[graded]

    @property
    def votes(self) -> NDArray[Any] | None:
        """Answer codes that go with `matrix`, -1 where a sample is missing. None without any."""
        if self.answers is None:
            return None
        verdicts = self.matrix if self.outcomes is None else self.outcomes.correct
        codes = answer_codes(self.answers, verdicts)
        if self.outcomes is None:
            return codes
        members = self.outcomes.members(self.segment)
        floor = 0 if self.missing == "omit" else -1
        return codes[members][(verdicts[members] >= floor).any(axis=1)]

    @cached_property
    def _counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.sampled.counts(self.missing, self.segment)

    @property
    def _gradable(self) -> NDArray[np.bool_]:
        return np.asarray(self.sampled.samples(self.missing, self.segment) > 0)


def fewest_samples(runs: Iterable[Any], missing: Missing, segment: Segment | None = None) -> int:
    """Return the fewest samples of any question of any run: the largest k that all support."""
    return min(Evidence(run, missing, segment).n_min for run in runs)


def scores_as_outcomes(data: Any) -> Any:
    """Return outcomes of a plain array of soft scores; else the data."""
    held = outcomes_or_counts(data)
    return data if isinstance(held, Known | Tally) else Outcomes(scores=held)


def outcomes_or_counts(data: Any) -> Any:
    """Return the outcomes or counts of what has some, as a `reports.Run`; else the data.

    Of a long table its outcomes; one that is a plain matrix stays one.
    """
    if (names := columns_of(data)) is not None:
        outcomes = outcomes_of_table(data, names)
        return data if outcomes is None else outcomes
    held = getattr(data, "outcomes", data)
    if held is None and data is not None:
        held = getattr(data, "counts", None)
        if held is None:
            raise MetricError(Text("This run has no outcomes; its notes say how to get them."))
    return held if isinstance(held, Known) else data


def answer_codes(answers: Any, verdicts: NDArray[Any]) -> NDArray[Any]:
    """Return codes of answers of the shape of the verdicts, negative where a sample is missing."""
    codes = outcome_matrix(answers, "answers")
    require_shape("answers", codes.shape, verdicts.shape)
    if codes.dtype.kind != "i":
        codes = codes.astype(np.int64)
    return np.where(verdicts < 0, -1, codes)
