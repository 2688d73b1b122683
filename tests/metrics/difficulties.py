"""Success rates of many kinds of questions: the quantile of each distribution."""

import numpy as np
from scipy import stats

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
}


def of_kinds(*names):
    return {name: KINDS[name] for name in names}
