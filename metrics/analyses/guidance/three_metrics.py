"""Pass, avg and cons of the same questions: their metrics, scores, and joint draws of all three."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.guidance.decision_matrix import Dimension
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.tally import Tally
from metrics.intervals.joint_means import joint_means
from metrics.scoring.registry import METRICS, Metric


def metrics_of(k: int | None) -> dict[Dimension, Metric]:
    """Return pass@k, avg@n and maj@k; without k, cons@n in place of the last.

    Examples
    --------
    >>> [metric.name for metric in metrics_of(None).values()]
    ['pass@k', 'avg@n', 'cons@n']
    """
    cons = METRICS["cons@n" if k is None else "maj@k"]
    return {"pass": METRICS["pass@k"], "avg": METRICS["avg@n"], "cons": cons}


def scores_of(tally: Tally, k: int | None) -> Vector:
    """Return pass, avg and cons of each row, shape (U, 3), in [0, 1].

    Examples
    --------
    >>> scores_of(Tally([4, 4], [1, 4], [1, 1]), 2).round(3).tolist()
    [[0.5, 0.25, 0.0], [1.0, 1.0, 1.0]]
    """
    chosen = tally.n_min if k is None else k
    evidence = Evidence(tally)
    return np.column_stack(
        [metric.scores(evidence, chosen, {}).values for metric in metrics_of(k).values()]
    )


def draw_kinds(
    evidence: Evidence,
    k: int | None,
    agreed: NDArray[np.bool_] | None = None,
    *,
    resamples: int,
    rng: int,
) -> Vector:
    """Draw pass, avg and cons of questions like these, all three of the same questions.

    With `agreed`, one more score of each question, its mean is drawn along as a fourth column.

    Examples
    --------
    >>> drawn = draw_kinds(Evidence([[1, 1, 0], [1, 0, 0]] * 50), None, resamples=400, rng=0)
    >>> drawn.shape, bool((drawn[:, 1] <= drawn[:, 0]).all())
    ((400, 3), True)
    """
    scores, questions = _rows(evidence, k, agreed)
    return joint_means(scores, questions, clusters=evidence.clusters, resamples=resamples, rng=rng)


def _rows(
    evidence: Evidence, k: int | None, agreed: NDArray[np.bool_] | None
) -> tuple[Vector, NDArray[np.int64]]:
    """Return the scores to draw from and how many questions have each; one by one in clusters."""
    if agreed is None:
        tally = evidence.tally if evidence.clusters is None else evidence.each_question
        return scores_of(tally, k), tally.questions
    tally, questions = evidence.each_question, np.ones(len(agreed), dtype=np.int64)
    if evidence.clusters is None:
        codes = 2 * (tally.n * (tally.n_max + 1) + tally.c) + agreed
        _, first, questions = np.unique(codes, return_index=True, return_counts=True)
        tally, agreed = Tally(tally.n[first], tally.c[first], questions), agreed[first]
    return np.column_stack([scores_of(tally, k), agreed]), questions
