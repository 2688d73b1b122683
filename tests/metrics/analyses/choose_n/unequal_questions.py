"""Questions to choose n for, and what a choice of n tells."""

import numpy as np


def matrix(m=40, n=8, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(0.5, 1, (m, 1))).astype(int)


def told(choice):
    return " ".join(map(str, choice.remarks))
