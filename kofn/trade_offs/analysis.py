"""Two numbers of every run under a View, and which runs are not beaten on both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kofn.card import Card, Find, attempt, cards_found, finder, make_cards
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import shared_k, shown_runs
from kofn.choices.view import View
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.pricing import Pricing
from kofn.leaderboard.field import SOFT, usual_metric
from kofn.leaderboard.lines import mean_card, whole_lines
from kofn.trade_offs.choices import TradeChoices
from kofn.trade_offs.numbers import AxisNumber, cost_of, is_cost, metric_of, samples_paid
from metrics.analyses.choose_n.pareto import pareto
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class Trade:
    """Where a run stands on both axes."""

    x: AxisNumber
    y: AxisNumber


class Weighing(NamedTuple):
    """What is set against what, and what costs rest on."""

    # Of `kofn.trade_offs.choices.AXES`.
    x: str
    y: str
    questions: int  # That a cost is for.
    pricing: Pricing

    @property
    def axes(self) -> tuple[str, str]:
        """Both axes."""
        return self.x, self.y


TradeCard = Card[Trade, Weighing]
TokensOf = Callable[[Run], Tokens]


def weigh_run(
    run: Run, view: View, weighing: Weighing, tokens_of: TokensOf = estimate_tokens
) -> Trade:
    """Find both numbers of a run; a cost is that of the samples that the other axis takes."""
    return _weigh([run], view, weighing, tokens_of)


def _weigh(
    runs: Sequence[Run], view: View, weighing: Weighing, tokens_of: TokensOf = estimate_tokens
) -> Trade:
    def number(axis: str, other: str) -> AxisNumber:
        if not is_cost(axis):
            return metric_of(runs, axis, view)
        samples = samples_paid(other, view.k[0])
        return cost_of(runs, axis, samples, weighing.questions, view, weighing.pricing, tokens_of)

    return Trade(number(weighing.x, weighing.y), number(weighing.y, weighing.x))


def weigh(
    runs: Mapping[str, Run],
    view: View,
    choices: TradeChoices,
    pricing: Pricing,
    find: Find[Trade] | None = None,
) -> tuple[TradeCard, ...]:
    """Find both numbers of every run that a View names, dataset by dataset.

    view: The first of its k counts; without one, the most that the runs of a dataset share.
    find: In place of `weigh_run`, such as one with a cache.
    """
    groups = runs_by_dataset(shown_runs(runs, view.runs))
    views = {
        dataset: replace(view, runs=(), k=(view.k or (shared_k(group.values(), view),))[:1])
        for dataset, group in groups.items()
    }
    weighings = {dataset: _weighing(group, choices, pricing) for dataset, group in groups.items()}
    ordered = {key: run for group in groups.values() for key, run in group.items()}
    return make_cards(
        find or finder(weigh_run),
        ordered,
        replace(view, runs=()),
        lambda key, run: [(views[run.dataset], weighings[run.dataset])],
    )


def weigh_means(
    runs: Mapping[str, Run],
    view: View,
    choices: TradeChoices,
    pricing: Pricing,
    tokens_of: TokensOf = estimate_tokens,
) -> tuple[TradeCard, ...]:
    """Find both numbers of models on average over the datasets that all ran on.

    By one k for all; none unless models share several datasets.
    """
    whole = whole_lines(shown_runs(runs, view.runs))
    if whole is None:
        return ()
    group = whole.runs(runs)
    plain = replace(view, runs=(), k=(view.k or (shared_k(group.values(), view),))[:1])
    weighing = _weighing(group, choices, pricing)
    return tuple(
        mean_card(
            line,
            members,
            plain,
            weighing,
            attempt(_weigh, list(members.values()), plain, weighing, tokens_of),
        )
        for line, members in whole.members(runs).items()
    )


def _weighing(runs: Mapping[str, Run], choices: TradeChoices, pricing: Pricing) -> Weighing:
    x, y = choices.x or usual_x(runs), choices.y or usual_y(runs)
    return Weighing(x, y, int(choices.per), pricing)


def usual_y(runs: Mapping[str, Run]) -> str:
    """Return what is worth having: pass@k; of scores of which it is assumed what is right, these.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> scored = Run("7B", "essays", Outcomes([[1, 0]], [[0.6, 0.2]]), threshold=0.5, assumed=True)
    >>> usual_y({"7B": scored}), usual_x({"7B": scored})
    ('soft-max@k', 'soft')
    """
    return "soft-max@k" if usual_metric(runs.values()) == SOFT else "pass@k"


def usual_x(runs: Mapping[str, Run]) -> str:
    """Return what that is set against: tokens where all files have them, else one try."""
    if all("tokens_out" in run.columns for run in runs.values()):
        return "tokens"
    return usual_metric(runs.values())


def front(cards: Sequence[TradeCard]) -> list[TradeCard]:
    """Return the runs of a dataset that no other beats, in the order of the horizontal axis.

    One run beats another that is as good on one axis and better on the other, as measured.
    """
    known = [*cards_found(cards)]
    if not known:
        return []
    x_axis, y_axis = known[0][0].settings.axes
    x = np.array([found.x.value for _, found in known])
    y = np.array([found.y.value for _, found in known])
    best = pareto(x if is_cost(x_axis) else -x, -y if is_cost(y_axis) else y)
    return [known[place][0] for place in np.argsort(x, kind="stable").tolist() if best[place]]
