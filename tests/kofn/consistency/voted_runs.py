"""Runs to count votes of, and files of them."""

import numpy as np

from kofn.consistency.analysis import VoteChoices
from metrics import Outcomes
from reports import Run
from tests.kofn.indexed import index
from tests.pages import visiting

USUAL = VoteChoices()


def verdicts(m=40, n=5, seed=0, lift=0.0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.random((m, 1)) + lift).astype(np.int8)


def answers_of(correct):
    """A right answer each, and one of three wrong ones."""
    wrong = np.random.default_rng(9).integers(1, 4, correct.shape)
    return np.where(correct == 1, 0, wrong).astype(np.int32)


def run(correct, model="7B", dataset="maths", answers=False, **fields):
    data = Outcomes(correct, **fields)
    return Run(model, dataset, data, answers=answers_of(correct) if answers else None)


HALVES = {"half": ["easy"] * 20 + ["hard"] * 20}
TWO = index(run(verdicts(), answers=True, segments=HALVES), run(verdicts(seed=1, lift=0.2), "70B"))


def table(correct, model="alpha", **columns):
    flat = {name: each.ravel() for name, each in columns.items()}
    return visiting.table(correct, model, **flat)
