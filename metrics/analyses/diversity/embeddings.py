"""How far apart embeddings lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.data.arrays import Flags, Vector


def mean_cosine_distance(vectors: Any) -> float:
    r"""Return the mean cosine distance over all pairs of vectors.

    For vectors :math:`u_i` of length 1 it needs only their sum:

    .. math:: 1 - \frac{|\sum_i u_i|^2 - n}{n (n - 1)}

    Parameters
    ----------
    vectors : float array_like, shape (n, d)
        Embeddings of the candidates of a question. One without a direction, of NaN or of zeros, is
        left out.

    Returns
    -------
    float
        From 0, where all point the same way, to n / (n - 1); NaN for fewer than two vectors.

    Examples
    --------
    >>> mean_cosine_distance([[1.0, 0.0], [0.0, 2.0]]), mean_cosine_distance([[1.0, 0.0]])
    (1.0, nan)
    """
    units, directed = directions(np.atleast_2d(np.asarray(vectors, dtype=np.float64)))
    return distance_of_sum(units[directed].sum(axis=0), int(directed.sum()))


def directions(vectors: Vector) -> tuple[Vector, Flags]:
    """Return vectors (R, d) with length 1, zeros for those without a direction; and which have one.

    Examples
    --------
    >>> directions(np.array([[3.0, 4.0], [0.0, 0.0], [np.nan, 1.0]]))[0].tolist()
    [[0.6, 0.8], [0.0, 0.0], [0.0, 0.0]]
    """
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    directed = (largest > 0) & (largest < np.inf)
    each = np.where(directed, vectors, 0) / np.where(directed, largest, 1)
    length = np.where(directed, np.sqrt((each**2).sum(axis=1, keepdims=True)), 1)
    return each / length, directed[:, 0]


def distance_of_sum(total: Vector, n: int) -> float:
    """Return the mean cosine distance of n vectors of length 1 by their sum."""
    if n < 2:
        return float("nan")
    return float(np.clip(1 - (total @ total - n) / (n * (n - 1)), 0, n / (n - 1)))
