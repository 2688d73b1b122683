"""The limits of a mean score where questions belong together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.intervals.binomial import clopper_pearson
from metrics.intervals.korn_graubard import Clusters, population_size, variance_of_mean, worth
from metrics.intervals.limits import population_limits

_UNEQUAL = 2
"""How many clusters are taken off for the squared coefficient of variation of their sizes."""


def clustered_limits(
    scores: Vector, clusters: NDArray[np.intp], confidence_level: float
) -> tuple[float, float, float]:
    r"""Return the limits of the mean score of questions like these, and their effective number.

    With shares :math:`w_g` of G clusters, :math:`S_2 = \sum_g w_g^2`, the variance of a question
    :math:`\sigma^2` (clusters count alike) and that within clusters :math:`s_w^2` (pairs count
    alike), a mean of clusters whose difficulty has nothing to do with their size varies by

    .. math:: V = S_2 \sigma^2 - \left(S_2 - \tfrac{1}{M}\right) s_w^2

    Of this and of the sum over clusters (`variance_of_mean`) the larger is taken: the first knows
    from small clusters what one large one may do, the second what it has done. The clusters count
    for :math:`U = G - 2 (G S_2 - 1)` equal ones, and for :math:`1 / S_2` at least, and the limits
    are the nearer of Korn and Graubard's with U clusters and those of U questions.

    Parameters
    ----------
    scores : float array, shape (M,)
        Of each question, in [0, 1].
    clusters : int array, shape (M,)
        Cluster of each question, 0 … G-1.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    tuple of float
        Lower and upper limit, and Korn and Graubard's effective number of questions; 0, 1 and 0 of
        a single cluster.

    Examples
    --------
    Forty questions by themselves and one group of forty:

    >>> groups = np.append(np.arange(40), np.full(40, 40))
    >>> low, high, _ = clustered_limits(np.tile([0.0, 1, 1, 1], 20), groups, 0.95)
    >>> round(low, 2), round(high, 2)
    (0.58, 0.87)
    """
    m, sizes = len(scores), np.bincount(clusters)
    mean, number = float(scores.mean()), worth(sizes).number
    if len(sizes) == 1:
        return 0.0, 1.0, 0.0
    between = float(variance_of_mean(scores, np.ones(m, dtype=np.int64), clusters))
    variance = max(between, _variance_of_like_clusters(scores, clusters, sizes))
    units = max(number, len(sizes) - _UNEQUAL * (len(sizes) / number - 1))
    counted = Clusters(units, units - 1, 1.0)
    size = float(population_size(mean, variance, m, confidence_level, counted))
    whole = clopper_pearson(size * mean, size, confidence_level)
    near = population_limits(mean, variance, units, confidence_level)
    return float(max(whole[0], near[0])), float(min(whole[1], near[1])), size


def _variance_of_like_clusters(
    scores: Vector, clusters: NDArray[np.intp], sizes: NDArray[Any]
) -> float:
    count, m = len(sizes), len(scores)
    means, squares = (np.bincount(clusters, each) / sizes for each in (scores, scores**2))
    unlike = (means.sum() ** 2 - (means**2).sum()) / (count * (count - 1))
    pairs = sizes * (sizes - 1.0)
    concentrated = float((sizes**2).sum()) / m**2
    if not pairs.any():
        return float(squares.mean() - unlike) / m
    within = (squares - means**2) @ sizes.astype(float) ** 2 / pairs.sum()
    return float(concentrated * (squares.mean() - unlike) - (concentrated - 1 / m) * within)
