"""Compare two runs of several datasets at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from metrics.analyses.compare.compare import compare
from metrics.analyses.compare.difference import Difference
from metrics.data.arrays import Vector
from metrics.data.inputs import number_vector
from metrics.data.results import Interval
from metrics.data.words import MetricError, Text
from metrics.intervals.paired import PairedMeans, limits_at

TOGETHER = Text(
    "Weighted mean of the datasets' paired differences; gains and losses of all together each have "
    "Jeffreys limits (exact ones below a level of 95 %) at their variance, combined by their "
    "correlation (MOVER)."
)


def compare_suite(
    a: Mapping[str, Any], b: Mapping[str, Any], *args: Any, weights: Any = None, **options: Any
) -> Difference:
    r"""Say how much better b is than a on several datasets together, each paired by itself.

    With weights :math:`w_g` that sum to 1, the mean gain is :math:`\sum_g w_g P_g` and its variance
    :math:`\sum_g w_g^2 V_g`; so are those of losses. To the variance comes that of one question
    more, of the dataset whose questions count most.

    Parameters
    ----------
    a, b : mapping of str to Outcomes or what `compare` takes
        By dataset; those that only one of them has are left out and named.
    *args, **options
        As for `compare`; the target is questions like these.
    weights : mapping of str to float, optional
        Of the datasets; by default they count equally.

    Returns
    -------
    Difference

    Raises
    ------
    MetricError
        If no dataset is shared, one cannot be compared or is not paired, or the metric is a blend.

    Examples
    --------
    >>> easy, hard = [[1]] * 40, [[0]] * 10 + [[1]] * 30
    >>> found = compare_suite({"x": hard, "y": easy}, {"x": easy, "y": easy, "z": easy})
    >>> found.value, found.n_questions, str(found.caveats[0])
    (0.125, 80, 'Only one of them has z, which is left out.')
    """
    names = [name for name in a if name in b]
    if not names:
        raise MetricError(Text("The two have no dataset in common."))
    each = [compare(a[name], b[name], *args, **options) for name in names]
    means = [_paired(name, found) for name, found in zip(names, each, strict=True)]
    if len({tuple(found.units) for found in means}) > 1:
        raise MetricError(Text("Scores of different ranges cannot be pooled."))
    w = _weights(names, weights)

    def ends(level: float) -> tuple[float, float]:
        low, high = _limits(means, w, level)
        return float(low), float(high)

    level = each[0].confidence_level
    return Difference(
        float(w @ [found.value for found in each]),
        Interval(*ends(level)),
        level,
        each[0].target,
        True,
        sum(found.wins or 0 for found in each),
        sum(found.ties or 0 for found in each),
        sum(found.losses or 0 for found in each),
        sum(found.n_questions for found in each),
        sum(found.n_dropped for found in each),
        TOGETHER,
        (*_left_out(a, b), *dict.fromkeys(text for found in each for text in found.caveats)),
        ends,
    )


def _paired(name: str, found: Difference) -> PairedMeans:
    if found.means is None:
        problem = Text(
            "{name} has no paired difference for questions like these, so that the datasets "
            "cannot be taken together.",
            name=name,
        )
        raise MetricError(problem)
    return found.means


def _weights(names: Sequence[str], weights: Any) -> Vector:
    given = np.ones(len(names)) if weights is None else [weights[name] for name in names]
    w = number_vector(given, "weights", len(names))
    if np.any(w < 0) or not np.any(w):
        raise MetricError(
            Text("weights must be at least 0 and not all 0; got {got!r}.", got=weights)
        )
    return np.asarray(w / w.sum())


def _limits(means: Sequence[PairedMeans], w: Vector, level: float) -> tuple[Any, Any]:
    """Return the limits at the size whose variance is that of all datasets together."""
    counted = [(each, share) for each, share in zip(means, w, strict=True) if share > 0]
    share = np.array([share for _, share in counted])
    questions = np.array([each.n_questions for each, _ in counted])
    worth = np.array([each.worth.number for each, _ in counted])
    together = means[0]._replace(
        mean=share @ np.stack([each.mean for each, _ in counted]),
        variance=share**2 @ np.stack([each.variance for each, _ in counted]),
        covariance=share**2 @ np.array([each.covariance for each, _ in counted]),
    )
    freedom = 1 / (share**2 @ (1 / worth)) - 1
    prior, unseen = share**2 @ (1 / questions), np.max(share**2 / (questions * worth))
    size = (together.mean * (1 - together.mean) + prior) / (together.variance + unseen)
    if np.any(worth <= 1):
        size = 0 * size
    else:
        size = size * (ndtri((1 + level) / 2) / stdtrit(freedom, (1 + level) / 2)) ** 2
    return limits_at(together.mean, size, together.correlation, together.units, level)


def _left_out(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Text]:
    alone = [*(name for name in a if name not in b), *(name for name in b if name not in a)]
    if alone:
        yield Text("Only one of them has {names}, which is left out.", names=", ".join(alone))
