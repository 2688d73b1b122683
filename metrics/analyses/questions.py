"""What is known of each question: its counts, its most common answer, and what stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.analyses.consistency.modal_answers import Agreement, agreement
from metrics.data.arrays import Flags, Integers
from metrics.data.evidence import answer_codes, outcomes_or_counts
from metrics.data.frames import frame, vectors
from metrics.data.inputs import outcome_matrix
from metrics.data.outcomes import FAILED, Missing, Outcomes, Segment
from metrics.data.shown import fields_of, result
from metrics.data.tally import row_counts

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

AGREED = 0.8
"""The share of samples from which on answers are said to agree."""


@result
class QuestionStatistics:
    """Counts and flags of each of M questions, in the order of the outcomes; read-only.

    Attributes
    ----------
    n, c, failed : int array, shape (M,)
        Samples, right samples, and failed requests; n is 0 where nothing can be graded.
    agreement : Agreement or None
        The most common answer of each question: code, votes, ties and share; None without answers.
    modal_right : bool array, shape (M,), or None
        Whether most samples with the most common answer were judged right.
    """

    n: Integers
    c: Integers
    failed: Integers
    agreement: Agreement | None = None
    modal_right: Flags | None = None

    def __post_init__(self) -> None:
        for value in fields_of(self).values():
            for array in value if isinstance(value, tuple) else (value,):
                if array is not None:
                    array.flags.writeable = False

    def to_frame(self) -> DataFrame:
        """Return a row for each question, its most common answer included; needs pandas."""
        return frame(vectors(self) | ({} if self.agreement is None else vectors(self.agreement)))

    @property
    def always_right(self) -> Flags:
        """Every sample is right."""
        return np.asarray((self.n > 0) & (self.c == self.n))

    @property
    def never_right(self) -> Flags:
        """No sample is right."""
        return np.asarray((self.n > 0) & (self.c == 0))

    @property
    def flaky(self) -> Flags:
        """Some samples are right, others are not."""
        return (self.c > 0) & (self.c < self.n)

    @property
    def majority_wrong(self) -> Flags:
        """Solvable, but no more than half of the samples are right: a vote would fail."""
        return (self.c > 0) & (2 * self.c <= self.n)

    def confidently_wrong(self, agreed: float = AGREED) -> Flags:
        """At least the share ``agreed`` of the samples, and two of them, give one wrong answer.

        All False without answers. A tie is no agreement.
        """
        if self.agreement is None or self.modal_right is None:
            return np.zeros(len(self.n), dtype=bool)
        _, votes, tied, share = self.agreement
        return (share >= agreed) & (votes > 1) & ~tied & ~self.modal_right


def question_statistics(
    data: Any,
    answers: Any = None,
    *,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> QuestionStatistics:
    """Count the samples of each question and find its most common answer.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        Right or wrong.
    answers : int array_like, shape (M, N), optional
        Codes of the extracted answers, equal for equal answers; negative where there is none. By
        default those of the run.
    missing : {"wrong", "omit", "right"}
        What failed requests count as; they never have an answer.
    segment : tuple of str, optional
        (attribute, label); by default all questions.

    Returns
    -------
    QuestionStatistics
        Of every question, gradable or not.

    Raises
    ------
    MetricError
        If outcomes have categories above 1, or answers have another shape.

    Examples
    --------
    >>> outcomes = Outcomes([[1, 1, 0, -1], [0, 0, 0, 0], [1, 0, 0, 0]])
    >>> found = question_statistics(outcomes, [[5, 5, 6, -1], [7, 7, 7, 7], [8, 9, 4, 3]])
    >>> found.c.tolist(), found.failed.tolist(), found.agreement.share.tolist()
    ([2, 0, 1], [1, 0, 0], [0.5, 1.0, 0.25])
    >>> found.flaky.tolist(), found.confidently_wrong().tolist()
    ([True, False, True], [False, True, False])
    """
    outcomes = outcomes_or_counts(data)
    if outcomes is not data and answers is None:
        answers = data.answers
    if not isinstance(outcomes, Outcomes):
        outcomes = Outcomes(outcome_matrix(data, "data"))
    members = outcomes.members(segment)
    n, c = outcomes.counts(missing, segment)
    verdicts = outcomes.correct[members]
    failed = row_counts(verdicts == FAILED)
    if answers is None:
        return QuestionStatistics(n, c, failed)
    codes = answer_codes(answers, outcomes.correct)[members]
    agreed = agreement(codes, n)
    given = (codes == agreed.answer[:, None]) & (codes >= 0)
    right = row_counts(given & (verdicts == 1))
    return QuestionStatistics(n, c, failed, agreed, 2 * right > agreed.votes)
