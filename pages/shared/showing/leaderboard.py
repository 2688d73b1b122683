"""Who leads a dataset, or all, computed once for the same settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kofn.choices.view import View
from kofn.leaderboard.criteria import find_winner
from kofn.leaderboard.field import Field, find_field
from kofn.leaderboard.pairs import Matching, match_so_far
from kofn.leaderboard.suite import SuiteStanding, find_leaders, find_suite
from metrics.data.names import MetricName
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.showing.matching import found_out
from reports.run.report import Run

OPEN = 2
"""More sentences than these are folded away."""


def remembered_field(dataset: str, runs: Mapping[str, Run], k: int, view: View) -> Field:
    """Return what `kofn.leaderboard.field.find_field` does, from a cache if it is known."""
    return _field(compared(runs), dataset, k, view, runs)


def remembered_suite(
    runs: Mapping[str, Run], view: View, metric: MetricName | None = None, k: int | None = None
) -> SuiteStanding | None:
    """Return what `kofn.leaderboard.suite.find_suite` does, from a cache if it is known."""
    return _suite(compared(runs), view, metric, k, runs)


def remembered_standing(
    runs: Mapping[str, Run],
    view: View,
    matching: Matching,
    metric: MetricName | None = None,
    k: int | None = None,
) -> tuple[SuiteStanding | None, dict[str, str | None]]:
    """Return what `kofn.leaderboard.suite.find_standing` does, from a cache if it is known."""
    plain = replace(view, runs=(), metric=None, k=())
    suite = remembered_suite(runs, plain, metric, k)
    return suite, {} if suite is None else _leaders(compared(runs), plain, metric, k, suite, runs)


def remembered_winner(runs: Mapping[str, Run], view: View, metric: MetricName) -> tuple[Text, ...]:
    """Return what `kofn.leaderboard.criteria.find_winner` does, from a cache if it is known."""
    return _winner(compared(runs), replace(view, runs=(), metric=None, k=()), metric, runs)


@remember(50)
def _winner(
    identity: str, view: View, metric: MetricName, _runs: Mapping[str, Run]
) -> tuple[Text, ...]:
    return tuple(find_winner(_runs, view, metric, match_so_far))


def compared(runs: Mapping[str, Run]) -> str:
    """Identify runs that are compared, for caches: with what is known of their questions."""
    known = found_out(runs.values())
    return "\n".join([str(known), *(session.identity(key, run) for key, run in runs.items())])


@remember(500)
def _field(identity: str, dataset: str, k: int, view: View, _runs: Mapping[str, Run]) -> Field:
    return find_field(dataset, _runs, k, view, match_so_far)


@remember(50)
def _leaders(
    identity: str,
    view: View,
    metric: MetricName | None,
    k: int | None,
    _suite: SuiteStanding,
    _runs: Mapping[str, Run],
) -> dict[str, str | None]:
    return find_leaders(_suite, _runs, view, match_so_far)


@remember(50)
def _suite(
    identity: str, view: View, metric: MetricName | None, k: int | None, _runs: Mapping[str, Run]
) -> SuiteStanding | None:
    return find_suite(_runs, view, match_so_far, metric, k)
