r"""What share of the possible gain from picking a signal achieves.

With gains :math:`a_i` of the pick and :math:`b_i` of an oracle over the average sample of a
question, their means and sums of squares and products about them, and one question more that an
oracle does not gain from but a signal may,

.. math::
    A = \bar b^2 - T S_{bb}, \qquad B = \bar a \bar b - T S_{ab}, \qquad
    C = \bar a^2 - T (S_{aa} + 1), \qquad T = \frac{t^2_{M-1}}{(M-1) M}

gives Fieller's limits :math:`(B \mp \sqrt{B^2 - A C}) / A`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import stdtrit

from metrics.analyses.candidates.picking import Picks
from metrics.analyses.candidates.selected import PICKED_LAST
from metrics.analyses.candidates.signals import (
    candidates,
    double_use_caveats,
    unknown_signal_caveats,
)
from metrics.analyses.candidates.ways import Way
from metrics.data.arrays import Vector
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import copy_caveats, few_questions_caveats

_METHOD = Text("Ratio of two mean gains over questions; Fieller interval with one question added.")
_NEGLIGIBLE = 1e-12


def selection_efficiency(
    data: Any,
    by: Any,
    k: int | None = None,
    *,
    soft: bool = False,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Estimate:
    """Estimate what share of the possible gain from picking a signal achieves.

    (selected@k - avg) / (pass@k - avg): 0 for a signal that says nothing, 1 for one that always
    picks a right sample where there is one, below 0 for one that harms.

    Parameters
    ----------
    data, by, soft, confidence_level, missing, segment
        As in `selected`. With ``soft`` an oracle picks the best score.
    k : int, optional
        Candidates, at least 2; by default the fewest samples of any question.

    Returns
    -------
    Estimate
        For questions like these, at most 1. It has no interval where an oracle gains too little
        over one sample, or where questions cluster; a caveat says so.

    Raises
    ------
    MetricError
        As `selected`, and where an oracle gains nothing.

    Examples
    --------
    The signal picks right twice and once wrong, where an oracle is right three times:

    >>> right = [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0]]
    >>> reward = [[0.9, 0.2, 0.1, 0.3], [0.1, 0.2, 0.6, 0.5], [0.1, 0.8, 0.2, 0.7], [1, 2, 3, 4]]
    >>> round(selection_efficiency(right, reward).value, 3)
    0.429
    """
    question = Question("population", confidence_level, missing, segment)
    evidence = question.evidence(data)
    require_supported(Way(by).metric(data, soft), evidence, k, question)
    k = evidence.n_min if k is None else k
    pool = candidates(data, evidence, by, soft)
    average, pick = Picks(pool, np.array([1, k])).values
    best = Picks(pool.oracle(), np.array([k])).values[0]
    gain, most = pick - average, best - average
    if most.mean() < _NEGLIGIBLE:
        raise MetricError(
            Text("With {k} candidates, even an oracle gains nothing over one sample.", k=k)
        )
    limits = _fieller(gain, most, confidence_level)
    clustered = evidence.clusters is not None
    return Estimate(
        min(float(gain.mean() / most.mean()), 1.0),
        None if clustered else limits,
        confidence_level,
        "population",
        len(gain),
        _METHOD,
        (
            *_of_interval(limits, clustered, len(gain)),
            *double_use_caveats(pool),
            *unknown_signal_caveats(pool, PICKED_LAST),
            *copy_caveats(evidence),
        ),
        bounds=Interval(-np.inf, 1.0),
    )


def _fieller(gain: Vector, most: Vector, confidence_level: float) -> Interval | None:
    m = len(gain)
    if m < 2:
        return None
    a, b = gain.mean(), most.mean()
    t = stdtrit(m - 1, (1 + confidence_level) / 2)
    each = t**2 / ((m - 1) * m)
    first = b**2 - each * ((most - b) ** 2).sum()
    middle = a * b - each * ((gain - a) * (most - b)).sum()
    last = a**2 - each * (((gain - a) ** 2).sum() + 1)
    if first <= 0:
        return None
    reach = np.sqrt(max(middle**2 - first * last, 0.0))
    return Interval(float((middle - reach) / first), min(float((middle + reach) / first), 1.0))


def _of_interval(limits: Interval | None, clustered: bool, questions: int) -> Iterator[Text]:
    if clustered:
        yield Text("This ratio has no interval where questions belong together.")
    elif limits is None:
        yield Text("One sample and an oracle are too close together for an interval.")
    else:
        yield from few_questions_caveats(questions)
