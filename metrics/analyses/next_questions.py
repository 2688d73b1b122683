r"""Which questions to run next, for the narrowest difference of two models.

Earlier runs on all M questions, such as those of the versions before, foretell the difference
:math:`f_i` of each question and how far off that may be, :math:`u_i`. A question is drawn with the
chance :math:`\pi_i`, half of it even and half in proportion to :math:`u_i`. With the results
:math:`y_i` of the drawn ones,

.. math::
    z_i = \lambda f_i + \frac{\xi_i}{\pi_i} (y_i - \lambda f_i), \qquad
    \hat\theta = \frac{1}{M} \sum_i z_i, \qquad \xi_i = 1 \text{ if drawn, else } 0

is unbiased however wrong the earlier runs are [1]_; :math:`\lambda` from 0 to 1 makes it as precise
as they are worth [2]_.

References
----------
.. [1] T. Zrnic and E. J. Candès, "Active statistical inference", ICML 2024, arXiv:2403.03208.
.. [2] A. N. Angelopoulos, J. C. Duchi and T. Zrnic, "PPI++: efficient prediction-powered
   inference", 2023, arXiv:2311.01453.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit

from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import frame
from metrics.data.inputs import require_count, require_level
from metrics.data.outcomes import Missing, QuestionIds, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.difficulties.fits import expected_rates
from metrics.estimating.caveats import few_questions_caveats
from metrics.intervals.korn_graubard import variance_of_mean

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

EVEN = 0.5
"""The share of the budget that is spread evenly, so that no question counts for too much."""
_BOUNDS = Interval(-1.0, 1.0)


@result
class NextQuestions:
    """The questions to run next, and what is needed to estimate a difference from them.

    Attributes
    ----------
    questions : QuestionIds
        All M of them.
    chance : float array, shape (M,)
        The chance with which each was drawn.
    foretold : float array, shape (M,)
        How much more often b is right than a, by the earlier runs.
    drawn : bool array, shape (M,)
        Which are to be run.
    clusters : int array, shape (M,), or None
        Which of them belong together.
    """

    questions: QuestionIds
    chance: Vector
    foretold: Vector
    drawn: Flags
    clusters: Integers | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The questions to run."""
        return tuple(self.questions.take(np.flatnonzero(self.drawn)))

    def to_frame(self) -> DataFrame:
        """Return a row for each question; needs pandas."""
        return frame(
            {
                "question_id": list(self.questions),
                "chance": self.chance,
                "foretold": self.foretold,
                "drawn": self.drawn,
            }
        )

    def difference(
        self, a: Any, b: Any, *, missing: Missing = "wrong", confidence_level: float = 0.95
    ) -> Estimate:
        """Estimate how much more often b is right than a, from new samples of the drawn questions.

        Parameters
        ----------
        a, b : Run, Outcomes or table
            Results of the drawn questions by their ids; those of others do not count.
        missing, confidence_level
            As in `estimate`.

        Returns
        -------
        Estimate
            b − a for questions like these, from -1 to 1.

        Raises
        ------
        MetricError
            If a drawn question has no result.
        """
        level = require_level(confidence_level)
        sides = Sides.of(a, b, Question(missing=missing))
        rows = np.flatnonzero(self.drawn)
        places = sides.a.ids.places(self.questions.take(rows))
        if lacking := int((places < 0).sum()):
            raise MetricError(
                Text(
                    "{count} of {all} drawn questions does not have a result of both runs.",
                    "{count} of {all} drawn questions do not have a result of both runs.",
                    count=lacking,
                    all=len(rows),
                )
            )
        one, other = (_rates(side)[places] for side in sides.both)
        return self._estimate(rows, other - one, level)

    def _estimate(self, rows: Integers, values: Vector, level: float) -> Estimate:
        m, chance = len(self.chance), self.chance[rows]
        weighed, control = np.zeros(m), self.foretold.copy()
        weighed[rows] = values / chance
        control[rows] -= self.foretold[rows] / chance
        spread = control.var()
        weight = float(np.clip(-np.cov(weighed, control)[0, 1] / spread, 0, 1)) if spread else 0.0
        each = weighed + weight * control
        off = np.abs(values - weight * self.foretold[rows]) / chance
        farthest = off.max() or 1 / self.chance.min()
        variance = float(variance_of_mean(each, np.ones(m, dtype=np.int64), self.clusters))
        variance += farthest**2 / (m * (m - 1))
        reach = float(stdtrit(max(len(rows) - 1, 1), (1 + level) / 2)) * variance**0.5
        value, low, high = np.clip(each.mean() + np.array([0, -reach, reach]), *_BOUNDS).tolist()
        return Estimate(
            value,
            Interval(low, high),
            level,
            "population",
            m,
            _method(weight),
            tuple(few_questions_caveats(len(rows))),
            bounds=_BOUNDS,
        )


