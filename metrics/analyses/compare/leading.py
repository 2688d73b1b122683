"""Which of two or more runs surely leads at which k, and where they cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.compare import compare
from metrics.analyses.compare.sides import Sides
from metrics.analyses.trade_offs.crossings import crossings
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows
from metrics.data.inputs import require_ascending
from metrics.data.joint_tally import JointTally
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Target
from metrics.data.shown import brief_repr
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.intervals.paired import paired_means
from metrics.scoring.registry import Metric, find_metric


class Crossed(NamedTuple):
    """Where one run overtakes another for good.

    Attributes
    ----------
    k : int
        From which on the other leads.
    low, high : int or None
        The last k at which the first still surely leads, and the first from which on the other
        surely does: they cross between these with the confidence of the intervals. None where there
        is no such k.
    b_leads : bool
        Whether b leads after it.
    """

    k: int
    low: int | None
    high: int | None
    b_leads: bool


@dataclass(frozen=True, eq=False)
class Lead(Rows):
    """By how much b leads a, k by k.

    Attributes
    ----------
    k : int array, shape (K,)
    value, low, high : float array, shape (K,)
        Of b less a, each with its own interval.
    """

    k: NDArray[np.int64]
    value: Vector
    low: Vector
    high: Vector

    __repr__ = brief_repr

    @property
    def sure(self) -> NDArray[np.int8]:
        """1 where b surely leads, -1 where a does, 0 where the data cannot tell, shape (K,)."""
        return (self.low > 0).astype(np.int8) - (self.high < 0).astype(np.int8)

    @property
    def crossed(self) -> Crossed | None:
        """Where one overtakes the other for good; None where the first to lead leads at last."""
        found = crossings(self.k.tolist(), [np.zeros(len(self.k)), self.value])
        if not found:
            return None
        place = int(np.flatnonzero(self.k == found[0].k)[0])
        b_leads = found[0].after == 1
        after = self.sure * (1 if b_leads else -1)
        first = next((i for i in range(place) if after[i] >= 0), place)
        last = next((i for i in range(len(after) - 1, place - 1, -1) if after[i] <= 0), place - 1)
        return Crossed(
            found[0].k,
            int(self.k[first - 1]) if first else None,
            int(self.k[last + 1]) if last + 1 < len(after) else None,
            b_leads,
        )


@dataclass(frozen=True, eq=False)
class Leaders:
    """Which of several runs surely leads, k by k.

    Attributes
    ----------
    names : tuple of str
    k : int array, shape (K,)
    first : tuple of str or None
        At each k the run that is surely better than each other; None where there is none.
    pairs : mapping of (str, str) to Lead
        Of each two, in the order of the names.
    """

    names: tuple[str, ...]
    k: NDArray[np.int64]
    first: tuple[str | None, ...]
    pairs: Mapping[tuple[str, str], Lead] = field(repr=False)

    __repr__ = brief_repr


def lead(
    a: Any,
    b: Any = None,
    metric: str = "pass@k",
    ks: Sequence[int] | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: bool = True,
    **options: Any,
) -> Lead:
    """Say by how much b leads a at each k, and where they cross.

    Parameters
    ----------
    a, b, target, confidence_level, missing, segment, same_questions, **options
        As in `compare`.
    metric : str
        One that takes k.
    ks : sequence of int, optional
        Ascending; by default all that both have samples for.

    Returns
    -------
    Lead

    Raises
    ------
    MetricError
        As `compare`, and for a metric that takes no k.

    Examples
    --------
    One solves 60 of 100 questions always, the other each of them in 3 of 8 samples:

    >>> found = lead([[1] * 8] * 60 + [[0] * 8] * 40, [[1] * 3 + [0] * 5] * 100)
    >>> found.sure.tolist(), found.crossed
    ([-1, 0, 1, 1, 1, 1, 1, 1], Crossed(k=2, low=1, high=3, b_leads=True))
    """
    entry = find_metric(metric)
    if not entry.takes_k:
        problem = Text("{metric} takes all samples: there is no k to lead at.", metric=entry.name)
        raise MetricError(problem)
    sides = Sides.of(a, b, missing, segment, same_questions)
    chosen = np.arange(1, sides.n_min + 1) if ks is None else require_ascending(ks)
    asked: dict[str, Any] = {"target": target, "confidence_level": confidence_level, **options}
    given: dict[str, Any] = {
        "missing": missing,
        "segment": segment,
        "same_questions": same_questions,
    }
    counted = entry.sample is None and target == "population"
    if sides.paired and counted and sides.clusters is None:
        joint = sides.counts
        checked = compare(joint, None, metric, int(chosen[-1]), **asked)
        if checked.interval is not None:
            return _at_once(entry, joint, chosen, confidence_level, options)
    each = [compare(a, b, metric, k, **asked, **given) for k in chosen.tolist()]
    found = [(d.value, *(d.interval or (np.nan, np.nan))) for d in each]
    value, low, high = np.array(found).T
    return Lead(chosen, value, low, high)


def leaders(
    runs: Mapping[str, Any],
    metric: str = "pass@k",
    ks: Sequence[int] | None = None,
    *,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **asked: Any,
) -> Leaders:
    """Say at each k which of several runs surely leads all others.

    That the first is better than each other is claimed where each of its intervals leaves out 0.
    Choosing it by the same data does not make that claim wrong too often [1]_.

    Parameters
    ----------
    runs : mapping of str to Outcomes, or what `compare` takes
    metric, ks, missing, segment, **asked
        As in `lead`; by default every k that all runs have samples for.

    Returns
    -------
    Leaders

    References
    ----------
    .. [1] S. Gutmann and Z. Maymin, "Is the selected population the best?", Annals of Statistics
       15, 1987.

    Examples
    --------
    >>> steady, lucky = [[1] * 8] * 60 + [[0] * 8] * 40, [[1] * 3 + [0] * 5] * 100
    >>> leaders({"steady": steady, "lucky": lucky}, ks=[1, 2, 3]).first
    ('steady', None, 'lucky')
    """
    if len(runs) < 2:
        raise MetricError(Text("Only of two runs or more one can lead."))
    if ks is None:
        ks = range(1, 1 + min(Evidence(run, missing, segment).n_min for run in runs.values()))
    more: dict[str, Any] = {"missing": missing, "segment": segment, **asked}
    pairs = {
        (one, other): lead(runs[one], runs[other], metric, ks, **more)
        for one, other in combinations(runs, 2)
    }
    chosen = next(iter(pairs.values())).k
    beaten = {name: np.zeros(len(chosen), dtype=np.int64) for name in runs}
    for (one, other), found in pairs.items():
        beaten[one] += found.sure < 0
        beaten[other] += found.sure > 0
    names = tuple(runs)
    first = tuple(
        next((name for name in names if beaten[name][place] == len(names) - 1), None)
        for place in range(len(chosen))
    )
    return Leaders(names, chosen, first, pairs)


def _at_once(
    metric: Metric,
    joint: JointTally,
    ks: NDArray[np.int64],
    confidence_level: float,
    options: Mapping[str, Any],
) -> Lead:
    """Compare at all k by the joint counts of both."""
    a, reach = _scores(metric, joint.n_a, joint.c_a, ks, options)
    b, _ = _scores(metric, joint.n_b, joint.c_b, ks, options)
    means = paired_means((b - a) / reach, joint.questions)
    low, high = means.limits(confidence_level)
    return Lead(ks, reach * means.value, reach * low, reach * high)


def _scores(
    metric: Metric,
    n: NDArray[np.int64],
    c: NDArray[np.int64],
    ks: NDArray[np.int64],
    options: Mapping[str, Any],
) -> tuple[Vector, Vector]:
    """Return the scores of rows of counts at each k, shape (U, K), and their ranges, (K,)."""
    scores, reach = np.empty((len(n), len(ks))), np.ones(len(ks))
    for samples in np.unique(n).tolist():
        each = np.arange(samples + 1)
        every = Evidence(Tally(np.full(samples + 1, samples), each, np.ones_like(each)))
        found = [metric.scores(every, k, options) for k in ks.tolist()]
        rows = n == samples
        scores[rows] = np.stack([part.values for part in found], axis=1)[c[rows]]
        reach = np.array([part.high - part.low for part in found])
    return scores, reach
