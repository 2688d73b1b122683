"""Soft scores in [0, 1]: their mean, and the best of k.

``scores`` has shape (M, N); NaN marks a missing sample, which does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.evidence import outcomes_or_counts
from metrics.data.inputs import as_numbers, require_k
from metrics.data.outcomes import Outcomes
from metrics.data.tally import row_counts
from metrics.data.words import MetricError, Text
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import all_correct

NO_SCORES = Text("There are no soft scores; every verdict is right or wrong.")
_BLOCK = 1 << 18


def soft_accuracy(scores: Any) -> float:
    """Return soft accuracy, the mean over questions of their mean score.

    Where nothing is missing this is AISBench's "accuracy (n runs average)" of soft evaluators.

    Examples
    --------
    >>> round(soft_accuracy([[0.6, 0.4, 0.6]]), 3)
    0.533
    """
    return float(mean_scores(soft_matrix(scores)).mean())


def soft_max_at_k(scores: Any, k: int) -> float:
    r"""Return the expected best score of k samples drawn without replacement.

    With a question's n scores in ascending order :math:`g_{(1)} … g_{(n)}`,

    .. math:: \frac{1}{M} \sum_i \sum_{j=k}^{n} g_{i(j)} \binom{j-1}{k-1} \Big/ \binom{n}{k}

    Examples
    --------
    >>> round(soft_max_at_k([[0.0, 0.3, 0.9]], 2), 6)
    0.7
    """
    matrix = soft_matrix(scores)
    return float(best_scores(matrix, require_k(k, int(samples_of(matrix).min()))).mean())


def soft_matrix(scores: Any) -> NDArray[np.float64]:
    """Return scores as a matrix with at least one score in each row, all in [0, 1]."""
    outcomes = outcomes_or_counts(scores)
    if isinstance(outcomes, Outcomes):
        if outcomes.scores is None:
            raise MetricError(NO_SCORES)
        outcomes.require_complete()
        scores = outcomes.scores
    try:
        matrix = as_numbers(np.asarray(scores), missing=np.nan)
    except ValueError as error:
        raise MetricError(Text("scores must have rows of one length.")) from error
    if matrix.dtype.kind not in "biuf" or np.ma.is_masked(scores):
        raise MetricError(
            Text("scores must be numbers, NaN where missing; got {dtype}.", dtype=str(matrix.dtype))
        )
    matrix = matrix.astype(np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise MetricError(
            Text("scores must have shape (questions, samples); got {shape}.", shape=matrix.shape)
        )
    if np.any(matrix < 0) or np.any(matrix > 1):
        raise MetricError(Text("Soft scores must lie in 0 … 1."))
    if np.any(samples_of(matrix) == 0):
        raise MetricError(Text("Every question needs at least one score."))
    return matrix


def samples_of(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the scores of each question."""
    return _by_blocks(matrix, lambda block: row_counts(block == block))


def mean_scores(matrix: NDArray[np.float64]) -> Vector:
    """Return the mean score of each question."""
    return _by_blocks(matrix, lambda block: _sums(block) / samples_of(block))


def best_scores(matrix: NDArray[np.float64], k: int) -> Vector:
    """Return the expected best of k scores of each question."""

    def best(block: NDArray[np.float64]) -> Vector:
        ordered, samples = np.sort(block, axis=1), samples_of(block)
        scores = np.empty(len(block))
        for n in np.flatnonzero(np.bincount(samples)).tolist():
            here = slice(None) if (samples == n).all() else samples == n
            scores[here] = ordered[here, :n] @ np.diff(payoff_table(all_correct, k, n))
        return scores

    return _by_blocks(matrix, best)


def sampling_variance(matrix: NDArray[np.float64]) -> float:
    """Return the variance of `soft_accuracy` between samples of the same questions."""
    samples = samples_of(matrix)
    several = samples > 1
    if not several.any():
        return float("inf")
    spread = _by_blocks(matrix, lambda block: _sums((block - mean_scores(block)[:, None]) ** 2))
    each = spread[several] / ((samples[several] - 1) * samples[several])
    return float(each.mean() / len(matrix))


def _sums(matrix: NDArray[np.float64]) -> Vector:
    sums = matrix @ np.ones(matrix.shape[1])
    missing = np.isnan(sums)
    sums[missing] = np.nansum(matrix[missing], axis=1)
    return sums


def _by_blocks(matrix: NDArray[np.float64], each: Callable[[Any], NDArray[Any]]) -> NDArray[Any]:
    """Work on as many rows at a time as fit into a processor's cache."""
    rows = max(1, _BLOCK // matrix.shape[1])
    starts = range(0, len(matrix), rows)
    return np.concatenate([each(matrix[start : start + rows]) for start in starts])
