"""Which of two or more runs surely leads at which k, and where they cross."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property, partial
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.compare import compare_sides
from metrics.analyses.compare.crossings import crossings
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.entrants import Entrants
from metrics.analyses.compare.rank import Ranks
from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.inputs import require_ascending
from metrics.data.joint_tally import JointTally
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Curve, Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments, require_supported
from metrics.estimating.curves import curve_entry, scores_of_each_k
from metrics.intervals.paired import mean_difference
from metrics.scoring.registry import Metric, find_metric, metric_name

_EQUAL = 1e-12
_QUICK = 10_000
"""Of up to so many questions times k all pairs are compared sooner at once than one by one."""


class Crossed(NamedTuple):
    """Where one run overtakes another for good.

    Attributes
    ----------
    k : int
        The k from which on the other leads.
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


@result
class Lead(Curve):
    """By how much b leads a, k by k.

    Attributes
    ----------
    k : int array, shape (K,)
    value, low, high : float array, shape (K,)
        b minus a, each with its own interval.
    paired : bool
        Whether both are known to have answered the same questions.
    ends : callable or None
        Both ends of each interval as a function of the level.
    """

    paired: bool = True
    ends: Callable[[float], tuple[Vector, Vector]] | None = field(default=None, repr=False)

    @property
    def sure(self) -> NDArray[np.int8]:
        """1 where b surely leads, -1 where a does, 0 where the data cannot tell, shape (K,)."""
        return _signs(self.low, self.high)

    def sure_at(self, confidence_level: float) -> NDArray[np.int8]:
        """Return `sure` at another level."""
        return self.sure if self.ends is None else _signs(*self.ends(confidence_level))

    @property
    def crossed(self) -> Crossed | None:
        """Where one overtakes the other for good; None where the first to lead leads at last."""
        changes = crossings(self.k.tolist(), [np.zeros(len(self.k)), self.value])
        if not changes:
            return None
        row = int(np.flatnonzero(self.k == changes[0].k)[0])
        b_leads = changes[0].after == 1
        after = self.sure * (1 if b_leads else -1)
        first = next((i for i in range(row) if after[i] >= 0), row)
        last = next((i for i in range(len(after) - 1, row - 1, -1) if after[i] <= 0), row - 1)
        return Crossed(
            changes[0].k,
            int(self.k[first - 1]) if first else None,
            int(self.k[last + 1]) if last + 1 < len(after) else None,
            b_leads,
        )


@result
class Leaders:
    """Which of several runs surely leads, k by k.

    Attributes
    ----------
    names : tuple of str
    k : int array, shape (K,)
    first : tuple of str or None
        At each k the run that is surely better than each other on the same questions; None where
        there is none.
    values : float array, shape (R, K)
        Of each run.
    pairs : mapping of (str, str) to Lead
        For each two runs, in the order of the names.
    confidence_level : float
    """

    names: tuple[str, ...]
    k: NDArray[np.int64]
    first: tuple[str | None, ...]
    values: Vector = field(repr=False)
    pairs: Mapping[tuple[str, str], Lead] = field(repr=False)
    confidence_level: float

    @cached_property
    def apart(self) -> Mapping[tuple[str, str], NDArray[np.int8]]:
        """What `Lead.sure` says of each two runs, adjusted for all pairs at once (Holm)."""
        sure = _holm([*self.pairs.values()], self.confidence_level)
        return dict(zip(self.pairs, sure, strict=True))

    @property
    def ranks(self) -> tuple[tuple[Ranks, ...], ...]:
        """The places that each run may have at each k, as in `rank`."""
        count = len(self.names)
        above = np.zeros((count, len(self.k)), dtype=np.int64)
        below = np.zeros_like(above)
        for (one, other), sure in self.apart.items():
            a, b = self.names.index(one), self.names.index(other)
            above[a], below[b] = above[a] + (sure > 0), below[b] + (sure > 0)
            above[b], below[a] = above[b] + (sure < 0), below[a] + (sure < 0)
        return tuple(
            tuple(Ranks(1 + x, count - y) for x, y in zip(*each, strict=True))
            for each in zip(above.tolist(), below.tolist(), strict=True)
        )

    @property
    def places(self) -> NDArray[np.int64]:
        """The place of each run by its value at each k, 1 for the highest, shape (R, K)."""
        ahead = self.values[None] > self.values[:, None] + _EQUAL
        return np.asarray(1 + ahead.sum(axis=1))


