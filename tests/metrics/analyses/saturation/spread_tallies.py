"""Tallies of spread difficulties to extrapolate from, and what tries at a known rate earn."""

import numpy as np

from metrics import Tally
from metrics.analyses.saturation.independent_tries import expected_of_tries
from metrics.scoring.payoffs import any_correct, majority

METRICS = ("pass@k", "pass^k", "maj@k")
RNG = np.random.default_rng


def spread(m=120, n=8, a=0.6, b=0.9, seed=1):
    """Questions whose difficulties are Beta(a, b)."""
    rng = RNG(seed)
    return Tally.of_questions(n, rng.binomial(n, rng.beta(a, b, m)))


def ragged(m=90, seed=2):
    rng = RNG(seed)
    n = rng.choice([3, 5, 8], m)
    return Tally.of_questions(n, rng.binomial(n, rng.beta(0.7, 0.9, m)))


def pass_score(k):
    return lambda p: expected_of_tries(any_correct, np.array([k]), p, {})


def vote_score(k, **options):
    return lambda p: expected_of_tries(majority, np.array([k]), p, options)
