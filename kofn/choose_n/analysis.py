"""The choice of n for several runs under a View and a Pricing, for pages, commands and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kofn.card import MEAN, Card, Finding, attempt, names
from kofn.choices.focus import Focus, groups_in_focus
from kofn.choices.runs import known_of, shown_runs
from kofn.choices.signals import numbers_of
from kofn.choices.view import View
from kofn.choose_n.answer_ways import AnswerWay, compare_with_free, mean_way
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.prices import Priced, known_bases, price_run, with_basis
from kofn.choose_n.pricing import Basis, Pricing
from kofn.choose_n.sequential_stopping import Ending, SequentialVotes, stop_sequentially
from kofn.leaderboard.lines import mean_card, whole_lines
from metrics import Choice, Selection
from metrics.analyses.candidates.ways import Way
from metrics.analyses.choose_n.picks import picks_of
from metrics.analyses.choose_n.selection import select
from metrics.analyses.choose_n.suites import select_suite
from metrics.analyses.choose_n.weighing import Weighed, weigh
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.words import MetricError, Text
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class OtherCount:
    """What would be taken by another count of costs."""

    basis: Basis
    run: str
    n: int


@dataclass(frozen=True, eq=False)
class PricedChoice:
    """How many samples to pay for, what costs rest on, and what the runs of the dataset say."""

    choice: Choice  # Under the aim of `together`.
    priced: Priced
    # The choice among all runs of the dataset, or why there is none; the same for each of them.
    together: Finding[Selection]
    # What other counts of costs would take, where that is something else; of each run the same.
    otherwise: tuple[OtherCount, ...] = ()
    # Votes that end early, or why there are none; of the run to take only, or of the one that comes
    # nearest to the aim, and only where votes count.
    sequential: Finding[SequentialVotes] = (None, None)
    # A vote, or a pick, beside what can be had without it; of the same run.
    free: Finding[AnswerWay] = (None, None)

    @property
    def n(self) -> int:
        """The n to use, 1 where there is none."""
        return self.choice.safe_n or 1

    @property
    def place(self) -> int:
        """Where that is in the table."""
        return self.choice.table.index(self.n)

    @property
    def n_of_ways(self) -> int:
        """As many samples as other ways take: the n to use, or all where that is one."""
        return int(self.choice.table.n[-1]) if self.n == 1 else self.n

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each n."""
        return self.choice.to_frame()


ChoiceCard = Card[PricedChoice, Pricing]
Choices = dict[str, Finding[PricedChoice]]
USUAL = Ending()


@dataclass(frozen=True, eq=False)
class JointChoice:
    """What the runs of one dataset say together."""

    cards: dict[str, ChoiceCard]  # Of all its runs, by the name that figures give them.
    found: dict[str, PricedChoice]  # Of those that n can be chosen for.
    selection: Selection | None
    reason: Text | None

    @property
    def chosen(self) -> str | None:
        """The name of the run to take."""
        return None if self.selection is None else self.called(self.selection.run)

    def called(self, key: str | None) -> str | None:
        """Return the name of a run by its key."""
        return next((name for name, card in self.cards.items() if card.key == key), None)


def joint_choice(cards: Sequence[ChoiceCard]) -> JointChoice:
    """Lay out the cards of one dataset."""
    by_name = dict(zip(names(cards), cards, strict=True))
    found = {name: card.found for name, card in by_name.items() if card.found is not None}
    selection, reason = next((each.together for each in found.values()), (None, None))
    if not found:
        reason = next((card.reason for card in cards), None)
    return JointChoice(by_name, found, selection, reason)


def questions_meant(card: ChoiceCard) -> int:
    """Return how many questions all of them are: those of a month if typed, else those here."""
    assert card.found is not None
    return card.settings.questions or card.found.choice.n_questions


def choose_runs(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    focus: Focus | None = None,
    ending: Ending = USUAL,
    tokens_of: Callable[[Run], Tokens] = estimate_tokens,
) -> tuple[ChoiceCard, ...]:
    """Choose among the runs of each dataset that a View names, the dataset in focus first."""
    groups = groups_in_focus(shown_runs(runs, view.runs), focus)
    findings = {}
    for dataset, group in groups.items():
        chosen = choose_jointly(group, view, pricing, tokens_of)
        findings[dataset] = add_alternatives(chosen, group, view, pricing, ending, tokens_of)
    return tuple(
        Card(key, run, view, pricing, *findings[dataset][key])
        for dataset, group in groups.items()
        for key, run in group.items()
    )


