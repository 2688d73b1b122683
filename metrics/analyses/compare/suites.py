"""Compare two runs of several datasets at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from metrics.analyses.compare.best import Best, Means, chances_of_best
from metrics.analyses.compare.compare import Ends, compare
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.entrants import Entrants
from metrics.analyses.compare.pairwise import OnOneSet, Pair, Pairwise
from metrics.analyses.compare.rank import Ranking, compare_all_pairs, ranking_of
from metrics.analyses.compare.standing import Standing, standing_of
from metrics.data.arrays import Vector
from metrics.data.evidence import fewest_samples
from metrics.data.inputs import number_vector
from metrics.data.names import MetricName
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.words import Enumerated, MetricError, Text
from metrics.estimating.pooling import pool
from metrics.intervals.paired import MeanDifference
from metrics.scoring.registry import find_metric

TOGETHER = Text(
    "Weighted mean of the datasets' paired differences, with the limits of the empirical "
    "likelihood of all their questions, to which a little is added for what was not seen."
)

BY_LIMITS = Text(
    "Weighted mean of the datasets' differences; the limits of each, combined as those of "
    "independent numbers (MOVER)."
)


def compare_suite(
    a: Mapping[str, Any], b: Mapping[str, Any], *args: Any, weights: Any = None, **options: Any
) -> Difference:
    r"""Say how much better b is than a on several datasets together, each paired by itself.

    For questions like these, with weights :math:`w_g` that sum to 1, the limits are those of all M
    questions together, where the deviations of the :math:`M_g` questions of a dataset from their
    mean are multiplied by :math:`w_g M / M_g`. The variance is then :math:`\sum_g w_g^2 V_g`; an
    unseen question may lie as far off as one of the dataset whose questions count most. For these
    questions and for blends the differences :math:`d_g` of the datasets have limits :math:`l_g,
    u_g` of their own, which combine to

    .. math::
        d - \sqrt{\sum_g w_g^2 (d_g - l_g)^2}, \qquad d + \sqrt{\sum_g w_g^2 (u_g - d_g)^2}

    Parameters
    ----------
    a, b : mapping of str to Outcomes or what `compare` takes
        By dataset; those that only one of them has are left out and named.
    *args, **options
        As for `compare`; a margin is that of all datasets together.
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
    (0.125, 80, 'Only one of the two has z, which is left out.')
    """
    names = [name for name in a if name in b]
    if not names:
        raise MetricError(Text("The two have no dataset in common."))
    differences = [compare(a[name], b[name], *args, **options) for name in names]
    w = _weights(names, weights)
    _require_bounds(names, differences)
    return _averaged(differences, w, _left_out(a, b))


def best_of_suites(
    runs: Mapping[str, Mapping[str, Any]],
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    weights: Any = None,
    most: float = 1.0,
    **options: Any,
) -> Best:
    """Estimate the chance that each of several models is the best on average over datasets.

    Parameters
    ----------
    runs : mapping of str to mapping of str to Outcomes or what `compare` takes
        By model and dataset; datasets that not all models have are left out.
    metric, k, **options
        As in `stand`, on each dataset.
    weights : mapping of str to float, optional
        Of the datasets; by default they count equally.
    most : float
        The largest chance that is reported, as in
        ``metrics.analyses.compare.best.chances_of_best``.

    Returns
    -------
    Best
        In the order of the models; see ``metrics.analyses.compare.best``.

    Raises
    ------
    MetricError
        If there is no dataset that all have, or not all models can be compared on one of them.

    Examples
    --------
    >>> half, most = [[1]] * 20 + [[0]] * 20, [[1]] * 30 + [[0]] * 10
    >>> found = best_of_suites({"a": {"x": half, "y": most}, "b": {"x": most, "y": most}})
    >>> [round(chance, 2) for chance in found.chances]
    [0.01, 0.99]
    """
    suites = _Suites(runs, metric, k, weights, **options)
    return chances_of_best(*suites.means(suites.models), most)


def stand_suite(
    runs: Mapping[str, Mapping[str, Any]],
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    weights: Any = None,
    same_questions: Callable[[Any, Any], bool] | None = None,
    **options: Any,
) -> Standing:
    """Order models by their average over datasets and say which leads, as `stand` does for one.

    Parameters
    ----------
    runs : mapping of str to mapping of str to Outcomes or what `compare` takes
        By model and dataset; datasets that not all models have are left out.
    metric : str
    k : int, optional
        By default the fewest samples that any question has in any run of these datasets.
    weights : mapping of str to float, optional
        Of the datasets; by default they count equally.
    same_questions : callable, optional
        Says of two runs of a dataset whether equal ids are the same question; by default they are.
    **options
        As in `compare`.

    Returns
    -------
    Standing
        Its estimates are averages as in `pool`, its differences those of `compare_suite`. A model
        that is not known to have the questions of the first is not paired and has no interval.

    Raises
    ------
    MetricError
        If there is no dataset that all have, or an average or a difference has no interval.

    Examples
    --------
    >>> half, most = [[1]] * 20 + [[0]] * 20, [[1]] * 30 + [[0]] * 10
    >>> found = stand_suite({"a": {"x": half, "y": most}, "b": {"x": most, "y": most}})
    >>> found.leader, found.ahead["a"].value
    ('b', 0.125)
    """
    k = _samples_drawn(runs, metric, k, options)
    suites = _Suites(runs, metric, k, weights, same_questions, **options)
    return standing_of(suites, metric, k, suites.estimates(), {})


def rank_suite(
    runs: Mapping[str, Mapping[str, Any]],
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    weights: Any = None,
    **options: Any,
) -> Ranking:
    """Rank models by their average over datasets, as `rank` does on one.

    Parameters
    ----------
    runs : mapping of str to mapping of str to Outcomes or what `compare` takes
        By model and dataset; datasets that not all models have are left out.
    metric, k, weights, **options
        As in `stand_suite`.

    Returns
    -------
    Ranking
        Its differences are those of `compare_suite`, adjusted for all pairs.

    Raises
    ------
    MetricError
        As `compare_suite`.

    Examples
    --------
    >>> half, most = [[1]] * 20 + [[0]] * 20, [[1]] * 30 + [[0]] * 10
    >>> found = rank_suite({"a": {"x": half, "y": most}, "b": {"x": most, "y": most}})
    >>> found.names, [str(ranks) for ranks in found.ranks]
    (('b', 'a'), ['1', '2'])
    """
    k = _samples_drawn(runs, metric, k, options)
    suites = _Suites(runs, metric, k, weights, **options)
    known = suites.estimates()
    names = sorted(known, key=lambda name: -known[name].value)
    pairs, p_values = compare_all_pairs(suites, names)
    ordered, means = {name: known[name] for name in names}, suites.side_by_side(names)
    level = ordered[names[0]].confidence_level
    return ranking_of(metric, k, ordered, pairs, p_values, means, level)


def _samples_drawn(
    runs: Mapping[str, Mapping[str, Any]],
    metric: MetricName,
    k: int | None,
    options: Mapping[str, Any],
) -> int | None:
    """Return the samples drawn, by default the fewest of any question on shared datasets."""
    if k is not None or not find_metric(metric).takes_k:
        return k
    sides = [of[name] for of in runs.values() for name in _shared(runs)]
    return fewest_samples(sides, options.get("missing", "wrong"), options.get("segment"))


class _Suites:
    """Models on the datasets that all of them have."""

    def __init__(
        self,
        runs: Mapping[str, Mapping[str, Any]],
        metric: MetricName,
        k: int | None,
        weights: Any,
        same_questions: Callable[[Any, Any], bool] | None = None,
        **options: Any,
    ) -> None:
        asked = {name: options.pop(name) for name in Question._fields if name in options}
        self.models, self.datasets = list(runs), _shared(runs)
        self.weights = _weights(self.datasets, weights)
        self.each = [
            Entrants(
                {model: of[name] for model, of in runs.items()},
                find_metric(metric),
                k,
                Question(**asked),
                options,
                same_questions,
            )
            for name in self.datasets
        ]

    def estimate(self, model: str) -> Estimate:
        """Return the average of a model."""
        return pool([entrants.estimate(model) for entrants in self.each], self.weights)

    def estimates(self) -> dict[str, Estimate]:
        """Return the average of each model."""
        return {model: self.estimate(model) for model in self.models}

    def same(self, one: str, other: str) -> bool:
        """Return whether both answered the same questions of all datasets."""
        return all(entrants.same(one, other) for entrants in self.each)

    def difference(self, one: str, other: str) -> Difference:
        """Say how much better the other is than the one."""
        if not self.same(one, other):
            return _unknown_difference(self.estimate(one), self.estimate(other))
        found = [entrants.difference(one, other) for entrants in self.each]
        _require_bounds(self.datasets, found)
        return _averaged(found, self.weights)

    def pairwise(self, names: Sequence[str]) -> Pairwise | None:
        """Return each two compared at once; None where that cannot be."""
        parts = [entrants.pairwise(names) for entrants in self.each]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or len({part.reach for part in known}) > 1:
            return None
        return _OverDatasets(known, self.weights)

    def one_by_one(self, names: Sequence[str]) -> dict[Pair, Difference]:
        """Say how much better each is than each after it, pair by pair."""
        return {two: self.difference(two[1], two[0]) for two in combinations(names, 2)}

    def side_by_side(self, names: Sequence[str]) -> Means | None:
        """Return the means of models; None where not all can be compared on each dataset."""
        try:
            return self.means(names)
        except MetricError:
            return None

    def means(self, names: Sequence[str]) -> Means:
        """Return the means of models over datasets, and how these vary together."""
        parts = []
        for name, entrants in zip(self.datasets, self.each, strict=True):
            found = entrants.side_by_side(names)
            if found is None:
                raise MetricError(Text("On {name}, not all runs can be compared.", name=name))
            parts.append(found)
        return Means.weighted(parts, self.weights)


class _OverDatasets(Pairwise):
    """Of models on the same questions of several datasets."""

    def __init__(self, parts: Sequence[OnOneSet], weights: Vector) -> None:
        self.names, self.questions = parts[0].names, sum(part.questions for part in parts)
        self.parts, self.weights = parts, weights

    @property
    def gains(self) -> Vector:
        """The mean difference of each pair. Shape (P,)."""
        return np.asarray(self.weights @ np.stack([part.gains for part in self.parts]))

    def some(self, pairs: slice) -> MeanDifference:
        """Return the mean differences of some pairs."""
        return _pooled([part.some(pairs) for part in self.parts], self.weights)

    def differences(self, count: int | None = None) -> dict[Pair, Difference]:
        """Say how much better each model is than each after it; or of so many pairs."""
        of_each = [part.differences(count) for part in self.parts]
        part, *_others = self.parts
        limits, reach = self._intervals(part.question.confidence_level, count), part.reach
        return {
            pair: _averaged(
                [each[pair] for each in of_each],
                self.weights,
                interval=Interval(max(low, -reach), min(high, reach)),
            )
            for pair, (low, high) in limits.items()
        }


def _shared(runs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the datasets that all models have."""
    first = next(iter(runs.values()), {})
    shared = [name for name in first if all(name in each for each in runs.values())]
    if not shared:
        raise MetricError(Text("The models have no dataset in common."))
    return shared


