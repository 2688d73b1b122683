"""Soft against hard: what partial credit does to an accuracy, and where the difference is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.soft_vs_hard.thresholds import (
    graded_scores,
    harden,
    is_right,
    scored_outcomes,
)
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows, frame
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.shown import result
from metrics.estimating.caveats import design_caveats
from metrics.estimating.estimation import difference_of, estimate_entry
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import question_scores
from metrics.scoring.soft import mean_scores, samples_of, sampling_variance

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

LEVELS = 100
"""The most distinct scores that are told apart; of more, neighbours are put together."""


@result
class Levels(Rows):
    """The scores there are, and what each adds to the gap."""

    score: Vector  # Ascending; the mean of the scores that are put together. Shape (L,).
    share: Vector  # Of the samples, questions counting equally; sums to 1. Shape (L,).
    right: NDArray[np.bool_]  # Whether the threshold calls it right. Shape (L,).

    @property
    def credit(self) -> Vector:
        """What each adds to the gap: its share times its score, less 1 where it is right."""
        return self.share * (self.score - self.right)

    @property
    def below(self) -> float:
        """Partial credit that hard accuracy does not count: what wrong samples add to the gap."""
        return float(self.credit[~self.right].sum())

    @property
    def above(self) -> float:
        """Partial credit that it rounds up, at most 0: what right samples add to the gap."""
        return float(self.credit[self.right].sum())


@result
class SoftHard:
    """One run, measured by its scores and by verdicts at a threshold.

    Attributes
    ----------
    threshold : float
    strict : bool
        Whether a score must exceed the threshold, or reach it.
    k : int
        Samples drawn for ``passed`` and ``voted``; by default the fewest of any question.
    accuracy, avg : Estimate
        Soft accuracy, and hard accuracy: avg@n of the verdicts.
    gap : Estimate
        Soft minus hard, paired: in [threshold - 1, threshold].
    passed, voted : Estimate
        pass@k and maj@k of the verdicts; by default cons@n instead of maj@k.
    levels : Levels
    by_question : tuple of two float arrays, shape (M,)
        Soft and hard accuracy of each gradable question; their means are those of the run.
    by_replica : tuple of two float arrays, shape (N,)
        Soft and hard accuracy of each replica over the questions that have it. Their means are the
        accuracies averaged in the other order, where each sample of a replica counts equally; both
        agree where nothing is missing.
    rows : int array, shape (M,)
        Which questions of the data those of ``by_question`` are.
    """

    threshold: float
    strict: bool
    k: int
    accuracy: Estimate
    avg: Estimate
    gap: Estimate
    passed: Estimate
    voted: Estimate
    levels: Levels
    by_question: tuple[Vector, Vector]
    by_replica: tuple[Vector, Vector]
    rows: NDArray[np.intp]

    def to_frame(self) -> DataFrame:
        """Return a row for each gradable question, with its place in the data; needs pandas."""
        soft, hard = self.by_question
        return frame({"row": self.rows, "soft": soft, "hard": hard})

    @property
    def partial(self) -> float:
        """The share of samples with a score strictly between 0 and 1."""
        between = (self.levels.score > 0) & (self.levels.score < 1)
        return float(self.levels.share[between].sum())

    @property
    def spread(self) -> tuple[float, float] | None:
        """Standard deviation of both between replicas; None for a single one."""
        soft, hard = self.by_replica
        return None if len(soft) < 2 else (float(soft.std(ddof=1)), float(hard.std(ddof=1)))


def soft_hard(
    scores: Any,
    *,
    threshold: float = 0.5,
    strict: bool = True,
    k: int | None = None,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> SoftHard:
    """Compare soft accuracy with the share of scores beyond a threshold.

    Parameters
    ----------
    scores : Run or Outcomes with scores, or array_like of float, shape (M, N)
        Soft scores in [0, 1]; NaN marks a missing sample, which does not count.
    threshold : float, default: 0.5
        In [0, 1].
    strict : bool, default: True
        A score must exceed the threshold to be right; otherwise it must reach it.
    k : int, optional
        Samples drawn for pass@k and maj@k; by default all.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    SoftHard

    Raises
    ------
    MetricError
        If there are no soft scores, or an argument is out of range.

    Examples
    --------
    AISBench's example of one question with three scores:

    >>> found = soft_hard([[0.6, 0.4, 0.6]])
    >>> round(found.accuracy.value, 3), round(found.avg.value, 3), round(found.gap.value, 3)
    (0.533, 0.667, -0.133)
    >>> found.levels.score.tolist(), found.levels.credit.round(3).tolist()
    ([0.4, 0.6], [0.133, -0.267])
    """
    question = Question(target, confidence_level, missing, segment)
    by_scores = question.evidence(scored_outcomes(scores))
    by_verdicts = question.evidence(harden(by_scores.sampled, threshold, strict))
    graded = graded_scores(by_scores)
    counted = graded == graded
    soft = np.clip(graded, 0, 1)
    hard = np.where(counted, is_right(graded, threshold, strict), np.nan)

    def estimated(name: str, evidence: Evidence, k: int | None = None) -> Estimate:
        return estimate_entry(METRICS[name], evidence, k, question, {})

    return SoftHard(
        threshold,
        strict,
        int(samples_of(soft).min()) if k is None else k,
        estimated("soft", by_scores),
        estimated("avg@n", by_verdicts),
        _gap(soft - hard, threshold, by_verdicts, question),
        estimated("pass@k", by_verdicts, k),
        estimated("cons@n" if k is None else "maj@k", by_verdicts, k),
        _levels(soft, hard),
        (mean_scores(soft), mean_scores(hard)),
        (_by_replica(soft), _by_replica(hard)),
        by_scores.rows,
    )


def _gap(difference: Vector, threshold: float, evidence: Evidence, question: Question) -> Estimate:
    """Estimate the mean of differences that lie between threshold - 1 and threshold."""
    scores = question_scores(
        mean_scores(difference),
        threshold - 1,
        threshold,
        samples=samples_of(difference),
        drawn=1,
        within=lambda: sampling_variance(difference),
    )
    return difference_of(scores, evidence, question, design_caveats(scores, question.target))


def _by_replica(scores: Vector) -> Vector:
    held = (scores == scores).any(axis=0)
    return mean_scores(np.ascontiguousarray(scores.T[held]))


def _levels(soft: Vector, hard: Vector) -> Levels:
    counted = soft == soft
    samples = np.count_nonzero(counted, axis=1)
    weights = np.repeat(1 / (len(soft) * samples), samples)
    scores, right = soft[counted], hard[counted] == 1
    distinct = np.unique(scores)
    if len(distinct) <= LEVELS:
        level = np.searchsorted(distinct, scores)
    else:
        level = np.minimum(scores * LEVELS, LEVELS - 1).astype(int)
    key = 2 * level + right
    share: Vector = np.bincount(key, weights).astype(np.float64)
    total = np.bincount(key, weights * scores)
    (held,) = share.nonzero()
    return Levels(total[held] / share[held], share[held], held % 2 == 1)
