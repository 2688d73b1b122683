"""Run to run: how the replicas of a run differ, and whether by more than chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc

from metrics.analyses.replicas.judging import judge
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import UNIT, Estimate, Interval, Target
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.data.words import Text
from metrics.estimating.applicability import require_arguments
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import mean_of
from metrics.intervals.joint_means import joint_means
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import count_scores

DRAWS = 4000
_SEED = 0
_SHARED = Text("Quantiles of joint draws of how often two samples are both right, and any of them.")


@result
class Replicas(Rows):
    """The replicas of a run, each one sample of every question, as they stand in the data.

    Attributes
    ----------
    replica : int array, shape (N,)
        From 1.
    accuracy : float array, shape (N,)
        Accuracy over the questions that have it.
    n_questions : int array, shape (N,)
    low, high : float array, shape (N,)
        Where all accuracies lie at once, with the confidence level, if replicas differ only by
        chance around the samples of those that do not stand out.
    p_value : float array, shape (N,)
        The chance of an accuracy this far off, adjusted for the number of replicas (Bonferroni).
        The farthest off is named first, and the others are judged without it.
    standing_out : tuple of int
        The replicas, from 1, whose accuracy chance does not explain. None where these are half of
        them or more, or there are two: it cannot be said which ones are odd.
    spread, spread_by_chance : float
        Standard deviation of the accuracies, and what it would be by chance alone.
    p_of_spread : float
        The chance of a spread this large (Cochran's Q, by its chi-squared limit).
    flips : Estimate
        The chance that two samples of a question are not both right or both wrong.
    flipped : Estimate
        The share of questions that some of ``tries`` samples get right and others wrong.
    tries : int
        The fewest samples of a question that has several.
    within : Estimate or None
        The share of the variance of single verdicts that lies within questions, in [0, 1]; the rest
        lies between them. None where all or no samples are right, and for these questions, where
        the variance between is not due to chance.
    confidence_level : float
    """

    replica: Integers
    accuracy: Vector
    n_questions: Integers
    low: Vector
    high: Vector
    p_value: Vector
    standing_out: tuple[int, ...]
    spread: float
    spread_by_chance: float
    p_of_spread: float
    flips: Estimate
    flipped: Estimate
    tries: int
    within: Estimate | None
    confidence_level: float


@one_thread()
def replicas(
    data: Any,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Replicas:
    r"""Say whether the replicas of a run differ by more than chance.

    Given how many samples of each question are right, and that any of them could be in any replica,
    the number of right ones in a replica is a sum of independent binomials, which is computed
    exactly. A replica that stands out was made differently: by another server, seed or version, or
    it broke off. Samples must be in the order of the replicas, as in files of tools that repeat
    whole runs; where a file numbers them as they arrived, nothing stands out.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed; at least two samples of some question.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Replicas

    Raises
    ------
    MetricError
        If there is a single sample of each question, or it is unknown which belong to one question.

    Examples
    --------
    The last of four replicas broke off:

    >>> found = replicas([[1, 1, 1, 0]] * 12 + [[0, 1, 0, 0], [1, 0, 1, 0]] * 4)
    >>> found.accuracy.round(2).tolist(), found.standing_out
    ([0.8, 0.8, 0.8, 0.0], (4,))
    """
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(data)
    require_arguments(METRICS["avg@n"], None, question, {})
    judged = judge(evidence, confidence_level)
    n, c = judged.held.sum(axis=1), (judged.matrix == 1).sum(axis=1)
    share = (c / n)[:, None]
    variance = (judged.held * share * (1 - share)).sum(axis=0) / judged.n_questions**2
    several = _of_several(evidence)
    return Replicas(
        judged.replica,
        judged.accuracy,
        judged.n_questions,
        judged.low,
        judged.high,
        judged.p_value,
        judged.standing_out,
        float(judged.accuracy.std(ddof=1)),
        float(np.sqrt(variance.sum() / (len(judged.replica) - 1))),
        _cochran(judged.matrix, judged.held, c, n),
        _share(several, 2, question),
        _share(several, several.n_min, question),
        several.n_min,
        _variance_within(several, question),
        confidence_level,
    )


def _cochran(matrix: Vector, held: Flags, c: Integers, n: Integers) -> float:
    """Return the chance of accuracies as unlike, 1 where no question is mixed."""
    share = (c / n)[:, None]
    off = np.where(held, (matrix == 1) - share, 0.0).sum(axis=0)
    variance = np.where(held, share * (1 - share), 0.0).sum(axis=0)
    if not variance.any():
        return 1.0
    count = matrix.shape[1]
    squares = np.divide(off**2, variance, out=np.zeros(count), where=variance > 0)
    return float(chdtrc(count - 1, (count - 1) / count * squares.sum()))


def _of_several(evidence: Evidence) -> Evidence:
    """Return the evidence of the questions with two samples or more."""
    if evidence.n_min > 1:
        return evidence
    return evidence.only(evidence.rows[evidence.each_question.n > 1])


def _mixed(k: int) -> Vector:
    """Return what k samples pay, by how many of them are right: 1 if some are, but not all."""
    right = np.arange(k + 1)
    return np.where((right > 0) & (right < k), 1.0, 0.0)


def _share(evidence: Evidence, k: int, question: Question) -> Estimate:
    """Estimate how often k samples of a question are neither all right nor all wrong."""
    scores, target = count_scores(evidence, _mixed, lambda n: k, {}), question.target
    return mean_of(
        scores, evidence, question, (*design_caveats(scores, target), *copy_caveats(evidence))
    )


def _variance_within(evidence: Evidence, question: Question) -> Estimate | None:
    """Relate the variance within questions to that of a verdict of any question.

    Drawn together are how often two samples are both right and how often any is, so that the
    questions that `joint_means` adds are one without and one with only right samples.
    """
    if question.target == "benchmark":
        return None
    tally = evidence.tally if evidence.clusters is None else evidence.each_question
    c, w, n = tally.c, tally.n - tally.c, tally.n
    pairs = n * (n - 1)
    both_or_any = np.stack([c * (c - 1) / pairs, 1 - w * (w - 1) / pairs], axis=1)

    def share(both: Vector, any_: Vector) -> Vector:
        rate = (both + any_) / 2
        whole = rate * (1 - rate)
        found = np.divide((any_ - both) / 2, whole, out=np.ones_like(whole), where=whole > 0)
        return np.minimum(found, 1.0)

    means = tally.questions @ both_or_any / tally.n_questions
    if not 0 < means.mean() < 1:
        return None
    drawn = joint_means(
        both_or_any,
        tally.questions,
        clusters=evidence.clusters,
        resamples=DRAWS,
        rng=_SEED,
    )
    tail = (1 - question.confidence_level) / 2
    low, high = np.quantile(share(*drawn.T), [tail, 1 - tail])
    value = float(share(*means[:, None])[0])
    return Estimate(
        value,
        Interval(min(float(low), value), max(float(high), value)),
        question.confidence_level,
        question.target,
        tally.n_questions,
        _SHARED,
        tuple(copy_caveats(evidence)),
        bounds=UNIT,
    )
