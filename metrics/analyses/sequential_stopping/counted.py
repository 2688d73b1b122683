"""Votes that end when the leader is likely to stay ahead, over all orders of a question's samples.

Any answer may lead at first, so the votes of all count: answers that are alike in their samples,
right ones and votes are one, and what orders have in common is taken together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from metrics.analyses.sequential_stopping.stopping import Confidence
from metrics.data.arrays import Integers, Vector
from metrics.scoring.vote_patterns import Patterns

MOST_COUNTED = 16
"""The most samples of a question whose orders are all counted one by one,"""
MOST_WORK = 4_000_000
"""and about how many steps that may take over all questions, some seconds."""
_Answer = tuple[int, float, int]


def is_countable(patterns: Patterns, most: int) -> bool:
    """Return whether all orders can be counted in seconds, for votes of up to so many samples."""
    answers = float(np.count_nonzero(patterns.counts, axis=1).mean())
    steps = most**2 * min(answers, 4.0) ** 2
    return most <= MOST_COUNTED and len(patterns.counts) * steps <= MOST_WORK


def expected_by_counts(
    patterns: Patterns, rule: Confidence, caps: Integers
) -> tuple[Vector, Vector]:
    """Return samples to expect of each pattern, and the chance that what it answers is right.

    For votes of at most each of `caps`, ascending, shape (K, U) each.
    """
    most = int(caps[-1])
    ends = rule.ends(*np.indices((most + 1, most + 1))).tolist()
    each = [_each_cap(*answers, patterns.n, ends, most) for answers in _answers(patterns)]
    samples, right = np.moveaxis(np.array(each)[:, caps - 1], 2, 0)
    return samples.T, right.T


def _answers(patterns: Patterns) -> Iterator[tuple[list[_Answer], int]]:
    """Yield of each pattern its answers, without votes, and the samples without an answer."""
    for counts, rights in zip(patterns.counts.tolist(), patterns.rights.tolist(), strict=True):
        answers = [(c, r / c, 0) for c, r in zip(counts, rights, strict=True) if c]
        yield answers, patterns.n - sum(counts)


def _each_cap(
    answers: list[_Answer], silent: int, n: int, ends: list[list[bool]], most: int
) -> list[tuple[float, float]]:
    """Return samples and share of right answers of votes of up to 1, 2 … samples."""
    shares = {tuple(sorted(answers)): 1.0}
    taken = right = 0.0
    expected = []
    for drawn in range(1, most + 1):
        reached: dict[tuple[_Answer, ...], float] = {}
        for state, chance in shares.items():
            answered = drawn - 1 - sum(votes for _, _, votes in state)
            if silent > answered:
                share = (silent - answered) / (n - drawn + 1)
                reached[state] = reached.get(state, 0.0) + chance * share
            for answer, equal in Counter(state).items():
                count, share_right, votes = answer
                if votes == count:
                    continue
                others = list(state)
                others.remove(answer)
                after = tuple(sorted([*others, (count, share_right, votes + 1)]))
                share = equal * (count - votes) / (n - drawn + 1)
                reached[after] = reached.get(after, 0.0) + chance * share
        shares, going, rightly = {}, 0.0, 0.0
        for state, chance in reached.items():
            first, second, won = _leading(state)
            if ends[first][second]:
                taken += chance * drawn
                right += chance * won
            else:
                shares[state] = chance
                going += chance
                rightly += chance * won
        expected.append((taken + going * drawn, right + rightly))
    return expected


def _leading(state: tuple[_Answer, ...]) -> tuple[int, int, float]:
    """Return the votes of the two that lead, and the share of right ones among those that do."""
    votes = [*sorted((votes for _, _, votes in state), reverse=True), 0, 0]
    tied = [share for _, share, mine in state if mine == votes[0] and mine]
    return votes[0], votes[1], sum(tied) / len(tied) if tied else 0.0
