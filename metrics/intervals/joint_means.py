"""Several means over the same questions at once: how they vary together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector

PSEUDO = 0.5
"""The weight of each question that is added."""
_CELLS = 1 << 21
_UNITS = 1000
"""More questions or clusters are put together at random, to as many groups of about one size."""


def joint_means(
    scores: Vector,
    questions: NDArray[np.int64],
    *,
    clusters: NDArray[np.intp] | None = None,
    resamples: int,
    rng: int,
) -> Vector:
    r"""Draw means of scores in [0, 1] for questions like these.

    The weights of the rows are Dirichlet with the number of questions of each, and `PSEUDO` for
    each of two questions more, of which one scores 0 throughout and one 1, so that no draw is
    certain [1]_. With clusters the weights belong to whole clusters.

    scores: D scores of each row. Shape (U, D).
    questions: How many questions have each row. Shape (U,).
    clusters: Cluster of each row, 0 … G-1. Shape (U,).
    resamples: Draws.
    rng: Seed.

    References
    ----------
    .. [1] D. B. Rubin, "The Bayesian bootstrap", Annals of Statistics 9, 1981.

    Examples
    --------
    >>> drawn = joint_means(np.array([[1.0], [0.0]]), np.array([30, 10]), resamples=4000, rng=0)
    >>> drawn.shape, round(float(drawn.mean()), 2)
    ((4000, 1), 0.74)
    """
    counts = questions.astype(np.float64)
    if clusters is None:
        weights, sizes, sums = counts, np.ones(len(counts)), scores
    else:
        sizes = np.bincount(clusters, counts).astype(np.float64)
        weights = np.ones(len(sizes))
        sums = np.stack([np.bincount(clusters, counts * column) for column in scores.T], axis=1)
    usual = counts.sum() / weights.sum()
    weights = np.append(weights, [PSEUDO, PSEUDO])
    sizes = np.append(sizes, [usual, usual])
    sums = np.vstack([sums, np.repeat([[0.0], [usual]], scores.shape[1], axis=1)])
    generator = np.random.default_rng(rng)
    rows = max(1, _CELLS // len(weights))
    blocks = [min(rows, resamples - start) for start in range(0, resamples, rows)]
    drawn = (generator.standard_gamma(weights, (block, len(weights))) for block in blocks)
    return np.concatenate([(each @ sums) / (each @ sizes)[:, None] for each in drawn])


def joint_sums(
    scores: Vector,
    questions: NDArray[np.int64] | None = None,
    *,
    clusters: NDArray[np.intp] | None = None,
    resamples: int,
    rng: np.random.Generator,
) -> tuple[Vector, Vector]:
    r"""Draw sums of scores of questions like these, weighed by how often each would come.

    The weights are exponential, as in `joint_means` without questions added. The same generator
    gives the same weights, whatever the scores: sums of several runs may be drawn one by one.

    scores: D scores of each question. Shape (M, D).
    questions: How many questions each row stands for, of which none cluster; by default 1. Shape
        (M,).
    clusters: Cluster of each question, 0 … G-1. Shape (M,).
    resamples: Draws.
    Returns: The sums, and how many questions there would be. Shape (resamples,).

    Examples
    --------
    >>> half = np.repeat([[1.0], [0.0]], 50, axis=0)
    >>> sums, sizes = joint_sums(half, resamples=4000, rng=np.random.default_rng(0))
    >>> round(float((sums[:, 0] / sizes).std()), 2)
    0.05
    """
    if questions is not None:
        parts, weights = np.column_stack([scores, np.ones(len(scores))]), questions.astype(float)
        return _weighted_sums(parts, resamples, lambda shape: rng.standard_gamma(weights, shape))
    units = len(scores) if clusters is None else int(clusters.max()) + 1
    groups = np.arange(units) if clusters is None else clusters
    if units > _UNITS:
        groups = (np.random.default_rng(units).permutation(units) % _UNITS)[groups]
    counts = np.bincount(groups).astype(np.float64)
    if len(counts) < len(scores):
        scores = np.stack([np.bincount(groups, column) for column in scores.T], axis=1)
    return _weighted_sums(np.column_stack([scores, counts]), resamples, rng.standard_exponential)


def _weighted_sums(
    parts: Vector, resamples: int, weights: Callable[[tuple[int, int]], Vector]
) -> tuple[Vector, Vector]:
    """Return sums of rows by random weights: of all columns but the last, and of that."""
    rows = max(1, _CELLS // len(parts))
    blocks = [min(rows, resamples - start) for start in range(0, resamples, rows)]
    drawn = [weights((block, len(parts))) @ parts for block in blocks]
    sums, sizes = np.split(np.concatenate(drawn), [-1], axis=1)
    return sums, sizes[:, 0]
