"""How two models differ under one judge."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.analyses.compare.compare import compare
from metrics.analyses.judges.errors import errors_of, require_informed
from metrics.analyses.judges.verdicts import judge_verdicts, of_silence
from metrics.data.inputs import require_level
from metrics.data.outcomes import Segment
from metrics.data.results import Estimate, Interval
from metrics.data.words import Text
from metrics.intervals.paired import Limited

_METHOD = Text(
    "Difference of the rates called right, divided by sensitivity + specificity − 1; the limits of "
    "both combined (MOVER for ratios)."
)
_ASSUMED = Text(
    "It assumes that the judge errs as often on one model as on the other: then whether they "
    "differ needs no correction, only by how much. A judge that favours one is not allowed for."
)
_ROUND = 1e-9


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
    r"""Estimate how much more often one model is right than another, by one judge of both.

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
    found = compare(one, other, "avg@n", confidence_level=level, segment=segment)
    told = errors.informedness
    assert told.interval is not None
    assert found.interval is not None
    value = float(np.clip(found.value / told.value, -1, 1))
    low, high = _ratio((found.value, *found.interval), (told.value, *told.interval))
    return Estimate(
        value,
        Interval(min(low, value), max(high, value)),
        level,
        "population",
        found.n_questions,
        _METHOD,
        (_ASSUMED, *of_silence(one, a), *of_silence(other, b), *found.caveats),
        bounds=Interval(-1.0, 1.0),
    )


def _ratio(first: Limited, second: Limited) -> tuple[float, float]:
    """Return the limits of a ratio of independent estimates, the second above 0, within ±1."""
    (above, low, high), (below, least, most) = first, second
    if above < 0:
        low, high = _ratio((-above, -high, -low), second)
        return -high, -low
    narrow = np.clip([least, most], _ROUND, 2 * below - _ROUND)
    product = above * below
    at_least, at_most = (float(end) * (2 * below - float(end)) for end in narrow)
    down = product - np.sqrt(max(product**2 - low * (2 * above - low) * at_most, 0))
    up = product + np.sqrt(max(product**2 - high * (2 * above - high) * at_least, 0))
    return max(float(down / at_most), -1.0), min(float(up / at_least), 1.0)
