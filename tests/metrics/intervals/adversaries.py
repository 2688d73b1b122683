"""The least that limits hold, over all true values of a distribution, computed exactly."""

import numpy as np
from scipy import stats
from scipy.special import gammaln, xlogy

_BESIDE = 1e-9
_CELLS = 1 << 21
_MANY = np.append(np.linspace(0.02, 0.98, 25), 1 - np.geomspace(0.002, 0.2, 10))
_ENDS = 60
"""Of more questions only so many at either end are tried; between them shares are held best."""


def of_a_share(low, high):
    """The least coverage of a binomial share, by the limits of 0, 1 … n successes.

    Coverage is least right beside a limit, where a count ceases to hold the share.
    """
    n = len(low) - 1
    shares = np.concatenate([high[:-1] + _BESIDE, low[1:] - _BESIDE])
    return least_held(low, high, shares[(shares > 0) & (shares < 1)], n)


def of_two_scores(low, high, score):
    """The least coverage of a mean of `score` and 1, by the limits of 0, 1 … n ones."""
    n, span = len(low) - 1, 1 - score
    ends = np.concatenate([high - _BESIDE, high + _BESIDE, low - _BESIDE, low + _BESIDE])
    shares = (ends - score) / span
    shares = shares[(shares > 0) & (shares < 1)]
    if n > _ENDS:
        shares = shares[np.abs(shares - 0.5) > 0.5 - _ENDS / n]
    return least_held(low, high, shares, n, lambda share: score + span * share)


def least_held(low, high, shares, n, value=lambda share: share):
    """The least coverage over shares of n, of whose counts low and high are the limits."""
    x, least = np.arange(n + 1), 1.0
    for some in np.array_split(shares, 1 + len(shares) * n // _CELLS):
        true = value(some)[:, None]
        held = (low <= true) & (true <= high)
        chances = stats.binom.pmf(x, n, some[:, None])
        least = min(least, (chances * held).sum(axis=1).min(initial=1.0))
    return float(least)


def gains_and_losses(m):
    """All counts of questions gained and lost, of m."""
    gained, lost = np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij")
    possible = gained + lost <= m
    return gained[possible], lost[possible]


def of_gains_and_losses(limits, m, gain=1.0):
    """The least coverage of a difference of two shares of a trinomial, over its whole triangle.

    A question gained counts so much, one lost 1.

    Beside the limits of few counts it is least; elsewhere a grid is tried, whose edge is finer.
    """
    gained, lost = gains_and_losses(m)
    low, high = limits
    few = gained + lost <= 6
    beside = np.concatenate([end + _BESIDE for end in (high[few], -low[few])])
    shares = [
        (beside + other / m, np.full_like(beside, other / m)) for other in (0, 0.2, 0.5, 1, 2, 4)
    ]
    if gain < 1:
        shares += [(np.tile(_MANY, 40), np.repeat(np.geomspace(0.1 / m, 0.5, 40), len(_MANY)))]
        shares += [(1 - lost, lost) for lost in [np.geomspace(0.1 / m, 0.5, 40)]]
    spread = np.linspace(0.02, min(14, m), 240) / m
    shares += [(spread, other * spread) for other in (0, 0.1, 0.3, 0.6, 1)]
    shares += [(all_differ * (1 - spread), all_differ * spread) for all_differ in (1, 0.98)]
    shares += [tuple(np.random.default_rng(m).dirichlet([0.6, 0.6, 0.6], 400).T[:2])]
    p, q = (np.concatenate(each) for each in zip(*shares, strict=True))
    inside = (p >= 0) & (q >= 0) & (p + q <= 1)
    least = 1.0
    for some in np.array_split(np.flatnonzero(inside), 1 + inside.sum() * len(low) // _CELLS):
        a, b = p[some, None], q[some, None]
        rest = np.maximum(1 - a - b, 0)
        logs = xlogy(gained, a) + xlogy(lost, b) + xlogy(m - gained - lost, rest)
        ways = gammaln(m + 1) - gammaln(gained + 1) - gammaln(lost + 1)
        chances = np.exp(logs + ways - gammaln(m - gained - lost + 1))
        true = gain * a - b
        held = (low <= true) & (true <= high)
        least = min(least, (chances * held).sum(axis=1).min(initial=1.0))
    return float(least)
