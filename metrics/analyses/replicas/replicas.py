"""Run to run: how the replicas of a run differ, and whether by more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc

from metrics.analyses.replicas.chance import Counts, right_by_chance
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import UNIT, Estimate, Interval, Target
from metrics.data.shown import brief_repr
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import UNGROUPED, require_arguments
from metrics.estimating.caveats import of_copies, of_design
from metrics.estimating.estimation import METHODS
from metrics.estimating.limits import limits
from metrics.intervals.joint_means import joint_means
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import count_scores

DRAWS = 4000
_SEED = 0
_SHARED = Text("Quantiles of joint draws of the mean over questions and the variance within them.")


@dataclass(frozen=True, eq=False)
class Replicas(Rows):
    """The replicas of a run, each one sample of every question, as they stand in the data.

    Attributes
    ----------
    replica : int array, shape (N,)
        From 1.
    accuracy : float array, shape (N,)
        Over the questions that have it.
    n_questions : int array, shape (N,)
    low, high : float array, shape (N,)
        Where all accuracies lie at once with the confidence level if only chance tells replicas
        apart; about what the samples of those that do not stand out give.
    p_value : float array, shape (N,)
        Of an accuracy as far off by chance, adjusted for the number of replicas (Bonferroni). The
        one that is farthest off is named first, and the others are judged without it.
    standing_out : tuple of int
        The replicas, from 1, whose accuracy chance does not explain; of two it cannot be said which
        one does.
    spread, spread_by_chance : float
        Standard deviation of the accuracies, and what chance alone would make of it.
    p_of_spread : float
        That chance makes it as large (Cochran's Q, by its chi-squared limit).
    flips : Estimate
        The chance that two samples of a question are not both right or both wrong.
    within : Estimate or None
        The share of the variance of single verdicts that lies within questions, in [0, 1]; the rest
        lies between them. None where all or no samples are right, and for these questions, whose
        variance between is no chance.
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
    within: Estimate | None
    confidence_level: float

    __repr__ = brief_repr


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

    Given how many samples of each question are right, and that any of them could stand in any
    replica, the number of right ones in a replica is a sum of independent binomials, which is added
    up exactly. A replica that stands out was made otherwise: by another server, another seed or
    version, or it broke off. The order of samples must be that of the replicas, as files of tools
    that repeat whole runs have it; where a file numbers them as they came in, nothing stands out.

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
        If there is a single sample of each question, or it is unknown which are of one question.

    Examples
    --------
    The last of four replicas broke off:

    >>> found = replicas([[1, 1, 1, 0]] * 12 + [[0, 1, 0, 0], [1, 0, 1, 0]] * 4)
    >>> found.accuracy.round(2).tolist(), found.standing_out
    ([0.8, 0.8, 0.8, 0.0], (4,))
    """
    evidence = Evidence(data, missing, segment)
    require_arguments(METRICS["avg@n"], None, target, confidence_level, {})
    if evidence.outcomes is not None and not evidence.outcomes.grouped:
        raise MetricError(UNGROUPED)
    matrix = evidence.matrix
    if matrix.max() > 1:
        raise MetricError(Text("Replicas are compared by 0/1 outcomes; these have categories."))
    held = matrix >= 0
    n, c = held.sum(axis=1), (matrix == 1).sum(axis=1)
    several = n > 1
    if not several.any():
        raise MetricError(Text("There is one sample of each question: no replica to compare."))
    there = held[several].any(axis=0)
    matrix, held = matrix[several][:, there], held[several][:, there]
    n, c = n[several], c[several]
    asked, right = held.sum(axis=0), (matrix == 1).sum(axis=0)
    accuracy, usual = right / asked, np.ones(len(asked), dtype=bool)
    p_values = np.ones(len(asked))
    while True:
        expected = _by_chance(matrix, held, usual)
        for each in np.flatnonzero(usual):
            tails = expected[each].tails(int(right[each]))
            p_values[each] = min(1.0, tails * int(usual.sum()))
        worst = int(np.where(usual, p_values, np.inf).argmin())
        if p_values[worst] > 1 - confidence_level or usual.sum() <= 2:
            break
        usual[worst] = False
    mixed = _of_several(evidence)
    level = 1 - (1 - confidence_level) / int(usual.sum())
    low, high = np.array([each.within(level) for each in expected]).T
    share = (c / n)[:, None]
    variance = (held * share * (1 - share)).sum(axis=0) / asked**2
    return Replicas(
        np.flatnonzero(there) + 1,
        accuracy,
        asked,
        low / asked,
        high / asked,
        p_values,
        tuple((np.flatnonzero(there)[~usual] + 1).tolist()),
        float(accuracy.std(ddof=1)),
        float(np.sqrt(variance.sum() / (len(asked) - 1))),
        _cochran(matrix, held, c, n),
        _flips(mixed, target, confidence_level),
        _within(mixed, target, confidence_level),
        confidence_level,
    )


def _by_chance(matrix: Vector, held: Flags, usual: Flags) -> list[Counts]:
    """Return how many right ones each replica has by chance, as its questions have in the usual."""
    n = (held & usual).sum(axis=1)
    c = ((matrix == 1) & usual).sum(axis=1)
    size = int(n.max()) + 1
    known: dict[bytes, Counts] = {}
    found = []
    for mine in held.T:
        asked = mine & (n > 0)
        if (key := asked.tobytes()) not in known:
            kinds, questions = np.unique((c * size + n)[asked], return_counts=True)
            known[key] = right_by_chance(questions, kinds // size, kinds % size)
        found.append(known[key])
    return found


def _cochran(matrix: Vector, held: Vector, c: Integers, n: Integers) -> float:
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


def _unlike(k: int) -> Vector:
    """Return what two samples pay, by how many of them are right: 1 if one is."""
    return np.array([0.0, 1.0, 0.0])


def _flips(evidence: Evidence, target: Target, confidence_level: float) -> Estimate:
    scores = count_scores(evidence, _unlike, lambda n: 2, {})
    interval, _ = limits(scores, evidence, target, confidence_level)
    return Estimate(
        scores.mean,
        interval,
        confidence_level,
        target,
        scores.n_questions,
        METHODS[target],
        (*of_design(scores, target), *of_copies(evidence)),
        bounds=UNIT,
    )


def _within(evidence: Evidence, target: Target, confidence_level: float) -> Estimate | None:
    """Relate the variance within questions to that of a verdict of any question."""
    if target == "benchmark":
        return None
    tally = evidence.tally if evidence.clusters is None else evidence.each_question
    rate = tally.c / tally.n
    unlike = 2 * tally.c * (tally.n - tally.c) / (tally.n * (tally.n - 1))

    def share(rate: Vector, unlike: Vector) -> Vector:
        whole = rate * (1 - rate)
        found = np.divide(unlike / 2, whole, out=np.ones_like(whole), where=whole > 0)
        return np.minimum(found, 1.0)

    means = tally.questions @ np.stack([rate, unlike], axis=1) / tally.n_questions
    if not 0 < means[0] < 1:
        return None
    drawn = joint_means(
        np.stack([rate, unlike], axis=1),
        tally.questions,
        clusters=evidence.clusters,
        resamples=DRAWS,
        rng=_SEED,
    )
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(share(*drawn.T), [tail, 1 - tail])
    value = float(share(*means[:, None])[0])
    return Estimate(
        value,
        Interval(min(float(low), value), max(float(high), value)),
        confidence_level,
        target,
        tally.n_questions,
        _SHARED,
        tuple(of_copies(evidence)),
        bounds=UNIT,
    )
