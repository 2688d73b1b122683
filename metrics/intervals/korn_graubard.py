r"""Intervals of a mean over questions: KG2 for questions like these, KG1 for these questions.

Both are binomial limits at an effective number of questions, after Korn and Graubard [1]_, whose
design effect is pulled to 1 when the data say nothing about it. They therefore never have zero
width and never leave the range of the score. All functions work element by element.

References
----------
.. [1] E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected
   number of positive counts estimated from survey data", Survey Methodology 24, 1998.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit


class Clusters(NamedTuple):
    r"""What clusters of unequal size are worth; see `worth`."""

    number: float  # :math:`G^*`, how many clusters of equal size tell as much.
    freedom: float  # Degrees of freedom of the variance between them.
    # What :math:`\sum_g (\sum_{i \in g} (x_i - m))^2 / M^2` is to be multiplied by.
    unbiased: float


def worth(sizes: NDArray[Any], clusters: NDArray[Any] | int = 1) -> Clusters:
    r"""Return what clusters of these sizes are worth, so many of each.

    With shares :math:`w_g = s_g / M` and :math:`S_j = \sum_g w_g^j`,

    .. math:: G^* = \frac{1}{S_2}, \qquad \text{freedom} = \frac{S_2}{S_3} - 1, \qquad
              \text{unbiased} = \frac{1}{1 + S_2 - 2 S_3 / S_2}

    which for G equal clusters are G, G - 1 and G / (G - 1). The last makes the variance of the mean
    unbiased where the questions of a cluster are as difficult as one another.

    Examples
    --------
    >>> [round(x, 3) for x in worth(np.array([5, 5, 5]))]
    [3.0, 2.0, 1.5]
    >>> [round(x, 3) for x in worth(np.array([1, 1, 8]))]
    [1.515, 0.284, 9.763]
    """
    s = sizes.astype(np.float64)
    m, squares, cubes = (float((s**power * clusters).sum()) for power in (1, 2, 3))
    number, freedom = m**2 / squares, m * squares / cubes - 1
    if number == 1:
        return Clusters(1.0, 0.0, 1.0)
    unbiased = 1 / (1 + 1 / number - 2 / (freedom + 1))
    return Clusters(number, freedom, unbiased)


def population_size(
    mean: Any,
    variance: Any,
    n_questions: float,
    confidence_level: float,
    clusters: Clusters | None = None,
) -> Any:
    r"""Return KG2's effective number of questions, for the mean score of questions like these.

    With M questions, mean m, variance V of the mean between questions and :math:`G^*` clusters of
    equal size, or what such clusters the given ones are worth,

    .. math::
        \rho = \frac{M^2 V + M/G^*}{M m(1-m) + 1}, \qquad
        n = \frac{M}{\rho} \left(\frac{z}{t}\right)^2

    mean: Mean score of the questions, in [0, 1].
    variance: :math:`V = s^2 / M`, or its clustered form; see `variance_of_mean`.
    n_questions: M.
    confidence_level: In (0, 1); through Student's t.
    clusters: With :math:`G^*` and the degrees of freedom of t; by default each question stands for
        itself, M and M - 1.
    Returns: 0 when there is a single question or cluster.

    Examples
    --------
    >>> from metrics.intervals.binomial import clopper_pearson
    >>> low, high = clopper_pearson(0, population_size(0.0, 0.0, 30, 0.95), 0.95)
    >>> round(float(high), 3)
    0.125
    """
    number, freedom = (n_questions, n_questions - 1) if clusters is None else clusters[:2]
    if number <= 1:
        return 0.0 * mean
    spread = n_questions**2 * variance + n_questions / number
    design_effect = spread / (n_questions * mean * (1 - mean) + 1)
    upper = (1 + confidence_level) / 2
    return n_questions / design_effect * (ndtri(upper) / _t(freedom, upper)) ** 2


def _t(freedom: Any, upper: float) -> Any:
    """Return Student's t; of less than half a degree of freedom there is no telling."""
    return stdtrit(np.maximum(freedom, 0.5), upper)


USUAL = 0.95
"""Up to this level one question is added; beyond, as many more as z squared is."""


def added_questions(confidence_level: float) -> float:
    """Return how many questions are added for what has not been seen.

    Examples
    --------
    >>> added_questions(0.8), round(added_questions(0.99), 2)
    (1.0, 1.73)
    """
    return max(1.0, float(ndtri((1 + confidence_level) / 2) / ndtri((1 + USUAL) / 2)) ** 2)


def benchmark_size(
    mean: Any, variance: Any, n_questions: int, draws: Any, confidence_level: float
) -> Any:
    r"""Return KG1's effective number of questions, for these questions over other samples.

    With w = 1, and beyond `USUAL` :math:`w = z^2 / 1.96^2` where that gives fewer,

    .. math::
        \rho = \min\!\left(1, \frac{M^2 V_1 + w/d}{M m(1-m) + w}\right), \qquad n = M / \rho

    mean: Mean score of the questions, in [0, 1].
    variance: Variance :math:`V_1` of that mean from the samples alone; see
        `metrics.intervals.within_questions`.
    n_questions: M.
    draws: d, how many disjoint draws of k the samples of a question hold: ``max(1, n // k)``.
    confidence_level: In (0, 1).

    Examples
    --------
    No success in 30 x 16 answers, read as a success rate:

    >>> from metrics.intervals.binomial import clopper_pearson
    >>> low, high = clopper_pearson(0, benchmark_size(0.0, 0.0, 30, 16, 0.95), 0.95)
    >>> round(float(high), 4)
    0.0077
    """

    def design_effect(added: float) -> Any:
        spread = n_questions**2 * variance + added / draws
        return spread / (n_questions * mean * (1 - mean) + added)

    more = np.maximum(design_effect(1.0), design_effect(added_questions(confidence_level)))
    return n_questions / np.minimum(1.0, more)


def sampled_size(
    mean: Any,
    within: Callable[[], Any],
    between: Any,
    n_questions: int,
    n_max: int,
    draws: Any,
    confidence_level: float,
) -> Any:
    """Return `benchmark_size` by what is known of the variance between samples.

    mean: Mean score of the questions, in [0, 1].
    within: Returns the variance of that mean from the samples alone; not asked where every question
        has one sample, which says nothing of it.
    between: Variance of the mean between questions, which the other cannot exceed; of several
        questions.
    n_questions, n_max: Questions, and the most samples of one.
    draws, confidence_level: As in `benchmark_size`.
    """
    if n_max == 1:
        return n_questions + 0.0 * mean
    variance = within() if n_questions == 1 else np.minimum(within(), between)
    return benchmark_size(mean, variance, n_questions, draws, confidence_level)


def variance_of_mean(
    scores: NDArray[np.float64],
    questions: NDArray[np.int64],
    clusters: NDArray[np.intp] | None = None,
) -> Any:
    r"""Return the variance of a mean of scores between questions, or between clusters.

    :math:`s^2 / M`, or what `worth` makes of clusters; 0 where there is a single question or
    cluster.

    scores: Shape (U,) or (K, U).
    questions: How many questions have each. Shape (U,).
    clusters: Cluster of each score, 0 … G-1; with clusters `scores` has shape (U,).
    """
    m = int(questions.sum())
    deviations = scores - (scores @ questions / m)[..., None]
    if clusters is None:
        return deviations**2 @ questions / (max(m - 1, 1) * m)
    sums = np.bincount(clusters, weights=deviations * questions)
    sizes = np.bincount(clusters, weights=questions)
    return worth(sizes).unbiased * float(sums @ sums) / m**2