def next_questions(
    a: Any,
    b: Any,
    budget: int,
    *,
    samples: int | None = None,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    rng: int | np.random.Generator = 0,
) -> NextQuestions:
    """Choose which questions to run next, for the narrowest difference of two models.

    Questions on which earlier runs leave open how the models fare are drawn more often. This helps
    most where most questions are nearly always solved, or hopeless.

    Parameters
    ----------
    a, b : Run, Outcomes, table or array_like of 0/1, shape (M, N)
        Earlier runs on the same questions that predict how the two models will fare, such as those
        of earlier versions or of a cheaper judge. They are not part of the difference: for runs of
        the same two models, `compare` uses all samples and says more.
    budget : int
        How many questions to run; below M.
    samples : int, optional
        New samples of each question; by default as many as the earlier runs have at least.
    missing, segment
        As in `estimate`.
    rng : int or Generator
        Seed of the draw.

    Returns
    -------
    NextQuestions
        With ``ids`` to run and ``difference`` to estimate from their results.

    Raises
    ------
    MetricError
        If the runs share fewer than two questions, or no more than the budget.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> rate = rng.choice([0.02, 0.5, 0.98], (500, 1))
    >>> before = [(rng.random((500, 4)) < rate).astype(int) for _ in "ab"]
    >>> chosen = next_questions(*before, budget=60, rng=2)
    >>> len(chosen.ids), float(chosen.chance.sum().round(9))
    (60, 60.0)
    >>> now = [(rng.random((500, 4)) < np.minimum(rate + up, 1)).astype(int) for up in (0, 0.1)]
    >>> low, high = chosen.difference(*now).interval
    >>> round(low, 2), round(high, 2)
    (-0.0, 0.14)
    """
    sides = Sides.of(a, b, Question(missing=missing, segment=segment))
    questions, m = QuestionIds(sides.a.ids), len(sides.a.ids)
    wanted = require_count(budget, "budget")
    if m < 2 or wanted >= m:
        raise MetricError(
            Text(
                "There are {count} questions to choose from; a budget of {budget} leaves no "
                "choice.",
                count=m,
                budget=wanted,
            )
        )
    drawn = sides.n_min if samples is None else require_count(samples, "samples")
    (one, of_one), (other, of_other) = (_foretold(side, drawn) for side in sides.both)
    chance = _chances(np.sqrt(of_one + of_other), wanted)
    picked = _draw(chance, np.random.default_rng(rng))
    return NextQuestions(questions, chance, other - one, picked, sides.clusters)


def _rates(side: Evidence) -> Vector:
    tally = side.each_question
    return np.asarray(tally.c / tally.n)


def _foretold(side: Evidence, samples: int) -> tuple[Vector, Vector]:
    """Return the rate foretold of each question, and the variance of that of new samples."""
    tally = side.each_question
    mean, square = expected_rates(side.tally, tally.n, tally.c)
    return mean, square - mean**2 + (mean - square) / samples


def _chances(off: Vector, budget: int) -> Vector:
    """Return chances that sum to the budget, none above 1."""
    wanted = EVEN / len(off) + (1 - EVEN) * off / off.sum()
    chance, free = np.ones(len(off)), np.ones(len(off), dtype=bool)
    while True:
        chance[free] = (budget - (~free).sum()) * wanted[free] / wanted[free].sum()
        over = free & (chance > 1)
        if not over.any():
            return chance
        chance[over], free = 1, free & ~over


def _method(weight: float) -> Text:
    return Text(
        "Active inference: the predicted difference of every question, weighted by "
        "{weight:.2f}, plus how far the drawn questions differ from it, divided by their "
        "chances; Student's t with one question added that is as far off as any.",
        weight=weight,
    )


def _draw(chance: Vector, random: np.random.Generator) -> Flags:
    """Draw as many questions as the chances sum to: in steps of 1 along their shuffled sums."""
    order, budget = random.permutation(len(chance)), round(float(chance.sum()))
    sums = np.minimum(np.cumsum(chance[order]), budget)
    sums[-1] = budget
    passed = np.floor(sums + random.random())
    drawn = np.zeros(len(chance), dtype=bool)
    drawn[order] = np.diff(passed, prepend=0.0) > 0
    return drawn
