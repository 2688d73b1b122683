"""A metric from a judge and labels, by the method that the labels allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metrics.analyses.judges.corrected import ANY_PASS, SEPARATE, Corrected, correct_judge
from metrics.analyses.judges.errors import JudgeErrors, judge_errors
from metrics.analyses.judges.powered import Powered, prediction_powered
from metrics.analyses.judges.verdicts import HUMAN, HUMAN_GROUP, judge_verdicts
from metrics.data.names import JudgedMetric
from metrics.data.outcomes import Outcomes, Segment
from metrics.data.words import MetricError, Text

_OWN = Text(
    "The labels belong to some answers to these questions. They show how often the judge errs, "
    "and its verdicts are corrected accordingly. This holds if it errs as often on answers "
    "without a label."
)
_OF_THEIR_OWN = Text(
    "Labels of questions correct any-pass; labels of answers correct everything else."
)
_NONE = Text(
    "It is unknown how often this judge errs. Have a person label a random share of answers "
    "(human), or load a calibration set."
)


def judged_rate(
    data: Any,
    human: Any = None,
    *,
    by: Any = None,
    errors: JudgeErrors | None = None,
    metric: JudgedMetric = "avg@n",
    k: int | None = None,
    probability: Any = None,
    threshold: float = 0.5,
    strict: bool = False,
    confidence_level: float = 0.95,
    segment: Segment | None = None,
    rng: int = 0,
) -> Corrected | Powered:
    """Estimate a judged metric by the method that fits how the labels were made.

    Labels of a random part of these questions go to `prediction_powered`, which assumes nothing
    about the judge. Otherwise `correct_judge` takes the judge's errors from a separate calibration
    set or, as for pass@k where one sample per question has a label, from these labels. The result's
    ``way`` says which. pass@n of all n candidates is any-pass, so labels of questions serve for
    either; labels of answers serve where there are no others.

    Parameters
    ----------
    data, human, by, metric, k, probability, threshold, strict, confidence_level, segment
        As in `prediction_powered`.
    errors : JudgeErrors, optional
        How often the judge errs by a separate calibration set: `judge_errors` of it.
    rng : int
        As in `correct_judge`.

    Returns
    -------
    Corrected or Powered

    Raises
    ------
    MetricError
        If there are neither labels of a random share nor errors, or the judge may be uninformative.

    Examples
    --------
    >>> errors = judge_errors([1, 1, 1, 0, 1] * 8 + [0] * 20, human=[1] * 40 + [0] * 20)
    >>> found = judged_rate([[1, 1], [0, 0], [1, 0], [1, 1]], errors=errors)
    >>> round(found.estimate.value, 2), found.way == SEPARATE
    (0.78, True)
    """
    judge: dict[str, Any] = {"by": by, "threshold": threshold, "strict": strict}
    asked, of_questions = metric, _label_questions(data, human, errors, metric)
    if of_questions != (metric == ANY_PASS):
        every = _every_candidate(judge_verdicts(data, **judge), metric, k)
        if every is None:
            raise MetricError(_OF_THEIR_OWN)
        metric, k = (ANY_PASS, None) if of_questions else ("pass@k", every)
    groups = metric == ANY_PASS
    wanted: dict[str, Any] = {
        **judge,
        "metric": metric,
        "k": k,
        "confidence_level": confidence_level,
        "segment": segment,
    }
    remark: tuple[Text, ...] = ()
    if human is not None or _has_labels(data, groups):
        try:
            powered = prediction_powered(data, human, probability=probability, **wanted)
            return replace(powered, metric=asked)
        except MetricError as error:
            remark = (error.text,)
    elif errors is None:
        raise MetricError(_NONE)
    way = SEPARATE
    if errors is None:
        way = _OWN
        errors = judge_errors(data, human=human, groups=groups, probability=probability, **judge)
    corrected = correct_judge(
        data,
        right_labels=errors.right_labels,
        wrong_labels=errors.wrong_labels,
        rng=rng,
        **wanted,
    )
    caveats = (*remark, *corrected.estimate.caveats, *errors.caveats)
    estimate = replace(corrected.estimate, caveats=caveats)
    return replace(corrected, metric=asked, estimate=estimate, way=way)


def _label_questions(
    data: Any, human: Any, errors: JudgeErrors | None, metric: JudgedMetric
) -> bool:
    """Return whether the labels there are tell of questions; by the metric where there are both."""
    if errors is not None:
        return errors.groups
    if human is not None:
        return metric == ANY_PASS
    there = {groups: _has_labels(data, groups) for groups in (False, True)}
    return there[True] and (not there[False] or metric == ANY_PASS)


def _every_candidate(verdicts: Outcomes, metric: JudgedMetric, k: int | None) -> int | None:
    """Return how many candidates each question has if pass@k is of them all, as any-pass is."""
    samples = verdicts.samples("omit")
    n = int(samples.max())
    all_alike = bool((samples[samples > 0] == n).all())
    is_any = metric == ANY_PASS or (metric == "pass@k" and k in (None, n))
    return n if all_alike and is_any else None


def _has_labels(data: Any, groups: bool) -> bool:
    columns = getattr(data, "question_columns" if groups else "columns", None)
    return isinstance(columns, Mapping) and (HUMAN_GROUP if groups else HUMAN) in columns
