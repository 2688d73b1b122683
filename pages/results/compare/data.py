"""Comparisons, computed once for the same settings and stored without the runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kofn.card import Finding, attempt
from kofn.choices.view import View
from kofn.compare.contest import Contest, contend
from kofn.compare.pair import ComparedPair, by_metric, by_segment, pair_up
from kofn.compare.together import Together, put_together
from kofn.leaderboard.pairs import match_so_far
from kofn.plan.analysis import Planned, plan_contest
from kofn.plan.choices import PlanChoices
from kofn.series.analysis import Followed, follow
from kofn.series.choices import Against
from metrics import BySegment, Difference
from metrics.data.names import MetricName
from pages.shared.memory.cached import remember
from pages.shared.showing.leaderboard import compared
from reports.run.ordering import Order
from reports.run.report import Run
from reports.run.same_answers import SameAnswers, same_answers


def contend_once(runs: Mapping[str, Run], view: View, base: str | None) -> Contest:
    """Return what `kofn.compare.contest.contend` does, from a cache if it is known."""
    return _contend(compared(runs), view, base, runs)


@remember(100)
def _contend(identity: str, view: View, base: str | None, _runs: Mapping[str, Run]) -> Contest:
    return contend(_runs, view, base, match_so_far)


def pair_once(contest: Contest, runs: Mapping[str, Run], other: str, view: View) -> ComparedPair:
    """Return what `kofn.compare.pair.pair_up` does, from a cache if it is known."""
    pair = {key: runs[key] for key in (contest.base or "", other)}
    asked = contest.metric, contest.k, contest.base, other
    return _pair(compared(pair), asked, view, contest, pair)


@remember(500)
def _pair(
    identity: str,
    asked: tuple[object, ...],
    view: View,
    _contest: Contest,
    _runs: Mapping[str, Run],
) -> ComparedPair:
    return pair_up(_contest, _runs, str(asked[-1]), view, _same_if_read)


def _same_if_read(a: Run, b: Run) -> SameAnswers | None:
    """Return what `same_answers` finds, unless the texts would have to be found first."""
    return same_answers(a, b) if a.digests.known and b.digests.known else None


def plan_once(
    contest: Contest, runs: Mapping[str, Run], other: str | None, view: View, goals: PlanChoices
) -> Finding[Planned]:
    """Return what `kofn.plan.analysis.plan_contest` does, from a cache if it is known."""
    asked = contest.metric, contest.k, contest.base, other
    return _planned(compared(runs), asked, view, goals, contest, runs)


@remember(50)
def _planned(
    identity: str,
    asked: tuple[str, int | None, str | None, str | None],
    view: View,
    goals: PlanChoices,
    _contest: Contest,
    _runs: Mapping[str, Run],
) -> Finding[Planned]:
    return attempt(plan_contest, _contest, _runs, asked[-1], view, goals)


def metrics_once(
    pair: ComparedPair, runs: Mapping[str, Run], view: View
) -> dict[str, Finding[Difference]]:
    """Return what `kofn.compare.pair.by_metric` does, from a cache if it is known."""
    both = {key: runs[key] for key in (pair.base, pair.other)}
    return _metrics(compared(both), replace(view, metric=None), pair, both)


@remember(50)
def _metrics(
    identity: str, view: View, _pair: ComparedPair, _runs: Mapping[str, Run]
) -> dict[str, Finding[Difference]]:
    return by_metric(_pair, _runs, view)


def segments_once(
    pair: ComparedPair, runs: Mapping[str, Run], attribute: str, contest: Contest, view: View
) -> Finding[BySegment]:
    """Return what `kofn.compare.pair.by_segment` does, from a cache if it is known."""
    both = {key: runs[key] for key in (pair.base, pair.other)}
    asked = contest.metric, contest.k
    return _segments(compared(both), attribute, asked, view, pair, both)


@remember(50)
def _segments(
    identity: str,
    attribute: str,
    asked: tuple[MetricName, int | None],
    view: View,
    _pair: ComparedPair,
    _runs: Mapping[str, Run],
) -> Finding[BySegment]:
    return by_segment(_pair, _runs, attribute, *asked, view)


def together_once(runs: Mapping[str, Run], pair: ComparedPair, view: View) -> Together | None:
    """Return what `kofn.compare.together.put_together` does, from a cache if it is known."""
    models = {runs[key].model for key in (pair.base, pair.other)}
    theirs = {key: run for key, run in runs.items() if run.model in models}
    return _together(compared(theirs), pair.base, pair.other, view, theirs)


@remember(100)
def _together(
    identity: str, base: str, other: str, view: View, _runs: Mapping[str, Run]
) -> Together | None:
    return put_together(_runs, base, other, view, match_so_far)


def follow_once(
    runs: Mapping[str, Run], order: Order, view: View, against: Against
) -> Finding[Followed]:
    """Return what `kofn.series.analysis.follow` does, from a cache if it is known."""
    theirs = {key: runs[key] for key in order.keys}
    return _follow(compared(theirs), order, view, against, theirs)


@remember(100)
def _follow(
    identity: str, order: Order, view: View, against: Against, _runs: Mapping[str, Run]
) -> Finding[Followed]:
    return attempt(follow, _runs, order, view, against, match_so_far)
