"""What pass@k, avg@n and cons@k together advise: the place of a run in the decision matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.analyses.consistency.modal_answers import agreed_questions, share_agreed
from metrics.analyses.guidance.attainable import open_ranges, possible_cells
from metrics.analyses.guidance.decision_matrix import (
    BIAS,
    CELLS,
    DIMENSIONS,
    HIGH,
    LOW,
    PROFILES,
    USE_CASES,
    Cell,
    Dimension,
    Profile,
    UseCase,
    distance,
    level_of,
)
from metrics.analyses.guidance.gaps import Gaps, find_gaps
from metrics.analyses.guidance.targets import Verdict, questions_to_settle, status_of, verdicts
from metrics.analyses.guidance.three_metrics import draw_kinds, metrics_of
from metrics.data.arrays import Integers, Vector
from metrics.data.frames import frame
from metrics.data.inputs import outcome_matrix, require_count, require_share
from metrics.data.outcomes import Missing, Outcomes, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.tally import Tally
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate_entry

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

RESAMPLES = 10_000
_LEAST = 1e-9


@result
class Guidance:
    """The decision matrix of one run.

    Attributes
    ----------
    n : int
        Fewest samples of a question.
    k : int
        Samples drawn.
    voted : bool
        Whether "cons" is cons@n of all samples, rather than maj@k.
    high, low : float
        A level is "high" above the first, "low" below the second, and "medium" otherwise.
    estimates : mapping of {"pass", "avg", "cons"} to Estimate
        For questions like these.
    probability : mapping of Cell to float
        Probabilities of all 27 cells, from joint draws; they sum to 1.
    possible : frozenset of Cell
        The cells that some set of questions can reach.
    cell : Cell
        Where the estimates lie.
    verdicts : tuple of Verdict
    open_ranges : mapping of {"pass", "cons"} to Interval
        What the others could be, given avg alone.
    agreement : Estimate or None
        Share of questions where more than half of the samples agree on an answer, right or wrong;
        None without answers, or where a question has one sample.
    bias : float or None
        Probability that pass and avg are low while agreement is high.
    gaps : Gaps
        What a vote and a check gain over a single try.
    """

    n: int
    k: int
    voted: bool
    high: float
    low: float
    estimates: Mapping[Dimension, Estimate]
    probability: Mapping[Cell, float]
    possible: frozenset[Cell]
    cell: Cell
    verdicts: tuple[Verdict, ...]
    open_ranges: Mapping[Dimension, Interval]
    agreement: Estimate | None
    bias: float | None
    gaps: Gaps

    def to_frame(self) -> DataFrame:
        """Return a row for each cell of the matrix, the likeliest first; needs pandas."""
        cells = sorted(CELLS, key=lambda cell: -self.probability[cell])
        return frame(
            {
                **{name: [cell[i] for cell in cells] for i, name in enumerate(DIMENSIONS)},
                "probability": [self.probability[cell] for cell in cells],
                "possible": [cell in self.possible for cell in cells],
            }
        )

    def label(self, dimension: Dimension) -> str:
        """Return the metric of a dimension with its number, such as "pass@4"."""
        metric = metrics_of(None if self.voted else self.k)[dimension]
        return metric.label(self.k if metric.takes_k else self.n)

    def likely(self, share: float = 0.95) -> tuple[Cell, ...]:
        """Return the fewest cells that hold this share of the draws, the likeliest first."""
        ordered = sorted(CELLS, key=lambda cell: -self.probability[cell])
        total = np.cumsum([self.probability[cell] for cell in ordered])
        return tuple(ordered[: int(np.searchsorted(total, share - 1e-12)) + 1])

    def row(self) -> tuple[Profile, float]:
        """Return the nearest of AISBench's rows, and how far the farthest metric is from it.

        The distance is 0 where the row holds. The row of systematic bias uses agreement in place of
        cons, with which it cannot occur.
        """
        return min(self._rows(), key=lambda found: found[1])

    def _rows(self) -> Iterator[tuple[Profile, float]]:
        for profile in PROFILES:
            each = [self.estimates[dimension] for dimension in DIMENSIONS]
            if profile == BIAS:
                if self.agreement is None:
                    continue
                each[2] = self.agreement
            values = [estimate.value for estimate in each]
            holds = cell_of(values, self.high, self.low) == profile.cell
            far = max(distance(profile.cell, values, self.high, self.low), _LEAST)
            yield profile, 0.0 if holds else far

    def questions(self) -> int | None:
        """Return about how many questions would settle the cell; 0 if the intervals do already.

        A rule of thumb: intervals shrink with the square root of the number of questions. None
        where a value lies on the line between two levels.
        """
        needed = [
            questions_to_settle(each, line)
            for each in self.estimates.values()
            for line in (self.low, self.high)
            if status_of(each, line) == "undecided"
        ]
        known = [count for count in needed if count is not None]
        return max(known, default=0) if len(known) == len(needed) else None


@one_thread()
def guidance(
    data: Any,
    *,
    k: int | None = None,
    high: float = HIGH,
    low: float = LOW,
    scenarios: Sequence[UseCase] = USE_CASES,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    resamples: int = RESAMPLES,
    rng: int = 0,
) -> Guidance:
    """Place a run in AISBench's decision matrix, with the uncertainty of the place.

    Parameters
    ----------
    data : Run, Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed.
    k : int, optional
        Samples drawn for pass@k and maj@k; by default all of the fewest, and cons@n.
    high, low : float
        Lines between the levels, ``0 <= low < high <= 1``; both are themselves medium.
    scenarios : sequence of UseCase
    confidence_level, missing, segment, answers
        As in `estimate`.
    resamples : int
        Joint draws; see ``metrics.intervals.joint_means.joint_means``.
    rng : int
        Their seed.

    Returns
    -------
    Guidance
        About questions like these.

    Raises
    ------
    MetricError
        If an argument is out of range, or k exceeds the samples of a question.

    Examples
    --------
    >>> found = guidance([[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 1, 1]] * 25)
    >>> found.cell, len(found.possible)
    (('high', 'medium', 'medium'), 12)
    >>> [(verdict.scenario.key, verdict.status) for verdict in found.verdicts]
    [('reliability', 'not met'), ('tolerance', 'not met'), ('balanced', 'not met')]
    """
    if not require_share(low, "low") < require_share(high, "high"):
        raise MetricError(Text("low must be below high; got {low} and {high}.", low=low, high=high))
    for limit in (limit for scenario in scenarios for limit in scenario.targets.values()):
        require_share(limit, "target")
    if answers is not None and not isinstance(data, Outcomes | Tally):
        data = Outcomes(outcome_matrix(data, "data"))
    question = Question("population", confidence_level, missing, segment)
    evidence = question.evidence(data, answers)
    estimates = {
        dimension: estimate_entry(metric, evidence, k if metric.takes_k else None, question, {})
        for dimension, metric in metrics_of(k).items()
    }
    drawn_k = evidence.n_min if k is None else k
    agreed = agreed_questions(evidence)
    resamples = require_count(resamples, "resamples")
    drawn = draw_kinds(evidence, k, agreed, resamples=resamples, rng=rng)
    levels = _levels(drawn, high, low)
    samples = evidence.tally.each_n
    return Guidance(
        evidence.n_min,
        drawn_k,
        k is None,
        high,
        low,
        estimates,
        probabilities(drawn, high, low),
        possible_cells(samples, k, high, low),
        cell_of([estimates[dimension].value for dimension in DIMENSIONS], high, low),
        tuple(verdicts(scenarios, estimates, drawn, evidence.n_min)),
        open_ranges(samples, k, estimates["avg"].value),
        None if agreed is None else share_agreed(agreed, evidence.clusters, confidence_level),
        None if agreed is None else float((levels[:, [0, 1, 3]] == [0, 0, 2]).all(axis=1).mean()),
        find_gaps(evidence, drawn_k, drawn, question),
    )


def probabilities(drawn: Vector, high: float, low: float) -> dict[Cell, float]:
    """Return the share of joint draws of pass, avg and cons, shape (B, 3), in each cell."""
    places = _levels(drawn, high, low)[:, :3] @ [9, 3, 1]
    found = np.bincount(places, minlength=len(CELLS)) / len(drawn)
    return dict(zip(CELLS, found.tolist(), strict=True))


def _levels(drawn: Vector, high: float, low: float) -> Integers:
    return np.asarray((drawn > high).astype(int) - (drawn < low) + 1)


def cell_of(values: Sequence[float], high: float, low: float) -> Cell:
    """Return the cell of pass, avg and cons."""
    first, second, third = (level_of(value, high, low) for value in values)
    return first, second, third
