"""How two models differ under one judge."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtri

from metrics.analyses.compare.compare import compare
from metrics.analyses.compare.difference import Difference
from metrics.analyses.judges.errors import JudgeErrors, errors_of, require_informed
from metrics.analyses.judges.ratios import fieller
from metrics.analyses.judges.verdicts import judge_verdicts, silence_caveats
from metrics.data.inputs import require_level
from metrics.data.outcomes import Segment
from metrics.data.results import Estimate, Interval
from metrics.data.words import Text

_METHOD = Text(
    "Difference of the rates called right, divided by sensitivity + specificity − 1; Fieller's "
    "interval with the limits of the difference."
)
_ASSUMED = Text(
    "It assumes that the judge errs as often on one model as on the other. Whether they differ "
    "then needs no correction, only by how much. A judge that favours one model is not "
    "corrected."
)
_BOUNDS = Interval(-1.0, 1.0)


def judged_difference(
    a: Any,
    b: Any,
    *,
    right_labels: Any,
    wrong_labels: Any,
    by: Any = None,
    threshold: float = 0.5,
    strict: bool = False,
    confidence_level: float = 0.95,
    segment: Segment | None = None,
) -> Estimate:
    r"""Estimate how much more often one model is right than another, when one judge graded both.

    With rates :math:`q_a, q_b` called right and equal errors for both models the difference is
    :math:`(q_b - q_a) / (s + t - 1)`; a difference of 0 stays 0.

    Parameters
    ----------
    a, b : Run, Outcomes or array_like of float, shape (M, N)
        What was judged, of the same questions.
    right_labels, wrong_labels, by, threshold, strict
        As in `correct_judge`; ``by`` is the name of a column of both.
    confidence_level, segment
        As in `compare`.

    Returns
    -------
    Estimate
        b − a, from -1 to 1.

    Raises
    ------
    MetricError
        As `compare` and `correct_judge`.

    Examples
    --------
    >>> a, b = [[1, 0], [0, 0], [1, 1], [0, 0]], [[1, 1], [0, 1], [1, 1], [0, 1]]
    >>> found = judged_difference(a, b, right_labels=(45, 50), wrong_labels=(45, 50))
    >>> round(found.value, 3)
    0.469
    """
    level = require_level(confidence_level)
    errors = errors_of(right_labels, wrong_labels, level)
    require_informed(errors)
    one, other = (judge_verdicts(each, by, threshold, strict) for each in (a, b))
    as_judged = compare(one, other, "avg@n", confidence_level=level, segment=segment)
    value = float(np.clip(as_judged.value / errors.informedness.value, *_BOUNDS))
    low, high = _ratio(as_judged, errors)
    return Estimate(
        value,
        Interval(min(low, value), max(high, value)),
        level,
        "population",
        as_judged.n_questions,
        _METHOD,
        (_ASSUMED, *silence_caveats(one, a), *silence_caveats(other, b), *as_judged.caveats),
        bounds=_BOUNDS,
    )


def _ratio(difference: Difference, errors: JudgeErrors) -> Interval:
    """Return the limits of a difference over informedness, up to all where that may be 0."""
    assert difference.interval is not None
    right, wrong = errors.right_labels, errors.wrong_labels
    means = difference.value, right.near + wrong.near - 1
    of_both = right.variance + wrong.variance
    z = float(ndtri((1 + difference.confidence_level) / 2))
    low, high = (
        fieller(means, (((end - difference.value) / z) ** 2, of_both), 0.0, z, _BOUNDS) or _BOUNDS
        for end in difference.interval
    )
    return Interval(low.low, high.high)
