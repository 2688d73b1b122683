"""The most common answer of each question, and how many samples give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.evidence import Evidence, outcomes_or_counts
from metrics.data.frames import frame, vectors
from metrics.data.inputs import outcome_matrix
from metrics.data.outcomes import Outcomes
from metrics.data.results import Estimate
from metrics.data.shown import brief_repr
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate


def agreed_questions(evidence: Evidence) -> NDArray[np.bool_] | None:
    """Say of each question whether more than half of its samples give one answer.

    None without answers, or where a question has one sample.

    Examples
    --------
    >>> outcomes = Outcomes([[1, 1, 0], [0, 0, 0]])
    >>> agreed_questions(Evidence(outcomes, answers=[[7, 7, 8], [1, 2, 3]]))
    array([ True, False])
    """
    if evidence.answers is None or evidence.n_min < 2:
        return None
    samples = evidence.each_question.n
    return np.asarray(2 * agreement(evidence.votes, samples).votes > samples)


def share_agreed(
    agreed: NDArray[np.bool_], clusters: NDArray[np.intp] | None, confidence_level: float
) -> Estimate:
    """Estimate the share of questions that agree, among questions like these.

    Examples
    --------
    >>> share_agreed(np.array([True, False, True, True]), None, 0.95).value
    0.75
    """
    verdicts = Outcomes(agreed[:, None], clusters=clusters)
    return estimate(verdicts, "avg@n", confidence_level=confidence_level)


if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

_BLOCK = 1 << 18
NO_ANSWER = -1
"""The code of the most common answer where no sample has any."""


class Agreement(NamedTuple):
    """The most common answer of each question.

    Attributes
    ----------
    answer : int array, shape (M,)
        Its code, `NO_ANSWER` where no sample has an answer; of tied ones the smallest.
    votes : int array, shape (M,)
        Samples that give it.
    tied : bool array, shape (M,)
        Whether as many give another answer.
    share : float array, shape (M,)
        Votes as a share of the samples; NaN where there is no sample.
    """

    answer: NDArray[np.int64]
    votes: NDArray[np.int64]
    tied: NDArray[np.bool_]
    share: NDArray[np.float64]

    def __repr__(self) -> str:
        return brief_repr(self)

    def to_frame(self) -> DataFrame:
        """Return a row for each question; needs pandas."""
        return frame(vectors(self))


def agreement(answers: Any, samples: Any = None) -> Agreement:
    """Find the most common answer of each question and the share of samples that give it.

    Parameters
    ----------
    answers : int array_like, shape (M, N), or Run
        Codes of the extracted answers, equal for equal answers; negative where there is none.
    samples : int array_like, shape (M,), optional
        Samples of each question, by default N, or those of the run. A sample without an answer
        counts, and agrees with none.

    Returns
    -------
    Agreement
        Agreement is about answers alone, whether right or wrong.

    Raises
    ------
    MetricError
        If answers are not codes, or the run has no answers.

    Examples
    --------
    >>> found = agreement([[7, 8, 7, -1], [5, 5, 6, 6]])
    >>> found.answer.tolist(), found.share.tolist(), found.tied.tolist()
    ([7, 5], [0.5, 0.5], [False, True])
    """
    outcomes = outcomes_or_counts(answers)
    if outcomes is not answers:
        samples = outcomes.samples() if samples is None else samples
        answers = answers.answers
        if answers is None:
            raise MetricError(Text("This run has no extracted answers."))
    codes = outcome_matrix(answers, "answers")
    m, n = codes.shape
    rows = max(1, _BLOCK // n)
    parts = [_modes(codes[start : start + rows]) for start in range(0, m, rows)]
    answer, votes, tied = (np.concatenate(part) for part in zip(*parts, strict=True))
    counted = np.broadcast_to(n if samples is None else np.asarray(samples), m)
    share = np.divide(votes, counted, out=np.full(m, np.nan), where=counted > 0)
    return Agreement(answer, votes, tied, share)


def _modes(
    codes: NDArray[Any],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Walk over the ordered answers of all questions at once and keep the longest run of each."""
    ordered = np.sort(codes, axis=1).T.astype(np.int64, order="C")
    answer = np.full(ordered.shape[1], NO_ANSWER, dtype=np.int64)
    run, votes = np.zeros_like(answer), np.zeros_like(answer)
    tied = np.zeros(len(answer), dtype=bool)
    last = answer
    for code in ordered:
        run = np.where(code == last, run + 1, 1)
        run[code < 0] = 0
        longer = run > votes
        tied = ~longer & (tied | ((run == votes) & (run > 0)))
        votes = np.maximum(votes, run)
        answer = np.where(longer, code, answer)
        last = code
    return answer, votes, tied
