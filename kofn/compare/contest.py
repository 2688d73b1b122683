"""The runs of one dataset by one metric: their ranks, and which can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from kofn.card import attempt
from kofn.choices.runs import known_of, shared_k
from kofn.choices.view import View
from kofn.leaderboard import field
from kofn.leaderboard.field import names_of, usual_metric
from kofn.leaderboard.pairs import Matching
from metrics import Difference, Estimate, Ranking, compare, estimate, rank
from metrics.data.names import MetricName
from metrics.data.words import ListedApart, MetricError, Text, printable
from metrics.scoring.registry import find_metric
from reports.run.matching import Match
from reports.run.report import Run, join


def name_across_datasets(key: str, run: Run) -> str:
    """Name a run among those of its dataset, as on every other that has the like."""
    return field.run_name(key, run.model, run.dataset)


def key_of_name(name: str, runs: Mapping[str, Run]) -> str | None:
    """Return the key of the run of a dataset that a name means; None where it means none.

    A run is named by its key, or by how it is called on every dataset; a model means its first run.

    Examples
    --------
    >>> runs = {"7B / aime": Run("7B", "aime", None), "72B / aime": Run("72B", "aime", None)}
    >>> key_of_name("72B", runs), key_of_name("72B / aime", runs), key_of_name("4B", runs)
    ('72B / aime', '72B / aime', None)
    """
    for means in (
        lambda key, run: key,
        name_across_datasets,
        lambda key, run: printable(run.model),
    ):
        for key, run in runs.items():
            if means(key, run) == name:
                return key
    return None


def require_named(names: Iterable[str], runs: Mapping[str, Run]) -> None:
    """Raise MetricError where a name means no run at all; an empty one means none in particular."""
    for name in filter(None, names):
        if key_of_name(name, runs) is None:
            problem = Text(
                "No run or model is called {name}; there are: {known}.",
                name=name,
                known=ListedApart(runs),
            )
            raise MetricError(problem)


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Contest:
    """The runs of a dataset by a metric."""

    dataset: str
    metric: MetricName
    k: int | None  # Samples drawn; None for a metric of all samples.
    # How its runs are called here, by their keys; also of those that have no value.
    names: Mapping[str, str]
    estimates: Mapping[str, Estimate]  # By key, the best first.
    ranking: Ranking | None  # None of fewer than two.
    # Of each two that have a value, in the order of the runs.
    matches: Mapping[tuple[str, str], Match]
    reasons: Mapping[str, Text]  # Why a run has no value.
    refusal: Text | None  # Why runs that have one are not ranked.
    base: str | None  # The baseline; None where there is no run that has a value.
    # By how much each other one is better than the baseline; none where they are not ranked.
    against: Mapping[str, Difference]
    p_values: Mapping[str, float | None]  # Of those, each by itself.

    @property
    def label(self) -> str:
        """The metric with its k."""
        return find_metric(self.metric).label(self.k)

    @property
    def others(self) -> tuple[str, ...]:
        """The runs beside the baseline, the best first."""
        return tuple(key for key in self.estimates if key != self.base)

    def match(self, one: str, other: str) -> Match:
        """Return which questions of two of them are the same."""
        return value_of_pair(self.matches, one, other)

    def told_apart(self, one: str, other: str) -> bool:
        """Whether the data tell two of them apart, with all other pairs in view."""
        return self.ranking is not None and self.ranking.sure(one, other)


def value_of_pair(known: Mapping[tuple[str, str], T], one: str, other: str) -> T:
    """Return what is known of two, whichever comes first."""
    return known[(one, other) if (one, other) in known else (other, one)]


def contend(runs: Mapping[str, Run], view: View, base: str | None, same: Matching) -> Contest:
    """Rank the runs of one dataset.

    view: Its metric counts, avg@n where it names none; and the largest k of it, or else the most
        that all runs with several samples have.
    base: As `CompareChoices.base`; where no run is called so it is the first. None for the best, or
        of two the other, so that a difference is the margin of the best.
    same: Such as `reports.match`.
    """
    metric, k = metric_and_k(runs, view)
    found = {key: attempt(_estimate, run, metric, k, view) for key, run in runs.items()}
    known = {key: each for key, (each, _reason) in found.items() if each is not None}
    join(combinations([runs[key] for key in known], 2), None, view.segment)
    matches = {(one, other): same(runs[one], runs[other]) for one, other in combinations(known, 2)}
    ranking, refusal = None, None
    if len(known) > 1:
        ranking, refusal = attempt(_rank, runs, metric, k, view, list(known), matches)
    meant = key_of_name(base or "", runs)
    best = sorted(known, key=lambda key: -known[key].value) if base is None else list(known)
    if base is None and len(best) == 2:
        best.reverse()
    first = meant if meant in known else next(iter(best), None)
    against = {
        key: compare(
            runs[first],
            runs[key],
            metric,
            k,
            same_questions=bool(value_of_pair(matches, first, key)),
            **view.asked,
        )
        for key in known
        if ranking is not None and first is not None and key != first
    }
    dataset = next(iter(runs.values())).dataset
    return Contest(
        dataset,
        metric,
        k,
        names_of({key: run.model for key, run in runs.items()}, dataset),
        dict(sorted(known.items(), key=lambda each: -each[1].value)),
        ranking,
        matches,
        {key: reason for key, (_each, reason) in found.items() if reason is not None},
        refusal,
        first,
        {key: without_data(each) for key, each in against.items()},
        {key: each.p_value for key, each in against.items()},
    )


def metric_and_k(runs: Mapping[str, Run], view: View) -> tuple[MetricName, int | None]:
    """Return the metric of a View and its k, such as all runs with several samples have."""
    named = view.metric or usual_metric(runs.values())
    metric = find_metric(named)
    if not metric.takes_k:
        return named, None
    return named, max(view.k, default=0) or shared_k(runs.values(), view)


def _estimate(run: Run, metric: MetricName, k: int | None, view: View) -> Estimate:
    return estimate(known_of(run), metric, k, **view.asked)


def _rank(
    runs: Mapping[str, Run],
    metric: MetricName,
    k: int | None,
    view: View,
    keys: Sequence[str],
    matches: Mapping[tuple[str, str], Match],
) -> Ranking:
    places = {id(runs[key]): key for key in keys}

    def same(one: Run, other: Run) -> bool:
        return bool(value_of_pair(matches, places[id(one)], places[id(other)]))

    ranking = rank({key: runs[key] for key in keys}, metric, k, same_questions=same, **view.asked)
    pairs = {pair: without_data(each) for pair, each in ranking.pairs.items()}
    return replace(ranking, pairs=pairs)


def without_data(difference: Difference) -> Difference:
    """Return a difference that holds nothing of the runs, so that they can be removed."""
    return replace(difference, ends=None)