def lead(
    a: Any,
    b: Any = None,
    metric: MetricName = "pass@k",
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
    question = Question(target, confidence_level, missing, segment)
    sides = Sides.of(a, b, question, same_questions)
    return _lead(sides, find_metric(metric), ks, question, options)


def _lead(
    sides: Sides,
    entry: Metric,
    ks: Sequence[int] | None,
    question: Question,
    options: Mapping[str, Any],
) -> Lead:
    if not entry.takes_k:
        problem = Text(
            "{metric} takes all samples, so there is no k to lead at.", metric=entry.name
        )
        raise MetricError(problem)
    chosen = np.arange(1, sides.n_min + 1) if ks is None else require_ascending(ks)
    require_arguments(entry, int(chosen[0]), question, options)
    counted = bool(entry.payoff or entry.blend) and question.target == "population"
    if sides.paired and counted and sides.clusters is None:
        for k, side in product((int(chosen[0]), int(chosen[-1])), sides.both):
            require_supported(entry, side, k, question, options)
        if entry.scores(sides.a, int(chosen[-1]), options).bounded:
            return _lead_at_once(entry, sides.counts, chosen, question.confidence_level, options)
    name = metric_name(entry.name)
    each = [compare_sides(sides, name, k, question, options) for k in chosen.tolist()]
    leads = [(d.value, *(d.interval or (np.nan, np.nan))) for d in each]
    value, low, high = np.array(leads).T
    return Lead(chosen, value, low, high, sides.paired, _all_ends(each))


def _all_ends(differences: Sequence[Difference]) -> Callable[[float], tuple[Vector, Vector]] | None:
    every = [each.ends for each in differences if each.ends is not None]
    if len(every) < len(differences):
        return None

    def ends(level: float) -> tuple[Vector, Vector]:
        low, high = np.array([each(level) for each in every]).T
        return low, high

    return ends


def leaders(
    runs: Mapping[str, Any],
    metric: MetricName = "pass@k",
    ks: Sequence[int] | None = None,
    *,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: Callable[[Any, Any], bool] | None = None,
    **asked: Any,
) -> Leaders:
    """Say at each k which of several runs surely leads all others.

    The first is called better than all others where each of its intervals leaves out 0. Choosing it
    by the same data does not make that claim wrong too often [1]_.

    Parameters
    ----------
    runs : mapping of str to Outcomes, or what `compare` takes
    metric, ks, missing, segment, **asked
        As in `lead`; by default every k that all runs have samples for.
    same_questions : callable, optional
        Says of two runs whether equal ids are the same question; by default they are.

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
    >>> found = leaders({"steady": steady, "lucky": lucky}, ks=[1, 2, 3])
    >>> found.first, [str(ranks) for ranks in found.ranks[0]]
    (('steady', None, 'lucky'), ['1', '1 to 2', '2'])
    """
    if len(runs) < 2:
        raise MetricError(Text("It takes at least two runs for one to lead."))
    about = {name: asked.pop(name) for name in ("target", "confidence_level") if name in asked}
    question = Question(**about, missing=missing, segment=segment)
    entry = find_metric(metric)
    entrants = Entrants(runs, entry, None, question, asked, same_questions)
    if ks is None:
        ks = range(1, 1 + entrants.fewest)
    pairs = _leads_at_once(entrants, ks) or {
        two: _lead(entrants.two(*two), entry, ks, question, asked) for two in combinations(runs, 2)
    }
    chosen = next(iter(pairs.values())).k
    places = {name: row for row, name in enumerate(runs)}
    better = np.zeros((len(runs), len(runs), len(chosen)), dtype=bool)
    for (one, other), pair in pairs.items():
        sure = pair.sure if pair.paired else np.zeros(len(chosen), dtype=np.int8)
        better[places[one], places[other]] = sure < 0
        better[places[other], places[one]] = sure > 0
    leads = better.sum(axis=1) == len(runs) - 1
    names = tuple(runs)
    first = tuple(names[column.argmax()] if column.any() else None for column in leads.T)
    values = [curve_entry(entry, entrants.side(name), chosen, None, asked).value for name in names]
    return Leaders(names, chosen, first, np.stack(values), pairs, question.confidence_level)


def _leads_at_once(entrants: Entrants, ks: Sequence[int]) -> dict[tuple[str, str], Lead]:
    """Compare each two at each k at once; nothing where that cannot be."""
    names, entry = list(entrants.runs), entrants.metric
    questions = max(int(entrants.side(name).sizes[1].sum()) for name in names)
    if not entry.takes_k or questions * len(ks) > _QUICK:
        return {}
    chosen = require_ascending(ks)
    require_arguments(entry, int(chosen[0]), entrants.question, entrants.options)
    for k, name in product((int(chosen[0]), int(chosen[-1])), names):
        require_supported(entry, entrants.side(name), k, entrants.question, entrants.options)
    if not all(entrants.same(*two) for two in combinations(names, 2)):
        return {}
    known = []
    for k in chosen.tolist():
        at_once = entrants.at(k).pairwise(names)
        if at_once is None:
            return {}
        known.append(at_once)
    value = -np.stack([each.gains for each in known])

    @cache
    def limits(level: float) -> Vector:
        high, low = -np.stack([each.limits(level) for each in known], axis=1)
        return np.stack([low, high])

    def lead_of(place: int) -> Lead:
        def ends(level: float) -> tuple[Vector, Vector]:
            low, high = limits(level)[..., place]
            return low, high

        now = ends(entrants.question.confidence_level)
        return Lead(chosen, value[:, place], *now, ends=ends)

    return {two: lead_of(place) for place, two in enumerate(combinations(names, 2))}


def _holm(pairs: Sequence[Lead], level: float) -> NDArray[np.int8]:
    """Return who surely leads each pair at each k, shape (P, K), whatever else is claimed there.

    Holm's steps: as long as some claim is new, the error is shared by the pairs that are left.
    """
    sure = np.zeros((len(pairs), len(pairs[0].k)), dtype=np.int8)
    left = np.full(sure.shape[1], len(pairs))
    known: dict[int, NDArray[np.int8]] = {}
    while True:
        for count in set(left[left > 0].tolist()) - known.keys():
            known[count] = np.stack([each.sure_at(1 - (1 - level) / count) for each in pairs])
        for column, count in enumerate(left.tolist()):
            if count:
                sure[:, column] = known[count][:, column]
        before, left = left, len(pairs) - (sure != 0).sum(axis=0)
        if (before == left).all():
            return sure


def _signs(low: Vector, high: Vector) -> NDArray[np.int8]:
    return (low > 0).astype(np.int8) - (high < 0).astype(np.int8)


def _lead_at_once(
    metric: Metric,
    joint: JointTally,
    ks: NDArray[np.int64],
    confidence_level: float,
    options: Mapping[str, Any],
) -> Lead:
    """Compare at all k by the joint counts of both."""

    def blends(n: int, c: NDArray[np.int64]) -> Vector:
        assert metric.blend is not None
        return np.stack([metric.blend(n, c, k, **options) for k in ks.tolist()])

    score, reach = blends, np.ones(len(ks))
    if metric.payoff is not None:
        score = partial(scores_of_each_k, metric, ks, options)
        reach = np.array([np.ptp(metric.payoff(k, **options)) for k in ks.tolist()])
    a, b = (side.scores(score).T for side in (joint.a, joint.b))
    each = mean_difference((b - a) / reach, joint.questions)

    def ends(level: float) -> tuple[Vector, Vector]:
        low, high = each.limits(level)
        return reach * low, reach * high

    return Lead(ks, reach * each.value, *ends(confidence_level), ends=ends)
