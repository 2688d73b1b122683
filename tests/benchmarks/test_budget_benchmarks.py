"""The time to weigh tokens and times, against reading them."""

from time import thread_time

import numpy as np
import pytest

import metrics
from metrics import Outcomes

pytestmark = pytest.mark.benchmark(timer=thread_time)

M, N = 100_000, 16


@pytest.fixture(scope="module")
def run():
    rng = np.random.default_rng(0)
    rates = rng.beta(0.5, 0.5, (M, 1))
    right = (rng.random((M, N)) < rates).astype(np.int8)
    return Outcomes(right), np.ceil(rng.lognormal(7 - 1.5 * rates, 0.6, (M, N)))


@pytest.mark.parametrize(
    ("name", "find", "limit"),
    [
        ("every k and cut", metrics.token_budgets, 0.6),
        ("short or long", lambda data, tokens: metrics.short_or_long(data, tokens, 4), 0.6),
        ("lengths", metrics.right_lengths, 0.6),
        ("times", lambda data, seconds: metrics.answer_times(data, seconds, 4), 0.6),
    ],
)
def test_budgets(run, side_by_side, name, find, limit):
    side_by_side(
        f"budgets: {name}, 100k x 16",
        lambda: find(*run),
        lambda: run[1].max(),
        against="max of the tokens",
        limit=limit,
    )
