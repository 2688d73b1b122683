"""Comparisons, computed once for the same settings and stored without the runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kofn.card import Finding, attempt
from kofn.choices.view import View
from kofn.compare.contest import Contest, contend
from kofn.compare.over_datasets import OverDatasets, compare_over_datasets
from kofn.compare.pair import ComparedPair, by_metric, by_segment, pair_up
from kofn.leaderboard.pairs import match_so_far
from kofn.plan.analysis import Planned, plan_contest
from kofn.plan.choices import PlanChoices
from kofn.series.analysis import Followed, follow
from kofn.series.choices import Against
from metrics import BySegment, Difference
from metrics.data.names import MetricName
from pages.shared.memory.cached import remember
from reports.run.ordering import Order
from reports.run.report import Run
from reports.run.same_answers import SameAnswers, same_answers

contend_once = remember(100)(contend)


def pair_once(contest: Contest, runs: Mapping[str, Run], other: str, view: View) -> ComparedPair:
    """Return what `kofn.compare.pair.pair_up` does, from a cache if it is known."""
    pair = {key: runs[key] for key in (contest.base or "", other)}
    return _pair(pair, contest.metric, contest.k, other, view, contest)


@remember(500)
def _pair(
    runs: Mapping[str, Run],
    metric: MetricName,
    k: int | None,
    other: str,
    view: View,
    _contest: Contest,
) -> ComparedPair:
    return pair_up(_contest, runs, other, view, _same_if_read)


def _same_if_read(a: Run, b: Run) -> SameAnswers | None:
    """Return what `same_answers` finds, unless the texts would have to be found first."""
    return same_answers(a, b) if a.digests.known and b.digests.known else None


@remember(50)
def plan_once(
    contest: Contest, runs: Mapping[str, Run], other: str | None, view: View, goals: PlanChoices
) -> Finding[Planned]:
    """Return what `kofn.plan.analysis.plan_contest` does, from a cache if it is known."""
    return attempt(plan_contest, contest, runs, other, view, goals)


def metrics_once(
    pair: ComparedPair, runs: Mapping[str, Run], view: View
) -> dict[str, Finding[Difference]]:
    """Return what `kofn.compare.pair.by_metric` does, from a cache if it is known."""
    both = {key: runs[key] for key in (pair.base, pair.other)}
    return _metrics(both, replace(view, metric=None), pair)


@remember(50)
def _metrics(
    runs: Mapping[str, Run], view: View, _pair: ComparedPair
) -> dict[str, Finding[Difference]]:
    return by_metric(_pair, runs, view)


@remember(50)
def segments_once(
    pair: ComparedPair, _runs: Mapping[str, Run], attribute: str, contest: Contest, view: View
) -> Finding[BySegment]:
    """Return what `kofn.compare.pair.by_segment` does, from a cache if it is known."""
    return by_segment(pair, _runs, attribute, contest.metric, contest.k, view)


def datasets_once(runs: Mapping[str, Run], pair: ComparedPair, view: View) -> OverDatasets | None:
    """Return what `compare_over_datasets` does, from a cache if it is known."""
    models = {runs[key].model for key in (pair.base, pair.other)}
    theirs = {key: run for key, run in runs.items() if run.model in models}
    return _together(theirs, pair.base, pair.other, view, match_so_far)


_together = remember(100)(compare_over_datasets)


def follow_once(
    runs: Mapping[str, Run], order: Order, view: View, against: Against
) -> Finding[Followed]:
    """Return what `kofn.series.analysis.follow` does, from a cache if it is known."""
    theirs = {key: runs[key] for key in order.keys}
    return _follow(theirs, order, view, against)


@remember(100)
def _follow(
    runs: Mapping[str, Run], order: Order, view: View, against: Against
) -> Finding[Followed]:
    return attempt(follow, runs, order, view, against, match_so_far)
