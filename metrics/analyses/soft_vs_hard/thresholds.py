"""From soft scores to right or wrong: by one threshold, and by every threshold.

Scores are compared to nine decimals, so that 0.6 added up in two ways is one score.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence, outcomes_or_counts
from metrics.data.frames import Rows, frame, vectors
from metrics.data.inputs import require_share
from metrics.data.outcomes import ABSENT, FAILED, Missing, Outcomes, Segment
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.shown import result
from metrics.data.tally import Tally, row_counts
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate_entry
from metrics.scoring.registry import METRICS
from metrics.scoring.soft import soft_matrix

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

NO_SCORES = Text(
    "There are no soft scores; every verdict is right or wrong, so soft and hard accuracy are "
    "identical by construction."
)
THRESHOLDS = 100
"""The most thresholds of a sweep."""
_DECIMALS = 9


@result
class Band(Rows):
    """Hard accuracy and its (pointwise) interval at each threshold: float arrays, shape (T,)."""

    value: Vector
    low: Vector
    high: Vector

    def __post_init__(self) -> None:
        for array in (self.value, self.low, self.high):
            array.flags.writeable = False


@result
class Sweep:
    """Hard accuracy by threshold.

    Attributes
    ----------
    threshold : float array, shape (T,)
        The distinct scores, ascending; between two of them nothing changes.
    above : Band
        Where a score must exceed the threshold, ``>``.
    reached : Band
        Where it must reach the threshold, ``>=``.
    complete : bool
        Whether ``threshold`` holds every distinct score, rather than some spread evenly over them.
    """

    threshold: Vector
    above: Band
    reached: Band
    complete: bool

    def __post_init__(self) -> None:
        self.threshold.flags.writeable = False

    def to_frame(self) -> DataFrame:
        """Return a row for each threshold; needs pandas."""
        above, reached = (vectors(band).items() for band in (self.above, self.reached))
        return frame(
            {
                "threshold": self.threshold,
                **{f"above_{name}": each for name, each in above},
                **{f"reached_{name}": each for name, each in reached},
            }
        )

    def at(self, threshold: float, strict: bool = True) -> float:
        """Return hard accuracy at any threshold; exact where the sweep is complete."""
        values = np.append(self.reached.value, self.above.value[-1])
        mark = round(threshold, _DECIMALS)
        return float(values[np.searchsorted(self.threshold, mark, "right" if strict else "left")])


def threshold_sweep(
    scores: Any,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Sweep:
    """Estimate hard accuracy at every threshold between wrong and right.

    Parameters
    ----------
    scores : Run or Outcomes with scores, or array_like of float, shape (M, N)
        Soft scores in [0, 1]; NaN marks a missing sample, which does not count.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Sweep
        At most 100 of them. Each value and interval is that of avg@n of the verdicts
        which the threshold gives.

    Examples
    --------
    >>> sweep = threshold_sweep([[0.6, 0.4, 0.6], [1.0, 0.4, 0.0]])
    >>> sweep.threshold.tolist()
    [0.0, 0.4, 0.6, 1.0]
    >>> sweep.above.value.round(3).tolist(), sweep.reached.value.round(3).tolist()
    ([0.833, 0.5, 0.167, 0.0], [1.0, 0.833, 0.5, 0.167])
    """
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(scored_outcomes(scores))
    graded, clusters = graded_scores(evidence), evidence.clusters
    samples = row_counts(graded == graded)
    levels = np.unique(graded[np.isfinite(graded)])
    chosen = np.arange(len(levels))
    if len(levels) > THRESHOLDS:
        chosen = np.linspace(0, len(levels) - 1, THRESHOLDS).round().astype(int)
    lowest_right = np.append(levels, np.inf)
    needed = np.union1d(chosen, chosen + 1)

    def accuracy(lowest: float) -> tuple[float, float, float]:
        right = graded >= lowest
        data: Tally | Outcomes = Tally.of_questions(samples, row_counts(right))
        if clusters is not None:
            data = Outcomes(np.where(graded == graded, right, ABSENT), clusters=clusters)
        accuracies = estimate_entry(METRICS["avg@n"], Evidence(data), None, question, {})
        assert accuracies.interval is not None
        return accuracies.value, *accuracies.interval

    accuracies = np.array([accuracy(lowest_right[each]) for each in needed])
    reached, above = (
        Band(*accuracies[np.searchsorted(needed, first)].T) for first in (chosen, chosen + 1)
    )
    return Sweep(levels[chosen], above, reached, len(chosen) == len(levels))


def scored_outcomes(scores: Any) -> Outcomes:
    """Return Outcomes that have scores, made of a matrix of scores if need be."""
    outcomes = outcomes_or_counts(scores)
    if not isinstance(outcomes, Outcomes):
        matrix = soft_matrix(scores)
        return Outcomes(np.where(np.isnan(matrix), ABSENT, 0), matrix)
    if outcomes.scores is None:
        raise MetricError(NO_SCORES)
    return outcomes


def graded_scores(evidence: Evidence) -> Vector:
    """Return the scores of each gradable question, shape (M, N).

    A failed request that counts as wrong or right scores minus or plus infinity, beyond every
    threshold; NaN where a sample does not count.
    """
    outcomes, rows = evidence.sampled, evidence.rows
    assert outcomes.scores is not None
    if not len(rows):
        raise MetricError(Text("There is no question with a gradable sample."))
    failed = {"wrong": -np.inf, "omit": np.nan, "right": np.inf}[evidence.missing]
    scores = np.round(outcomes.scores[rows], _DECIMALS)
    return np.where(outcomes.correct[rows] == FAILED, failed, scores)


def is_right(scores: Vector, threshold: float, strict: bool) -> NDArray[np.bool_]:
    """Say which scores exceed the threshold, or reach it where it is not strict."""
    mark = round(require_share(threshold, "threshold"), _DECIMALS)
    return scores > mark if strict else scores >= mark


def harden(outcomes: Outcomes, threshold: float, strict: bool) -> Outcomes:
    """Return Outcomes whose verdicts are those of their scores at a threshold."""
    assert outcomes.scores is not None
    right = is_right(np.round(outcomes.scores, _DECIMALS), threshold, strict)
    verdicts = np.where(outcomes.correct < 0, outcomes.correct, right)
    return replace(outcomes, correct=verdicts, texts=None, tokens=None)
