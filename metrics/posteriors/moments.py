r"""Posterior moments of payoffs of k tries, the success rate of a question ~ Beta(a, b).

A payoff is :math:`g(p) = E\,A(Bin(k, p))`. What it departs from its value at the likeliest number
of right tries is a sum of chances to be above or below it, so that a variance loses no digits
where g is nearly constant: near 0, near 1 or in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from metrics.data.arrays import Vector
from metrics.posteriors.quadrature import QuadratureGrid, lay_grid, weights
from metrics.scoring.draws import binomial
from metrics.scoring.payoffs import Payoff, all_correct, any_correct, gains

_CELLS = 1 << 16
_CANCELLED = 1e-6


def moments(a: Vector, b: Vector, added: Vector) -> tuple[Vector, Vector]:
    """Return posterior means and covariances of payoffs of k tries.

    a, b: Parameters of the Beta distributions. Shape (U,).
    added: What each further right try adds to the payoffs, `metrics.scoring.payoffs.gains`, for one
        k. Shape (R, k).
    """
    k = added.shape[1]
    points = lay_grid(a, b, k)
    likeliest, row = np.unique(np.rint(k * a / (a + b)).astype(np.intp), return_inverse=True)
    tables = [_departures(each, points, likeliest) for each in added]
    earned = np.pad(np.cumsum(added, axis=1), ((0, 0), (1, 0)))
    means = np.empty((len(added), len(a)))
    covariance = np.empty((len(added), len(added), len(a)))
    step = max(1, _CELLS // len(points.p))
    for block in (slice(start, start + step) for start in range(0, len(a), step)):
        mass = weights(a[block], b[block], points)
        departure = np.stack([table[row[block]] for table in tables])
        centre = np.einsum("ul,rul->ru", mass, departure)
        departure -= centre[..., None]
        means[:, block] = earned[:, likeliest[row[block]]] + centre
        covariance[..., block] = np.einsum("ul,rul,sul->rsu", mass, departure, departure)
    return means, covariance


def _departures(added: Vector, points: QuadratureGrid, origins: NDArray[np.intp]) -> Vector:
    r"""Return :math:`E\,A(X) - A_j` for each origin j, shape (J, L).

    .. math:: \sum_{i > j} (A_i - A_{i-1}) P(X \ge i) - \sum_{i \le j} (A_i - A_{i-1}) P(X < i)
    """
    k, length = len(added), len(points.p)
    steps = np.flatnonzero(added)
    if len(steps) == 1:
        i, rise = steps[0] + 1, added[steps[0]]
        above, below = betainc(i, k - i + 1, points.p), betainc(k - i + 1, i, points.q)
        return np.asarray(np.where((origins < i)[:, None], rise * above, -rise * below))
    table = np.empty((len(origins), length))
    width = max(1, _CELLS // (k + 1))
    for block in (slice(start, start + width) for start in range(0, length, width)):
        chance = binomial(k, points.p[block], points.q[block])
        below = np.cumsum(chance[:, :-1], axis=1)
        above = np.cumsum(chance[:, :0:-1], axis=1)[:, ::-1]
        lost = np.cumsum(added * below, axis=1)
        gained = np.cumsum((added * above)[:, ::-1], axis=1)[:, ::-1]
        departure = np.zeros_like(chance)
        departure[:, :-1] = gained
        departure[:, 1:] -= lost
        table[:, block] = departure[:, origins].T
    return table


def moments_of_each_k(
    a: Vector, b: Vector, payoff: Payoff, ks: NDArray[np.int64], options: Mapping[str, Any]
) -> tuple[Vector, Vector]:
    """Return posterior mean and variance of a payoff for every k at once, shape (K, U)."""
    near, variance, means = (
        _power_moments(a, b, payoff, ks)
        if payoff in (any_correct, all_correct)
        else _walked_moments(a, b, payoff, ks, options)
    )
    cancelled = variance < _CANCELLED * near**2
    for i in np.flatnonzero(cancelled.any(axis=1)):
        rows = cancelled[i]
        mean, covariance = moments(a[rows], b[rows], gains(payoff, int(ks[i]), **options)[None])
        means[i, rows], variance[i, rows] = mean[0], covariance[0, 0]
    return means, variance


def _power_moments(
    a: Vector, b: Vector, payoff: Payoff, ks: NDArray[np.int64]
) -> tuple[Vector, Vector, Vector]:
    r"""Return :math:`E\,p^k`, its variance and the mean payoff; of q for "any correct"."""
    a, total = (a if payoff is all_correct else b), a + b
    i = np.arange(2 * int(ks.max()))[:, None]
    log_power = np.cumsum(np.log1p((a - total) / (total + i)), axis=0)
    log_mean, log_square = log_power[ks - 1], log_power[2 * ks - 1]
    power, log_ratio = np.exp(log_mean), log_square - 2 * log_mean
    variance = np.where(
        log_ratio < 1,
        power**2 * np.expm1(np.minimum(log_ratio, 1)),
        np.exp(log_square) - power**2,
    )
    return power, variance, power if payoff is all_correct else -np.expm1(log_mean)


def _walked_moments(
    a: Vector, b: Vector, payoff: Payoff, ks: NDArray[np.int64], options: Mapping[str, Any]
) -> tuple[Vector, Vector, Vector]:
    """Return what is gained or missed on average, whichever is less, its variance and the mean."""
    points = lay_grid(a, b, int(ks.max()))
    mass = weights(a, b, points).T
    gained, missed, top = _walk(points, payoff, ks, options)
    gain, miss = gained @ mass, missed @ mass
    by_gain = gain <= miss
    square = np.where(by_gain, gained**2 @ mass, missed**2 @ mass)
    near = np.minimum(gain, miss)
    return near, square - near**2, np.where(by_gain, gain, top[:, None] - miss)


def _walk(
    points: QuadratureGrid, payoff: Payoff, ks: NDArray[np.int64], options: Mapping[str, Any]
) -> tuple[Vector, Vector, Vector]:
    """Add one try at a time; return what is gained and missed, (K, L), and the most there is."""
    rows = {k: row for row, k in enumerate(ks.tolist())}
    most = max(rows)
    gained, missed = np.empty((2, len(ks), len(points.p)))
    top = np.empty(len(ks))
    chance = np.zeros((most + 1, len(points.p)))
    chance[0] = 1
    for k in range(1, most + 1):
        one_more = chance[:k] * points.p
        chance[:k] *= points.q
        chance[1 : k + 1] += one_more
        if k in rows:
            added = gains(payoff, k, **options)
            credit, debit = np.add.accumulate(added), np.add.accumulate(added[::-1])[::-1]
            top[rows[k]] = credit[-1]
            gained[rows[k]] = credit @ chance[1 : k + 1]
            missed[rows[k]] = debit @ chance[:k]
    return gained, missed, top
