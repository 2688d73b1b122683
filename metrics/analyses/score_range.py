"""Between which values a score lies, whatever the samples that did not come to their end are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from metrics.data.evidence import Evidence, Known
from metrics.data.frames import rows_frame
from metrics.data.names import MetricName
from metrics.data.outcomes import ABSENT, FAILED, Missing, Outcomes, Segment
from metrics.data.results import Estimate, Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import find_metric


@result
class ScoreRange:
    """A metric under each treatment of samples that were cut, failed or have no answer.

    Attributes
    ----------
    judged : Estimate
        With their verdicts as they are.
    all_wrong, all_right : Estimate
        With all of them wrong, and with all of them right: any verdicts on them give a value in
        between.
    answered : Estimate or None
        Over the other samples alone. This can mislead: long answers are cut more often, so hard
        questions are left out. None where ``reason`` says why it is not defined.
    unsettled, samples : int
        The number of these samples, and of all samples.
    left_out : int
        Questions of which no other sample is left; ``answered`` says nothing of them.
    reason : Text or None
    """

    judged: Estimate
    all_wrong: Estimate
    all_right: Estimate
    answered: Estimate | None
    unsettled: int
    samples: int
    left_out: int
    reason: Text | None = None

    def to_frame(self) -> Any:
        """Return a row for each treatment, with its value and interval; needs pandas."""
        kinds = ("judged", "all_wrong", "all_right", "answered")
        each = [(kind, getattr(self, kind)) for kind in kinds]
        return rows_frame(
            [
                {
                    "treatment": kind,
                    "value": estimate.value,
                    "low": None if estimate.interval is None else estimate.interval.low,
                    "high": None if estimate.interval is None else estimate.interval.high,
                    "questions": estimate.n_questions,
                }
                for kind, estimate in each
                if estimate is not None
            ]
        )


def score_range(
    data: Any,
    unsettled: Any = None,
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **options: Any,
) -> ScoreRange:
    """Find the range of a metric over all possible verdicts on unsettled samples.

    Parameters
    ----------
    data : Run, Outcomes, Counts or array_like of 0/1, shape (M, N)
        What was observed.
    unsettled : bool array, shape (M, N), optional
        The samples that were cut, failed or have no answer, as ``Run.states.unsettled``; by default
        those that failed, which is all that Counts tell.
    metric, k, target, confidence_level, missing, segment, **options
        As `estimate`; ``missing`` is for ``judged`` alone. The metric must rise with the
        number of right samples, or with soft scores.

    Returns
    -------
    ScoreRange

    Raises
    ------
    MetricError
        As `estimate`, or if the metric is one of answers, rewards or a prior.

    Examples
    --------
    Of eight samples four were cut, one of them right all the same:

    >>> from kofn.metrics import Outcomes
    >>> outcomes = Outcomes([[1, 1, 0, 0], [1, 0, 0, 1]])
    >>> cut = [[False, False, True, True], [False, False, True, True]]
    >>> found = score_range(outcomes, cut)
    >>> [found.judged.value, found.all_wrong.value, found.all_right.value, found.answered.value]
    [0.5, 0.375, 0.875, 0.75]
    """
    entry = find_metric(metric)
    if entry.needs not in ("", "soft"):
        raise MetricError(
            Text("{metric} does not always rise with the number of right samples.", metric=metric)
        )
    evidence = Evidence(data, missing, segment)
    known = evidence.known or Outcomes(evidence.matrix)
    without = known if unsettled is None else _with_failed(Evidence(known).sampled, unsettled)
    whole = evidence.n_min if k is None else k
    drawn = whole if entry.takes_k else None
    held, left = (without.sizes(each, segment)[1].sum() for each in ("wrong", "omit"))
    samples = without.n_samples("wrong", segment)

    def treated(data: Known, missing: Missing) -> Estimate:
        return estimate(
            data,
            metric,
            drawn,
            target=target,
            confidence_level=confidence_level,
            missing=missing,
            segment=segment,
            **options,
        )

    answered = reason = None
    try:
        answered = treated(without, "omit")
    except MetricError as error:
        reason = error.text
    return ScoreRange(
        treated(known, missing),
        treated(without, "wrong"),
        treated(without, "right"),
        answered,
        samples - without.n_samples("omit", segment),
        samples,
        int(held - left),
        reason,
    )


def _with_failed(outcomes: Outcomes, unsettled: Any) -> Outcomes:
    """Return outcomes in which some samples count as failed."""
    where = np.asarray(unsettled)
    if where.shape != outcomes.shape or where.dtype != bool:
        raise MetricError(
            Text(
                "unsettled must say of each of the {shape} samples whether it is; got {got}.",
                shape=outcomes.shape,
                got=f"{where.dtype} {where.shape}",
            )
        )
    where = where & (outcomes.correct != ABSENT) | (outcomes.correct == FAILED)
    scores = None if outcomes.scores is None else np.where(where, np.nan, outcomes.scores)
    return replace(outcomes, correct=np.where(where, FAILED, outcomes.correct), scores=scores)
