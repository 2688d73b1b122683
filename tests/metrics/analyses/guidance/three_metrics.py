"""pass@k, avg@n and cons@k of some questions as rationals, and the cell where they lie."""

from fractions import Fraction
from math import comb

from hypothesis import strategies as st

from metrics import Tally

COUNTS = st.integers(1, 6).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=12))
)


def exact(n, counts, k=None):
    """pass@k, avg@n and cons@k of some questions, as rationals."""
    k = n if k is None else k

    def chance(needed, c):
        ways = sum(comb(c, j) * comb(n - c, k - j) for j in range(needed, k + 1))
        return Fraction(ways, comb(n, k))

    m = len(counts)
    return (
        sum(chance(1, c) for c in counts) / m,
        Fraction(sum(counts), n * m),
        sum(chance(k // 2 + 1, c) for c in counts) / m,
    )


def place(values, high=Fraction(8, 10), low=Fraction(1, 2)):
    return tuple("high" if v > high else "low" if v < low else "medium" for v in values)


def of_counts(n, counts):
    return Tally.of_questions([n] * len(counts), counts)
