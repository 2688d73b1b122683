"""Who leads over all datasets together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from kofn.card import attempt
from kofn.choices.view import View
from kofn.leaderboard.field import usual_metric
from kofn.leaderboard.lines import whole_lines
from kofn.leaderboard.pairs import Matching, find_order, match_by_texts
from metrics import Standing, stand_suite
from metrics.data.names import MetricName
from reports.run.report import Run, join


@dataclass(frozen=True, eq=False)
class SuiteStanding:
    """Models over the datasets that all of them ran on, which count equally."""

    standing: Standing  # Of lines as `lines_of` names them.
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]  # Datasets that not all models ran on.
    alone: tuple[str, ...]  # Models that ran on one dataset only.


FindSuite = Callable[[Mapping[str, Run], View], SuiteStanding | None]


def find_suite(
    runs: Mapping[str, Run],
    view: View,
    matching: Matching = match_by_texts,
    metric: MetricName | None = None,
    k: int | None = None,
) -> SuiteStanding | None:
    """Find out who leads over the datasets that all models ran on; None unless there are several.

    What it returns holds no run, so that it can be kept. A further run of a model on a dataset is
    a line of its own where the model ran on all of them again.

    view: Level, target, segment and treatment of failed requests count.
    metric: Without one, `usual_metric`.
    k: As in `stand_suite`.
    """
    whole = whole_lines(runs)
    if whole is None or len(whole.keys) < 2:
        return None
    suites = whole.sides(runs)
    matched = cache(matching)

    def same(run: Run, best: Run) -> bool:
        beside = [each[run.dataset] for each in suites.values()]
        join([(each, best) for each in beside if each is not best], None, view.segment)
        return bool(matched(run, best))

    by_what = metric or usual_metric(runs.values())
    found, _reason = attempt(stand_suite, suites, by_what, k, same_questions=same, **view.asked)
    if found is None:
        return None
    ahead = {line: replace(each, ends=None) for line, each in found.ahead.items()}
    return SuiteStanding(replace(found, ahead=ahead), whole.datasets, whole.left_out, whole.alone)


def find_leaders(
    suite: SuiteStanding, runs: Mapping[str, Run], view: View, matching: Matching = match_by_texts
) -> dict[str, str | None]:
    """Find out which line of a suite leads on each of its datasets, by the same metric and k.

    None where it is too close to call. What it returns holds no run, so that it can be kept.
    """
    whole, by_what, k = whole_lines(runs), suite.standing.metric, suite.standing.k
    leaders: dict[str, str | None] = {}
    for name in suite.datasets if whole else ():
        group = {line: runs[keys[name]] for line, keys in whole.keys.items()} if whole else {}
        standing, _reason = attempt(find_order, group, by_what, k, view, matching)
        leaders[name] = standing.leader if standing else None
    return leaders


FindStanding = Callable[
    [Mapping[str, Run], View, Matching, MetricName | None, int | None],
    tuple[SuiteStanding | None, dict[str, str | None]],
]


def find_standing(
    runs: Mapping[str, Run],
    view: View,
    matching: Matching = match_by_texts,
    metric: MetricName | None = None,
    k: int | None = None,
) -> tuple[SuiteStanding | None, dict[str, str | None]]:
    """Return who leads over all datasets, and who leads on each of them."""
    suite = find_suite(runs, view, matching, metric, k)
    return suite, {} if suite is None else find_leaders(suite, runs, view, matching)
