"""How far apart embeddings lie."""

from __future__ import annotations

from typing import Any

import numpy as np


def mean_cosine_distance(vectors: Any) -> float:
    r"""Return the mean cosine distance over all pairs of vectors.

    With vectors :math:`u_i` of length 1 it takes their sum alone:

    .. math:: 1 - \frac{|\sum_i u_i|^2 - n}{n (n - 1)}

    Parameters
    ----------
    vectors : float array_like, shape (n, d)
        Embeddings of the candidates of a question. One without a direction, of NaN or of zeros, is
        left out.

    Returns
    -------
    float
        From 0, where all point the same way, to n / (n - 1); NaN of fewer than two vectors.

    Examples
    --------
    >>> mean_cosine_distance([[1.0, 0.0], [0.0, 2.0]]), mean_cosine_distance([[1.0, 0.0]])
    (1.0, nan)
    """
    each = np.atleast_2d(np.asarray(vectors, dtype=np.float64))
    each = each / np.maximum(np.abs(each).max(axis=1, keepdims=True, initial=0), 1e-300)
    length = np.sqrt((each**2).sum(axis=1))
    units = each[length > 0] / length[length > 0, None]
    n = len(units)
    if n < 2:
        return float("nan")
    together = units.sum(axis=0)
    return float(np.clip(1 - (together @ together - n) / (n * (n - 1)), 0, n / (n - 1)))
