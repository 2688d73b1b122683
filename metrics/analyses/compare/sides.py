"""Two runs side by side, on the questions that both answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.counts import Counts
from metrics.data.evidence import Evidence, Known, outcomes_or_counts
from metrics.data.inputs import outcome_matrix
from metrics.data.joint_counts import JointCounts
from metrics.data.joint_tally import JointTally
from metrics.data.outcomes import Missing, Outcomes, Segment
from metrics.data.question import Question
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.scoring.scores import QuestionScores

DIGITS = 12
"""After which two scores of a question are the same."""


@dataclass(frozen=True, eq=False)
class Sides:
    """What two runs show, question by question where they are paired."""

    # a, b: Of the shared questions in one order, or of all where they are not paired.
    a: Evidence
    b: Evidence
    paired: bool
    dropped: int = 0  # Questions that only one of them has.
    joint: JointTally | None = None  # What they are the two sides of, where only counts were given.

    @classmethod
    def of(cls, a: Any, b: Any, question: Question, same_questions: bool = True) -> Sides:
        """Match two runs by the ids of their questions, or take what counts both in their place."""
        if isinstance(a, JointTally | JointCounts) != (b is None):
            raise MetricError(Text("Give two runs, or one JointTally of both."))
        if isinstance(a, JointCounts):
            return cls._joined(a, question.missing)
        if isinstance(a, JointTally):
            first, second = (question.evidence(side) for side in (a.a, a.b))
            return cls(first, second, paired=True, joint=a)
        first, second = (question.evidence(with_row_ids(each)) for each in (a, b))
        return cls.of_both((a, b), (first, second), same_questions)

    @classmethod
    def of_both(
        cls, given: tuple[Any, Any], sides: tuple[Evidence, Evidence], same_questions: bool
    ) -> Sides:
        """Match two runs by the ids of their questions, from what they were given as."""
        _require_like_rows(given, sides)
        if not same_questions:
            return cls(*sides, paired=False)
        joint = _counted_where_they_are(*given, sides[0].segment)
        if joint is not None and joint.shared(sides[0].missing):
            return cls._joined(joint, sides[0].missing)
        return _matched(*sides)

    @classmethod
    def _joined(cls, counts: JointCounts, missing: Missing) -> Sides:
        joint = counts.tally(missing)
        return cls(Evidence(joint.a), Evidence(joint.b), True, counts.dropped(missing), joint)

    @property
    def both(self) -> tuple[Evidence, Evidence]:
        """A and b."""
        return self.a, self.b

    @property
    def counts_only(self) -> bool:
        """Whether of either it is not known which question is which."""
        return any(side.counts_only for side in self.both)

    @property
    def n_min(self) -> int:
        """The fewest samples of a question in either."""
        return min(side.n_min for side in self.both)

    @property
    def clusters(self) -> NDArray[np.intp] | None:
        """Cluster of each question where either says so."""
        if self.joint is not None:
            return None
        return next((c for side in self.both if (c := side.clusters) is not None), None)

    @property
    def counts(self) -> JointTally:
        """How many questions have each joint counts."""
        if self.joint is not None:
            return self.joint
        a, b = self.a.each_question, self.b.each_question
        return JointTally.of_questions(a.n, a.c, b.n, b.c)

    @property
    def questions(self) -> NDArray[np.int64]:
        """How many questions each row of `rows` stands for."""
        if self.joint is not None:
            return self.joint.questions
        return np.ones(len(self.a.rows), dtype=np.int64)

    def rows(self, scores: QuestionScores, side: Evidence) -> Vector:
        """Return the scores of a side, row by row as `questions`."""
        return scores.values if self.joint is not None else scores.each_question(side).values

    def gained(self, scores: tuple[QuestionScores, QuestionScores]) -> Vector:
        """Return by how much b scores more than a, row by row as `questions`."""
        a, b = (self.rows(part, side) for part, side in zip(scores, self.both, strict=True))
        return np.asarray(np.round(b - a, DIGITS))

    @property
    def mixed_samples(self) -> bool:
        """Whether a question has more than one sample in either."""
        return any(int(side.sizes[0].max()) > 1 for side in self.both)


def with_row_ids(data: Any) -> Any:
    """Return arrays as Outcomes, whose questions are called by their rows."""
    given = outcomes_or_counts(data)
    if isinstance(given, Known | Tally):
        return data
    return Outcomes(outcome_matrix(given, "data"))


def _counted_where_they_are(a: Any, b: Any, segment: Segment | None) -> JointCounts | None:
    """Ask for joint counts where both runs have counts alone and, as a `reports.Run`, can ask."""
    if not all(
        isinstance(outcomes_or_counts(each), Counts) and hasattr(each, "joint") for each in (a, b)
    ):
        return None
    joint: JointCounts | None = a.joint(b, segment)
    return joint


def _require_like_rows(given: tuple[Any, Any], sides: tuple[Evidence, Evidence]) -> None:
    rows = [side.outcomes.shape[0] for side in sides if side.outcomes is not None]
    named = [isinstance(outcomes_or_counts(each), Outcomes) for each in given]
    if len(set(rows)) > 1 and not all(named):
        raise MetricError(
            Text(
                "One has {a} questions, the other {b}, and it is unknown which are the same. "
                "Give Outcomes with ids of the questions.",
                a=rows[0],
                b=rows[1],
            )
        )


def on_the_same(a: Evidence, b: Evidence) -> bool:
    """Whether both have a row for each of the same questions, in one order and like clusters."""
    if a.outcomes is None or b.outcomes is None:
        return False
    if not (a.outcomes.grouped and b.outcomes.grouped):
        return False
    if not np.array_equal(a.rows, b.rows) or a.outcomes.questions != b.outcomes.questions:
        return False
    ours, theirs = a.clusters, b.clusters
    if ours is None or theirs is None:
        return ours is theirs
    return np.array_equal(ours, theirs)


def _matched(a: Evidence, b: Evidence) -> Sides:
    """Return both on the questions that they share, in one order."""
    if a.outcomes is None or b.outcomes is None:
        return Sides(a, b, paired=False)
    if not (a.outcomes.grouped and b.outcomes.grouped):
        return Sides(a, b, paired=False)
    ids, others = a.outcomes.questions, b.outcomes.questions
    places = others.places(ids)
    rows, graded = a.rows, np.zeros(len(others) + 1, dtype=bool)
    graded[b.rows] = True
    shared = rows[graded[places[rows]]]
    if not len(shared):
        return Sides(a, b, paired=False)
    dropped = len(rows) + len(b.rows) - 2 * len(shared)
    if not dropped and ids == others:
        return Sides(a, b, paired=True)
    return Sides(a.only(shared), b.only(places[shared]), True, dropped)
