"""Compare two runs of several datasets at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from metrics.analyses.compare.compare import Ends, compare
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

BY_LIMITS = Text(
    "Weighted mean of the datasets' differences; the limits of each, combined as those of "
    "independent numbers (MOVER)."
)


def compare_suite(
    a: Mapping[str, Any], b: Mapping[str, Any], *args: Any, weights: Any = None, **options: Any
) -> Difference:
    r"""Say how much better b is than a on several datasets together, each paired by itself.

    For questions like these, with weights :math:`w_g` that sum to 1, the mean gain is
    :math:`\sum_g w_g P_g` and its variance :math:`\sum_g w_g^2 V_g`; so are those of losses. To the
    variance comes that of one question more, of the dataset whose questions count most. For these
    questions and for blends the differences :math:`d_g` of the datasets have limits
    :math:`l_g, u_g` of their own, and together

    .. math::
        d - \sqrt{\sum_g w_g^2 (d_g - l_g)^2}, \qquad d + \sqrt{\sum_g w_g^2 (u_g - d_g)^2}

    Parameters
    ----------
    a, b : mapping of str to Outcomes or what `compare` takes
        By dataset; those that only one of them has are left out and named.
    *args, **options
        As for `compare`.
    weights : mapping of str to float, optional
        Of the datasets; by default they count equally.

    Returns
    -------
    Difference

    Raises
    ------
    MetricError
        If no dataset is shared, or one cannot be compared, is not paired or has no bounds.

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
    w = _weights(names, weights)
    ends = _ends(names, each, w)
    level = each[0].confidence_level
    return Difference(
        float(w @ [found.value for found in each]),
        Interval(*ends(level)),
        level,
        each[0].target,
        True,
        _total([found.wins for found in each]),
        _total([found.ties for found in each]),
        _total([found.losses for found in each]),
        sum(found.n_questions for found in each),
        sum(found.n_dropped for found in each),
        TOGETHER if all(found.means for found in each) else BY_LIMITS,
        (*_left_out(a, b), *dict.fromkeys(text for found in each for text in found.caveats)),
        ends,
    )


def _total(counts: Sequence[int | None]) -> int | None:
    """Add questions up; None where a dataset does not count them, as for blends."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _ends(names: Sequence[str], each: Sequence[Difference], w: Vector) -> Ends:
    """Return what gives the ends of the mean difference at a level."""
    for name, found in zip(names, each, strict=True):
        if not found.paired or found.ends is None:
            problem = Text(
                "{name} has no paired difference with bounds, so that the datasets cannot be taken "
                "together.",
                name=name,
            )
            raise MetricError(problem)
    means = [found.means for found in each if found.means is not None]
    if len({tuple(found.units) for found in means}) > 1:
        raise MetricError(Text("Scores of different ranges cannot be pooled."))
    if len(means) == len(each):
        return lambda level: _numbers(_limits(means, w, level))
    return lambda level: _reached(each, w, level)


def _numbers(limits: tuple[Any, Any]) -> tuple[float, float]:
    low, high = limits
    return float(low), float(high)


def _reached(each: Sequence[Difference], w: Vector, level: float) -> tuple[float, float]:
    """Combine the datasets' own limits."""
    value = np.array([found.value for found in each])
    low, high = np.array([found.ends(level) for found in each if found.ends is not None]).T
    mean = float(w @ value)
    return (
        mean - float(np.sqrt(w**2 @ (value - low) ** 2)),
        mean + float(np.sqrt(w**2 @ (high - value) ** 2)),
    )


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
