"""The plan of every dataset: what its questions show about two runs, and what more would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean, median

import numpy as np

from kofn.card import Card, attempt
from kofn.choices.focus import Focus, groups_in_focus
from kofn.choices.runs import NO_VERDICTS, shown_runs
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.compare.contest import Contest, contend, key_of_name
from kofn.compare.pair import ROUND
from kofn.leaderboard.pairs import Matching
from kofn.plan.choices import PlanChoices
from metrics import Needs, Plan, Split, plan
from metrics.data.arrays import Vector
from metrics.data.words import MetricError
from reports.run.matching import match
from reports.run.report import Run

FINER, COARSER = 2, 1
"""So many round differences below and above the smallest that is shown are looked at too."""


@dataclass(frozen=True, eq=False)
class Placing:
    """What could be shown of the ranks of more than two runs."""

    count: int
    # About the smallest difference that tells two apart, with all other pairs in view.
    smallest: float
    span: float  # How many places the rank of a run would span on average.

    @property
    def separates(self) -> bool:
        """Whether at least a quarter of all pairs of runs differs."""
        return (self.span - 1) / (self.count - 1) <= 0.75

    @property
    def sure(self) -> bool:
        """Whether every pair is."""
        return self.span == 1


@dataclass(frozen=True, eq=False)
class Planned:
    """What the questions of a dataset show, and what it takes to show more."""

    contest: Contest
    base: str  # The key of the baseline, or of the only run.
    other: str | None  # The key of the run beside it; None where there is none.
    plan: Plan
    # The smallest difference that its questions show, with its samples and with any number.
    smallest: float | None
    floor: float | None
    needs: Needs  # By the number of samples.
    # By difference, the questions that show it, for each number of samples; NaN for too many.
    takes: Mapping[float, Vector]
    split: Split | None  # How a bill is best split.
    placing: Placing | None


PlanCard = Card[Planned, PlanChoices]


def plan_runs(
    runs: Mapping[str, Run],
    view: View,
    goals: PlanChoices | None = None,
    compared: CompareChoices | None = None,
    focus: Focus | None = None,
    same: Matching = match,
) -> tuple[PlanCard, ...]:
    """Plan a comparison on every dataset of the runs that a View names.

    view: As for `kofn.compare.contest.contend`; its target is questions like these.
    compared: The baseline, and the run beside it.
    focus: The dataset that comes first.
    same: Says which questions of two runs are the same.
    """
    goals, compared = goals or PlanChoices(), compared or CompareChoices()
    plain = replace(view, runs=(), target="population")
    cards = []
    for group in groups_in_focus(shown_runs(runs, view.runs), focus).values():
        contest = contend(group, plain, compared.base, same)
        other = _beside(contest, compared.other, group)
        key = other or contest.base or next(iter(group))
        found = attempt(plan_contest, contest, group, other, plain, goals)
        cards.append(Card(key, group[key], plain, goals, *found))
    return tuple(cards)


def plan_contest(
    contest: Contest, runs: Mapping[str, Run], other: str | None, view: View, goals: PlanChoices
) -> Planned:
    """Plan a comparison of a run of a contest with its baseline, or of the baseline alone."""
    if contest.base is None:
        raise MetricError(next(iter(contest.reasons.values()), NO_VERDICTS))
    plan = _plan(contest, runs, contest.base, other, view, view.level, goals.power)
    smallest, bill = plan.smallest(), goals.bill
    needs = plan.needs(width=goals.width, bill=bill)
    asked = _round(smallest) if goals.difference is None else [goals.difference]
    takes = {
        difference: np.array([plan.questions(difference, n) or np.nan for n in needs.samples])
        for difference in asked
    }
    return Planned(
        contest,
        contest.base,
        other,
        plan,
        smallest,
        plan.floor,
        needs,
        takes,
        None if bill is None else plan.split(bill),
        _placing(contest, runs, view, goals.power) if len(contest.estimates) > 2 else None,
    )


def _beside(contest: Contest, name: str, runs: Mapping[str, Run]) -> str | None:
    meant = key_of_name(name, runs)
    return meant if meant in contest.others else next(iter(contest.others), None)


def _plan(
    contest: Contest,
    runs: Mapping[str, Run],
    one: str,
    other: str | None,
    view: View,
    level: float,
    power: float,
) -> Plan:
    matched = None if other is None else contest.match(one, other)
    if matched is not None and matched.refused is not None:
        raise MetricError(matched.refused)
    second = None if other is None else runs[other]
    asked = replace(view, level=level).asked_but_target
    return plan(runs[one], second, contest.metric, contest.k, power=power, **asked)


def _round(smallest: float | None) -> list[float]:
    """Return round differences about the smallest that is shown."""
    finer = [each for each in ROUND if smallest is None or each < smallest]
    coarser = [each for each in ROUND if each not in finer]
    return [*coarser[-COARSER:], *finer[:FINER]]


def _placing(contest: Contest, runs: Mapping[str, Run], view: View, power: float) -> Placing | None:
    """Find what tells two runs apart among all pairs: the median of neighbours, after Holm."""
    values = [estimate.value for estimate in contest.estimates.values()]
    count = len(values)
    level = 1 - (1 - view.level) / (count * (count - 1) / 2)
    shown = []
    for one, other in pairwise(contest.estimates):
        found, _reason = attempt(_plan, contest, runs, one, other, view, level, power)
        if found is not None:
            shown.append(found.smallest() or 1.0)
    if not shown:
        return None
    smallest = median(shown)
    return Placing(count, smallest, mean(_open(value, values, smallest) for value in values))


def _open(value: float, values: Sequence[float], smallest: float) -> int:
    """Count the places that a run may have where only larger differences tell two apart."""
    return sum(abs(value - other) < smallest for other in values)
