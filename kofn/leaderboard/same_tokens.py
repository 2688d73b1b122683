"""How many answers of each model fit in the tokens of one from the model that uses most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from kofn.card import attempt
from kofn.choices.runs import TOKENS, has_tokens, outcomes_of
from kofn.choices.view import View
from kofn.leaderboard.field import names_of
from kofn.leaderboard.lines import whole_lines
from kofn.leaderboard.pairs import Matching, match_by_texts
from kofn.writing.layout import short_name
from metrics import Difference, Estimate, Standing, compare, compare_suite, estimate, pool
from metrics.analyses.trade_offs.costs import mean_cost
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.words import MetricError, Text
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class SameTokens:
    """Models, or the runs of a dataset, each with as many answers as one long one allows."""

    standing: Standing  # By pass@k with the k of each: right answers are recognised.
    longest: str  # Whose answers are longest: it has one.
    spent: float  # Tokens that this takes on average.
    k: Mapping[str, int]
    names: Mapping[str, str]
    datasets: int


Sides = Mapping[str, Mapping[str, Run]]


def standing_for_tokens(
    runs: Mapping[str, Run], view: View, matching: Matching = match_by_texts
) -> SameTokens | None:
    """Find out who solves most for the tokens of one long answer, over all datasets or on one.

    None where not all runs have tokens, or only one model remains. What it returns holds no run.
    """
    sides, names = _sides(runs)
    if len(sides) < 2 or not all(
        has_tokens(run) for each in sides.values() for run in each.values()
    ):
        return None
    return attempt(_stand, sides, names, view, matching)[0]


def _sides(runs: Mapping[str, Run]) -> tuple[Sides, dict[str, str]]:
    """Return the runs to compare, by dataset, and how they are called."""
    whole = whole_lines(runs)
    if whole is not None:
        sides = whole.sides(runs)
        return sides, {line: short_name(line) for line in sides}
    known = {key: run for key, run in runs.items() if run.known is not None}
    datasets = {run.dataset for run in known.values()}
    if len(datasets) != 1:
        return {}, {}
    (dataset,) = datasets
    names = names_of({key: run.model for key, run in known.items()}, dataset)
    return {key: {dataset: run} for key, run in known.items()}, names


def _stand(sides: Sides, names: Mapping[str, str], view: View, matching: Matching) -> SameTokens:
    spent = {
        name: fmean(_tokens(run, view) for run in side.values()) for name, side in sides.items()
    }
    longest = max(spent, key=lambda name: spent[name])
    k = {
        name: min(int(spent[longest] / spent[name]), *(_n_min(run, view) for run in side.values()))
        for name, side in sides.items()
    }

    def value_of(name: str) -> Estimate:
        each = [estimate(run, "pass@k", k[name], **view.asked) for run in sides[name].values()]
        return each[0] if len(each) == 1 else pool(each)

    values = {name: value_of(name) for name in sides}
    first, *others = sorted(values, key=lambda name: -values[name].value)
    ahead: dict[str, Difference] = {}
    for name in others:
        if all(matching(run, sides[first][dataset]) for dataset, run in sides[name].items()):
            lead = _difference(sides[name], sides[first], (k[name], k[first]), view)
            ahead[name] = lead
    if not ahead:
        raise MetricError(Text("No two models are known to have the same questions."))
    standing = Standing("pass@k", None, {name: values[name] for name in (first, *ahead)}, ahead, {})
    ahead = {name: replace(each, ends=None) for name, each in ahead.items()}
    datasets = len(sides[first])
    return SameTokens(replace(standing, ahead=ahead), longest, spent[longest], k, names, datasets)


def _difference(
    other: Mapping[str, Run], first: Mapping[str, Run], ks: tuple[int, int], view: View
) -> Difference:
    if len(other) == 1:
        (a,), (b,) = other.values(), first.values()
        return compare(a, b, "pass@k", ks, **view.asked)
    return compare_suite(other, first, "pass@k", ks, **view.asked)


def _tokens(run: Run, view: View) -> float:
    """Return what an answer takes on average."""
    tokens = run.columns[TOKENS]
    return mean_cost(outcomes_of(run), tokens, 1, Question(**view.asked)).value


def _n_min(run: Run, view: View) -> int:
    return Evidence(outcomes_of(run), view.missing, view.segment).n_min