def _averaged(
    parts: Sequence[Difference],
    w: Vector,
    caveats: Iterable[Text] = (),
    interval: Interval | None = None,
) -> Difference:
    """Average the differences on several datasets.

    interval: Where it is known.
    """
    paired = [part.each for part in parts if part.each is not None]
    whole = _pooled(paired, w) if len(paired) == len(parts) else None
    ends = _separate(parts, w) if whole is None else _joint(whole, paired[0].low, paired[0].high)
    level = parts[0].confidence_level
    return Difference(
        float(w @ [part.value for part in parts]),
        interval or Interval(*ends(level)),
        level,
        parts[0].target,
        True,
        _total([part.wins for part in parts]),
        _total([part.ties for part in parts]),
        _total([part.losses for part in parts]),
        sum(part.n_questions for part in parts),
        sum(part.n_dropped for part in parts),
        BY_LIMITS if whole is None else TOGETHER,
        (*caveats, *dict.fromkeys(text for part in parts for text in part.caveats)),
        ends,
        whole,
        margin=parts[0].margin,
    )


def _unknown_difference(a: Estimate, b: Estimate) -> Difference:
    """Return by how much b is better, of which no more is known."""
    return Difference(
        b.value - a.value,
        None,
        a.confidence_level,
        a.target,
        False,
        None,
        None,
        None,
        a.n_questions + b.n_questions,
        0,
        BY_LIMITS,
    )


