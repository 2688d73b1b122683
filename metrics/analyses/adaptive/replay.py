"""Stored samples replayed in other orders: when a vote ends, and whether what it says is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.adaptive.stopping import Confidence, Decided, Stopping, Windows
from metrics.analyses.adaptive.windows import is_exact, windowed
from metrics.data.arrays import Vector
from metrics.scoring.vote_patterns import Patterns, patterns
from metrics.scoring.votes import slots

MOST_COUNTED = 16
"""The most samples of a question whose orders are all counted one by one,"""
MOST_WORK = 4_000_000
"""and about how many steps that may take over all questions, some seconds."""
MOST_ORDERS = 2_000
DRAWN = 1 << 21
"""About how many samples are replayed, over questions and orders, otherwise."""
_ROWS = 1 << 13
_Answer = tuple[int, float, int]


class Replay(NamedTuple):
    """What a stopping rule makes of questions.

    Attributes
    ----------
    samples : float array, shape (M,)
        That it takes, on average over orders.
    right : float array, shape (M,)
        The chance that what it answers is right.
    orders : int
        How many random orders of a question were taken; 0 where all are counted.
    """

    samples: Vector
    right: Vector
    orders: int = 0


def replay(
    codes: NDArray[Any], verdicts: NDArray[Any], rule: Stopping, cap: int, rng: int = 0
) -> Replay:
    """Replay a rule on questions with as many samples each.

    Parameters
    ----------
    codes, verdicts : int array, shape (M, n)
        Answers, negative where there is none; and 0/1.
    rule : Decided, Confidence or Windows
    cap : int
        The most samples of a question that it may take.
    rng : int
        Seed of the orders.
    """
    found = patterns(codes, verdicts)
    if isinstance(rule, Windows):
        if cap == found.n and is_exact(cap, rule.width):
            samples, right = windowed(found, rule.width)
            return Replay(samples[found.which], right[found.which])
        return _in_orders(codes, verdicts, rule, cap, rng)
    if cap <= MOST_COUNTED and len(found.counts) * _steps(found, cap) <= MOST_WORK:
        each = np.array([_counted(*answers, found.n, rule, cap) for answers in _answers(found)])
        samples, right = each[found.which].T
        return Replay(samples, right)
    return _in_orders(codes, verdicts, rule, cap, rng)


def _steps(found: Patterns, cap: int) -> float:
    """Return about how many steps a pattern takes."""
    answers = float(np.count_nonzero(found.counts, axis=1).mean())
    return cap**2 * min(answers, 4.0) ** 2


def _answers(found: Patterns) -> Iterator[tuple[list[_Answer], int]]:
    """Yield of each pattern its answers, without votes, and the samples without an answer."""
    for counts, rights in zip(found.counts.tolist(), found.rights.tolist(), strict=True):
        answers = [(c, r / c, 0) for c, r in zip(counts, rights, strict=True) if c]
        yield answers, found.n - sum(counts)


def _counted(
    answers: list[_Answer], silent: int, n: int, rule: Decided | Confidence, cap: int
) -> tuple[float, float]:
    """Count all orders; answers that are alike in samples, right ones and votes are one state."""
    first, second = np.indices((cap + 1, cap + 1))
    states = {tuple(sorted(answers)): 1.0}
    taken = right = 0.0
    for drawn in range(1, cap + 1):
        reached: dict[tuple[_Answer, ...], float] = {}
        for state, chance in states.items():
            said = drawn - 1 - sum(votes for _, _, votes in state)
            if silent > said:
                share = (silent - said) / (n - drawn + 1)
                reached[state] = reached.get(state, 0.0) + chance * share
            for answer, alike in Counter(state).items():
                count, share_right, votes = answer
                if votes == count:
                    continue
                others = list(state)
                others.remove(answer)
                after = tuple(sorted([*others, (count, share_right, votes + 1)]))
                share = alike * (count - votes) / (n - drawn + 1)
                reached[after] = reached.get(after, 0.0) + chance * share
        states, ends = {}, rule.ends(first, second, cap - drawn).tolist()
        for state, chance in reached.items():
            most, next_most, won = _leading(state)
            if drawn == cap or ends[most][next_most]:
                taken += chance * drawn
                right += chance * won
            else:
                states[state] = chance
    return taken, right


def _leading(state: tuple[_Answer, ...]) -> tuple[int, int, float]:
    """Return the votes of the two that lead, and the share of right ones among those that do."""
    votes = [*sorted((votes for _, _, votes in state), reverse=True), 0, 0]
    tied = [share for _, share, mine in state if mine == votes[0] and mine]
    return votes[0], votes[1], sum(tied) / len(tied) if tied else 0.0


def _in_orders(
    codes: NDArray[Any], verdicts: NDArray[Any], rule: Stopping, cap: int, rng: int
) -> Replay:
    """Replay in random orders, for each question by itself."""
    m = len(codes)
    orders = max(1, min(MOST_ORDERS, DRAWN // (m * cap)))
    generator = np.random.default_rng(rng)
    answers = slots(codes)
    rights = _shares(answers, verdicts)
    found = np.zeros((2, m))
    at_once = max(1, _ROWS // orders)
    for start in range(0, m, at_once):
        here = slice(start, start + at_once)
        slot = np.repeat(answers[here], orders, axis=0)
        slot = generator.permuted(slot, axis=1)[:, :cap]
        share = np.repeat(rights[here], orders, axis=0)
        if isinstance(rule, Windows):
            each = _windows_along(slot, share, rule.width)
        else:
            each = _votes_along(slot, share, rule, cap)
        found[:, here] = each.reshape(2, -1, orders).mean(axis=2)
    return Replay(found[0], found[1], orders)


def _shares(answers: NDArray[np.intp], verdicts: NDArray[Any]) -> Vector:
    """Return the share of right samples of each answer, shape (M, n + 1); 0 of none."""
    m, n = answers.shape
    row = np.repeat(np.arange(m), n)
    places = row * (n + 1) + answers.ravel()
    counts = np.bincount(places, minlength=m * (n + 1))
    rights = np.bincount(places, (verdicts == 1).ravel(), m * (n + 1))
    shares = np.divide(rights, counts, out=np.zeros(len(counts)), where=counts > 0)
    shares = shares.reshape(m, n + 1)
    shares[:, n] = 0.0
    return np.asarray(shares)


def _votes_along(
    slot: NDArray[np.intp], share: Vector, rule: Decided | Confidence, cap: int
) -> Vector:
    """Return samples taken and share of right answers, row by row, shape (2, R)."""
    rows, none = len(slot), share.shape[1] - 1
    found = np.zeros((2, rows))
    votes = np.zeros(share.shape, dtype=np.int32)
    leader = np.full(rows, none)
    first, second = (np.zeros(rows, dtype=np.int64) for _ in range(2))
    going = np.arange(rows)
    for drawn in range(1, cap + 1):
        chosen = slot[going, drawn - 1]
        voting = chosen < none
        votes[going[voting], chosen[voting]] += 1
        mine = np.where(voting, votes[going, chosen], 0)
        leads, ahead = chosen == leader[going], mine > first[going]
        second[going] = np.where(
            voting & ~leads,
            np.maximum(second[going], np.where(ahead, first[going], mine)),
            second[going],
        )
        leader[going] = np.where(voting & ahead, chosen, leader[going])
        first[going] = np.maximum(first[going], mine)
        ends = rule.ends(first[going], second[going], cap - drawn) | (drawn == cap)
        ended = going[ends]
        found[0, ended] = drawn
        found[1, ended] = _won(votes[ended, :none], share[ended, :none])
        going = going[~ends]
        if not len(going):
            break
    return found


def _windows_along(slot: NDArray[np.intp], share: Vector, width: int) -> Vector:
    """Return samples taken and share of right answers, row by row, shape (2, R)."""
    rows, cap = slot.shape
    none = share.shape[1] - 1
    windows = slot[:, : cap // width * width].reshape(rows, -1, width)
    alike = (windows == windows[..., :1]).all(axis=2) & (windows[..., 0] < none)
    first = alike.argmax(axis=1)
    ended = alike.any(axis=1)
    chosen = windows[np.arange(rows), first, 0]
    counts = np.zeros(share.shape, dtype=np.int32)
    np.add.at(counts, (np.repeat(np.arange(rows), cap), slot.ravel()), 1)
    won = _won(counts[:, :none], share[:, :none])
    right = np.where(ended, share[np.arange(rows), chosen], won)
    return np.stack([np.where(ended, (first + 1) * width, cap), right])


def _won(votes: NDArray[np.int32], share: Vector) -> Vector:
    """Return the share of right ones among the answers that lead, row by row; 0 without any."""
    most = votes.max(axis=1, initial=0)
    tied = (votes == most[:, None]) & (votes > 0)
    return np.asarray((share * tied).sum(axis=1) / np.maximum(tied.sum(axis=1), 1))
