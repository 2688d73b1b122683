"""Questions that catch mistakes of metrics."""

from fractions import Fraction

import numpy as np

from metrics import Tally

R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
"""The matrix of scorio.eval 0.2.3 documentation."""
DANGEROUS = [
    (Fraction(j, k), k)
    for k in range(1, 65)
    for j in range(1, k + 1)
    if np.ceil(float(Fraction(j, k)) * k) != j
]


def question(n, c):
    return Tally([n], [c], [1])
