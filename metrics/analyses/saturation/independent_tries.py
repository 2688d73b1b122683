"""What k independent tries earn at a known success rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from metrics.data.arrays import Vector
from metrics.data.inputs import require_ascending
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Curve
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments
from metrics.estimating.estimation import estimate
from metrics.scoring.payoffs import Payoff, gains
from metrics.scoring.registry import find_metric


def expected_of_tries(
    payoff: Payoff, ks: NDArray[np.int64], p: Vector, options: Mapping[str, Any]
) -> Vector:
    r"""Return :math:`E\,A(\mathrm{Bin}(k, p)) = A_0 + \sum_i (A_i - A_{i-1}) P(X \ge i)`.

    For each of K numbers of tries and L success rates, shape (K, L).

    Examples
    --------
    >>> from metrics.scoring.payoffs import majority
    >>> expected_of_tries(majority, np.array([1, 3]), np.array([0.2]), {}).round(3).tolist()
    [[0.2], [0.104]]
    """
    table = np.empty((len(ks), len(p)))
    for row, k in enumerate(ks.tolist()):
        added = gains(payoff, k, **options)
        i = np.flatnonzero(added) + 1
        table[row] = added[i - 1] @ betainc(i[:, None], k - i[:, None] + 1, p)
    return table


def independent_curve(
    data: Any,
    metric: MetricName,
    ks: Sequence[int],
    *,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **options: Any,
) -> Curve:
    """Return a count metric as it would be if all questions were equally difficult.

    Every try would then succeed at the pooled rate, avg@n, and pass@k be ``1 - (1 - avg)^k``. Real
    questions differ in difficulty, so that pass@k stays below this curve and pass^k above it.

    Parameters
    ----------
    data, metric, missing, segment, **options
        As in `curve`, for a metric with a payoff.
    ks : sequence of int
        Any number of tries, beyond the samples too.

    Returns
    -------
    Curve
        Without intervals.

    Examples
    --------
    >>> alike = independent_curve([[1, 0], [0, 0]], "pass@k", [1, 2, 4])
    >>> alike.value.round(4).tolist()
    [0.25, 0.4375, 0.6836]
    """
    entry = find_metric(metric)
    if entry.payoff is None or not entry.takes_k:
        raise MetricError(Text("{name} has no curve of independent tries.", name=metric))
    require_arguments(entry, None, Question(), options)
    chosen = require_ascending(ks)
    rate = estimate(data, "avg@n", missing=missing, segment=segment).value
    value = expected_of_tries(entry.payoff, chosen, np.array([rate]), options)[:, 0]
    unknown = np.full(len(chosen), np.nan)
    return Curve(chosen, value, unknown, unknown)
