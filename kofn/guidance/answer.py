"""The sentence that guidance opens with: which run is fit for what, and what the others lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Final, NamedTuple

from kofn.card import runs_of
from kofn.choices.runs import FEWEST
from kofn.guidance.advice import gap_in_words
from kofn.guidance.analysis import GuidanceCard, called
from kofn.guidance.reach import shortfall
from kofn.guidance.sentences import is_judged, line
from kofn.standings.criteria import FindWinner, find_winner
from kofn.standings.lines import means, singles
from kofn.standings.sentences import rests_on
from kofn.standings.suite import left_out_of
from kofn.writing.estimates import percent
from kofn.writing.joining import joined, sentences, some
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.precision import Status
from metrics.analyses.guidance.targets import Goal, Verdict
from metrics.data.words import Listed, Text, some_of
from metrics.estimating.caveats import FEW_QUESTIONS

ALL_RIGHT: Final = "pass^k"
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


def answer(cards: Sequence[GuidanceCard], winner: FindWinner = find_winner) -> Text:
    """Say for which kinds of work models meet the targets, over all datasets or on one.

    Of several datasets that models do not share the runs are counted. A single try is not judged.

    Parameters
    ----------
    cards : sequence of GuidanceCard
        Of runs, and of models over several datasets.
    winner : callable
        In place of `kofn.standings.criteria.find_winner`, such as one with a cache.
    """
    whole = means(cards)
    assumed = rests_on(next((card.assumed for card in cards if card.assumed is not None), None))
    resting = [] if assumed is None else [assumed]
    first, *others = sentences(_answer_of(whole or cards))
    runs = runs_of(singles(cards))
    if not any(card.found and is_judged(card.found) for card in cards):
        return joined([first, *resting, *others])
    best = winner(runs, cards[0].view, ALL_RIGHT)
    alone = _alone(whole, singles(cards)) if whole else ()
    return joined([first, *resting, *others, *alone, *best, *left_out_of(runs)])


def _answer_of(cards: Sequence[GuidanceCard]) -> Text:
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
    fits = {
        verdict.scenario.key: [_Fit(name, each, each.verdicts[i]) for name, _, each in judged]
        for i, verdict in enumerate(judged[0][2].verdicts)
    }
    one_dataset = len({card.run.dataset for _, card, _ in found}) == 1
    fitting = list(_named(fits) if one_dataset else starmap(_counted, fits.items()))
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


WORK = {
    "reliability": Text("work that must be reliable"),
    "tolerance": Text("work that tolerates faults"),
    "balanced": Text("everyday work"),
}
"""What the scenarios are about."""


def _named(fits: Mapping[str, Sequence[_Fit]]) -> Iterator[Text]:
    """Say who meets which targets, then who comes closest to those that nobody meets."""
    met = {key: tuple(fit.name for fit in _of(group, "met")) for key, group in fits.items()}
    perhaps = {
        key: tuple(fit.name for fit in _of(group, "undecided")) for key, group in fits.items()
    }
    for names in dict.fromkeys(filter(None, met.values())):
        yield _meets([WORK[key] for key in fits if met[key] == names], names)
    missing = [key for key in fits if not met[key]]
    for names in dict.fromkeys(perhaps[key] for key in missing if perhaps[key]):
        yield _may_meet([WORK[key] for key in missing if perhaps[key] == names], names)
    missed = [key for key in missing if not perhaps[key]]
    if len(missed) == len(fits):
        first, *others = next(iter(fits.values()))
        yield (
            Text("None of {count} models meets any of the targets.", count=1 + len(others))
            if others
            else Text("{run} meets none of the targets.", run=named(first.name))
        )
    yield from (_closest(key, fits[key]) for key in missed)


def _meets(works: Sequence[Text], names: Sequence[str]) -> Text:
    return Text(
        "{runs} meets the targets for {work}.",
        "{runs} meet the targets for {work}.",
        count=len(names),
        runs=_some(names),
        work=_together(works),
    )


def _may_meet(works: Sequence[Text], names: Sequence[str]) -> Text:
    return Text(
        "{runs} may meet the targets for {work}; the data cannot tell.",
        runs=_some(names),
        work=_together(works),
    )


def _together(works: Sequence[Text]) -> Text:
    if len(works) == 1:
        return works[0]
    if len(works) == 2:
        return Text("{one} and {other}", one=works[0], other=works[1])
    return Text("all three kinds of work")


def _closest(scenario: str, fits: Sequence[_Fit]) -> Text:
    nearest = min(fits, key=lambda fit: shortfall(fit.found, fit.farthest))
    goal = nearest.farthest
    metric = nearest.found.label(goal.dimension)
    value, limit = percent(nearest.found.estimates[goal.dimension].value), line(goal.limit)
    if len(fits) == 1:
        return Text(
            "For {work} its {metric} is {value}; the target is {limit}.",
            work=WORK[scenario],
            metric=metric,
            value=value,
            limit=limit,
        )
    return Text(
        "For {work} {run} comes closest: its {metric} is {value}, the target {limit}.",
        work=WORK[scenario],
        run=named(nearest.name),
        metric=metric,
        value=value,
        limit=limit,
    )


def _counted(scenario: str, fits: Sequence[_Fit]) -> Text:
    work, every = WORK[scenario], len(fits)
    met, perhaps = len(_of(fits, "met")), len(_of(fits, "undecided"))
    if not perhaps:
        return Text(
            "{met} of {all} runs meet the targets for {work}.", work=work, met=met, all=every
        )
    if not met:
        return Text(
            "{perhaps} of {all} runs may meet the targets for {work}.",
            work=work,
            perhaps=perhaps,
            all=every,
        )
    return Text(
        "{met} of {all} runs meet the targets for {work}, and {perhaps} more may.",
        work=work,
        met=met,
        all=every,
        perhaps=perhaps,
    )


def _alone(whole: Sequence[GuidanceCard], cards: Sequence[GuidanceCard]) -> Iterator[Text]:
    """Say on which datasets alone targets are met that are not met over all."""
    within = {key for card in whole for key in card.over}
    inside = [(card, card.found) for card in cards if card.found and card.key in within]
    met = {
        verdict.scenario.key
        for card in whole
        for verdict in (card.found.verdicts if card.found else ())
        if verdict.status == "met"
    }
    for key, work in WORK.items():
        places = {
            card.run.dataset: None
            for card, found in inside
            for verdict in found.verdicts
            if verdict.scenario.key == key and verdict.status == "met"
        }
        if key not in met and places and is_judged(inside[0][1]):
            yield Text(
                "On {datasets} alone some model meets the targets for {work}.",
                datasets=some(named(printable(name)) for name in places),
                work=work,
            )


def _of(fits: Sequence[_Fit], status: Status) -> list[_Fit]:
    return [fit for fit in fits if fit.verdict.status == status]


def _some(names: Sequence[str]) -> Listed:
    return some_of(map(named, names), NAMED)
