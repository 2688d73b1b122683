"""Samples of a question that repeat one another, and what the samples are then worth."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector

LONG_TEXT = 200
"""Letters of a text that two samples do not share by chance."""
LONG_COUNT = 50
"""Tokens below which many samples have the same number of them."""

_NEARLY = 0.9
"""Share of all."""
_FEW = 10
"""Questions below which scores say nothing."""
_SURE = 3
"""Standard deviations of pairs that are equal by chance."""
_PAIRS = 1 << 21
_MOST = 1 << 10

Sign = Literal["texts", "tokens", "scores"]


class Copies(NamedTuple):
    r"""How many samples repeat another of their question."""

    sign: Sign  # What is equal.
    share: float  # Share of all samples that repeat an earlier one of their question.
    covered: float  # Share of the samples that the sign says anything of.
    # :math:`\sum m^2 / \sum m` over the groups of m samples that are equal: so many times the
    # variance between samples of a question is what independent samples would make of it.
    design_effect: float


def hash_of_text(text: object) -> int:
    """Return a number that is equal for equal texts in this process, 0 for a short one."""
    return hash(text) if isinstance(text, str) and len(text) >= LONG_TEXT else 0


def find_copies(
    correct: NDArray[np.int8],
    texts: NDArray[np.int64] | None = None,
    tokens: Vector | None = None,
    scores: Vector | None = None,
) -> Copies | None:
    """Find the samples that repeat another, by the surest sign there is.

    Texts alone decide where they are known, and only long ones: that two samples answer "A" is no
    sign. Numbers of tokens count where verdict and score are equal too; what would be equal by
    chance is taken off, which is how many differ by a single token. Scores count where they are so
    fine that nearly all of them occur in one question only, and of two samples that have the same
    score in nearly all questions: one box or one number is found twice by chance.

    correct: Verdicts; negative where a sample is missing. Shape (M, N).
    texts: Hashes of what the samples say; 0 where that is unknown or shorter than `LONG_TEXT`.
        Shape (M, N).
    tokens, scores: NaN where they are unknown. Shape (M, N).
    Returns: None where there is no sign. Of many questions some are looked at, evenly spread, and
    of a question's samples the first 1024.

    Examples
    --------
    >>> texts = np.array([[1, 1, 2, 2], [3, 3, 4, 4]])
    >>> find_copies(np.ones((2, 4), np.int8), texts)
    Copies(sign='texts', share=0.5, covered=1.0, design_effect=2.0)
    """
    m, n = correct.shape
    if n == 1:
        return None
    n = min(n, _MOST)
    some = slice(None, None, ceil(m * n * n / _PAIRS)), slice(n)
    graded = correct[some] >= 0
    if texts is not None:
        known = graded & (texts[some] != 0)
        return _copies_by("texts", graded, known, _exceed(texts[some], known))
    verdicts = correct[some] if scores is None else scores[some]
    if tokens is not None:
        counts = tokens[some]
        known = graded & (counts >= LONG_COUNT) & (counts < _limit(tokens))
        same_verdicts = _exceed(verdicts, graded)
        equal, next_to = (_exceed(counts, known, by) & same_verdicts for by in (0, 1))
        return _copies_by("tokens", graded, known, equal, next_to)
    if scores is not None and _are_fine(scores[some]):
        return _copies_by("scores", graded, graded, _throughout(_exceed(verdicts, graded), graded))
    return None


def _exceed(values: NDArray[Any], known: NDArray[np.bool_], by: int = 0) -> NDArray[np.bool_]:
    """Return which samples have exactly so much more than which others, shape (Q, N, N)."""
    exceeds: NDArray[np.bool_] = values[:, :, None] == values[:, None, :] + by
    return exceeds & known[:, :, None] & known[:, None, :]


def _throughout(equal: NDArray[np.bool_], known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the pairs of samples that are equal in nearly all questions."""
    both = known.T.astype(np.float64) @ known
    mostly_equal: NDArray[np.bool_] = equal.sum(axis=0) >= _NEARLY * both
    return equal & mostly_equal


def _limit(tokens: Vector) -> float:
    """Return the most tokens there are, if several questions have them: samples are cut there."""
    most = np.nanmax(tokens, initial=0.0)
    cut = np.count_nonzero((tokens == most).any(axis=1)) > 1
    return float(most) if cut else np.inf


def _are_fine(scores: Vector) -> bool:
    """Say whether nearly all scores occur in one question only."""
    ordered = np.sort(scores, axis=1)
    distinct = ordered[(np.diff(ordered, axis=1, prepend=-1.0) != 0) & ~np.isnan(ordered)]
    return len(scores) >= _FEW and np.unique(distinct).size >= _NEARLY * distinct.size


def _copies_by(
    sign: Sign,
    graded: NDArray[np.bool_],
    known: NDArray[np.bool_],
    equal: NDArray[np.bool_],
    by_chance: NDArray[np.bool_] | None = None,
) -> Copies:
    samples = max(1, int(graded.sum()))
    earlier = np.tri(graded.shape[1], k=-1, dtype=bool)

    def repeated(pairs: NDArray[np.bool_]) -> float:
        return float((pairs & earlier).any(axis=2).sum()) / samples

    share, others = repeated(equal), 2 * float((equal & earlier).sum()) / samples
    if by_chance is not None:
        chance = repeated(by_chance)
        share = (share - chance) / (1 - chance) if chance < 1 else 0.0
        pairs_by_chance = float(by_chance.sum())
        others -= (pairs_by_chance + _SURE * sqrt(pairs_by_chance + 1)) / samples
    known_share, others = float(known.sum()) / samples, max(0.0, others)
    return Copies(sign, share if others else 0.0, known_share, 1 + others)
