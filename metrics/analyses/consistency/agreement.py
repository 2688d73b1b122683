"""Whether the samples of a question agree on one answer, right or wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.consistency.modal_answers import agreement
from metrics.data.evidence import Evidence
from metrics.data.outcomes import Outcomes
from metrics.data.results import Estimate
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
