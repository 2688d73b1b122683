"""Votes by answer: is the most common of k answers right, and how much do answers agree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Integers, Vector
from metrics.data.inputs import outcome_matrix, require_k, require_range
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.scoring.vote_patterns import MOST_SAMPLES, Patterns, patterns

MOST_WORK = 1 << 31
"""The most multiplications, a few seconds, in which votes of all subsets are counted."""
MOST_ORDERS = 2_000
DRAWN = 1 << 23
"""About how many samples are drawn, over questions and orders, where that takes longer."""
_ROWS = 1 << 14


class Votes(NamedTuple):
    """The chance of each question that the most common of k answers is right, for several k."""

    values: Vector  # Shape (K, M).
    # How many random subsets of a question were taken for it; 0 where all are counted. Shape (K,).
    subsets: Integers


def plurality_at_k(answers: Any, correct: Any, k: int, *, rng: int = 0) -> float:
    """Return plurality@k, the chance that the most common of k answers is right.

    Ties are split evenly. A sample without an answer does not vote; a question without any vote
    scores 0. Unlike `maj_at_k` it can be right with half or fewer of the samples right.

    Parameters
    ----------
    answers : int array_like, shape (M, N)
        Codes of the extracted answers, equal for equal answers; negative where there is none.
    correct : array_like of 0/1, shape (M, N)
        Verdicts.
    k : int
        From 1 to N.
    rng : int
        Seed of the subsets of k, drawn at random where counting all of them takes long: with many
        questions, samples and different answers.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    Two wrong answers that differ lose against two right ones:

    >>> plurality_at_k([[7, 7, 8, 9]], [[1, 1, 0, 0]], 4)
    1.0
    >>> plurality_at_k([[7, 7, 8, 8]], [[1, 1, 0, 0]], 4)
    0.5
    """
    codes, verdicts = answer_matrices(answers, correct)
    k = require_k(k, codes.shape[1])
    return float(plurality_scores(codes, verdicts, np.array([k]), rng).values.mean())


def answer_matrices(answers: Any, correct: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return answers and verdicts as matrices of one shape."""
    codes, verdicts = outcome_matrix(answers, "answers"), outcome_matrix(correct, "correct")
    if codes.shape != verdicts.shape:
        raise MetricError(
            Text(
                "answers must have the shape of correct, {expected}; got {got}.",
                expected=verdicts.shape,
                got=codes.shape,
            )
        )
    require_range(verdicts, 1, "correct")
    return codes, verdicts


@one_thread()
def plurality_scores(
    codes: NDArray[Any], verdicts: NDArray[Any], ks: Integers, rng: int = 0
) -> Votes:
    """Return each question's chance that the most common of k answers is right, for ascending k.

    All subsets of k are counted up to the k at which this would take long. Beyond, the samples of
    each question are put in random orders of its own, and votes are taken along them. Negative
    verdicts mark no sample; all questions have as many.
    """
    held = verdicts >= 0
    if not held.all():
        codes, verdicts = (each[held].reshape(len(held), -1) for each in (codes, verdicts))
    m, n = codes.shape
    values, subsets = np.empty((len(ks), m)), np.zeros(len(ks), dtype=np.int64)
    counts = patterns(codes, verdicts)
    counted = np.searchsorted(ks, _most_counted(counts, int(ks[-1])), side="right")
    if counted:
        values[:counted] = counts.won(ks[:counted])[:, counts.which]
    if counted < len(ks):
        orders = max(1, min(MOST_ORDERS, DRAWN // (m * n)))
        values[counted:] = _votes_along(codes, verdicts, ks[counted:], orders, rng)
        subsets[counted:] = orders
    return Votes(values, subsets)


def _most_counted(patterns: Patterns, most: int) -> int:
    """Return the largest k for which all subsets are counted, 0 for none."""
    if patterns.n > MOST_SAMPLES:
        return 0
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if patterns.work(middle) <= MOST_WORK else (low, middle - 1)
    return low


def _votes_along(
    codes: NDArray[Any], verdicts: NDArray[Any], ks: Integers, orders: int, rng: int
) -> Vector:
    """Return the mean over random orders of the vote of the first k samples, shape (K, M).

    A vote more for an answer either puts it ahead of all others or level with the leading ones.
    """
    m, n = codes.shape
    generator = np.random.default_rng(rng)
    answers = slots(codes)
    total = np.zeros((len(ks), m))
    at_once = max(1, _ROWS // orders)
    for start in range(0, m, at_once):
        here = slice(start, start + at_once)
        slot = np.repeat(answers[here], orders, axis=0)
        order = generator.permuted(np.broadcast_to(np.arange(n), slot.shape), axis=1)
        slot = np.take_along_axis(slot, order, axis=1)
        right = np.take_along_axis(np.repeat(verdicts[here] == 1, orders, axis=0), order, axis=1)
        row = np.arange(len(slot))
        votes, rights = (np.zeros((len(slot), n + 1), dtype=np.int32) for _ in range(2))
        most, cast, won = (np.zeros(len(slot), dtype=np.int32) for _ in range(3))
        for drawn in range(int(ks[-1])):
            chosen = slot[:, drawn]
            mine = votes[row, chosen] + 1
            votes[row, chosen] = mine
            mine_right = rights[row, chosen] + right[:, drawn]
            rights[row, chosen] = mine_right
            voting = chosen < n
            ahead, level = voting & (mine > most), voting & (mine == most)
            most = np.where(ahead, mine, most)
            cast = np.where(ahead, mine, cast + level * mine)
            won = np.where(ahead, mine_right, won + level * mine_right)
            for at in np.flatnonzero(ks == drawn + 1):
                share = np.divide(won, cast, out=np.zeros(len(slot)), where=cast > 0)
                total[at, here] = share.reshape(-1, orders).mean(axis=1)
    return total


def slots(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Return numbers from 0 for the answers of each question; n where there is none."""
    order = np.argsort(codes, axis=1, kind="stable")
    ordered = np.take_along_axis(codes, order, axis=1)
    new = np.diff(ordered, axis=1, prepend=ordered[:, :1]) != 0
    slots = np.empty(codes.shape, dtype=np.intp)
    np.put_along_axis(slots, order, np.cumsum(new, axis=1), axis=1)
    slots[codes < 0] = codes.shape[1]
    return slots
