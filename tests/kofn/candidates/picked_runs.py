"""Runs whose samples have a signal beside them, and files of them."""

import numpy as np

from kofn.candidates.analysis import examine
from kofn.candidates.columns import NUMBERS
from kofn.candidates.details import RunDetails, pick_details
from kofn.card import Card
from metrics import Outcomes
from reports import Run
from tests.pages import visiting


def drawn(m=60, n=8, strength=1.0, seed=0):
    """Return verdicts and a signal that is higher for right ones."""
    rng = np.random.default_rng(seed)
    right = (rng.random((m, n)) < rng.beta(1, 1, (m, 1))).astype(int)
    return right, strength * right + rng.normal(size=(m, n))


def run(right, signal=None, model="7B", dataset="maths", **columns):
    if signal is not None:
        columns = {"rm": signal, **columns}
    return Run(model, dataset, Outcomes(right), columns=columns)


def table(right, signal=None, model="alpha", **columns):
    if signal is not None:
        columns = {"rm": np.asarray(signal, dtype=float), **columns}
    flat = {name: np.asarray(values).ravel() for name, values in columns.items()}
    return visiting.table(right, model, **flat)


def numbers(each, view, picking):
    """Return what files hold of all that is found of a run, by the names of numbers."""
    examined = examine(each, view, picking)
    details = pick_details(each, view, picking, examined)
    rows = NUMBERS.rows([Card("x", each, view, picking, RunDetails(examined, details))])
    return {row["number"]: row for row in rows}
