"""The sentence that guidance opens with: which run is fit for what, and what the others lack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kofn.guidance.advice import ONE_SAMPLE
from kofn.guidance.analysis import GuidanceCard, called
from kofn.guidance.reach import shortfall
from kofn.guidance.sentences import line
from kofn.writing.estimates import percent
from kofn.writing.layout import named
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import UseCase
from metrics.analyses.guidance.precision import Status
from metrics.analyses.guidance.targets import Goal, Verdict
from metrics.data.words import Text, some_of
from metrics.estimating.caveats import FEW_QUESTIONS

NAMED = 3
"""The most runs that a sentence names."""


class _Fit(NamedTuple):
    """A run in one scenario."""

    name: str
    found: Guidance
    verdict: Verdict

    @property
    def farthest(self) -> Goal:
        """The target that the run is farthest from."""
        return max(self.verdict.targets, key=lambda goal: shortfall(self.found, goal))


def answer(cards: Sequence[GuidanceCard]) -> Text:
    """Say for each scenario which runs meet its targets, or which is nearest.

    Of several datasets the runs are counted.
    """
    found = [
        (name, card, card.found)
        for name, card in zip(called(cards), cards, strict=True)
        if card.found is not None
    ]
    if not found:
        return Text("Nothing can be advised: {why}", why=cards[0].reason if cards else "")
    if all(each.n == 1 for _, _, each in found):
        return ONE_SAMPLE
    most = max(each.estimates["avg"].n_questions for _, _, each in found)
    if most < FEW_QUESTIONS:
        return Text(
            "{count} question is too few to say what a model is fit for.",
            "{count} questions are too few to say what a model is fit for.",
            count=most,
        )
    scenarios = [verdict.scenario for verdict in found[0][2].verdicts]
    fits = [
        [_Fit(name, each, each.verdicts[i]) for name, _, each in found]
        for i in range(len(scenarios))
    ]
    one_dataset = len({card.run.dataset for _, card, _ in found}) == 1
    say = _named if one_dataset else _counted
    first, second, third = (
        say(scenario, group) for scenario, group in zip(scenarios, fits, strict=True)
    )
    return Text("{first} {second} {third}", first=first, second=second, third=third)


def _named(scenario: UseCase, fits: Sequence[_Fit]) -> Text:
    met, perhaps = _of(fits, "met"), _of(fits, "undecided")
    if len(fits) == 1 and (met or perhaps):
        said = Text("met") if met else Text("perhaps met")
        return Text("{use}: {said}.", use=scenario.name, said=said)
    if met:
        return Text("{use}: met by {runs}.", use=scenario.name, runs=_names(met))
    if perhaps:
        return Text("{use}: perhaps met by {runs}.", use=scenario.name, runs=_names(perhaps))
    nearest = min(fits, key=lambda fit: shortfall(fit.found, fit.farthest))
    goal = nearest.farthest
    lack = Text(
        "{metric} {value} of {limit}",
        metric=nearest.found.label(goal.dimension),
        value=percent(nearest.found.estimates[goal.dimension].value),
        limit=line(goal.limit),
    )
    if len(fits) == 1:
        return Text("{use}: not met, {lack}.", use=scenario.name, lack=lack)
    return Text(
        "{use}: met by none, {run} is nearest with {lack}.",
        use=scenario.name,
        run=named(nearest.name),
        lack=lack,
    )


def _counted(scenario: UseCase, fits: Sequence[_Fit]) -> Text:
    use, every = scenario.name, len(fits)
    met, perhaps = len(_of(fits, "met")), len(_of(fits, "undecided"))
    if not perhaps:
        return Text("{use}: met by {met} of {all} runs.", use=use, met=met, all=every)
    if not met:
        return Text(
            "{use}: perhaps met by {perhaps} of {all} runs.", use=use, perhaps=perhaps, all=every
        )
    return Text(
        "{use}: met by {met} of {all} runs, perhaps by {perhaps} more.",
        use=use,
        met=met,
        all=every,
        perhaps=perhaps,
    )


def _of(fits: Sequence[_Fit], status: Status) -> list[_Fit]:
    return [fit for fit in fits if fit.verdict.status == status]


def _names(fits: Sequence[_Fit]) -> str | Text:
    return some_of([named(fit.name) for fit in fits], NAMED)
