"""Who leads a dataset, or all, computed once for the same settings."""

from __future__ import annotations

from collections.abc import Mapping

from kofn.choices.view import View
from kofn.leaderboard.criteria import find_winner
from kofn.leaderboard.field import Field, find_field
from kofn.leaderboard.pairs import Matching, match_so_far
from kofn.leaderboard.suite import SuiteStanding, find_leaders, find_suite
from metrics.data.names import MetricName
from metrics.data.words import Text
from pages.shared.memory.cached import remember
from reports.run.report import Run


@remember(500)
def remembered_field(dataset: str, runs: Mapping[str, Run], k: int, view: View) -> Field:
    """Return what `kofn.leaderboard.field.find_field` does, from a cache if it is known."""
    return find_field(dataset, runs, k, view, match_so_far)


@remember(50)
def remembered_suite(
    runs: Mapping[str, Run], view: View, metric: MetricName | None = None, k: int | None = None
) -> SuiteStanding | None:
    """Return what `kofn.leaderboard.suite.find_suite` does, from a cache if it is known."""
    return find_suite(runs, view, match_so_far, metric, k)


def remembered_standing(
    runs: Mapping[str, Run],
    view: View,
    matching: Matching,
    metric: MetricName | None = None,
    k: int | None = None,
) -> tuple[SuiteStanding | None, dict[str, str | None]]:
    """Return what `kofn.leaderboard.suite.find_standing` does, from a cache if it is known."""
    plain = view.plain
    suite = remembered_suite(runs, plain, metric, k)
    return suite, {} if suite is None else _leaders(suite, runs, plain, match_so_far)


_leaders = remember(50)(find_leaders)


def remembered_winner(runs: Mapping[str, Run], view: View, metric: MetricName) -> tuple[Text, ...]:
    """Return what `kofn.leaderboard.criteria.find_winner` does, from a cache if it is known."""
    return _winner(runs, view.plain, metric, match_so_far)


_winner = remember(50)(find_winner)
