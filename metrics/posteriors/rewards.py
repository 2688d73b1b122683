"""Normal intervals of the mean rewards avg@N and Bayes@N."""

from __future__ import annotations

from typing import Any

from metrics.posteriors.posterior import Bounds, Posterior, normal_posterior
from metrics.scoring.rewards import avg, bayes


def bayes_ci(
    R: Any, w: Any = None, R0: Any = None, confidence: float = 0.95, bounds: Bounds = None
) -> Posterior:
    """Return Bayes@N with its normal interval.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(x, 4) for x in bayes_ci(R, bounds=(0.0, 1.0))]
    [0.6429, 0.1185, 0.4107, 0.875]
    """
    return normal_posterior(*bayes(R, w, R0), confidence, bounds)


def avg_ci(R: Any, w: Any = None, confidence: float = 0.95, bounds: Bounds = None) -> Posterior:
    """Return avg@N with its normal interval.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(x, 4) for x in avg_ci(R, bounds=(0.0, 1.0))]
    [0.7, 0.1658, 0.375, 1.0]
    """
    return normal_posterior(*avg(R, w), confidence, bounds)
