"""Decision matrices and scenarios of several runs under one View, and what to do with each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from kofn.card import Card, Find, attempt, finder, make_cards
from kofn.choices.codec import Choices
from kofn.choices.runs import known_of, shared_k, shown_runs
from kofn.choices.settings import Setting, number
from kofn.choices.view import View
from kofn.leaderboard.lines import mean_card, whole_lines
from metrics.analyses.guidance.decision import Guidance, guidance
from metrics.analyses.guidance.decision_matrix import HIGH, LOW, USE_CASES, UseCase
from metrics.analyses.guidance.suites import guidance_of_means
from metrics.data.words import Text, printable
from reports.run.report import Run


@dataclass(frozen=True)
class Goals(Choices):
    """The lines between levels, and what the scenarios ask: AISBench's hypothetical ones."""

    # A level is high above the one, low below the other, and medium from one to the other.
    high: float = HIGH
    low: float = LOW
    # reliability_cons, reliability_pass, tolerance_pass, tolerance_avg, balanced_avg: What a metric
    # must exceed in a scenario, by the key of the scenario.
    reliability_cons: float = USE_CASES[0].targets["cons"]
    reliability_pass: float = USE_CASES[0].targets["pass"]
    tolerance_pass: float = USE_CASES[1].targets["pass"]
    tolerance_avg: float = USE_CASES[1].targets["avg"]
    balanced_avg: float = USE_CASES[2].targets["avg"]

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        number("high", (0, 1, HIGH), Text("a metric above it is high (default: 0.8)")),
        number("low", (0, 1, LOW), Text("a metric below it is low (default: 0.5)")),
        number(
            "reliability-cons", (0, 1, 0.8), Text("reliability first: cons@k above (default: 0.8)")
        ),
        number(
            "reliability-pass", (0, 1, 0.9), Text("reliability first: pass@k above (default: 0.9)")
        ),
        number(
            "tolerance-pass",
            (0, 1, 0.8),
            Text("fault tolerance first: pass@k above (default: 0.8)"),
        ),
        number(
            "tolerance-avg", (0, 1, 0.7), Text("fault tolerance first: avg@n above (default: 0.7)")
        ),
        number("balanced-avg", (0, 1, 0.75), Text("balanced: avg@n above (default: 0.75)")),
    )

    @property
    def scenarios(self) -> tuple[UseCase, ...]:
        """The scenarios with these targets."""
        return tuple(
            replace(
                scenario,
                targets={
                    dimension: getattr(self, f"{scenario.key}_{dimension}")
                    for dimension in scenario.targets
                },
            )
            for scenario in USE_CASES
        )


GuidanceCard = Card[Guidance, Goals]


def guide(run: Run, view: View, goals: Goals) -> Guidance:
    """Place one run in the matrix, at the k of its View."""
    return guidance(
        known_of(run),
        k=view.k[0] if view.k else None,
        high=goals.high,
        low=goals.low,
        scenarios=goals.scenarios,
        **view.asked_but_target,
        answers=run.answers,
    )


def guide_means(runs: Mapping[str, Run], view: View, goals: Goals) -> tuple[GuidanceCard, ...]:
    """Place models in the matrix by their means over the datasets that all ran on.

    By one k for all: that of the View, or the most that all have. None unless models share several
    datasets.
    """
    whole = whole_lines(shown_runs(runs, view.runs))
    if whole is None:
        return ()
    group = whole.runs(runs)
    sizes = {
        n for run in group.values() for n in known_of(run).sizes(view.missing, view.segment)[0]
    }
    shared = shared_k(group.values(), view)
    plain = replace(view, runs=())

    def card(line: str, members: Mapping[str, Run], k: int | None) -> GuidanceCard:
        found = attempt(_guide_mean, list(members.values()), plain, goals, k)
        shown = replace(plain, k=() if k is None or not view.k else (k,))
        return mean_card(line, members, shown, goals, found)

    asked = view.k or (None if len(sizes) == 1 else shared,)
    return tuple(
        card(line, members, k) for line, members in whole.members(runs).items() for k in asked
    )


def _guide_mean(runs: Sequence[Run], view: View, goals: Goals, k: int | None) -> Guidance:
    return guidance_of_means(
        list(map(known_of, runs)),
        answers=[run.answers for run in runs],
        k=k,
        high=goals.high,
        low=goals.low,
        scenarios=goals.scenarios,
        **view.asked_but_target,
    )


def guide_runs(
    runs: Mapping[str, Run],
    view: View,
    goals: Goals,
    find: Find[Guidance] | None = None,
) -> tuple[GuidanceCard, ...]:
    """Place every run that a View names, at each of its k; `find` may be one with a cache."""

    def asked(key: str, run: Run) -> Iterable[tuple[View, Goals]]:
        return [(replace(view, k=(k,)), goals) for k in view.k] or [(view, goals)]

    return make_cards(find or finder(guide), runs, view, asked)


def best_first(cards: Sequence[GuidanceCard]) -> tuple[GuidanceCard, ...]:
    """Sort runs by what they solve on one try; those without guidance are last."""

    def solved(card: GuidanceCard) -> float:
        return -1.0 if card.found is None else card.found.estimates["avg"].value

    return tuple(sorted(cards, key=solved, reverse=True))


def run_names(cards: Sequence[GuidanceCard]) -> list[str]:
    """Name the runs, each with its k where one was chosen."""
    several = len({card.view.k for card in cards}) > 1
    models = [printable(card.run.model) for card in cards]
    alone = len({(card.run.model, card.view.k) for card in cards}) == len(cards)
    return [
        f"{model if alone else card.key}, k = {card.view.k[0]}"
        if several and card.view.k
        else (model if alone else card.key)
        for card, model in zip(cards, models, strict=True)
    ]