def _total(counts: Sequence[int | None]) -> int | None:
    """Add questions up; None where a dataset does not count them, as for blends."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _require_bounds(names: Sequence[str], differences: Sequence[Difference]) -> None:
    for name, part in zip(names, differences, strict=True):
        if not part.paired or part.ends is None:
            problem = Text(
                "{name} has no paired difference with bounds, so the datasets cannot be combined.",
                name=name,
            )
            raise MetricError(problem)
    if len({(part.each.low, part.each.high) for part in differences if part.each is not None}) > 1:
        raise MetricError(Text("Scores of different ranges cannot be pooled."))


def _separate(differences: Sequence[Difference], w: Vector) -> Ends:
    """Combine the datasets' own limits."""
    value = np.array([part.value for part in differences])
    mean = float(w @ value)

    def ends(level: float) -> tuple[float, float]:
        low, high = np.array([part.ends(level) for part in differences if part.ends is not None]).T
        below, above = w**2 @ (value - low) ** 2, w**2 @ (high - value) ** 2
        return mean - float(np.sqrt(below)), mean + float(np.sqrt(above))

    return ends


def _weights(names: Sequence[str], weights: Any) -> Vector:
    given = np.ones(len(names)) if weights is None else [weights[name] for name in names]
    w = number_vector(given, "weights", len(names))
    if np.any(w < 0) or not np.any(w):
        raise MetricError(
            Text("weights must be at least 0 and not all 0; got {got!r}.", got=weights)
        )
    return np.asarray(w / w.sum())


