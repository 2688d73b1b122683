"""All models over the datasets that all of them ran on: what the page draws and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from charts.differences import Gap
from charts.ranks import RankRow
from kofn.card import attempt
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.compare.contest import without_data
from kofn.compare.figures import gap
from kofn.compare.over_datasets import OverDatasets, compare_over_datasets
from kofn.compare.pair import ALONG
from kofn.leaderboard.lines import lines_of, whole_lines
from kofn.leaderboard.pairs import Matching, doubling_ks
from kofn.leaderboard.suite import SuiteStanding
from kofn.writing.columns import Column, Columns, member
from kofn.writing.estimates import percent_of
from kofn.writing.kinds import DIFFERENCE, ESTIMATE, FLAG, NAME
from kofn.writing.layout import short_name
from metrics import Difference, Estimate, Ranking, compare_suite, rank_suite
from metrics.data.names import MetricName
from metrics.data.results import Curve
from metrics.data.words import Text
from metrics.scoring.registry import find_metric, metric_name
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class SuiteLine:
    """A model over all datasets."""

    name: str
    estimate: Estimate
    behind: Difference | None  # By how much the first is better; None of the first itself.
    # Whether that is sure, with all pairs of models in view; None of the first itself.
    apart: bool | None


def lines(suite: SuiteStanding) -> tuple[SuiteLine, ...]:
    """Return the models of a suite, the best first."""
    standing = suite.standing
    return tuple(
        SuiteLine(
            name,
            estimate,
            standing.ahead.get(name),
            None if name == standing.first else name not in standing.leaders,
        )
        for name, estimate in standing.estimates.items()
    )


COLUMNS: Columns[SuiteLine] = (
    Column("model", Text("Model"), NAME, member("name")),
    Column(("mean", "low", "high"), Text("Mean"), ESTIMATE, member("estimate")),
    Column(("behind", "b", "c"), Text("Behind the first"), DIFFERENCE.optional, member("behind")),
    Column("different", Text("Different"), FLAG, member("apart")),
)


@dataclass(frozen=True, eq=False)
class SuitePair:
    """Two models over all datasets in detail."""

    base: str
    other: str
    keys: tuple[str, str]  # Of a run of each, on the same dataset.
    together: OverDatasets | None  # The difference on each dataset, and on all.
    along: Curve | None  # That on all, k by k; None where only one try is there.
    followed: MetricName


def two_of(suite: SuiteStanding, choices: CompareChoices) -> tuple[str, str]:
    """Return the baseline and the line to look at in detail: those chosen, else two that lead.

    The first is set against the runner-up, so that a difference is its margin.
    """
    first, second, *rest = lines_ = list(suite.standing.estimates)
    usual = first if choices.other in (second, *rest) else second
    base = choices.base if choices.base in lines_ else usual
    others = [line for line in lines_ if line != base]
    return base, choices.other if choices.other in others else others[0]


def pair_suite(
    runs: Mapping[str, Run],
    suite: SuiteStanding,
    two: tuple[str, str],
    view: View,
    matching: Matching,
) -> SuitePair:
    """Set two models of a suite against one another on each dataset, on all, and along k.

    What it returns holds no run, so that it can be kept.
    """
    base, other = two
    whole = whole_lines(runs)
    assert whole is not None
    a, b = whole.keys[base], whole.keys[other]
    dataset = suite.datasets[0]
    chosen = {key: runs[key] for key in (*a.values(), *b.values())}
    standing = suite.standing
    followed = metric_name(standing.metric) if standing.k else ALONG
    asked = replace(view, metric=standing.metric, k=(standing.k,) if standing.k else ())
    together = compare_over_datasets(chosen, a[dataset], b[dataset], asked, matching)
    last = shared_k(chosen.values(), view)
    one, two_ = ({name: runs[key] for name, key in keys.items()} for keys in (a, b))
    along, _reason = attempt(_curve_over_k, one, two_, followed, doubling_ks(last), view)
    return SuitePair(base, other, (a[dataset], b[dataset]), together, along, followed)


def _curve_over_k(
    a: Mapping[str, Run], b: Mapping[str, Run], metric: MetricName, ks: Sequence[int], view: View
) -> Curve | None:
    if len(ks) < 2:
        return None
    found = [compare_suite(a, b, metric, k, **view.asked) for k in ks]
    ends = [each.interval or (np.nan, np.nan) for each in found]
    values = np.array([each.value for each in found])
    return Curve(np.array(ks), values, *np.array(ends).T)


def rank_models(runs: Mapping[str, Run], suite: SuiteStanding, view: View) -> Ranking:
    """Rank the models of a suite, all pairs compared; what it returns holds no run."""
    whole = whole_lines(runs)
    assert whole is not None
    found = rank_suite(whole.sides(runs), suite.standing.metric, suite.standing.k, **view.asked)
    pairs = {pair: without_data(each) for pair, each in found.pairs.items()}
    return replace(found, pairs=pairs)


def places_of(
    ranking: Ranking, runs: Mapping[str, Run], numbers: Mapping[str, int]
) -> tuple[RankRow, ...]:
    """Return the places of models over all datasets, the best first."""
    keys = {line: next(iter(each.values())) for line, each in lines_of(runs).items()}
    label = find_metric(ranking.metric).label(ranking.k)
    rows = zip(ranking.names, ranking.ranks, ranking.estimates, strict=True)
    return tuple(
        RankRow(
            short_name(name),
            ranks.first,
            ranks.last,
            measured,
            Text(
                "{run}: rank {ranks}, {metric} {value}",
                run=short_name(name),
                ranks=str(ranks),
                metric=label,
                value=percent_of(estimate),
            ),
            numbers[keys[name]],
            False,
        )
        for measured, (name, ranks, estimate) in enumerate(rows, 1)
    )


def gaps(
    suite: SuiteStanding, runs: Mapping[str, Run], numbers: Mapping[str, int]
) -> tuple[Gap, ...]:
    """Return by how much the first model is better than each other one."""
    keys = {line: next(iter(found.values())) for line, found in lines_of(runs).items()}
    return tuple(
        gap("", short_name(line.name), (line.behind, None), numbers[keys[line.name]])
        for line in lines(suite)
        if line.behind is not None
    )


def gap_title(suite: SuiteStanding) -> Text:
    """Name the axis of these differences."""
    found = suite.standing
    return Text(
        "{first} better by, in points of {metric}",
        first=short_name(found.first),
        metric=find_metric(found.metric).label(found.k),
    )
