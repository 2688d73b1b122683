r"""How many different answers a question has, and how evenly they are given.

With shares :math:`q_a` of the answers of a question, their entropy is
:math:`H = -\sum_a q_a \log_2 q_a` bits, and :math:`2^H` the number of answers that, equally
common, would have it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.frames import Rows
from metrics.data.inputs import outcome_matrix
from metrics.data.shown import result
from metrics.data.tally import equal_runs

_BLOCK = 1 << 18


@result
class AnswerDiversity(Rows):
    """How much the answers of each question differ; NaN where it has fewer than two.

    Attributes
    ----------
    number : float array, shape (M,)
        Number of different answers.
    entropy : float array, shape (M,)
        In bits.
    effective : float array, shape (M,)
        How many equally common answers would have this entropy.
    """

    number: Vector
    entropy: Vector
    effective: Vector

    def __post_init__(self) -> None:
        for array in (self.number, self.entropy, self.effective):
            array.flags.writeable = False


def answer_diversity(answers: object) -> AnswerDiversity:
    """Count the different answers of each question, and say how evenly they are given.

    Parameters
    ----------
    answers : int array_like, shape (M, N)
        Codes of the extracted answers, equal for equal answers; negative where there is none, which
        does not count as an answer.

    Returns
    -------
    AnswerDiversity

    Examples
    --------
    >>> found = answer_diversity([[7, 7, 7, 7], [7, 7, 8, 8], [1, 2, -1, -1]])
    >>> found.number.tolist(), found.entropy.tolist(), found.effective.tolist()
    ([1.0, 2.0, 2.0], [0.0, 1.0, 1.0], [1.0, 2.0, 2.0])
    """
    codes = outcome_matrix(answers, "answers")
    rows = max(1, _BLOCK // codes.shape[1])
    parts = [_evenness(codes[start : start + rows]) for start in range(0, len(codes), rows)]
    number, entropy = np.concatenate(parts, axis=1)
    return AnswerDiversity(number, entropy, np.exp2(entropy))


def _evenness(codes: NDArray[np.signedinteger]) -> Vector:
    """Return the number of answers of each question and their entropy, shape (2, M)."""
    ordered = np.sort(codes, axis=1)
    starts, votes = equal_runs(ordered)
    given = ordered.ravel()[starts] >= 0
    votes = votes[given]
    question = starts[given] // ordered.shape[1]
    m = len(codes)
    total = np.bincount(question, votes, minlength=m)
    share = votes / total[question]
    entropy = np.bincount(question, -share * np.log2(share), minlength=m)
    number = np.bincount(question, minlength=m).astype(np.float64)
    return np.where(total < 2, np.nan, np.maximum([number, entropy], 0))
