"""The power with which questions of given kinds show a difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, exp, log
from typing import Any

import numpy as np
import scipy
from scipy.special import bdtr, ndtr, ndtri

from metrics.data.arrays import Vector
from metrics.intervals.paired import MeanDifference

_CELLS = 4_000
_FEWEST, _MOST = 9, 40
_DEVIATIONS, _STEPS_OF_ONE = 3.5, 3
"""How many deviations are looked at, and the steps of each."""
_CERTAIN = 1e-9
_STEP, _FARTHEST = 0.2, 30.0
"""How far to look first for what is enough, and at last, as logarithms."""
_PART = 0.01


def chance_of_showing(expected: MeanDifference, confidence_level: float) -> float:
    r"""Return how surely the lower limit of questions like these lies above 0.

    How many questions gain much, and how many lose much, more than half as much as any, is
    multinomial, and of so many the mean difference is about normal:

    .. math::
        \sum_{g, l} P(g, l) \, \Phi\left(\frac{L_{gl}}{\sqrt{V_{gl}}}\right)

    with the lower limit L where these gain and lose as is to be expected, and the variance V that
    it has besides: that of :math:`d - z (d^2 - 2 m d) / 2 \sqrt S` over M, with the mean m and the
    sum S of squared deviations, since a large gain makes the interval wider too. Of many questions
    some g and l stand for their neighbours.

    expected: With as many questions of each kind as are to be expected.
    confidence_level: In (0, 1).

    Examples
    --------
    Of 30 questions of which 8 % are gained four must be, of which the chance is .22:

    >>> rare = MeanDifference(np.array([0.0, 1.0]), np.array([27.6, 2.4]))
    >>> round(chance_of_showing(rare, 0.95), 2)
    0.22
    """
    values, questions = np.asarray(expected.values), np.asarray(expected.questions)
    m, effect = float(questions.sum()), 1.0
    if expected.clusters is not None:
        effect = float(expected.variance_of_mean * m**2 / max(expected.squares, _CERTAIN))
    half = np.abs(values[questions > 0]).max(initial=_CERTAIN) / 2
    gains, losses, rest = (
        np.where(those, questions, 0.0)
        for those in (values > half, values < -half, np.abs(values) <= half)
    )
    nodes = min(max(int(np.sqrt(_CELLS / len(values))), _FEWEST), _MOST)
    gained, chance, step = _nodes(m / effect, gains.sum() / m, nodes)
    share = losses.sum() / max(m - gains.sum(), _CERTAIN)
    lost, chances, steps = _nodes(m / effect - gained, share, nodes)
    each = lost.shape[1]
    likely = (chance[:, None] * chances).ravel()
    gained, lost = effect * np.repeat(gained, each), effect * lost.ravel()
    others = np.maximum(m - gained - lost, 0.0)

    pull = ndtri((1 + confidence_level) / 2) / 2 / np.sqrt(max(expected.squares, _CERTAIN))
    moved = values - pull * (values**2 - 2 * float(expected.value) * values)
    drawn: Any = 0.0
    left: Any = 0.0
    for part, count in ((gains, gained), (losses, lost), (rest, others)):
        drawn = drawn + np.multiply.outer(_shares(part), count)
    for part, count, squares in (
        (gains, gained, step**2),
        (losses, lost, np.repeat(steps, each) ** 2),
        (rest, others, 1.0),
    ):
        mean, variance = _moments(moved, part)
        left = left + effect * (count * variance + effect * (squares - 1) / 12 * mean**2) / m**2
    many = MeanDifference(values, drawn, expected.low, expected.high)
    if expected.clusters is not None:
        variance = effect * many.squares / m**2
        many = replace(many, variance=variance, clusters=expected.clusters)
    low = many.low_limit(confidence_level)
    deviation = np.sqrt(np.maximum(left, _CERTAIN**2))
    return float(likely @ np.where(left > _CERTAIN**2, ndtr(low / deviation), low > 0))


def surplus(chance: float, power: float) -> float:
    """Return by how many deviations a chance is above a power; nearly a line along effects."""
    return float(ndtri(min(max(chance, _CERTAIN), 1 - _CERTAIN)) - ndtri(power))


def least_enough(
    surplus: Callable[[float], float], near: float, most: float, within: float
) -> float | None:
    """Return the least number above 0 that is enough; None if none is, up to the most.

    surplus: From a number to what it has too much, which grows with it and is below 0 of too few.
    near: Where to begin to look.
    within: How near to come, as a part of the number.

    Examples
    --------
    >>> round(least_enough(lambda x: x**2 - 2, 1.0, 10.0, 1e-6), 4)
    1.4142
    >>> least_enough(lambda x: x**2 - 2, 1.0, 1.2, 1e-6)
    """
    surpluses: dict[float, float] = {}

    def along(exponent: float) -> float:
        if exponent not in surpluses:
            surpluses[exponent] = surplus(min(exp(exponent), most))
        return surpluses[exponent]

    top = log(most)
    exponent, step = min(log(near), top), _STEP
    too_few = along(exponent) < 0
    while (along(exponent) < 0) == too_few:
        if too_few and exponent >= top:
            return None
        if not too_few and step > _FARTHEST:
            return exp(exponent)
        before, exponent = exponent, min(exponent + step if too_few else exponent - step, top)
        step *= 2
    return exp(scipy.optimize.brentq(along, before, exponent, xtol=within, rtol=_CERTAIN))


def fewest(surplus: Callable[[int], float], near: float, most: int) -> int | None:
    """Return the fewest questions that are enough, to a hundredth; None if more than the most.

    As `least_enough`, of whole numbers.
    """
    enough = least_enough(lambda x: surplus(ceil(x)), max(near, 1.0), most, _PART)
    if enough is None:
        return None
    many = max(1, int(enough * (1 + _PART / 4)))
    while surplus(many) < 0:
        many += max(1, int(many * _PART))
    return many


def _shares(part: Vector) -> Vector:
    return np.asarray(part / max(part.sum(), _CERTAIN))


def _moments(values: Vector, part: Vector) -> tuple[float, float]:
    shares = _shares(part)
    mean = float(shares @ values)
    return mean, float(shares @ (values - mean) ** 2)


def _nodes(trials: Any, share: float, nodes: int) -> tuple[Any, Any, Any]:
    """Return how many of some trials succeed, with what chance, and in steps of how many.

    Each is along a last axis that is added, of so many nodes at most.
    """
    trials, share = np.floor(np.maximum(trials, 0.0))[..., None], min(share, 1.0)
    middle, deviation = trials * share, np.sqrt(trials * share * (1 - share))
    least = np.maximum(np.floor(middle - _DEVIATIONS * deviation - 1), 0)
    most = np.minimum(np.ceil(middle + _DEVIATIONS * deviation + 2), trials)
    step = np.ceil(np.maximum((most - least + 1) / nodes, 1))
    step = np.maximum(step, np.floor(deviation / _STEPS_OF_ONE))
    first = least + step * np.arange(np.ceil((most - least + 1) / step).max())
    last = np.minimum(first + step - 1, trials)
    ends = np.concatenate([first[..., :1] - 1, last], axis=-1)
    below = np.where(ends < 0, 0.0, bdtr(np.maximum(ends, 0), trials.astype(np.int64), share))
    chances = np.maximum(np.diff(below, axis=-1), 0.0)
    return (first + last) / 2, chances / chances.sum(axis=-1, keepdims=True), step[..., 0]
