"""Stored samples replayed: when a vote ends, and whether what it says is right."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.sequential_stopping import counted as counting
from metrics.analyses.sequential_stopping import decided as deciding
from metrics.analyses.sequential_stopping.orders import orders_of, replay_in_orders
from metrics.analyses.sequential_stopping.stopping import Decided, Stopping, Windows
from metrics.analyses.sequential_stopping.windows import are_countable, expected_by_windows
from metrics.data.arrays import Integers, Vector
from metrics.scoring.vote_patterns import patterns
from metrics.scoring.votes import plurality_scores


class Replay(NamedTuple):
    """What a stopping rule makes of questions, for each most samples it may take."""

    samples: Vector  # That it takes, on average over orders. Shape (K, M).
    right: Vector  # The chance that what it answers is right. Shape (K, M).
    voted: Vector  # The chance that a vote of all of them is. Shape (K, M).
    # How many random orders of a question were taken for `samples`; 0 where all are counted. Shape
    # (K,).
    orders: Integers
    # And how many subsets for `voted`. What `Decided` answers is what a vote of all does. Shape
    # (K,).
    subsets: Integers


def replay(
    codes: NDArray[Any], verdicts: NDArray[Any], rule: Stopping, caps: Integers, rng: int = 0
) -> Replay:
    """Replay a rule on questions with as many samples each.

    Answers are codes, negative where there is none, and `caps` ascend.
    """
    answers, most = patterns(codes, verdicts), int(caps[-1])
    voted, subsets = plurality_scores(codes, verdicts, caps, rng)
    orders = np.zeros(len(caps), dtype=np.int64)
    if isinstance(rule, Decided) and deciding.is_countable(answers, most):
        samples = deciding.samples_until_decided(answers, caps)[:, answers.which]
        return Replay(samples, voted, voted, orders, subsets)
    if not isinstance(rule, Decided | Windows) and counting.is_countable(answers, most):
        samples, right = (
            of[:, answers.which] for of in counting.expected_by_counts(answers, rule, caps)
        )
        return Replay(samples, right, voted, orders, subsets)
    exact = np.zeros(len(caps), dtype=bool)
    if isinstance(rule, Windows):
        exact = are_countable(answers, rule.width, caps)
    samples, right = (np.empty((len(caps), len(codes))) for _ in range(2))
    if isinstance(rule, Windows) and exact.any():
        samples[exact], right[exact] = (
            of[:, answers.which] for of in expected_by_windows(answers, rule.width, caps[exact])
        )
    if not exact.all():
        orders[~exact] = orders_of(len(codes), int(caps[~exact][-1]))
        samples[~exact], right[~exact] = replay_in_orders(
            codes, verdicts, rule, caps[~exact], int(orders.max()), rng
        )
    if isinstance(rule, Decided):
        right = voted
    return Replay(samples, right, voted, orders, subsets)