def _pooled(parts: Sequence[MeanDifference], w: Vector) -> MeanDifference:
    """Return the questions of all datasets, each deviating as much as it counts."""
    counted = [(part, share) for part, share in zip(parts, w, strict=True) if share > 0]
    questions = np.array([np.max(part.n_questions) for part, _ in counted])
    shares = np.array([share for _, share in counted])
    means = np.stack([part.value for part, _ in counted])
    mean, counts = shares @ means, shares * questions.sum() / questions
    values, weights = [], []
    for (part, _), count, value in zip(counted, counts, means, strict=True):
        each, number = part.aligned
        values.append(mean + count * (each - value))
        weights.append(np.broadcast_to(number, values[-1].shape))
    low, high = parts[0].low, parts[0].high
    reaching = list(zip(counts, means, strict=True))
    found = MeanDifference(
        np.concatenate(values),
        np.concatenate(weights),
        mean - np.max([count * (value - low) for count, value in reaching], axis=0),
        mean + np.max([count * (high - value) for count, value in reaching], axis=0),
    )
    if not any(part.clusters for part, _ in counted):
        return found
    number = np.array(
        [part.clusters or size for (part, _), size in zip(counted, questions, strict=True)]
    )
    return replace(
        found,
        variance=shares**2 @ np.stack([part.variance_of_mean for part, _ in counted]),
        clusters=1 / float(shares**2 @ (1 / number)) if number.min() > 1 else 1.0,
    )


def _joint(whole: MeanDifference, low: float, high: float) -> Ends:
    """Return the limits of all datasets together, no farther than a difference can be."""

    def ends(level: float) -> tuple[float, float]:
        below, above = whole.ends(level)
        return max(low, below), min(high, above)

    return ends


def _left_out(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Text]:
    alone = [*(name for name in a if name not in b), *(name for name in b if name not in a)]
    if alone:
        yield Text("Only one of the two has {names}, which is left out.", names=Enumerated(alone))
