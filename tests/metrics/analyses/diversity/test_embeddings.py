"""The mean cosine distance, against all pairs."""

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from metrics import mean_cosine_distance


def test_it_is_the_mean_over_all_pairs():
    rng = np.random.default_rng(0)
    for n in (2, 3, 8):
        vectors = rng.normal(size=(n, 5)) * rng.lognormal(size=(n, 1))
        pairs = [cosine(*two) for two in combinations(vectors, 2)]
        assert mean_cosine_distance(vectors) == pytest.approx(np.mean(pairs), abs=1e-14)


def test_clones_are_0_apart_and_opposites_most():
    assert mean_cosine_distance([[0.1, 0.2]] * 5) == pytest.approx(0, abs=1e-15)
    assert mean_cosine_distance([[1e-200, 0], [-1e200, 0]]) == 2


def test_what_has_no_direction_is_left_out():
    nan = float("nan")
    assert mean_cosine_distance([[1, 0], [nan, 1], [0, 0], [0, 3]]) == 1
    assert isnan(mean_cosine_distance([[1, 0], [nan, 1]]))
    assert isnan(mean_cosine_distance(np.zeros((0, 4))))
