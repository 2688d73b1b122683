r"""The limits of a mean score of questions like these.

One question is added at each end of the range, as many questions as z squared is times that of 95 %
at higher levels, with a quarter more weight in the variance, and Student's t is taken; where exact
limits are nearer, they are. Against every share of two scores, of which one is 0 or 1, they hold at
levels of 80, 90, 95 and 99 % in .75, .88, .93 and .98 of the cases or more, of 10 to 3000
questions. All functions work element by element.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from metrics.intervals.binomial import clopper_pearson
from metrics.intervals.korn_graubard import Clusters, added_questions, population_size

SPREAD = 1.25
"""What the added questions count for in the variance: as many of them."""


def population_limits(
    mean: Any,
    variance: Any,
    n_questions: float,
    confidence_level: float,
    clusters: Clusters | None = None,
) -> tuple[Any, Any]:
    r"""Return the limits of the mean score of questions like these.

    With M questions of mean m and variance V of that mean, and w added at each end
    (`metrics.intervals.korn_graubard.added_questions`),

    .. math::
        m' = \frac{M m + w}{M + 2 w}, \qquad
        m' \pm t_{M+1} \sqrt{\frac{M (M-1) V + 1.25 w (m^2 + (1-m)^2)}{(M + 1) (M + 2 w)}}

    cut to Clopper-Pearson's at Korn and Graubard's effective number of questions or, where that is
    more, at :math:`M (z / t)^2`; never without m. Clusters have Korn and Graubard's alone.

    mean, variance, n_questions, confidence_level, clusters: As in
        `metrics.intervals.korn_graubard.population_size`.
    Returns: Lower and upper limit, in [0, 1]; the mean lies between them.

    Examples
    --------
    27 right of 30, and none:

    >>> def rounded(mean, variance):
    ...     return [round(float(x), 4) for x in population_limits(mean, variance, 30, 0.95)]
    >>> rounded(0.9, 0.09 / 29), rounded(0.0, 0.0)
    ([0.75, 0.9814], [0.0, 0.1036])
    """
    m = n_questions
    size = population_size(mean, variance, m, confidence_level, clusters)
    if m <= 1 or (clusters is not None and clusters.number < m):
        return clopper_pearson(size * mean, size, confidence_level)
    upper = (1 + confidence_level) / 2
    z, t, wider = ndtri(upper), stdtrit(m - 1, upper), stdtrit(m + 1, upper)
    added = added_questions(confidence_level)
    size = np.minimum(size, m * (z / t) ** 2)
    low, high = clopper_pearson(size * mean, size, confidence_level)
    middle = (m * mean + added) / (m + 2 * added)
    squares = m * (m - 1) * variance + SPREAD * added * (mean**2 + (1 - mean) ** 2)
    reach = wider * np.sqrt(squares / ((m + 1) * (m + 2 * added)))
    return (
        np.maximum(low, np.minimum(mean, middle - reach)),
        np.minimum(high, np.maximum(mean, middle + reach)),
    )
