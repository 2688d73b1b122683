"""Difficulties of any shape: the nonparametric maximum-likelihood estimate (NPMLE) on a grid."""

from __future__ import annotations

import numpy as np

from metrics.data.arrays import Vector

_KEPT = 1e-3
_TINY, _FARTHEST = 1e-300, 1e6


def fitted_masses(likelihood: Vector, shares: Vector, cycles: int = 50) -> Vector:
    r"""Maximise likelihoods of counts over distributions of the success rate.

    Expectation-maximisation from equal masses,
    :math:`w_l \leftarrow w_l \sum_u s_u L_{lu} / \sum_m w_m L_{mu}`, whose course over two steps is
    prolonged in each cycle [1]_ and which is stopped before the masses gather in a few points.

    Parameters
    ----------
    likelihood : float array, shape (G, U)
        Of each row of counts at each success rate of a grid, up to a factor for each row.
    shares : float array, shape (B, U)
        The share of the questions that has each row, for each of B fits.
    cycles : int, default: 50
        Of three steps each; after few the masses are still spread more evenly.

    Returns
    -------
    float array, shape (B, G)
        Masses at the success rates of the grid.

    References
    ----------
    .. [1] R. Varadhan and C. Roland, "Simple and globally convergent methods for accelerating the
       convergence of any EM algorithm", Scandinavian Journal of Statistics 35, 2008.
    """

    def improved(masses: Vector) -> Vector:
        """Return masses whose sum is 1, whatever that of the given ones is."""
        found: Vector = np.dot(shares / np.dot(masses, possible), transposed)
        found *= masses
        return found

    possible = np.maximum(likelihood, _TINY)
    transposed = possible.T
    masses = np.full((len(shares), len(likelihood)), 1 / len(likelihood))
    for _ in range(cycles):
        once = improved(masses)
        twice = improved(once)
        step = once - masses
        bend = twice - once - step
        size, turn = np.vecdot(step, step)[:, None], np.vecdot(bend, bend)[:, None]
        reach = np.sqrt(np.minimum(np.maximum(size / np.maximum(turn, _TINY), 1), _FARTHEST**2))
        step *= 2
        bend *= reach
        bend += step
        bend *= reach
        bend += masses
        twice *= _KEPT
        masses = improved(np.maximum(bend, twice, out=bend))
    return masses
