"""The questions of a run under a View, and what is known about each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kofn.choices.runs import outcomes_of
from kofn.choices.signals import column_of, default_signal, numbers_of
from kofn.choices.view import View
from kofn.questions.losses import Losses, share_right
from metrics import QuestionStatistics, question_statistics
from metrics.analyses.soft_vs_hard.thresholds import harden
from metrics.data.arrays import Flags, Vector
from metrics.data.evidence import Evidence
from metrics.data.outcomes import ABSENT, FAILED, Missing, Outcomes, QuestionIds
from metrics.data.packed_texts import PackedTexts
from metrics.data.tally import row_counts
from metrics.data.words import printable
from metrics.scoring.soft import mean_scores
from reports.readings.audit import audit
from reports.run.finish_reasons import State
from reports.run.report import Run

Cells = Callable[[], NDArray[Any]]
"""Those of a column, made when they are asked for."""

STRIP = "_!.#"
"""A sample in a strip of text: never asked, failed, wrong, right."""
TOKENS = "tokens_out"
"""The measurement that is listed, as a mean over the samples of a question."""


class Known(NamedTuple):
    """What is computed of M questions."""

    rows: NDArray[np.intp]  # Where they are in the outcomes. Shape (M,).
    statistics: QuestionStatistics
    soft: Vector | None  # Mean soft score, NaN where nothing is graded. Shape (M,).
    # Whether a sample's verdict is not what its soft score says; None without such scores. Shape
    # (M,).
    disputed: Flags | None
    missing: Missing  # What failed requests count as.


@dataclass(frozen=True, eq=False)
class RunQuestions:
    """The M questions of a run under a View, in the order of the file."""

    key: str
    run: Run
    known: Known
    # What picks one of the samples of a question; empty for the first column that may.
    signal: str = ""

    @property
    def outcomes(self) -> Outcomes:
        """Those of the run."""
        return outcomes_of(self.run)

    @cached_property
    def ids(self) -> QuestionIds:
        """The id of each question."""
        questions, rows = self.outcomes.questions, self.known.rows
        return questions if len(rows) == len(questions) else QuestionIds(questions.take(rows))

    @cached_property
    def names(self) -> PackedTexts:
        """The id of each question as it is shown and linked to: `printable`."""
        if all(map(str.isprintable, self.ids)):
            return self.ids
        return PackedTexts(map(printable, self.ids))

    @cached_property
    def right(self) -> Vector:
        """The share of right samples of each question; NaN without any sample."""
        return share_right(self.known.statistics)

    @cached_property
    def losses(self) -> Losses:
        """How many are lost, and to what."""
        return Losses.of(self.known.statistics, np.ones(len(self.known.rows), dtype=np.int64))

    @cached_property
    def gap(self) -> Vector | None:
        """Soft minus hard accuracy of each question; None without soft scores."""
        soft = self.known.soft
        return (
            None if soft is None else np.where(np.isclose(soft, self.right), 0, soft - self.right)
        )

    @property
    def readings(self) -> NDArray[np.int8] | None:
        """What the texts say of the verdicts, as `reports.audit` has it; None if not read yet."""
        return audit(self.run).codes[self.known.rows] if self.run.audited.known else None

    @cached_property
    def lost(self) -> Flags | None:
        """Whether some sample is right, but no more than half of those that the signal picks.

        None without a signal.
        """
        name = self.signal or default_signal(self.run)
        if column_of(self.run, name) not in self.run.columns:
            return None
        rows, missing = self.known.rows, self.known.missing
        verdicts, signal = self.outcomes.correct[rows], numbers_of(self.run, name)[rows]
        held = verdicts >= (0 if missing == "omit" else FAILED)
        right = (verdicts == 1) | ((verdicts == FAILED) & (missing == "right"))
        signal = np.where(held & ~np.isnan(signal), signal, -np.inf)
        best = held & (signal == signal.max(axis=1, keepdims=True))
        wrong = 2 * (best & right).sum(axis=1) <= best.sum(axis=1)
        return np.asarray((self.known.statistics.c > 0) & wrong)

    @cached_property
    def columns(self) -> Mapping[str, Cells]:
        """What a list can be ordered by: values of shape (M,), made when asked for."""
        statistics = self.known.statistics
        made: dict[str, Cells] = {
            "question": lambda: np.array(self.names, dtype=object),
            "right": lambda: self.right,
            "c": lambda: statistics.c,
            "n": lambda: statistics.n,
            "failed": lambda: statistics.failed,
        }
        if (soft := self.known.soft) is not None and (gap := self.gap) is not None:
            made |= {"soft": lambda: soft, "gap": lambda: gap}
        if (modes := statistics.agreement) is not None and (
            modal := statistics.modal_right
        ) is not None:
            if self.run.answer_labels is not None:
                made["answer"] = lambda: np.array(list(self._labels()), dtype=object)
            made["agreed"] = lambda: modes.share
            made["answer_right"] = lambda: modal
        if (cut := self.ended("cut")) is not None:
            made["cut"] = lambda: cut
        if (none := self.ended("no answer")) is not None:
            made["no_answer"] = lambda: none
        if TOKENS in self.run.columns:
            made[TOKENS] = self._tokens
        segments = self.outcomes.segments
        return made | {
            f"segment.{printable(name)}": partial(self._segment, name) for name in segments
        }

    def ended(self, state: State) -> NDArray[np.int64] | None:
        """Return how many samples of each question are in a state; None where no file tells."""
        states = self.run.states
        if states is None or not states.told.get(state, 0):
            return None
        return row_counts(states.of(state, self.known.rows))

    def places(self, other: RunQuestions) -> NDArray[np.intp]:
        """Return where another run has each of these questions, -1 where it has not."""
        if other.ids == self.ids:
            return np.arange(len(self.ids))
        return other.ids.places(self.ids)

    def marks(self, chosen: NDArray[np.intp]) -> Vector:
        """Return the samples of some questions as numbers, shape (m, N).

        A right sample is its score, or 1; a wrong one what it lacks of 1, below 0; a failed one 0;
        NaN where nothing was asked.
        """
        rows = self.known.rows[chosen]
        verdicts = self.outcomes.correct[rows]
        scores = verdicts if self.outcomes.scores is None else self.outcomes.scores[rows]
        marks = np.where(verdicts == 1, scores, scores - 1.0)
        marks[verdicts == FAILED] = 0.0
        marks[verdicts == ABSENT] = np.nan
        return marks

    def strips(self, chosen: NDArray[np.intp]) -> list[str]:
        """Return the samples of some questions as text, a letter of `STRIP` each."""
        marks = np.frombuffer(STRIP.encode(), dtype=np.uint8)
        verdicts = self.outcomes.correct[self.known.rows[chosen]]
        letters = np.ascontiguousarray(marks[np.minimum(verdicts, 1) + 2])
        strips: list[str] = letters.view(f"S{letters.shape[1]}")[:, 0].astype(str).tolist()
        return strips

    def _labels(self) -> Iterator[str | None]:
        modes, labels = self.known.statistics.agreement, self.run.answer_labels
        assert modes is not None
        assert labels is not None
        yield from (None if code < 0 else labels[code] for code in modes.answer.tolist())

    def _segment(self, name: str) -> NDArray[Any]:
        return self.outcomes.segments[name][self.known.rows].astype(object)

    def _tokens(self) -> Vector:
        tokens = self.run.columns[TOKENS][self.known.rows].astype(np.float64)
        counted = np.isfinite(tokens).sum(axis=1)
        return _ratio(np.nansum(tokens, axis=1), counted)


def run_questions(key: str, run: Run, view: View, signal: str = "") -> RunQuestions:
    """Find out what is known of the questions of a run, and what a signal picks of them."""
    return RunQuestions(key, run, known_questions(run, view), signal)


def known_questions(run: Run, view: View) -> Known:
    """Compute what a list of questions rests on; see `run_questions`."""
    outcomes = outcomes_of(run)
    every = np.arange(len(outcomes.questions))[outcomes.members(view.segment)]
    statistics = question_statistics(
        outcomes, run.answers, missing=view.missing, segment=view.segment
    )
    soft = disputed = None
    scores = Evidence(outcomes, view.missing, view.segment).soft
    if scores is not None:
        soft = np.full(len(every), np.nan)
        soft[statistics.n > 0] = mean_scores(scores)
        if run.threshold is not None:
            hard = harden(outcomes, run.threshold, run.strict)
            disputed = (hard.correct != outcomes.correct)[every].any(axis=1)
    return Known(every, statistics, soft, disputed, view.missing)


def comparable(runs: Mapping[str, Run], view: View, key: str, first: str = "") -> tuple[str, ...]:
    """Return the runs that a View shows beside another: those of its dataset with verdicts.

    key: The run itself, which is not among them.
    first: Which of them comes first.
    """
    others = [
        other
        for other, run in runs.items()
        if other != key
        and run.outcomes is not None
        and run.dataset == runs[key].dataset
        and other in ({*view.runs, first} if view.runs else runs)
    ]
    return tuple(sorted(others, key=lambda other: other != first))


def _ratio(total: NDArray[Any], counted: NDArray[Any]) -> Vector:
    return np.asarray(np.divide(total, counted, out=np.full(len(total), np.nan), where=counted > 0))
