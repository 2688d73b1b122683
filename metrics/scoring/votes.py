"""Votes by answer: is the most common of k answers right, and how much do answers agree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.inputs import outcome_matrix, require_k, require_range
from metrics.data.words import MetricError, Text

EXACT = 2_000
"""The most subsets of samples over which a vote is averaged exactly."""
_BLOCK = 1 << 20
_COUNTED = 1 << 26
ORDERS = 1 << 23
"""About how many samples are drawn, over questions and orders, for votes of all sizes at once."""
_ROWS = 1 << 14


def plurality_at_k(answers: Any, correct: Any, k: int, *, rng: int = 0) -> float:
    """Return plurality@k, the chance that the most common of k answers is right.

    Ties are split evenly. A sample without an answer does not vote; a question without any vote
    scores 0. Unlike `maj_at_k` it can be right with half or fewer of the samples right.

    Parameters
    ----------
    answers : int array_like, shape (M, N)
        Codes of the extracted answers; equal code, equal answer; negative where there is none.
    correct : array_like of 0/1, shape (M, N)
        Verdicts.
    k : int
        From 1 to N.
    rng : int
        Seed of the subsets of k, drawn at random where there are more than 2000 of them.

    Returns
    -------
    float
        In [0, 1]: exact, or a mean over 2000 random subsets.

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
    return float(plurality_scores(codes, verdicts, k, rng).mean())


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


def plurality_scores(codes: NDArray[Any], verdicts: NDArray[Any], k: int, rng: int = 0) -> Vector:
    """Return each question's chance that the most common of k answers is right, shape (M,)."""
    n = codes.shape[1]
    total = np.zeros(len(codes))
    rows = max(1, _BLOCK // k**2)
    drawn = 0
    for subset in subsets(n, k, rng):
        drawn += 1
        for start in range(0, len(codes), rows):
            block = slice(start, start + rows)
            total[block] += _vote(codes[block][:, subset], verdicts[block][:, subset])
    return total / drawn


def plurality_of_each_k(
    codes: NDArray[Any], verdicts: NDArray[Any], ks: NDArray[np.int64], rng: int = 0
) -> Vector:
    """Return each question's chance that the most common of k answers is right, shape (K, M).

    Where all subsets are at most `EXACT` they are counted, as by `plurality_scores`, unless that
    takes long. Otherwise the samples are put in random orders, up to `EXACT` of them and the same
    for every k, and votes are taken along each: the same subsets as there, but fewer where
    questions are many.
    """
    m, n = codes.shape
    scores = np.empty((len(ks), m))
    counted = np.array(
        [comb(n, k) <= EXACT and comb(n, k) * k**2 * m <= _COUNTED for k in map(int, ks)]
    )
    for at in np.flatnonzero(counted):
        scores[at] = plurality_scores(codes, verdicts, int(ks[at]), rng)
    if not counted.all():
        generator = np.random.default_rng(rng)
        orders = [generator.permutation(n) for _ in range(max(1, min(EXACT, ORDERS // (m * n))))]
        scores[~counted] = _votes_along(codes, verdicts, ks[~counted], np.stack(orders))
    return scores


def _votes_along(
    codes: NDArray[Any], verdicts: NDArray[Any], ks: NDArray[np.int64], orders: NDArray[np.intp]
) -> Vector:
    """Return the mean over orders of the vote of the first k samples, shape (K, M).

    A vote more for an answer either puts it ahead of all others or level with the leading ones.
    """
    m, n = codes.shape
    answers = _slots(codes)
    total = np.zeros((len(ks), m))
    at_once = max(1, _ROWS // len(orders))
    for start in range(0, m, at_once):
        here = slice(start, start + at_once)
        slot = answers[here][:, orders].reshape(-1, n)
        right = (verdicts[here][:, orders] == 1).reshape(-1, n)
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
                total[at, here] += share.reshape(-1, len(orders)).mean(axis=1)
    return total


def _slots(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Return numbers from 0 for the answers of each question; n where there is none."""
    order = np.argsort(codes, axis=1, kind="stable")
    ordered = np.take_along_axis(codes, order, axis=1)
    new = np.diff(ordered, axis=1, prepend=ordered[:, :1]) != 0
    slots = np.empty(codes.shape, dtype=np.intp)
    np.put_along_axis(slots, order, np.cumsum(new, axis=1), axis=1)
    slots[codes < 0] = codes.shape[1]
    return slots


def subsets(n: int, k: int, rng: int = 0) -> Iterator[NDArray[np.intp]]:
    """Yield every subset of k of n samples, or `EXACT` random ones where there are more."""
    if comb(n, k) <= EXACT:
        yield from (np.array(chosen) for chosen in combinations(range(n), k))
        return
    generator = np.random.default_rng(rng)
    yield from (generator.permutation(n)[:k] for _ in range(EXACT))


def _vote(codes: NDArray[Any], verdicts: NDArray[Any]) -> Vector:
    alike = (codes[:, :, None] == codes[:, None, :]) & (codes >= 0)[:, :, None]
    votes = alike.sum(axis=2)
    modal = (votes == votes.max(axis=1, keepdims=True)) & (votes > 0)
    cast = modal.sum(axis=1)
    right = (modal & (verdicts == 1)).sum(axis=1)
    return np.asarray(np.divide(right, cast, out=np.zeros(len(codes)), where=cast > 0))
