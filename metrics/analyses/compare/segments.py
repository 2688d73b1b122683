"""Compare two runs in each segment of the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import chdtrc

from metrics.analyses.compare.compare import COUNTS_ONLY, compare
from metrics.analyses.compare.difference import Difference
from metrics.data.evidence import Known, fewest_samples, outcomes_or_counts
from metrics.data.inputs import require_level
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, no_segment
from metrics.data.results import Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.intervals.paired import MeanDifference
from metrics.scoring.registry import find_metric

SHUFFLES = 4000
_MANY = 2000
"""Beyond so many questions the statistic is taken for a chi-squared one."""
_SEED = 0
NOT_MATCHED = Text(
    "Segments are compared question by question, but for one of the two only counts are known, "
    "not which question is which."
)
_ROUNDING = 1e-12


@result
class BySegment:
    """How much better one run is than another, in each segment.

    Attributes
    ----------
    attribute : str
    overall : Difference
        On all questions.
    segments : mapping of str to Difference
        By label; each interval at a level adjusted for their number (Bonferroni), so that all of
        them hold at once with the confidence asked for.
    p_value : float or None
        For whether the segments differ at all: how often labels shuffled among the questions would
        make them differ as much. None with clusters, for these questions, and where there is one
        segment.
    """

    attribute: str
    overall: Difference
    segments: Mapping[str, Difference]
    p_value: float | None

    @property
    def parts(self) -> dict[str, float]:
        """What each segment adds to the difference on the questions of all segments."""
        m = sum(found.n_questions for found in self.segments.values())
        return {
            label: found.value * found.n_questions / m for label, found in self.segments.items()
        }

    @property
    def decisive(self) -> tuple[str, ...]:
        """The segments that surely differ, those that add most first."""
        sure = [label for label, found in self.segments.items() if found.sure]
        return tuple(sorted(sure, key=lambda label: -abs(self.parts[label])))


def compare_segments(
    a: Any,
    b: Any,
    attribute: str,
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    **options: Any,
) -> BySegment:
    """Say how much better b is than a in each segment, and whether the segments differ.

    Parameters
    ----------
    a, b : Outcomes, or what has outcomes
    attribute : str
        The attribute of the segments, in both.
    metric, k, target, confidence_level, missing, **options
        As in `compare`; k by default the fewest samples that any question has in either.

    Returns
    -------
    BySegment

    Raises
    ------
    MetricError
        If one of them has no such segments, or they share no question of any.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> labels = {"subject": ["algebra"] * 30 + ["sets"] * 30}
    >>> a = Outcomes([[0]] * 60, segments=labels)
    >>> b = Outcomes([[1]] * 15 + [[0]] * 45, segments=labels)
    >>> found = compare_segments(a, b, "subject")
    >>> found.decisive, found.parts, found.p_value < 0.001
    (('algebra',), {'algebra': 0.25, 'sets': 0.0}, True)
    """
    require_level(confidence_level)
    labels, others = (_labels(each, attribute) for each in (a, b))
    shared = [label for label in labels if label in others]
    if not shared:
        raise MetricError(Text("The two have no segment of {name} in common.", name=attribute))
    if k is None and find_metric(metric).takes_k:
        k = fewest_samples((a, b), missing)
    asked: dict[str, Any] = {"target": target, "missing": missing, **options}
    level = 1 - (1 - confidence_level) / len(shared)
    parts = {
        label: compare(a, b, metric, k, confidence_level=level, segment=(attribute, label), **asked)
        for label in shared
    }
    unpaired = [label for label, each in parts.items() if not each.paired]
    if unpaired:
        problem = Text("The two share no question of {name}.", name=unpaired[0])
        raise MetricError(NOT_MATCHED if parts[unpaired[0]].method == COUNTS_ONLY else problem)
    overall = compare(a, b, metric, k, confidence_level=confidence_level, **asked)
    known = [one.each for one in parts.values() if one.each and one.each.clusters is None]
    p_value = heterogeneity(known) if 1 < len(known) == len(shared) else None
    return BySegment(attribute, overall, parts, p_value)


def heterogeneity(segments: Sequence[MeanDifference]) -> float:
    r"""Return how often shuffled labels make segments differ as much as they do.

    By :math:`\sum_g M_g (m_g - m)^2` for segments of M_g questions whose mean difference is m_g.

    Examples
    --------
    >>> import numpy as np
    >>> one, other = (MeanDifference(np.array([d]), np.array([4])) for d in (0.0, 1.0))
    >>> round(heterogeneity([one, other]), 2)  # 2 of the 70 ways to choose 4 of 8
    0.03
    """
    values = np.unique(np.concatenate([each.values for each in segments]))
    table = np.zeros((len(segments), len(values)), dtype=np.int64)
    for row, each in zip(table, segments, strict=True):
        row[np.searchsorted(values, each.values)] = each.questions
    sizes, counts = table.sum(axis=1), table.sum(axis=0)
    m = int(sizes.sum())
    centred = values - counts @ values / m
    variance = float(counts @ centred**2) / max(m - 1, 1)
    if variance == 0:
        return 1.0

    def statistic(tables: NDArray[Any]) -> Any:
        return ((tables @ centred) ** 2 / sizes).sum(axis=-1) / variance

    seen = float(statistic(table))
    if m > _MANY:
        return float(chdtrc(len(segments) - 1, seen))
    shuffled = scipy.stats.random_table(sizes, counts, seed=_SEED).rvs(SHUFFLES)
    as_much = int((statistic(shuffled) >= seen * (1 - _ROUNDING)).sum())
    return (1 + as_much) / (1 + SHUFFLES)


def _labels(data: Any, attribute: str) -> list[str]:
    given = outcomes_or_counts(data)
    if not isinstance(given, Known) or attribute not in given.segments:
        known = given.segments if isinstance(given, Known) else ()
        raise no_segment(attribute, None, known, ())
    return given.labels(attribute)
