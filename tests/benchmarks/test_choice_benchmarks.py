"""The time to choose n, against reading the verdicts."""

from time import thread_time

import numpy as np
import pytest

from metrics import Outcomes, choose_n

pytestmark = pytest.mark.benchmark(timer=thread_time)

RUNS, M, N = 6, 100_000, 64
RULES = {"value_per_solved": 20.0, "budget": 8.0}


@pytest.fixture(scope="module")
def runs():
    rng = np.random.default_rng(0)
    rates = (rng.beta(0.5, 0.5 + i, (M, 1)) for i in range(RUNS))
    return [Outcomes((rng.random((M, N)) < rate).astype(np.int8)) for rate in rates]


def test_one_price(runs, side_by_side):
    side_by_side(
        f"n chosen by three rules, {RUNS} runs of 100k x 64",
        lambda: [choose_n(run, **RULES) for run in runs],
        lambda: [run.correct.max() for run in runs],
        against="max of the verdicts",
        limit=0.5,
    )


def test_a_cost_of_each_sample(runs, side_by_side):
    costs = np.random.default_rng(1).lognormal(0, 1, (M, N))
    side_by_side(
        "n chosen by three rules, a cost for each sample, 100k x 64",
        lambda: choose_n(runs[0], cost_per_sample=costs, **RULES),
        lambda: costs.max(),
        against="max of the costs",
        limit=0.5,
    )


def test_votes_by_answers(side_by_side):
    answers = np.random.default_rng(2).integers(0, 5, (1000, N))
    correct = (answers == 0).astype(np.int8)
    side_by_side(
        "n chosen for votes by answers, 1000 x 64",
        lambda: choose_n(correct, answers=answers, verifier=False),
        lambda: np.sort(answers, axis=1),
        against="np.sort of the answers",
        limit=2.0,
    )
