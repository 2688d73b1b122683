"""What is right by a judge and labels, in the way that the labels allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metrics.analyses.judges.corrected import ANY_PASS, SEPARATE, Corrected, correct_judge
from metrics.analyses.judges.errors import JudgeErrors, judge_errors
from metrics.analyses.judges.powered import Powered, prediction_powered
from metrics.analyses.judges.verdicts import HUMAN, HUMAN_GROUP
from metrics.data.outcomes import Segment
from metrics.data.words import MetricError, Text

_OWN = Text(
    "The labels are of some answers to these questions: they tell how often the judge errs, and "
    "what it says is corrected by that. This holds where it errs as often on those without a label."
)
_OF_THEIR_OWN = Text(
    "Labels of questions tell of any-pass, labels of answers of all else: each is corrected by its "
    "own."
)
_NONE = Text(
    "Nothing says how often this judge errs. Have a random share of answers labelled by a person "
    "(human), or load a calibration set."
)


def judged_rate(
    data: Any,
    human: Any = None,
    *,
    by: Any = None,
    errors: JudgeErrors | None = None,
    metric: str = "avg@n",
    k: int | None = None,
    probability: Any = None,
    threshold: float = 0.5,
    strict: bool = False,
    confidence_level: float = 0.95,
    segment: Segment | None = None,
    rng: int = 0,
) -> Corrected | Powered:
    """Estimate what is right, in the way that fits how the labels came about.

    Labels of a random part of these very questions are taken by `prediction_powered`, which assumes
    nothing of the judge. Otherwise a separate calibration set says how often the judge errs, or, as
    for pass@k where one sample a question has a label, these labels do: `correct_judge`. The
    result's ``way`` says which.

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
        If there are neither labels of a random share nor errors, or the judge may tell nothing.

    Examples
    --------
    >>> errors = judge_errors([1, 1, 1, 0, 1] * 8 + [0] * 20, human=[1] * 40 + [0] * 20)
    >>> found = judged_rate([[1, 1], [0, 0], [1, 0], [1, 1]], errors=errors)
    >>> round(found.estimate.value, 2), found.way == SEPARATE
    (0.78, True)
    """
    groups = metric == ANY_PASS
    if errors is not None and errors.groups != groups:
        raise MetricError(_OF_THEIR_OWN)
    judge: dict[str, Any] = {"by": by, "threshold": threshold, "strict": strict}
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
            return prediction_powered(data, human, probability=probability, **wanted)
        except MetricError as error:
            remark = (error.text,)
    elif errors is None:
        raise MetricError(_NONE)
    way = SEPARATE
    if errors is None:
        way = _OWN
        errors = judge_errors(data, human=human, groups=groups, probability=probability, **judge)
    found = correct_judge(
        data,
        right_labels=errors.right_labels,
        wrong_labels=errors.wrong_labels,
        rng=rng,
        **wanted,
    )
    caveats = (*remark, *found.estimate.caveats, *errors.caveats)
    return replace(found, estimate=replace(found.estimate, caveats=caveats), way=way)


def _has_labels(data: Any, groups: bool) -> bool:
    columns = getattr(data, "question_columns" if groups else "columns", None)
    return isinstance(columns, Mapping) and (HUMAN_GROUP if groups else HUMAN) in columns
