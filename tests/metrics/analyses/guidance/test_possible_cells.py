"""Which cells of the decision matrix questions can reach, and what avg alone leaves open."""

from itertools import combinations_with_replacement

import pytest

from metrics import guidance
from metrics.analyses.guidance.decision_matrix import LEVELS, PROFILES
from tests.metrics.analyses.guidance.three_metrics import exact, of_counts, place


@pytest.mark.wide
@pytest.mark.parametrize(("n", "m"), [(1, 20), (2, 20), (3, 20), (4, 7), (5, 6)])
def test_cells_that_some_questions_reach_are_the_possible_ones(n, m):
    reached = {place(exact(n, c)) for c in combinations_with_replacement(range(n + 1), m)}
    possible = guidance(of_counts(n, [0, n])).possible
    assert reached <= possible
    if n <= 3:
        assert reached == possible


@pytest.mark.wide
@pytest.mark.parametrize(("n", "k"), [(4, 2), (4, 3), (6, 3), (6, 5)])
def test_possible_cells_for_fewer_draws_than_samples(n, k):
    possible = guidance(of_counts(n, [0, n]), k=k).possible
    reached = {place(exact(n, c, k)) for c in combinations_with_replacement(range(n + 1), 7)}
    assert reached <= possible


def test_neither_avg_nor_cons_can_exceed_pass():
    for n in (1, 2, 5, 16):
        for cell in guidance(of_counts(n, [0, n])).possible:
            first, second, third = map(LEVELS.index, cell)
            assert first >= max(second, third)
        if n == 1:
            assert guidance(of_counts(1, [0, 1])).possible == {(level,) * 3 for level in LEVELS}


def test_the_row_of_systematic_bias_cannot_occur_and_the_others_can():
    possible = guidance(of_counts(16, [0, 16])).possible
    assert [profile.cell in possible for profile in PROFILES] == [True, True, False, True]


@pytest.mark.wide
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_what_avg_leaves_open_by_brute_force(n):
    """Among eight questions with the same avg@n, pass and cons go from end to end."""
    m = 8
    for total in range(0, n * m + 1, n):
        alike = [
            exact(n, counts)
            for counts in combinations_with_replacement(range(n + 1), m)
            if sum(counts) == total
        ]
        counts = next(c for c in combinations_with_replacement(range(n + 1), m) if sum(c) == total)
        ranges = guidance(of_counts(n, counts), resamples=1).open_ranges
        for dimension, position in (("pass", 0), ("cons", 2)):
            values = [float(values[position]) for values in alike]
            assert ranges[dimension].low <= min(values) + 1e-12
            assert ranges[dimension].high >= max(values) - 1e-12
            if n < 3:
                assert ranges[dimension] == pytest.approx((min(values), max(values)))
