"""Which pairs of avg@n and the chance of a vote are possible at all, and which remain possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import require_count, require_k
from metrics.data.results import Interval
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import majority

Polygon = NDArray[np.float64]
"""Corners of a convex polygon, counter-clockwise, shape (V, 2); two corners are a segment."""
Strip = tuple[Sequence[float], Interval]
"""A direction, and the interval that its product with a point may take."""

_ROUNDING = 1e-12


def feasible_region(n: int | Iterable[int], k: int | None = None) -> Polygon:
    """Return the corners of all pairs (avg@n, maj@k) that any set of questions can have.

    A question with c of n right is at (c / n, chance that a vote of k of them is right); a set of
    questions is a mean of such points, and so anywhere in their convex hull.

    Parameters
    ----------
    n : int or iterable of int
        Samples of each question; several where questions differ.
    k : int, optional
        Votes, at most the fewest samples; by default all n samples vote: cons@n.

    Returns
    -------
    float array, shape (V, 2)
        Counter-clockwise from (0, 0); for k = 1 the segment to (1, 1).

    Raises
    ------
    MetricError
        If n or k is not a count, or k exceeds an n.

    Examples
    --------
    Of three samples, a third may be right without any majority:

    >>> feasible_region(3).round(3).tolist()
    [[0.0, 0.0], [0.333, 0.0], [1.0, 1.0], [0.667, 1.0]]
    """
    sizes = [n] if isinstance(n, int | np.integer) else list(n)
    points = []
    for size in (require_count(size, "n") for size in sizes):
        votes = size if k is None else require_k(k, size)
        points.append(np.stack([np.arange(size + 1) / size, payoff_table(majority, votes, size)]))
    return convex_hull(np.concatenate(points, axis=1).T)


def convex_hull(points: NDArray[np.float64]) -> Polygon:
    """Return the corners of the convex hull of points in the plane, from the leftmost lowest."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) == 1:
        return np.array(ordered)
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def clipped(polygon: Polygon, strips: Iterable[Strip]) -> Polygon:
    """Return the part of a convex polygon that lies in every strip.

    A strip is a direction and an interval: ``((1, 0), (0.2, 0.4))`` keeps what is between 0.2 and
    0.4 horizontally.
    """
    for direction, interval in strips:
        for sign, limit in ((1.0, interval.high), (-1.0, -interval.low)):
            polygon = _cut_polygon(polygon, polygon @ (sign * np.asarray(direction)) - limit)
    return convex_hull(polygon)


def _cut_polygon(polygon: Polygon, excess: NDArray[np.float64]) -> Polygon:
    """Keep what has no excess, a linear function given at the corners."""
    hull = []
    corners = [*zip(polygon, excess, strict=True), (polygon[0], excess[0])]
    for (corner, over), (following, further) in pairwise(corners):
        if over <= _ROUNDING:
            hull.append(corner)
        if min(over, further) < -_ROUNDING and max(over, further) > _ROUNDING:
            hull.append(corner + over / (over - further) * (following - corner))
    return np.array(hull)


def _chain(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Return the corners on the right of the way from the first point to the last."""
    chain: list[tuple[float, ...]] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= _ROUNDING:
            chain.pop()
        chain.append(point)
    return chain


def _turn(first: Sequence[float], middle: Sequence[float], last: Sequence[float]) -> float:
    """Return a number above 0 for a turn to the left."""
    (ax, ay), (bx, by), (cx, cy) = first, middle, last
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
