"""Stored samples replayed in random orders, once for every most samples to take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.sequential_stopping.stopping import Confidence, Decided, Stopping
from metrics.data.arrays import Flags, Integers, Vector
from metrics.scoring.votes import slots

MOST_ORDERS = 2_000
DRAWN = 1 << 21
"""About how many samples are replayed, over questions and orders."""
_ROWS = 1 << 13


def orders_of(questions: int, most: int) -> int:
    """Return how many orders of each question are taken for up to so many samples."""
    return max(1, min(MOST_ORDERS, DRAWN // (questions * most)))


def replay_in_orders(
    codes: NDArray[Any],
    verdicts: NDArray[Any],
    rule: Stopping,
    caps: Integers,
    orders: int,
    rng: int,
) -> tuple[Vector, Vector]:
    """Return samples taken and the share of right answers, means over orders, shape (K, M) each.

    Each question has orders of its own, and these are the same for all of `caps`.
    """
    m, most = len(codes), int(caps[-1])
    generator = np.random.default_rng(rng)
    answers = slots(codes)
    rights = _shares(answers, verdicts)
    counts = np.zeros((2, len(caps), m))
    at_once = max(1, _ROWS // orders)
    for start in range(0, m, at_once):
        here = slice(start, start + at_once)
        slot = np.repeat(answers[here], orders, axis=0)
        slot = generator.permuted(slot, axis=1)[:, :most]
        share = np.repeat(rights[here], orders, axis=0)
        each = _replay_rows(slot, share, rule, caps)
        counts[:, :, here] = each.reshape(2, len(caps), -1, orders).mean(axis=3)
    return counts[0], counts[1]


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


class _Count:
    """Votes, sample by sample: of each answer, of the two that lead, and what those are worth."""

    def __init__(self, slot: NDArray[np.intp], share: Vector) -> None:
        rows = len(slot)
        self.slot, self.share, self.none = slot, share, share.shape[1] - 1
        self.votes = np.zeros(share.shape, dtype=np.int32)
        self.leader = np.full(rows, self.none)
        self.first, self.second, self.tied = (np.zeros(rows, dtype=np.int64) for _ in range(3))
        self.worth = np.zeros(rows)

    def add(self, drawn: int, going: NDArray[np.intp]) -> None:
        """Count the vote of a sample, by its number from 1, of some rows."""
        chosen = self.slot[going, drawn - 1]
        going, chosen = going[chosen < self.none], chosen[chosen < self.none]
        self.votes[going, chosen] += 1
        mine, first, worth = self.votes[going, chosen], self.first[going], self.share[going, chosen]
        leads, ahead, level = chosen == self.leader[going], mine > first, mine == first
        second = np.maximum(self.second[going], np.where(ahead, first, mine))
        self.second[going] = np.where(leads, self.second[going], second)
        self.leader[going] = np.where(ahead, chosen, self.leader[going])
        self.first[going] = np.maximum(first, mine)
        self.worth[going] = np.where(ahead, worth, self.worth[going] + level * worth)
        self.tied[going] = np.where(ahead, 1, self.tied[going] + level)

    def right(self, rows: Any = slice(None)) -> Vector:
        """Return the share of right ones among the answers that lead; 0 without any."""
        return np.asarray(self.worth[rows] / np.maximum(self.tied[rows], 1))


def _replay_rows(slot: NDArray[np.intp], share: Vector, rule: Stopping, caps: Integers) -> Vector:
    """Return samples taken and share of right answers, row by row, shape (2, K, R)."""
    rows = len(slot)
    counts = np.zeros((2, len(caps), rows))
    count = _Count(slot, share)
    taken, right = np.zeros((2, rows))
    going = np.arange(rows)
    if isinstance(rule, Decided):
        return _decided(count, caps)
    for drawn in range(1, int(caps[-1]) + 1):
        count.add(drawn, going)
        if isinstance(rule, Confidence):
            ends = rule.ends(count.first[going], count.second[going])
            worth = count.right(going[ends])
        else:
            ends = _unanimous_windows(slot, going, drawn, rule.width, count.none)
            worth = share[going[ends], slot[going[ends], drawn - 1]]
        taken[going[ends]], right[going[ends]] = drawn, worth
        going = going[~ends]
        for place in np.flatnonzero(caps == drawn):
            counts[:, place] = taken, right
            counts[0, place, going] = drawn
            counts[1, place, going] = count.right(going)
    return counts


def _unanimous_windows(
    slot: NDArray[np.intp], going: NDArray[np.intp], drawn: int, width: int, none: int
) -> Flags:
    """Return where a window ends all of whose samples give the same answer."""
    if drawn % width:
        return np.zeros(len(going), dtype=bool)
    window = slot[going, drawn - width : drawn]
    return np.asarray((window == window[:, :1]).all(axis=1) & (window[:, 0] < none))


def _decided(count: _Count, caps: Integers) -> Vector:
    """Return the same of votes that end once they are decided, which is later for more samples."""
    rows = np.arange(len(count.first))
    counts = np.zeros((2, len(caps), len(rows)))
    for drawn in range(1, int(caps[-1]) + 1):
        left = caps[:, None] - drawn
        count.add(drawn, rows)
        ends = (counts[0] == 0) & (left >= 0) & Decided.ends(count.first, count.second, left)
        ends |= (counts[0] == 0) & (left == 0)
        counts[0][ends] = drawn
        counts[1] = np.where(ends, count.right(), counts[1])
    return counts
