"""How many questions of a run are lost, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from metrics import QuestionStatistics
from metrics.data.arrays import Integers, Vector


@dataclass(frozen=True)
class Losses:
    """Questions of a run, counted."""

    asked: int  # With a sample.
    # never, majority_wrong, confidently_wrong: As `metrics.QuestionStatistics` has them.
    never: int
    majority_wrong: int
    confidently_wrong: int
    right: int
    most: int  # The most samples of a question.

    @classmethod
    def of(cls, statistics: QuestionStatistics, questions: Integers) -> Losses:
        """Count rows of questions, each of which stands for so many.

        Examples
        --------
        >>> three = np.array([4, 4, 4]), np.array([0, 1, 4]), np.zeros(3, int)
        >>> Losses.of(QuestionStatistics(*three), np.array([5, 6, 7])).majority_wrong
        6
        """
        return cls(
            int(questions[statistics.n > 0].sum()),
            int(questions[statistics.never_right].sum()),
            int(questions[statistics.majority_wrong].sum()),
            int(questions[statistics.confidently_wrong()].sum()),
            int(statistics.c @ questions),
            int(statistics.n.max(initial=0)),
        )

    @property
    def share(self) -> float:
        """The share of questions that are solvable but lost by a vote."""
        return self.majority_wrong / self.asked if self.asked else 0.0


class CountedQuestions(Protocol):
    """The questions of a run, whether they are listed here or elsewhere."""

    @property
    def key(self) -> str:
        """The run's name."""

    @property
    def losses(self) -> Losses:
        """How many are lost."""


def share_right(statistics: QuestionStatistics) -> Vector:
    """Return the share of right samples of each question; NaN without any sample."""
    n, c = statistics.n, statistics.c
    return np.asarray(np.divide(c, n, out=np.full(len(n), np.nan), where=n > 0))