def choose_jointly(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens],
) -> Choices:
    """Choose among the runs of one dataset, and n for each of them.

    view: Its segment, missing and level count.
    tokens_of: As in `kofn.choose_n.prices.price_run`.
    Returns: Quality is selected@n where a signal picks, else pass@n where the pricing has a
    verifier, else a vote; intervals are about questions like these.
    """
    tried = _weigh_alike(runs, view, pricing, tokens_of)
    weighed = {key: found for key, (found, _) in tried.items() if found}
    if not weighed:
        return {key: (None, reason) for key, (_, reason) in tried.items()}
    limits = pricing.limits(max(_n_questions(each) for each, _ in weighed.values()))

    def choice_of(key: str) -> Choice:
        return select({key: weighed[key][0]}, limits, view.level).choices[key]

    every = {key: each for key, (each, _) in weighed.items()}
    together = attempt(select, every, limits, view.level)
    selection = together[0]
    return {
        key: (None, reason)
        if found is None
        else (
            PricedChoice(
                choice_of(key) if selection is None else selection.choices[key], found[1], together
            ),
            None,
        )
        for key, (found, reason) in tried.items()
    }


def choose_means(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens] = estimate_tokens,
) -> tuple[ChoiceCard, ...]:
    """Choose among models by their means over the datasets that all ran on, and n for each.

    Datasets count equally; n goes as far as all of them have it. None unless models share several
    datasets.
    """
    whole = whole_lines(shown_runs(runs, view.runs))
    if whole is None:
        return ()
    members = {f"{line} / {MEAN}": keys for line, keys in whole.keys.items()}
    group, settings = whole.runs(runs), replace(view, runs=())

    def choose(asked: Pricing) -> Choices:
        return _choose_over(group, members, settings, asked, tokens_of)

    def runs_of(name: str) -> list[Run]:
        return [group[key] for key in members[name].values()]

    findings = choose(pricing)
    known = _with_alternatives(findings, group, view, pricing, choose, runs_of)
    return tuple(
        mean_card(line, own, settings, pricing, (known.get(key), findings[key][1]))
        for key, (line, own) in zip(members, whole.members(runs).items(), strict=True)
    )


def _choose_over(
    runs: Mapping[str, Run],
    members: Mapping[str, Mapping[str, str]],
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens],
) -> Choices:
    """Choose among models over datasets, which are the keys of their runs by dataset."""
    tried = _weigh_alike(runs, view, pricing, tokens_of)
    weighed: dict[str, dict[str, Weighed]] = {}
    reasons: dict[str, Text | None] = {}
    for name, keys in members.items():
        tried_on = {dataset: tried[key] for dataset, key in keys.items()}
        reasons[name] = next((reason for each, reason in tried_on.values() if each is None), None)
        if reasons[name] is None:
            weighed[name] = {dataset: each[0] for dataset, (each, _) in tried_on.items() if each}
    if not weighed:
        return {name: (None, reason) for name, reason in reasons.items()}
    count = max(sum(map(_n_questions, each.values())) for each in weighed.values())
    limits = pricing.limits(count)
    together = attempt(select_suite, weighed, limits, view.level)
    selection = together[0]

    def priced(name: str) -> Priced:
        parts = [each[1] for key in members[name].values() if (each := tried[key][0])]
        return replace(parts[0], costs=0.0)

    def choice_of(name: str) -> Choice:
        if selection is not None:
            return selection.choices[name]
        return select_suite({name: weighed[name]}, limits, view.level).choices[name]

    return {
        name: (None, reason)
        if name not in weighed
        else (PricedChoice(choice_of(name), priced(name), together), None)
        for name, reason in reasons.items()
    }


def _weigh_alike(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens],
) -> dict[str, Finding[tuple[Weighed, Priced]]]:
    """Weigh runs by one kind of quality: votes by answers only where all have answers."""
    weigh_one = partial(
        _weigh, view=view, pricing=with_basis(pricing, runs.values()), tokens_of=tokens_of
    )
    tried = {key: attempt(weigh_one, run) for key, run in runs.items()}
    if len({found[0].metric for found, _ in tried.values() if found}) > 1:
        tried = {key: attempt(weigh_one, run, metric="maj@k") for key, run in runs.items()}
    return tried


