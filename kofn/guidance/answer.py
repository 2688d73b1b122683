"""The sentence that guidance opens with: which run is fit for what, and what the others lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kofn.choices.runs import FEWEST
from kofn.guidance.advice import gap_in_words
from kofn.guidance.analysis import GuidanceCard, called
from kofn.guidance.reach import shortfall
from kofn.guidance.sentences import is_judged, line
from kofn.writing.estimates import percent
from kofn.writing.joining import joined
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

    Of several datasets the runs are counted. A single try is not judged.
    """
    found = [
        (name, card, card.found)
        for name, card in zip(called(cards), cards, strict=True)
        if card.found is not None
    ]
    if not found:
        return Text("Nothing can be advised: {why}", why=cards[0].reason if cards else "")
    judged = [each for each in found if is_judged(each[2])]
    if not judged:
        return gap_in_words(max((each for _, _, each in found), key=lambda each: each.n))
    most = max(each.estimates["avg"].n_questions for _, _, each in judged)
    if most < FEW_QUESTIONS:
        return Text(
            "{count} question is too few to say what a model is fit for.",
            "{count} questions are too few to say what a model is fit for.",
            count=most,
        )
    scenarios = [verdict.scenario for verdict in judged[0][2].verdicts]
    fits = [
        [_Fit(name, each, each.verdicts[i]) for name, _, each in judged]
        for i in range(len(scenarios))
    ]
    one_dataset = len({card.run.dataset for _, card, _ in found}) == 1
    say = _named if one_dataset else _counted
    fitting = [say(scenario, group) for scenario, group in zip(scenarios, fits, strict=True)]
    return joined([*fitting, *_not_judged([name for name, _, each in found if each.n == 1])])


def _not_judged(one_sample: Sequence[str]) -> Iterator[Text]:
    if one_sample:
        yield Text(
            "{runs} has one sample a question and is not judged: run it with n = {n}.",
            "{runs} have one sample a question and are not judged: run them with n = {n}.",
            count=len(one_sample),
            runs=_some(one_sample),
            n=FEWEST,
        )


def _named(scenario: UseCase, fits: Sequence[_Fit]) -> Text:
    met, perhaps = _of(fits, "met"), _of(fits, "undecided")
    if len(fits) == 1 and (met or perhaps):
        said = Text("met") if met else Text("perhaps met")
        return Text("{use}: {said}.", use=scenario.name, said=said)
    if met:
        return Text(
            "{use}: met by {runs}.", use=scenario.name, runs=_some([fit.name for fit in met])
        )
    if perhaps:
        return Text(
            "{use}: perhaps met by {runs}.",
            use=scenario.name,
            runs=_some([fit.name for fit in perhaps]),
        )
    nearest = min(fits, key=lambda fit: shortfall(fit.found, fit.farthest))
    goal = nearest.farthest
    lack = Text(
        "{metric} {value}, target {limit}",
        metric=nearest.found.label(goal.dimension),
        value=percent(nearest.found.estimates[goal.dimension].value),
        limit=line(goal.limit),
    )
    if len(fits) == 1:
        return Text("{use}: not met ({lack}).", use=scenario.name, lack=lack)
    return Text(
        "{use}: met by none; {run} is nearest ({lack}).",
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


def _some(names: Sequence[str]) -> str:
    return some_of(map(named, names), NAMED)
