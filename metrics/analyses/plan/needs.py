"""Questions against samples: what each takes, and what a bill pays for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.frames import Rows
from metrics.data.inputs import require_count, require_finite, require_positive
from metrics.data.shown import result
from metrics.data.words import MetricError, Text

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Bill:
    """What a comparison may cost, and its prices.

    Attributes
    ----------
    total : float
    question, sample : float
        What one costs; every question is sampled in both runs.

    Examples
    --------
    >>> Bill(100.0, question=1.0, sample=0.25).questions(2)
    50
    """

    total: float
    question: float = 0.0
    sample: float = 1.0

    def __post_init__(self) -> None:
        require_positive(self.total, "total")
        if require_finite(self.question, "question") < 0:
            raise MetricError(Text("question must be 0 or more; got {got:g}.", got=self.question))
        require_positive(self.sample, "sample")

    def price(self, samples: int) -> float:
        """Return what a question costs with this many samples in each run."""
        return self.question + 2 * require_count(samples, "samples") * self.sample

    def questions(self, samples: int) -> int:
        """Return how many questions it pays for, with this many samples in each run."""
        return int(self.total / self.price(samples) * (1 + _ROUNDING))


class Split(NamedTuple):
    """How a bill is best split.

    Attributes
    ----------
    samples, questions : int
        Samples of each question in each run.
    smallest : float or None
        The smallest difference that they show with the planned power; None if there is none.
    """

    samples: int
    questions: int
    smallest: float | None


@result
class Needs(Rows):
    """What each number of samples shows, and the questions that it needs; NaN where there is none.

    Attributes
    ----------
    samples : int array, shape (S,)
        Of each question in each run.
    smallest : float array, shape (S,)
        The smallest difference that the pilot's questions show.
    questions, questions_for_width : float array, shape (S,), or None
        Questions that show the difference, and that make the interval as narrow, as requested.
    affordable, smallest_affordable : float array, shape (S,), or None
        Questions that the bill pays for, and the smallest difference that they show.
    """

    samples: NDArray[np.int64]
    smallest: Vector
    questions: Vector | None = None
    questions_for_width: Vector | None = None
    affordable: Vector | None = None
    smallest_affordable: Vector | None = None
