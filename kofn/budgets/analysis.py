"""What tokens and time buy, for every run under a View."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.budgets.choices import BudgetChoices, Use
from kofn.card import Card, Find, Finding, attempt, cards_found, finder, make_cards
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import TOKENS, has_tokens, outcomes_of, shared_k, shown_runs
from kofn.choices.view import View
from kofn.leaderboard.pairs import doubling_ks
from metrics import (
    AnswerTimes,
    RightLengths,
    ShortOrLong,
    TokenBudgets,
    answer_times,
    right_lengths,
    short_or_long,
    token_budgets,
)
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.outcomes import Outcomes
from metrics.data.words import MetricError, Text
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

SHORT = 4
"""How many short answers are set against a long one where nothing is chosen."""
SECONDS = "latency_s"
"""A column of a run."""
NO_TOKENS = Text("The file does not say how many tokens its answers have.")
NO_SECONDS = Text("The file does not say how long its samples took.")


@dataclass(frozen=True, eq=False)
class Budgeted:
    """What the tokens and the times of a run say."""

    budgets: TokenBudgets  # For every k and cut.
    k: int  # How many short answers there are.
    # k short answers against a long one; with one sample a question, one of half the tokens.
    split: Finding[ShortOrLong]
    lengths: Finding[RightLengths]
    times: Finding[AnswerTimes]
    # How many answers the run itself cut at its limit, of how many.
    unfinished: tuple[int, int] = (0, 0)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each k and cut."""
        return self.budgets.to_frame()


class AskedBudget(NamedTuple):
    """What is asked of a run."""

    metric: MetricName  # By which answers are used.


BudgetCard = Card[Budgeted, AskedBudget]


def weigh_run(run: Run, view: View, asked: AskedBudget) -> Budgeted:
    """Find what tokens and time buy of one run; k is the View's, or the samples there are."""
    outcomes = outcomes_of(run)
    if TOKENS not in run.columns:
        raise MetricError(NO_TOKENS)
    options = view.asked_but_target
    most = Evidence(outcomes, view.missing, view.segment).n_min
    k = min(view.k[0], most)
    ks = sorted({*doubling_ks(most), k})
    budgets = token_budgets(run, TOKENS, asked.metric, ks, **view.asked)
    half = taken(budgets) / 2 if k == 1 else None
    split = attempt(short_or_long, run, TOKENS, k, asked.metric, spent=half, **view.asked)
    times: Finding[AnswerTimes] = (None, NO_SECONDS)
    if SECONDS in run.columns:
        times = attempt(_times, run, k, options)
    lengths = attempt(right_lengths, run, TOKENS, **options)
    return Budgeted(budgets, k, split, lengths, times, _unfinished(run, outcomes, view))


def _times(run: Run, k: int, options: dict[str, Any]) -> AnswerTimes:
    """Say how long k answers take, or as many as have a time: failed ones have none."""
    found = answer_times(run, SECONDS, **options)
    return found if found.k <= k else answer_times(run, SECONDS, k, **options)


def _unfinished(run: Run, outcomes: Outcomes, view: View) -> tuple[int, int]:
    states = run.states
    counts = {} if states is None else states.counts_of(outcomes.members(view.segment))
    return counts.get("cut", 0), sum(counts.values())


def weigh_budgets(
    runs: Mapping[str, Run],
    view: View,
    choices: BudgetChoices,
    find: Find[Budgeted] | None = None,
) -> tuple[BudgetCard, ...]:
    """Find what tokens and time buy of every run that a View names, dataset by dataset.

    view: The first of its k counts; without one, four, or the most that the runs share.
    find: In place of `weigh_run`, such as one with a cache.
    """
    groups = runs_by_dataset(shown_runs(runs, view.runs))
    asked = {
        dataset: (
            replace(view, runs=(), metric=None, k=(view.k or (usual_k(group, view),))[:1]),
            AskedBudget(metric_of(group, choices.answers)),
        )
        for dataset, group in groups.items()
    }
    ordered = {key: run for group in groups.values() for key, run in group.items()}
    return make_cards(
        find or finder(weigh_run),
        ordered,
        replace(view, runs=()),
        lambda key, run: [asked[run.dataset]],
    )


def usual_k(runs: Mapping[str, Run], view: View) -> int:
    """Return how many short answers are set against a long one."""
    return min(SHORT, shared_k(runs.values(), view))


def metric_of(runs: Mapping[str, Run], answers: Use) -> MetricName:
    """Return the metric of k answers: of votes by answer where all runs with tokens have some."""
    if answers == "checked":
        return "pass@k"
    voting = [run.answers is not None for run in runs.values() if has_tokens(run)]
    return "plurality@k" if all(voting) else "maj@k"


def taken(budgets: TokenBudgets) -> float:
    """Return what one uncut answer takes."""
    return float(budgets.spent[budgets.k == 1][-1])


def dearest(cards: Sequence[BudgetCard]) -> BudgetCard | None:
    """Return the run whose answers take the most tokens."""
    card, _found = max(
        cards_found(cards), key=lambda each: taken(each[1].budgets), default=(None, None)
    )
    return card
