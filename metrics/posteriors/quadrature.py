r"""A question's success rate p given its counts: Beta(a, b), integrated numerically.

With :math:`p = \sin^2\theta` every such distribution is about equally wide in :math:`\theta`, and
with :math:`\theta` a difference of softplus functions of x its ends decay exponentially in x. The
trapezoid rule on one grid of x then serves all counts, all payoffs and all k at once, and
converges geometrically.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from metrics.data.arrays import Vector

_RESOLUTION = 2.0
_STEP = 0.5
_DECAY = 16.0
_VANISHED = 750.0
_BENT = 40.0


class QuadratureGrid(NamedTuple):
    """Success rates and their complements, and logarithms of both and of the measure; shape (L,).

    The logarithms of p and q are relative to those in the middle of the grid, so that large powers
    of both do not cancel.
    """

    p: Vector
    q: Vector
    log_p: Vector
    log_q: Vector
    log_measure: Vector


def lay_grid(a: Vector, b: Vector, k: int) -> QuadratureGrid:
    r"""Lay the grid for Beta(a, b) of each row and k tries.

    A distribution falls like :math:`\exp(-(a + b) \Delta\theta^2)` at least on both sides of its
    mean; where all have fallen to nothing there are no points.

    Returns: At most about ``8 sqrt(max(a + b, k)) + 128`` points.
    """
    size = float(max((a + b).max(), k))
    mean = np.arctan2(np.sqrt(a), np.sqrt(b))
    spread = np.sqrt(_VANISHED / (a + b).min())
    tail = _DECAY / float(np.clip(min(a.min(), b.min()), 0.5, 1.0))
    scale = _RESOLUTION * np.sqrt(size)
    first = _points_beyond(np.pi / 4 - float(mean.min()) + spread, scale, tail)
    last = _points_beyond(float(mean.max()) - np.pi / 4 + spread, scale, tail)
    return _grid(scale, -first, last)


def _points_beyond(angle: float, scale: float, tail: float) -> int:
    """Return how many points lie between the middle and an angle from it, the end included."""
    end = np.pi / 4 * scale
    reach = angle * scale if angle * scale < end - _BENT else end + tail
    return int(np.ceil(reach / _STEP)) + 1


@lru_cache(maxsize=16)
def _grid(scale: float, first: int, last: int) -> QuadratureGrid:
    x, end = _STEP * (np.arange(first, last) + 0.5), np.pi / 4 * scale
    near = (np.logaddexp(0, end - abs(x)) - np.logaddexp(0, -end - abs(x))) / scale
    small = np.sin(near) ** 2
    large, log_small, log_large = 1 - small, 2 * np.log(np.sin(near)), np.log1p(-small)
    left = x < 0
    p, q = np.where(left, small, large), np.where(left, large, small)
    log_p, log_q = np.where(left, log_small, log_large), np.where(left, log_large, log_small)
    m = len(x) // 2
    bend = np.logaddexp(0, -end - x) - np.logaddexp(0, x - end)
    turn = (x - x[m] + bend - bend[m]) / scale
    same = left == left[m]
    rise = np.sin(turn) * np.where(same, np.sin(near + near[m]), np.cos(near - near[m]))
    grid = QuadratureGrid(
        p,
        q,
        _log_ratio(rise / p[m], log_p - log_p[m]),
        _log_ratio(-rise / q[m], log_q - log_q[m]),
        np.log((expit(end - abs(x)) - expit(-end - abs(x))) / scale),
    )
    for array in grid:
        array.flags.writeable = False
    return grid


def _log_ratio(growth: Vector, direct: Vector) -> Vector:
    """Return the logarithm of a ratio from its growth over 1, or direct where it has shrunk."""
    return np.where(growth > -0.5, np.log1p(np.maximum(growth, -0.5)), direct)


def weights(a: Vector, b: Vector, points: QuadratureGrid) -> Vector:
    """Return the mass of Beta(a, b) at each point of the grid, shape (U, L), rows summing to 1.

    The first and the last point also carry what lies beyond them, a geometric series.
    """
    log_mass = np.multiply.outer(a - 0.5, points.log_p)
    log_mass += np.multiply.outer(b - 0.5, points.log_q)
    log_mass += points.log_measure
    log_mass[:, 0] -= np.log(-np.expm1(-2 * _STEP * a))
    log_mass[:, -1] -= np.log(-np.expm1(-2 * _STEP * b))
    log_mass -= log_mass.max(axis=1, keepdims=True)
    mass = np.exp(log_mass, out=log_mass)
    mass /= mass.sum(axis=1, keepdims=True)
    return mass
