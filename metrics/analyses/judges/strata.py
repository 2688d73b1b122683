r"""What is right, from labels of a random part of each kind of samples.

Samples are of kinds that differ in how often they are right, such as those whose text agrees with
the verdict and those whose text speaks against it. With :math:`W_h` the weight of kind h in the
mean over questions, :math:`m_h` labels of it drawn at random and the share :math:`p_h` of them
right,

.. math:: \hat\theta = W_0 + \sum_h W_h p_h

where :math:`W_0` is what samples of no kind add, by their verdicts. The limits :math:`l_h, u_h` of
a share are Clopper and Pearson's at what the labels are worth by question, and

.. math::
    \hat\theta - \sqrt{\sum_h W_h^2 (p_h - l_h)^2 + d^2}

with d the distance from the number to its own lower limit as the verdicts have it at
:math:`\hat\theta` [1]_; the upper end likewise. A label that cannot tell counts as wrong in the
lower end and as right in the upper one. A kind without labels adds all of :math:`W_h` to that end
which its expected share leaves open.

Labels are drawn in an order in which each next one is of the kind where it lowers
:math:`\sum_h W_h^2 \sigma_h^2 / m_h` most, Neyman's allocation [2]_ at any number of labels. As the
order is drawn beforehand and no label changes it, those of a kind are a random part of it however
many were made.

References
----------
.. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures",
   Statistics in Medicine 27, 2008.
.. [2] J. Neyman, "On the two different aspects of the representative method", Journal of the
   Royal Statistical Society 97, 1934; T. Wright, "The equivalence of Neyman optimum allocation for
   sampling and equal proportions for apportioning the U.S. House of Representatives", The American
   Statistician 66, 2012.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.judges.verdicts import HUMAN, UNSURE, person_labels
from metrics.data.aligned_numbers import aligned_numbers
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_level, require_shape
from metrics.data.outcomes import ABSENT, Missing, Outcomes, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval, Target
from metrics.data.shown import result, set_fields
from metrics.data.words import Enumerated, MetricError, Text
from metrics.estimating.estimation import estimate_entry
from metrics.intervals.binomial import clopper_pearson, mid_p
from metrics.scoring.registry import METRICS

_OTHER = -1
_LEAST = 0.01
"""The least variance of a label that is planned with."""
_METHOD = Text(
    "Share of right labels in each kind, times its weight; Clopper-Pearson limits at the "
    "effective number of labels, combined with those of the number itself (MOVER)."
)


@result
class Strata:
    """Samples sorted into kinds that differ in how often they are right.

    Attributes
    ----------
    places : int array, shape (M, N)
        The kind of each sample, from 0; -1 for those that count by their verdict.
    names : tuple of S str
    expected : tuple of S float
        Expected shares of right samples, in [0, 1]. They decide where most labels are needed, and
        stand in for kinds that have none yet.

    Examples
    --------
    >>> kinds = Strata(np.array([[0, 1], [0, 0]]), ("agrees", "missed"), (0.02, 0.95))
    >>> kinds.sizes.tolist()
    [3, 1]
    """

    places: NDArray[Any]
    names: tuple[str, ...]
    expected: tuple[float, ...]

    def __post_init__(self) -> None:
        places = np.array(self.places)
        if places.dtype.kind != "i" or places.ndim != 2:
            raise MetricError(Text("Kinds must be whole numbers of shape (M, N)."))
        if len(self.names) != len(self.expected):
            raise MetricError(Text("Each kind needs a name and an expected share."))
        if places.size and not -1 <= places.min() <= places.max() < len(self.names):
            raise MetricError(Text("Kinds must be from -1 to {last}.", last=len(self.names) - 1))
        if not all(0 <= share <= 1 for share in self.expected):
            raise MetricError(Text("Expected shares must be from 0 to 1."))
        set_fields(self, places=places)

    @property
    def sizes(self) -> Integers:
        """How many samples are of each kind, shape (S,)."""
        return np.bincount(self.places[self.places >= 0], minlength=len(self.names))

    def only(self, evidence: Evidence) -> Strata:
        """Return the kinds of the samples that evidence rests on.

        Raises
        ------
        MetricError
            If they do not have the shape of its outcomes.
        """
        require_shape(Text("Kinds"), self.places.shape, evidence.shape)
        return replace(self, places=evidence.of_rows(self.places))


class Stratum(NamedTuple):
    """What is known about one kind of samples.

    Attributes
    ----------
    name : str
    samples : int
    weight : float
        What it would add to the number if all of its samples were right.
    right, wrong, unsure : int
        Labels.
    """

    name: str
    samples: int
    weight: float
    right: int
    wrong: int
    unsure: int

    @property
    def labels(self) -> int:
        """How many of its samples a person looked at."""
        return self.right + self.wrong + self.unsure


@result
class Labelled:
    """The share of right samples, from labels of a random part of each kind.

    Attributes
    ----------
    estimate : Estimate
        By the labels.
    observed : Estimate
        As the verdicts have it.
    strata : tuple of Stratum
    """

    estimate: Estimate
    observed: Estimate
    strata: tuple[Stratum, ...]

    @property
    def labels(self) -> int:
        """How many samples a person looked at."""
        return sum(each.labels for each in self.strata)


class _Limits(NamedTuple):
    """What a kind may add to the number: by its labels as they are, at least, and at most."""

    value: float
    # With labels that cannot tell as wrong, and as right.
    low: float
    high: float
    # From there to the limits.
    below: float
    above: float


def labelled_rate(
    data: Any,
    strata: Strata,
    human: Any = None,
    *,
    unsure: Any = None,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Labelled:
    """Estimate avg@n from labels of a random part of each kind of samples.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was judged.
    strata : Strata
        The kinds.
    human : str or array_like of 0/1, shape (M, N), optional
        The labels, NaN where there is none; by default the column ``human``. Those whose
        ``human_probability`` is 0 were not drawn at random, and are left out.
    unsure : str or array_like of 0/1, shape (M, N), optional
        Where a person looked and cannot tell; by default the column ``human_unsure``, if there is
        one.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Labelled

    Raises
    ------
    MetricError
        If there is no label, or one is neither 0 nor 1.

    Examples
    --------
    Of 40 verdicts 10 are missed answers, and a person looked at 5 of each kind:

    >>> right = np.zeros((40, 1), dtype=int)
    >>> kinds = Strata(np.repeat([[1], [0]], [10, 30], axis=0), ("agrees", "missed"), (0.02, 0.95))
    >>> human = np.full((40, 1), np.nan)
    >>> human[:5], human[10:15] = 1, 0
    >>> found = labelled_rate(right, kinds, human)
    >>> found.observed.value, found.estimate.value
    (0.0, 0.25)
    >>> [round(end, 2) for end in found.estimate.interval]
    [0.07, 0.67]
    """
    level = require_level(confidence_level)
    question = Question(target, level, missing, segment)
    evidence, weights, kinds = _weighed(data, strata, question)
    right, unsure_at = _labels(data, human, unsure, strata.places.shape, evidence)
    by_kind, limits = [], []
    for kind, name in enumerate(strata.names):
        of_kind = kinds == kind
        stratum, each = _of_kind(
            name, of_kind, weights, right, unsure_at, strata.expected[kind], level
        )
        if stratum.samples:
            by_kind.append(stratum)
            limits.append(each)
    if not any(each.labels for each in by_kind):
        raise MetricError(Text("None of these samples has a human label."))
    fixed = float(weights[(kinds < 0) & (evidence.matrix == 1)].sum())
    observed = estimate_entry(METRICS["avg@n"], evidence, None, question, {})
    value = fixed + sum(each.value for each in limits)
    interval = _interval(fixed, limits, value, _expected(evidence, kinds, strata, question))
    caveats = tuple(_caveats(by_kind))
    corrected = Estimate(
        value, interval, level, target, observed.n_questions, _METHOD, (*observed.caveats, *caveats)
    )
    return Labelled(corrected, observed, tuple(by_kind))


def planned_widths(
    data: Any,
    strata: Strata,
    counts: Sequence[int] = (30, 100, 300),
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> list[float]:
    """Return half the width of the `labelled_rate` interval for each number of labels.

    It assumes that `spot_check` draws the labels by kind, and that they turn out as expected.

    Parameters
    ----------
    data, strata, target, confidence_level, missing, segment
        As in `labelled_rate`.
    counts : sequence of int
        Numbers of labels; if more than there are samples, all of them.

    Returns
    -------
    list of float

    Examples
    --------
    >>> right = np.zeros((400, 1), dtype=int)
    >>> places = np.repeat([[1], [0]], [100, 300], axis=0)
    >>> kinds = Strata(places, ("agrees", "missed"), (0.02, 0.95))
    >>> [round(half, 2) for half in planned_widths(right, kinds)]
    [0.12, 0.06, 0.05]
    """
    level = require_level(confidence_level)
    question = Question(target, level, missing, segment)
    evidence, weights, kinds = _weighed(data, strata, question)
    sizes = [int((kinds == kind).sum()) for kind in range(len(strata.names))]
    shares = [float(weights[kinds == kind].sum()) for kind in range(len(strata.names))]
    read = _expected(evidence, kinds, strata, question)
    fixed = float(weights[(kinds < 0) & (evidence.matrix == 1)].sum())
    order = [*islice(_allocated(shares, sizes, strata.expected), max(counts))]
    widths = []
    for count in counts:
        made = np.bincount(order[:count], minlength=len(sizes))
        limits = [
            _limits(weight, size, m, m * p, 0.0, float(m), p, level)
            for weight, size, m, p in zip(
                shares, sizes, made.tolist(), strata.expected, strict=True
            )
            if size
        ]
        value = fixed + sum(each.value for each in limits)
        low, high = _interval(fixed, limits, value, read)
        widths.append((high - low) / 2)
    return widths


def draw_by_kind(
    held: Flags, strata: Strata, count: int, random: np.random.Generator
) -> tuple[Integers, Vector]:
    """Return question and sample of those to be labelled, in order, and the chance of each.

    Of what is `held`, at most so many.
    """
    weight = held / np.maximum(held.sum(axis=1, keepdims=True), 1) / max(1, len(held))
    kinds = np.where(held, strata.places, _OTHER)
    pools = [np.argwhere(kinds == kind) for kind in range(len(strata.names))]
    shares = [float(weight[kinds == kind].sum()) for kind in range(len(strata.names))]
    drawn = [random.permutation(pool) for pool in pools]
    taken = [0] * len(pools)
    order: list[tuple[int, int]] = []
    for kind in _allocated(shares, [len(pool) for pool in pools], strata.expected):
        if len(order) == count:
            break
        order.append((kind, taken[kind]))
        taken[kind] += 1
    places = [drawn[kind][each] for kind, each in order]
    chances = [taken[kind] / len(pools[kind]) for kind, _ in order]
    return np.array(places, dtype=np.int64).reshape(-1, 2), np.array(chances)


def _allocated(
    shares: Sequence[float], sizes: Sequence[int], expected: Sequence[float]
) -> Iterator[int]:
    """Yield the kind of which the next label lowers the variance most, until none is left."""
    spread = [w * max(p * (1 - p), _LEAST) ** 0.5 for w, p in zip(shares, expected, strict=True)]
    open_kinds = [(-spread[kind] / 2**0.5, kind, 0) for kind, n in enumerate(sizes) if n]
    heapq.heapify(open_kinds)
    while open_kinds:
        _, kind, made = heapq.heappop(open_kinds)
        yield kind
        made += 1
        if made < sizes[kind]:
            gain = spread[kind] / ((made + 1) * (made + 2)) ** 0.5
            heapq.heappush(open_kinds, (-gain, kind, made))


def _weighed(
    data: Any, strata: Strata, question: Question
) -> tuple[Evidence, Vector, NDArray[Any]]:
    """Return the evidence, the weight of each of its samples in the mean, and its kinds."""
    evidence = question.evidence(data)
    counted = evidence.matrix >= 0
    weights = counted / counted.sum(axis=1, keepdims=True) / len(counted)
    return evidence, weights, np.where(counted, strata.only(evidence).places, _OTHER)


def _labels(
    data: Any, human: Any, unsure: Any, shape: tuple[int, ...], evidence: Evidence
) -> tuple[Vector, Flags]:
    """Return labels, and where a person cannot tell, of the questions that count."""
    columns = getattr(data, "columns", {})
    if unsure is None and UNSURE in columns:
        unsure = UNSURE
    open_at = (
        np.zeros(shape, dtype=bool) if unsure is None else aligned_numbers(data, unsure, shape) == 1
    )
    if human is None and HUMAN not in columns and open_at.any():
        human = np.full(shape, np.nan)
    right = person_labels(data, human, None, shape, groups=False, or_none=bool(open_at.any())).right
    return evidence.of_rows(right), evidence.of_rows(open_at & np.isnan(right))


def _of_kind(
    name: str,
    of_kind: Flags,
    weights: Vector,
    right: Vector,
    unsure: Flags,
    expected: float,
    level: float,
) -> tuple[Stratum, _Limits]:
    known, cannot_tell = of_kind & ~np.isnan(right), of_kind & unsure
    looked = known | cannot_tell
    size, weight = int(of_kind.sum()), float(weights[of_kind].sum())
    m = int(looked.sum())
    stratum = Stratum(
        name,
        size,
        weight,
        int((right[known] == 1).sum()),
        int((right[known] == 0).sum()),
        int(cannot_tell.sum()),
    )
    parts = np.where(looked, weights, 0.0)
    all_of_it = float(parts.sum())
    hit = float(parts[known & (right == 1)].sum()) / all_of_it if m else 0.0
    open_part = float(parts[cannot_tell].sum()) / all_of_it if m else 0.0
    worth = _worth(parts, np.where(known, right, 0.5), looked) if m else 0.0
    return stratum, _limits(weight, size, m, hit * m, open_part * m, worth, expected, level)


def _worth(parts: Vector, right: Vector, looked: Flags) -> float:
    """Return how many labels drawn one by one tell as much, given that questions go together."""
    counted = np.where(looked, parts, 0.0)
    total = float(counted.sum())
    alone = total**2 / float((counted**2).sum())
    share = float((counted * np.where(looked, right, 0.0)).sum()) / total
    each = (counted * (np.where(looked, right, 0.0) - share)).sum(axis=1)
    questions = int(looked.any(axis=1).sum())
    if questions < 2 or not 0 < share < 1:
        return alone
    variance = questions / (questions - 1) * float((each**2).sum()) / total**2
    return min(alone, share * (1 - share) / variance) if variance else alone


def _limits(
    weight: float,
    size: int,
    labels: int,
    right: float,
    unsure: float,
    worth: float,
    expected: float,
    level: float,
) -> _Limits:
    """Return what a kind may add, given so many labels of its samples."""
    if not labels:
        return _Limits(weight * expected, 0.0, weight, 0.0, 0.0)
    low, high = right / labels, (right + unsure) / labels
    sure = labels - unsure
    value = right / sure if sure else (low + high) / 2
    if labels == size:
        return _Limits(weight * value, weight * low, weight * high, 0.0, 0.0)
    least = float(clopper_pearson(low * worth, worth, level)[0])
    most = float(clopper_pearson(high * worth, worth, level)[1])
    ends = weight * max(low - least, 0.0), weight * max(most - high, 0.0)
    return _Limits(weight * value, weight * low, weight * high, *ends)


def _expected(
    evidence: Evidence, kinds: NDArray[Any], strata: Strata, question: Question
) -> Estimate:
    """Return the number as the kinds have it, for what other questions or samples would change."""
    likely = np.array([*(round(share) for share in strata.expected), 0])
    is_known = (kinds >= 0) & (np.array([*strata.expected, 0.5]) != 0.5)[kinds]
    verdicts = np.where(
        is_known, likely[kinds], np.where(evidence.matrix < 0, ABSENT, evidence.matrix)
    )
    read = Evidence(Outcomes(verdicts, clusters=evidence.clusters))
    return estimate_entry(METRICS["avg@n"], read, None, question, {})


def _interval(fixed: float, limits: Sequence[_Limits], value: float, read: Estimate) -> Interval:
    low, high = fixed + sum(e.low for e in limits), fixed + sum(e.high for e in limits)
    size = read.n_effective or 0.0
    below, above = (float(end) for end in mid_p(value, size, read.confidence_level))
    down = sum(each.below**2 for each in limits) + max(value - below, 0.0) ** 2
    up = sum(each.above**2 for each in limits) + max(above - value, 0.0) ** 2
    return Interval(max(0.0, min(value, low - down**0.5)), min(1.0, max(value, high + up**0.5)))


def _caveats(strata_found: Sequence[Stratum]) -> Iterator[Text]:
    if unsure := sum(each.unsure for each in strata_found):
        yield Text(
            '{count} label says "cannot tell": it counts as wrong in the lower end and as '
            "right in the upper end.",
            '{count} labels say "cannot tell": they count as wrong in the lower end and as '
            "right in the upper end.",
            count=unsure,
        )
    if bare := [each.name for each in strata_found if not each.labels]:
        yield Text(
            "The kinds {names} have no label yet; the interval includes everything that they "
            "could add.",
            names=Enumerated(bare),
        )
