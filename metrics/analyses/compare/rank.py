"""Rank several runs, as far as the data can tell them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.best import Means, allowed, chances_of_best
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.entrants import Entrants
from metrics.analyses.compare.pairwise import Pair, surely_better
from metrics.analyses.compare.standing import Comparable
from metrics.data.frames import rows_frame
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.intervals.inversion import holm
from metrics.scoring.registry import find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame


class Ranks(NamedTuple):
    """The best and the worst place that a run may have."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"


@result
class Ranking:
    """Runs by a metric, best first.

    Attributes
    ----------
    metric : str
    k : int or None
    names : tuple of str
        The highest value first.
    estimates : tuple of Estimate
    ranks : tuple of Ranks
        Which places each may have: the best is 1 plus the number of runs that are surely better.
    groups : tuple of tuple of str
        Neighbours of which no two can be told apart; a run may be in several.
    chances : tuple of float or None
        The chance of being best, given how far the runs lie apart overall; where the first may have
        another place, at most what an interval that holds 0 allows. None for a blend of dataset
        means.
    losses : tuple of float or None
        What taking each run loses on average against the best.
    pairs : mapping of (str, str) to Difference
        For each two, the better value first: by how much it is better.
    p_values : mapping of (str, str) to float
        Adjusted for the number of pairs after Holm.
    confidence_level : float
        With which all claims hold at once.
    caveats : tuple of Text
    """

    metric: MetricName
    k: int | None
    names: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    ranks: tuple[Ranks, ...]
    groups: tuple[tuple[str, ...], ...]
    chances: tuple[float, ...] | None
    pairs: Mapping[tuple[str, str], Difference] = field(repr=False)
    p_values: Mapping[tuple[str, str], float] = field(repr=False)
    confidence_level: float
    caveats: tuple[Text, ...] = ()
    losses: tuple[float, ...] | None = None

    def sure(self, one: str, other: str) -> bool:
        """Return whether the data tell two of them apart."""
        pair = (one, other) if (one, other) in self.pairs else (other, one)
        return self.p_values[pair] <= 1 - self.confidence_level

    def to_frame(self) -> DataFrame:
        """Return a row for each run; needs pandas."""
        nothing = (None,) * len(self.names)
        chances, losses = self.chances or nothing, self.losses or nothing
        return rows_frame(
            [
                {
                    "run": name,
                    "value": estimate.value,
                    "first": ranks.first,
                    "last": ranks.last,
                    "chance_of_best": chance,
                    "expected_loss": loss,
                }
                for name, estimate, ranks, chance, loss in zip(
                    self.names, self.estimates, self.ranks, chances, losses, strict=True
                )
            ]
        )


def rank(
    runs: Mapping[str, Any],
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: Callable[[Any, Any], bool] | None = None,
    **options: Any,
) -> Ranking:
    """Rank runs by a metric, and say which places each may have.

    All pairs are compared and their p-values adjusted by Holm's method: with this confidence none
    of the claims is wrong, whichever runs are tied. Where two are not told apart, either may be
    better.

    Parameters
    ----------
    runs : mapping of str to Outcomes, or what `compare` takes
        By name, at least two.
    metric : str
    k : int, optional
        By default the fewest samples that any question has in any.
    target, confidence_level, missing, segment, **options
        As in `compare`.
    same_questions : callable, optional
        Says of two runs whether equal ids are the same question; by default they are.

    Returns
    -------
    Ranking

    Raises
    ------
    MetricError
        If there are fewer than two runs, or two of them cannot be compared.

    Examples
    --------
    Of 60 questions one solves 54, and two others 30, not the same ones:

    >>> runs = {"a": [[1]] * 30 + [[0]] * 30, "b": [[0]] * 30 + [[1]] * 30}
    >>> found = rank({**runs, "c": [[1]] * 54 + [[0]] * 6})
    >>> found.names, [str(ranks) for ranks in found.ranks], found.groups
    (('c', 'a', 'b'), ['1', '2 to 3', '2 to 3'], (('c',), ('a', 'b')))
    """
    if len(runs) < 2:
        raise MetricError(Text("It takes at least two runs to rank them."))
    entry = find_metric(metric)
    question = Question(target, confidence_level, missing, segment)
    entrants = Entrants(
        runs, entry, k if entry.takes_k else None, question, options, same_questions
    )
    values = {name: entrants.estimate(name) for name in runs}
    names = tuple(sorted(runs, key=lambda name: -values[name].value))
    pairs, p_values = compare_all_pairs(entrants, names)
    best, independent = None, False
    if entry.parts is None:
        best, independent = entrants.means(names, all(pair.paired for pair in pairs.values()))
    every = {name: values[name] for name in names}
    return ranking_of(
        metric, entrants.drawn, every, pairs, p_values, best, confidence_level, independent
    )


