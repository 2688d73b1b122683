"""How long it takes to compare two runs, and to look over two hundred."""

from time import thread_time

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.overview.analysis import summarize_runs
from kofn.overview.words import answer
from metrics import Outcomes, compare
from reports.run.report import Run

pytestmark = pytest.mark.benchmark(timer=thread_time)


def outcomes(rng, m, n):
    return Outcomes((rng.random((m, n)) < rng.beta(1, 1, (m, 1))).astype(np.int8))


def test_comparing_two_runs(side_by_side):
    rng = np.random.default_rng(0)
    (a, b), (c, d) = ([outcomes(rng, m, 64) for _ in range(2)] for m in (100_000, 1000))
    side_by_side(
        "avg@n of two runs of 100,000 x 64 compared",
        lambda: compare(a, b),
        lambda: compare(c, d),
        against="1000 x 64",
        warm=True,
        limit=0.1,
    )


def test_looking_over_two_hundred_runs(side_by_side):
    rng = np.random.default_rng(0)
    runs = {
        f"{model} / {dataset}": Run(f"{model}", f"{dataset}", outcomes(rng, 100, 8))
        for dataset in range(10)
        for model in range(20)
    }
    few = dict(list(runs.items())[:20])
    side_by_side(
        "overview of 200 runs of 100 x 8",
        lambda: answer(summarize_runs(runs, View())),
        lambda: answer(summarize_runs(few, View())),
        against="20 runs",
        limit=2.0,
    )
