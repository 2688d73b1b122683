"""How long guidance and soft against hard take for a million questions."""

from time import thread_time

import numpy as np
import pytest

from metrics import Outcomes, Tally, guidance, soft_hard, threshold_sweep

pytestmark = pytest.mark.benchmark(timer=thread_time)


def test_guidance(side_by_side):
    many = Tally(np.full(17, 16), np.arange(17), np.full(17, 60_000))
    few = Tally(np.full(17, 16), np.arange(17), np.full(17, 6))
    side_by_side(
        "guidance of a tally of 1M questions",
        lambda: guidance(many),
        lambda: guidance(few),
        against=f"{few.n_questions} questions",
        warm=True,
        limit=0.1,
    )


def test_soft_against_hard(side_by_side):
    scores = np.random.default_rng(0).choice([0, 0.3, 0.6, 0.9, 1], (1_000_000, 16))
    run = Outcomes(scores > 0.5, scores)
    side_by_side(
        "soft against hard, and every threshold, 1M x 16",
        lambda: (soft_hard(run), threshold_sweep(run)),
        lambda: np.unique(scores),
        against="np.unique of the scores",
        limit=6.0,
    )