def _against_free(
    runs: Sequence[Run], view: View, pricing: Pricing, one: PricedChoice
) -> AnswerWay:
    return mean_way(
        [compare_with_free(run, view, pricing.picked_by, one.n_of_ways) for run in runs]
    )


def add_alternatives(
    found: Choices,
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    ending: Ending,
    tokens_of: Callable[[Run], Tokens],
) -> Choices:
    """Add to what `choose_jointly` found what is said of it beside.

    That is what another count of costs would take, and of the run to take, where its answers vote
    or are picked, what votes save by ending early and what is gained beyond a free way.
    """
    group = {key: runs[key] for key, (each, _) in found.items() if each is not None}

    def choose(asked: Pricing) -> Choices:
        return choose_jointly(group, view, asked, tokens_of)

    known = _with_alternatives(found, group, view, pricing, choose, lambda key: [runs[key]])
    if known and all(each.choice.votes for each in known.values()):
        key, one = _to_take(known)
        costs = price_run(runs[key], with_basis(pricing, runs.values()), tokens_of).costs
        sequential = attempt(_stop_sequentially, runs[key], view, ending, one.choice, costs)
        known[key] = replace(one, sequential=sequential)
    return {key: (known.get(key), reason) for key, (_, reason) in found.items()}


def _with_alternatives(
    found: Choices,
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    choose: Callable[[Pricing], Choices],
    runs_of: Callable[[str], Sequence[Run]],
) -> dict[str, PricedChoice]:
    """Return what is known, with other counts of costs and, of what is taken, the free way."""
    known = {key: each for key, (each, _) in found.items() if each is not None}
    others = _otherwise(known, runs, pricing, choose) if known else ()
    known = {key: replace(each, otherwise=others) for key, each in known.items()}
    if known:
        key, one = _to_take(known)
        if not one.choice.stopping:
            free = attempt(_against_free, runs_of(key), view, pricing, one)
            known[key] = replace(one, free=free)
    return known


def _stop_sequentially(
    run: Run, view: View, ending: Ending, choice: Choice, costs: Any
) -> SequentialVotes:
    every = choice.table.n.tolist()
    sequential = stop_sequentially(run, view, ending, every, choice.safe_n or 0, costs)
    if choice.metric != "plurality@k":
        raise MetricError(
            Text("beside it are runs without extracted answers, so votes count right or wrong.")
        )
    return sequential


def _to_take(known: Mapping[str, PricedChoice]) -> tuple[str, PricedChoice]:
    """Return the run to take, or the one that comes nearest to the aim."""
    selection, _ = next(iter(known.values())).together
    key = selection.run if selection is not None else None
    if key is None:
        key = max(known, key=lambda name: known[name].choice.table.quality.max())
    return key, known[key]


def _otherwise(
    known: Mapping[str, PricedChoice],
    runs: Mapping[str, Run],
    pricing: Pricing,
    choose: Callable[[Pricing], Choices],
) -> tuple[OtherCount, ...]:
    """Return what other counts of costs would take, under an aim that is no amount."""
    selection, _ = next(iter(known.values())).together
    if selection is None or selection.run is None or selection.aim.rule in ("value", "budget"):
        return ()
    taken = selection.run, selection.choices[selection.run].safe_n
    now = with_basis(pricing, runs.values())
    counts = []
    for basis in known_bases(runs.values()):
        if basis == now.basis and not now.has_prices:
            continue
        choices = choose(replace(now.without_prices, basis=basis))
        other, _ = next(each.together for each, _ in choices.values() if each is not None)
        if other is None or other.run is None:
            continue
        n = other.choices[other.run].safe_n
        if (other.run, n) != taken and n:
            counts.append(OtherCount(basis, other.run, n))
    return tuple(counts)


def _weigh(
    run: Run,
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens],
    metric: MetricName = "pass@k",
) -> tuple[Weighed, Priced]:
    evidence = Evidence(known_of(run), view.missing, view.segment, run.answers)
    signal = pricing.picked_by
    wanted = picks_of(run, evidence, Way(numbers_of(run, signal)) if signal else metric)
    priced = price_run(run, pricing, tokens_of)
    return weigh(evidence, wanted, priced.costs, pricing.verifier, each=True), priced


def _n_questions(weighed: Weighed) -> int:
    return weighed.questions.n_questions
