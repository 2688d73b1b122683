"""Runs with soft scores, and files of them."""

import numpy as np

from metrics import Outcomes
from reports import Run
from tests.kofn.indexed import index
from tests.pages import visiting

LEVELS = np.array([0, 0.3, 0.6, 0.9, 1])


def scores(m=40, n=3, seed=0, lift=0.0):
    rng = np.random.default_rng(seed)
    skill = rng.random((m, 1)) + lift
    return LEVELS[np.clip((skill * 4 + rng.normal(0, 1, (m, n))).astype(int), 0, 4)]


def run(soft, model="7B", dataset="textvqa", threshold=0.5, **fields):
    data = Outcomes((soft > 0.5).astype(int), soft)
    return Run(model, dataset, data, threshold=threshold, **fields)


TWO = index(run(scores()), run(scores(seed=1, lift=0.1), "70B"))


def table(soft, correct=None, model="alpha"):
    correct = soft > 0.5 if correct is None else correct
    return visiting.table(correct.astype(int), model, "textvqa", score=soft.ravel())