def compare_all_pairs(
    runs: Comparable, names: Sequence[str]
) -> tuple[dict[Pair, Difference], list[float]]:
    """Compare each two of some runs, the better first, and give the p-value of each pair."""
    at_once = runs.pairwise(names)
    if at_once is not None and all(runs.same(*two) for two in combinations(names, 2)):
        return at_once.differences(), at_once.p_values.tolist()
    pairs = runs.one_by_one(names)
    return pairs, list(map(_p_value_of, pairs.values()))


def ranking_of(
    metric: MetricName,
    k: int | None,
    estimates: Mapping[str, Estimate],
    pairs: Mapping[tuple[str, str], Difference],
    p_values: Sequence[float],
    means: Means | None,
    confidence_level: float,
    independent: bool = False,
) -> Ranking:
    """Rank runs of which all pairs were compared, each with its own p-value.

    Estimates have the highest first, pairs the higher run first. Without `means`, in the order of
    the estimates, chances of being the best are not known; `independent` says that they take the
    runs so, since only counts are known.
    """
    names = tuple(estimates)
    adjusted = holm(p_values)
    gains = [pair.value for pair in pairs.values()]
    better = surely_better(gains, adjusted, len(names), 1 - confidence_level)
    leads = better[0].sum() == len(names) - 1
    best = means and chances_of_best(*means, 1.0 if leads else allowed(confidence_level))
    return Ranking(
        metric,
        k,
        names,
        tuple(estimates.values()),
        _ranks(better),
        tuple(names[first:beyond] for first, beyond in _groups(better)),
        best and best.chances,
        pairs,
        dict(zip(pairs, adjusted, strict=True)),
        confidence_level,
        tuple(_caveats(better, pairs.values(), independent)),
        best and best.losses,
    )


def _p_value_of(pair: Difference) -> float:
    """Return a p-value to rank by."""
    if pair.p_value is None:
        raise MetricError(
            Text("A score without bounds has no interval to rank by, so there is no ranking.")
        )
    return pair.p_value


def _ranks(better: NDArray[np.bool_]) -> tuple[Ranks, ...]:
    above, below = better.sum(axis=0).tolist(), better.sum(axis=1).tolist()
    return tuple(Ranks(1 + x, len(better) - y) for x, y in zip(above, below, strict=True))


def _groups(better: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the longest stretches of which no two are told apart, as places from and before."""
    differ = better | better.T
    stretches: list[tuple[int, int]] = []
    for first in range(len(better)):
        beyond = first + 1
        while beyond < len(better) and not differ[first:beyond, beyond].any():
            beyond += 1
        if not stretches or beyond > stretches[-1][1]:
            stretches.append((first, beyond))
    return stretches


def _caveats(
    better: NDArray[np.bool_], pairs: Iterable[Difference], independent: bool
) -> Iterator[Text]:
    if not better.any():
        yield Text("The data do not separate any two of them: each may have any place.")
    if independent:
        yield Text(
            "For some runs only counts are known, not which question is which, so the chances "
            "of being the best treat the runs as independent."
        )
    yield from dict.fromkeys(text for pair in pairs for text in pair.caveats)
