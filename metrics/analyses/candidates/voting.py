"""Answers weighted by a signal: the sum, or the mean, of the weights of the samples that give it.

No exact form exists for weights of any kind, so all subsets of k are counted where they are few,
and drawn at random, for each question by itself, where they are not.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.signals import Candidates
from metrics.data.arrays import Integers, Vector
from metrics.data.inputs import require_finite
from metrics.data.words import MetricError, Text
from metrics.scoring.votes import DRAWN, MOST_ORDERS, Votes, slots

EXACT = 1 << 20
"""The most samples, over questions and subsets, with which all subsets of k are counted."""
_CELLS = 1 << 17
_ROUNDING = 1e-12


def weighted_votes(
    candidates: Candidates, codes: NDArray[Any], ks: Integers, *, mean: bool = False, rng: int = 0
) -> Votes:
    """Return each question's chance that the answer of the greatest weight of k is right.

    Equally many candidates of every question, whose signals are the weights; the weight of an
    answer is that of its samples together, or their mean.
    """
    payoff, weight, codes = (
        each[candidates.held].reshape(len(candidates.held), -1)
        for each in (candidates.payoff, candidates.signal, codes)
    )
    known = weight[weight > -np.inf]
    if not np.isfinite(known).all():
        raise MetricError(Text("Weights of a vote must be finite."))
    if not mean and known.min() < 0:
        raise MetricError(
            Text(
                "Weights below 0 cannot be summed, because an answer would lose by being given "
                "more often; the smallest is {least:g}. Take their mean, or exp of "
                "log-probabilities.",
                least=require_finite(float(known.min()), "weight"),
            )
        )
    m, n = codes.shape
    ballots = slots(codes), weight, payoff
    values, subsets = np.empty((len(ks), m)), np.zeros(len(ks), dtype=np.int64)
    counted = np.array([m * k * comb(n, k) <= max(EXACT, m * n) for k in ks.tolist()])
    for at in np.flatnonzero(counted).tolist():
        every = np.array(list(combinations(range(n), int(ks[at]))))
        values[at] = _mean_of_draws(ballots, ks[[at]], len(every), mean, every)[0]
    if not counted.all():
        orders = max(1, min(MOST_ORDERS, DRAWN // (m * n)))
        generator = np.random.default_rng(rng)
        values[~counted] = _mean_of_draws(ballots, ks[~counted], orders, mean, generator)
        subsets[~counted] = orders
    return Votes(values, subsets)


def _mean_of_draws(
    ballots: tuple[NDArray[np.intp], Vector, Vector],
    ks: Integers,
    draws: int,
    mean: bool,
    how: NDArray[np.intp] | np.random.Generator,
) -> Vector:
    """Return the mean over draws of the vote of the first k drawn, shape (K, M).

    The draws are subsets given by their places, or random orders of all samples.
    """
    m, n = ballots[0].shape
    values = np.empty((len(ks), m))
    at_once = max(1, _CELLS // (draws * (n + 1)))
    for start in range(0, m, at_once):
        here = slice(start, start + at_once)
        block = [each[here] for each in ballots]
        if isinstance(how, np.random.Generator):
            shape = len(block[0]) * draws, n
            order = how.permuted(np.broadcast_to(np.arange(n), shape), axis=1)[:, : ks[-1]]
            rows = np.repeat(np.arange(len(block[0])), draws)[:, None]
            drawn = [each[rows, order] for each in block]
        else:
            drawn = [each[:, how].reshape(-1, how.shape[1]) for each in block]
        won = _won(drawn[0], drawn[1], drawn[2], n, ks, mean)
        values[:, here] = won.reshape(len(ks), -1, draws).mean(axis=2)
    return values


def _won(
    slot: NDArray[np.intp], weight: Vector, payoff: Vector, none: int, ks: Integers, mean: bool
) -> Vector:
    """Return the share of right samples of the leading answers of the first k, shape (K, R).

    Leading answers share equally. Those whose samples have no weight stand below all others.
    """
    answered = slot < none
    answers = int(slot.max(where=answered, initial=-1)) + 1
    slot = np.where(answered, slot, answers)
    weighed = weight > -np.inf
    weight = np.where(weighed, weight, 0.0)
    slack = _ROUNDING * np.abs(weight).sum(axis=1)
    row = np.arange(len(slot))
    given, right, known, total = (np.zeros((answers + 1, len(slot))) for _ in range(4))
    won = np.zeros((len(ks), len(slot)))
    for drawn in range(int(ks[-1])):
        place = slot[:, drawn], row
        given[place] += 1
        right[place] += payoff[:, drawn]
        known[place] += weighed[:, drawn]
        total[place] += weight[:, drawn]
        for at in np.flatnonzero(ks == drawn + 1).tolist():
            cast, heard = given[:answers], known[:answers] > 0
            stands = np.where(heard, total[:answers], -np.inf)
            if mean:
                np.divide(stands, known[:answers], out=stands, where=heard)
            leads = (stands >= stands.max(axis=0, initial=-np.inf) - slack) & (cast > 0)
            share = np.divide(right[:answers], cast, out=np.zeros_like(cast), where=leads)
            won[at] = share.sum(axis=0) / np.maximum(leads.sum(axis=0), 1)
    return won
