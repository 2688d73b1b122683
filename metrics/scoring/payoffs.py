"""What a draw of k samples earns: the vector A_0 … A_k over the number of correct ones.

A metric of 0/1 outcomes is the expected payoff ``E[A(X)]``, where X is how many of k drawn samples
are correct.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.inputs import number_vector, require_share
from metrics.data.words import MetricError, Text

Payoff = Callable[..., Vector]
Ties = Literal["fail", "pass", "half"]

TIES: dict[str, float] = {"fail": 0.0, "half": 0.5, "pass": 1.0}
"""What a tied vote earns."""
SLACK = 1e-12
"""By how much weights may sum to more than 1."""


def share(k: int) -> Vector:
    """``j / k``: the share of correct samples."""
    return np.arange(k + 1) / k


def any_correct(k: int) -> Vector:
    """1 if ``j >= 1``: at least one is correct."""
    return _step(1, k)


def all_correct(k: int) -> Vector:
    """1 if ``j = k``: every one is correct."""
    return _step(k, k)


def majority(k: int, ties: Ties = "fail") -> Vector:
    """1 if ``j > k / 2``: more than half are correct; a tie earns what `TIES` says.

    >>> majority(4).tolist(), majority(4, ties="half").tolist()
    ([0.0, 0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0])
    """
    if not isinstance(ties, str) or ties not in TIES:
        raise MetricError(Text("ties must be 'fail', 'pass' or 'half'; got {got!r}.", got=ties))
    earned = _step(k // 2 + 1, k)
    if k % 2 == 0:
        earned[k // 2] = TIES[ties]
    return earned


def threshold(k: int, tau: float = 1.0) -> Vector:
    """1 if j reaches the share tau of k: G-Pass@k_tau; tau = 0 is pass@k, tau = 1 pass^k.

    The product ``tau * k`` is compared in a way that rounding cannot push over an integer, as
    ``ceil(0.28 * 25)`` would be.

    >>> threshold(25, 7 / 25).argmax().item()
    7
    """
    tau = require_share(tau, "tau")
    needed = int(np.floor(tau * k))
    if tau > needed / k:
        needed += 1
    return _step(max(1, needed), k)


def covered(n: int, tau: float = 0.5) -> Vector:
    """1 if at least the share tau of n samples is correct: Cover@tau, the share of p as c / n has.

    >>> covered(4).tolist(), covered(4, 0).tolist()
    ([0.0, 0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0])
    """
    return np.ones(n + 1) if require_share(tau, "tau") == 0 else threshold(n, tau)


def mean_threshold(k: int) -> Vector:
    """``(2 / k) max(0, j - ceil(k / 2))``: mG-Pass@k, G-Pass averaged over tau from 1/2 to 1."""
    return 2 / k * np.maximum(0, np.arange(k + 1) - (k + 1) // 2)


def area(k: int) -> Vector:
    """Trapezoid mean over i = 1 … k of "at least one of i draws": AUC@k; pass@1 for k = 1."""
    return _sums(_area_gains(k))


def spectrum(k: int, weights: Sequence[float] | None = None) -> Vector:
    """``w_1 + … + w_j``, at most 1: credit for each threshold that j reaches.

    k: Samples drawn.
    weights: At least 0, with a sum of at most 1, rounding allowed for. There is no default. Shape
        (k,).
    """
    return _sums(_spectrum_gains(k, weights))


def gains(payoff: Payoff, k: int, **options: Any) -> Vector:
    """Return what each further correct sample adds, ``A_j - A_{j-1}``, to full precision.

    >>> gains(majority, 3).tolist(), gains(spectrum, 2, weights=[0.9, 1e-20]).tolist()
    ([0.0, 1.0, 0.0], [0.9, 1e-20])
    """
    if payoff in _GAINS:
        return _GAINS[payoff](k, **options)
    earned = payoff(k, **options)
    return earned[1:] - earned[:-1]


def _area_gains(k: int) -> Vector:
    r"""Return the gains of the trapezoid mean.

    With j of k correct, i of them hold none with probability
    :math:`\binom{k-j}{i} / \binom{k}{i}`, whose sum over i = 0 … k is :math:`(k+1)/(j+1)`; the
    trapezoid takes half of its terms at both ends, i = 1 and i = k.
    """
    j = np.arange(1, k + 1)
    if k == 1:
        return np.ones(1)
    return np.asarray(((k + 1) / (j * (j + 1)) - 0.5 / k - 0.5 * (j == 1)) / (k - 1))


def _spectrum_gains(k: int, weights: Sequence[float] | None = None) -> Vector:
    if weights is None:
        raise MetricError(
            Text("weights are needed: {k} numbers of at least 0 that sum to at most 1.", k=k)
        )
    w = number_vector(weights, "weights", k)
    if np.any(w < 0) or w.sum() > 1 + SLACK:
        raise MetricError(
            Text(
                "weights must be at least 0 and sum to at most 1; got {low} … {high}, sum {sum}.",
                low=float(w.min()),
                high=float(w.max()),
                sum=float(w.sum()),
            )
        )
    return np.asarray(w / max(1.0, w.sum()))


_GAINS: dict[Payoff, Payoff] = {area: _area_gains, spectrum: _spectrum_gains}


def _sums(each: Vector) -> Vector:
    return np.concatenate([[0.0], np.minimum(np.cumsum(each), 1)])


def _step(first: int, k: int) -> Vector:
    earned = np.zeros(k + 1)
    earned[first:] = 1
    return earned
