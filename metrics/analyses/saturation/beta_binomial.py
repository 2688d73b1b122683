r"""Difficulties as a Beta distribution, perhaps with point masses at 0 and at 1.

A distribution is a row of parameters: :math:`(\log a, \log b)` of the Beta distribution, or
:math:`(\log a, \log b, \log w_0/w_\beta, \log w_1/w_\beta)` where shares :math:`w_0` and
:math:`w_1` of the questions are never or always solved. All functions take many rows at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from metrics.analyses.saturation.thinning import FractionalTally
from metrics.data.arrays import Vector
from metrics.posteriors.quadrature import lay_grid, weights

BETA, INFLATED = 2, 4
"""Parameters of a Beta distribution, and of one with point masses."""
SMALLEST, LARGEST = -9.0, 7.0
"""Where log a and log b lie."""
_FARTHEST = 15.0
_PENALTY = 0.01
_CELLS = 1 << 18
_STEP = 1e-4
_STARTS = ([0.0, 0.0, -2.0, -2.0], [0.0, 0.0, 0.0, 0.0], [-1.0, 1.0, -4.0, -4.0])


class Likelihood:
    r"""The log-likelihood of counts, less the binomial coefficients.

    With rising factorials :math:`a^{(c)} = a (a+1) \cdots (a+c-1)` a question with c of n has

    .. math:: w_\beta \frac{a^{(c)} b^{(n-c)}}{(a+b)^{(n)}} + w_0 [c = 0] + w_1 [c = n]

    so that :math:`\log(a + i)` occurs once for each question with more than i correct.

    counts: What was observed.
    """

    def __init__(self, counts: FractionalTally) -> None:
        self.total = counts.total
        most = int(counts.n.max())
        self._i = np.arange(most)

        def beyond(reached: NDArray[np.int64]) -> Vector:
            each = np.bincount(reached, counts.questions, most + 1)
            return np.asarray(np.cumsum(each[:0:-1])[::-1], dtype=np.float64)

        self._steps = beyond(counts.c), beyond(counts.n - counts.c), beyond(counts.n)
        sizes, size = np.unique(counts.n, return_inverse=True)
        self._within = (self._i[:, None] < sizes).astype(np.float64)
        self._never, self._always = (
            np.bincount(size, counts.questions * (counts.c == c), len(sizes)) for c in (0, counts.n)
        )

    def __call__(self, rows: Vector) -> Vector:
        """Return the log-likelihood of each distribution, rows of shape (D, 2) or (D, 4)."""
        step = max(1, _CELLS // len(self._i))
        parts = [
            self._log_likelihoods(rows[start : start + step]) for start in range(0, len(rows), step)
        ]
        return np.concatenate(parts)

    def _log_likelihoods(self, rows: Vector) -> Vector:
        a, b = np.exp(rows[:, :2]).T
        log_a, log_b, log_sum = (np.log(x[:, None] + self._i) for x in (a, b, a + b))
        right, wrong, both = self._steps
        log_likelihood = log_a @ right + log_b @ wrong - log_sum @ both
        if rows.shape[1] == BETA:
            return np.asarray(log_likelihood)
        zero, one = rows[:, 2:].T
        missed, solved = (log_b - log_sum) @ self._within, (log_a - log_sum) @ self._within
        log_likelihood += np.logaddexp(0, zero[:, None] - missed) @ self._never
        log_likelihood += np.logaddexp(0, one[:, None] - solved) @ self._always
        return np.asarray(log_likelihood - self.total * np.logaddexp(np.logaddexp(zero, one), 0))


def fit(likelihood: Likelihood, size: int) -> Vector:
    """Return the likeliest distribution of a number of parameters, weakly drawn to 0."""

    def loss(rows: Vector) -> Vector:
        return np.asarray(_PENALTY * (rows**2).sum(axis=1) - likelihood(rows))

    bounds = [(SMALLEST, LARGEST)] * BETA + [(-_FARTHEST, _FARTHEST)] * (size - BETA)
    starts = _STARTS if size == INFLATED else ([0.0, 0.0],)
    fits = [
        scipy.optimize.minimize(with_slope(loss), start, jac=True, method="L-BFGS-B", bounds=bounds)
        for start in starts
    ]
    return np.asarray(min(fits, key=lambda each: float(each.fun)).x)


def with_slope(f: Callable[[Vector], Vector]) -> Callable[[Vector], tuple[float, Vector]]:
    """Return a function of one row that gives its value and its slope, by central differences."""

    def both(row: Vector) -> tuple[float, Vector]:
        steps = _STEP * np.eye(len(row))
        values = f(np.concatenate([row + steps, row - steps, row[None]]))
        ahead, behind = values[: len(row)], values[len(row) : -1]
        return float(values[-1]), (ahead - behind) / (2 * _STEP)

    return both


def log_prior(rows: Vector) -> Vector:
    """Return a prior: uniform in mean and 1 / (1 + a + b), each log ratio of shares N(-2, 2²)."""
    a, b = np.exp(rows[:, :2]).T
    s = a + b
    found = rows[:, 0] + rows[:, 1] - np.log(s) - 2 * np.log1p(s)
    found -= ((rows[:, 2:] + 2) ** 2).sum(axis=1) / 8
    inside = (rows[:, :2] >= SMALLEST).all(axis=1) & (rows[:, :2] <= LARGEST).all(axis=1)
    return np.where(inside, found, -np.inf)


def expected_scores(rows: Vector, k: int, score: Callable[[Vector], Vector]) -> Vector:
    """Return the expected score of a question of each distribution.

    `score` gives scores of shape (K, L) at L success rates, polynomials of degree k; the result is
    of shape (D, K).
    """
    a, b = np.exp(rows[:, :2]).T
    points = lay_grid(a, b, k)
    scores = weights(a, b, points) @ score(points.p).T
    if rows.shape[1] == BETA:
        return np.asarray(scores)
    zero, one, beta = shares(rows).T[..., None]
    never, always = score(np.array([0.0, 1.0])).T
    return np.asarray(zero * never + one * always + beta * scores)


def shares(rows: Vector) -> Vector:
    """Return the shares of questions never solved, always solved, and in between, (D, 3)."""
    logs = np.pad(rows[:, 2:], ((0, 0), (0, 1)))
    share = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(share / share.sum(axis=1, keepdims=True))
