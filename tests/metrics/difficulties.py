"""Success rates of many kinds of questions: the quantile of each distribution."""

import numpy as np
from scipy import stats
from scipy.special import expit, ndtri


def at_points(*pairs):
    """Success rates, each with the share of the questions that have it."""
    rates, shares = np.array(pairs).T
    ends = np.cumsum(shares)[:-1]
    return lambda u: rates[np.searchsorted(ends, u, side="right")]


def halves(first, second):
    """Success rates of one distribution for half of the questions, of another for the rest."""
    return lambda u: np.where(
        u < 0.5, first(np.minimum(2 * u, 1)), second(np.maximum(2 * u - 1, 0))
    )


KINDS = {
    "uniform": lambda u: u,
    "Beta(.3,.3)": lambda u: stats.beta.ppf(u, 0.3, 0.3),
    "Beta(.5,5)": lambda u: stats.beta.ppf(u, 0.5, 5),
    "Beta(5,.5)": lambda u: stats.beta.ppf(u, 5, 0.5),
    "Beta(2,1)": lambda u: np.sqrt(u),
    "Beta(1,2)": lambda u: 1 - np.sqrt(1 - u),
    "35 % at 0, 35 % at 1": lambda u: np.clip((u - 0.35) / 0.3, 0, 1),
    "90 % at 1": lambda u: np.where(u < 0.1, stats.beta.ppf(np.minimum(u, 0.1) / 0.1, 2, 2), 1.0),
    "95 % at 0": lambda u: np.clip((u - 0.95) / 0.05, 0, 1),
    "all .3": lambda u: np.full_like(u, 0.3),
    ".02 or .98": at_points((0.02, 0.7), (0.98, 0.3)),
    ".05 or .95": at_points((0.05, 0.4), (0.95, 0.6)),
    ".1, .5 or .9": at_points((0.1, 0.6), (0.5, 0.1), (0.9, 0.3)),
    ".001, .3 or .999": at_points((0.001, 0.8), (0.3, 0.15), (0.999, 0.05)),
    "log-normal(-3, 1.5)": lambda u: np.minimum(0.9999, np.exp(-3 + 1.5 * ndtri(u))),
    "logit-normal(2, 2)": lambda u: expit(2 + 2 * ndtri(u)),
    "all .97": lambda u: np.full_like(u, 0.97),
    "all .5": lambda u: np.full_like(u, 0.5),
    "all .999": lambda u: np.full_like(u, 0.999),
    "all .03": lambda u: np.full_like(u, 0.03),
    ".5, else 0": at_points((0.5, 0.02), (0.0, 0.98)),
    "1, else 0": at_points((1.0, 0.03), (0.0, 0.97)),
    ".9, else 0": at_points((0.9, 0.95), (0.0, 0.05)),
}
UNTUNED = tuple(KINDS)[list(KINDS).index(".02 or .98") :]
"""Kinds that no choice of a method was made on."""

BEYOND = {
    "Beta(1,3)": lambda u: stats.beta.ppf(u, 1, 3),
    "Beta(.5,.5)": lambda u: stats.beta.ppf(u, 0.5, 0.5),
    "Beta(2,2)": lambda u: stats.beta.ppf(u, 2, 2),
    "20 % at 0, 20 % at 1": lambda u: np.clip((u - 0.2) / 0.6, 0, 1),
    ".04 or .9": at_points((0.04, 0.5), (0.9, 0.5)),
    ".01, .5 or .99": at_points((0.01, 0.4), (0.5, 0.2), (0.99, 0.4)),
    "half .02, half .7": at_points((0.02, 0.5), (0.7, 0.5)),
    "logit-normal(-3, 3)": lambda u: expit(-3 + 3 * ndtri(u)),
    "log-uniform from .001": lambda u: 10 ** (3 * u - 3),
    "Beta(1,60) or Beta(8,2)": halves(
        lambda u: stats.beta.ppf(u, 1, 60), lambda u: stats.beta.ppf(u, 8, 2)
    ),
    "a long tail": lambda u: stats.beta.ppf(u, 0.25, 1.2),
    "mostly solved": halves(lambda u: stats.beta.ppf(u, 0.4, 1), lambda u: 1 - 10 ** (-1 - 3 * u)),
    "hardly solved": halves(lambda u: 10 ** (-4 + 3 * u), lambda u: stats.beta.ppf(u, 0.6, 1)),
}
"""Kinds that forecasts are tried on, beside the others; the last are as of real benchmarks."""


def of_kinds(*names):
    return {name: KINDS[name] for name in names}
