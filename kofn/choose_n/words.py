"""Sentences about a choice of n, for the page, the command and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from charts.margins import Margin
from charts.tradeoff import PricedRun
from kofn.card import MEAN, Finding, cards_by_dataset, limits, runs_of, side_of
from kofn.choices.runs import FEWEST
from kofn.choices.signals import column_of, signal_name
from kofn.choose_n.analysis import (
    ChoiceCard,
    JointChoice,
    PricedChoice,
    joint_choice,
    questions_meant,
)
from kofn.choose_n.answer_ways import AnswerWay
from kofn.choose_n.frontier import Offer, frontiers
from kofn.choose_n.prices import SAMPLES, column, quantity
from kofn.choose_n.pricing import Basis
from kofn.choose_n.sequential_stopping import LOSS, SequentialVotes
from kofn.leaderboard.field import assumed_in
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets, first_group
from kofn.leaderboard.words import exclusions_among, with_assumption
from kofn.writing.estimates import (
    chance_in_percent,
    percent,
    percent_of,
    points,
    points_less,
    points_of,
)
from kofn.writing.joining import joined, some, with_name
from kofn.writing.layout import short_name
from metrics import AdaptiveVote, Choice, Selection
from metrics.analyses.choose_n.advice import Advice, Rule
from metrics.analyses.choose_n.selection import shared_only_caveat
from metrics.analyses.choose_n.simulation import NOT_SIMULATED, several_runs_reliability
from metrics.analyses.choose_n.suites import shared_on
from metrics.analyses.choose_n.tradeoff import Tradeoff
from metrics.analyses.sequential_stopping.stopping import Confidence, Decided, Stopping
from metrics.data.results import Estimate
from metrics.data.words import Text

Amount = Callable[[float], object]
"""Spells a cost."""
STEPS = 4
"""The most steps of a frontier that are put in words."""

# The answer ---------------------------------------------------------------------------------------


def answer(chosen: Sequence[ChoiceCard]) -> Text:
    """Say which run to take at which n over all datasets and what it buys, or why none is chosen.

    Of several datasets that models do not share the first is meant, and named.
    """
    if whole := cards_over_datasets(chosen):
        return joined([answer_of(whole), *exceptions(whole, cards_of_runs(chosen))])
    (dataset, cards), *others = cards_by_dataset(chosen).items()
    sentence = answer_of(cards)
    if not others:
        return sentence
    return with_name(short_name(dataset), sentence)


def exceptions(whole: Sequence[ChoiceCard], chosen: Sequence[ChoiceCard]) -> Iterator[Text]:
    """Say on which datasets alone another model would be taken, and which do not count."""
    taken, within = joint_choice(whole).chosen, {key for card in whole for key in card.over}
    alone: dict[str, list[str]] = {}
    groups = cards_by_dataset(card for card in chosen if card.key in within)
    for dataset, cards in groups.items():
        joint = joint_choice(cards)
        if joint.chosen is not None and joint.chosen != taken:
            alone.setdefault(joint.chosen, []).append(short_name(dataset))
    if taken is not None and len(alone) == 1:
        ((name, datasets),) = alone.items()
        yield Text(
            "On {datasets} alone it would be {name}.",
            datasets=some(datasets),
            name=short_name(name),
        )
    elif taken is not None and alone:
        yield Text(
            "On {count} of {all} datasets alone it would be another model.",
            count=sum(map(len, alone.values())),
            all=len(groups),
        )
    yield from exclusions_among(runs_of(chosen))


def answer_of(cards: Sequence[ChoiceCard]) -> Text:
    """Return the answer for the runs of one dataset: the choice, and what stands against it."""
    return joined([choice_of(cards), *alternatives(cards)])


def choice_of(cards: Sequence[ChoiceCard]) -> Text:
    """Say which run to take at which n, or why there is none; and which questions count."""
    joint = joint_choice(cards)
    chosen = joint.cards[joint.chosen] if joint.chosen is not None else None
    remarks = joint.selection.remarks if joint.selection and chosen else ()
    where_some_do_not_count = shared_only_caveat(0, 0, 0).template, shared_on(0, 0).template
    counted = [each for each in remarks if each.template in where_some_do_not_count]
    return joined([_choice_of(cards), *counted])


def _choice_of(cards: Sequence[ChoiceCard]) -> Text:
    joint, assumed = joint_choice(cards), assumed_in(card.run for card in cards)
    if joint.selection is None:
        return Text("No n can be chosen: {why}", why=joint.reason)
    if joint.chosen is None:
        return with_assumption(assumed, _WITHOUT[joint.selection.aim.rule](joint, joint.selection))
    if joint.found[joint.chosen].choice.stopping:
        return _taken(joint, joint.chosen)
    return with_assumption(assumed, _taken(joint, joint.chosen))


def _taken(joint: JointChoice, chosen: str) -> Text:
    found, over = joint.found[chosen], joint.cards[chosen].over
    if over:
        return Text(
            "Use {run} at n = {n} if {chosen}: {quality} on average over {count} datasets, for "
            "{cost} a question.",
            run=short_name(chosen),
            n=found.n,
            chosen=_chosen(joint.cards[chosen], found.choice),
            quality=_solved(found),
            count=len(over),
            cost=_cost(found),
        )
    return Text(
        "Use {run} at n = {n} if {chosen}: {quality} for {cost} a question.",
        run=short_name(chosen),
        n=found.n,
        chosen=_chosen(joint.cards[chosen], found.choice),
        quality=_solved(found),
        cost=_cost(found),
    )


FRACTIONS = (
    (1 / 2, Text("about half")),
    (1 / 3, Text("about a third")),
    (1 / 4, Text("about a quarter")),
    (1 / 5, Text("about a fifth")),
    (1 / 10, Text("about a tenth")),
)
NEAR = 0.12
"""A fraction is named where it is off by no more than this share of it."""


def checked_answers(chosen: Sequence[ChoiceCard]) -> Text | None:
    """Say what checked answers solve, beside what another model would take for it.

    Over all datasets, or of the only one. None where no several tries are worth it.
    """
    cards = first_group(chosen) if chosen else []
    joint = joint_choice(cards) if cards else None
    if joint is None or joint.selection is None or joint.chosen is None:
        return None
    found = joint.found[joint.chosen]
    if found.n < 2 or not found.choice.stopping:
        return None
    if (other := _dearer(joint, joint.selection)) is None:
        return Text(
            "If answers can be checked, {run} at n = {n} solves {quality} for {cost} a question on "
            "average.",
            run=short_name(joint.chosen),
            n=found.n,
            quality=_solved(found),
            cost=_cost(found),
        )
    share = _paid(found) / _paid(joint.found[other])
    return Text(
        "If answers can be checked, {run} at n = {n} solves {quality} for {share} of the {unit} "
        "that {other} takes.",
        run=short_name(joint.chosen),
        n=found.n,
        quality=_solved(found),
        share=_fraction(share),
        unit=found.priced.unit,
        other=short_name(other),
    )


def _dearer(joint: JointChoice, selection: Selection) -> str | None:
    """Return the model that comes next, if it takes clearly more at its own n."""
    others = [
        name for name, found in joint.found.items() if name != joint.chosen and found.choice.safe_n
    ]
    if not others or joint.chosen is None:
        return None
    name = max(others, key=lambda name: selection.chances[joint.cards[name].key])
    taken = _paid(joint.found[joint.chosen])
    return name if taken < (1 - NEAR) * _paid(joint.found[name]) else None


def _paid(found: PricedChoice) -> float:
    return float(found.choice.table.cost[found.place])


def _fraction(share: float) -> Text:
    for part, sentence in FRACTIONS:
        if abs(share / part - 1) <= NEAR:
            return sentence
    return Text("{share:.0%}", share=share)


def alternatives(cards: Sequence[ChoiceCard]) -> list[Text]:
    """Say what stands beside the choice: other counts of costs, a free way, votes ended early."""
    joint = joint_choice(cards)
    if joint.chosen is None:
        return []
    found = joint.found[joint.chosen]
    free, _ = found.free
    sentences = [*_by_other_counts(joint, found), *_within_a_budget(joint)]
    if free is not None and (nothing := no_gain_in_words(free)) is not None:
        sentences.append(nothing)
    if _is_sequential(found):
        sentences += _sequential(found)
    return sentences


def _within_a_budget(joint: JointChoice) -> Iterator[Text]:
    """Yield how sure it is that what is bought for a budget is the best, and what comes next."""
    if joint.selection is not None and joint.selection.aim.rule == "budget":
        yield from _likely(joint, joint.selection)
        yield from _next(joint, joint.selection)


def _chosen(card: ChoiceCard, choice: Choice) -> Text:
    """Say how one of n answers becomes the answer."""
    if choice.stopping and card.assumed is not None:
        return Text(
            "scores above {threshold:g}, assumed right, can be checked", threshold=card.assumed
        )
    if choice.stopping:
        return Text("answers can be checked")
    if choice.votes:
        return Text("answers vote")
    signal = card.settings.picked_by
    return Text("{signal} picks", signal=signal_name(signal, column_of(card.run, signal)))


COUNTED: Mapping[Basis, Text] = {
    "tokens": Text("tokens"),
    "seconds": Text("seconds"),
    "samples": Text("samples"),
}
"""What is counted."""


def _by_other_counts(joint: JointChoice, taken: PricedChoice) -> Iterator[Text]:
    """Yield what is cheaper where something else is counted, and what that costs here."""
    for (key, n), alike in groupby(taken.otherwise, lambda other: (other.run, other.n)):
        name = joint.called(key) or ""
        found = joint.found[name]
        counts = [COUNTED[other.basis] for other in alike]
        at = found.choice.table.index(n)
        yield Text(
            "By {counts} {run} at n = {n} is cheaper ({quality}), but it takes {cost}.",
            counts=counts[0] if len(counts) == 1 else Text("{a} and {b}", a=counts[0], b=counts[1]),
            run=short_name(name),
            n=n,
            quality=percent(found.choice.table.quality[at]),
            cost=found.priced.amount(float(found.choice.table.cost[at])),
        )


def _is_sequential(found: PricedChoice) -> bool:
    """Return whether votes end early by what was asked for, or are those of the n to use."""
    sequential, _ = found.sequential
    return sequential is not None and (
        sequential.asked is not None or sequential.cap == found.choice.safe_n
    )


def _sequential(found: PricedChoice) -> Iterator[Text]:
    sequential, _ = found.sequential
    if sequential is not None and sequential.vote is not None:
        counted = found.priced.unit == SAMPLES
        yield early_vote_in_words(sequential.vote, None if counted else found.priced.amount)


def _solved(found: PricedChoice) -> Text:
    return _quality(found.choice.table, found.place)


def _quality(table: Tradeoff, at: int) -> Text:
    return percent(table.quality[at], table.quality_low[at], table.quality_high[at])


def _cost(found: PricedChoice) -> Text:
    return found.priced.amount(_paid(found))


# No choice ----------------------------------------------------------------------------------------


def _too_few_questions(joint: JointChoice) -> Text | None:
    """Say that one question, or one cluster, allows no choice."""
    for name, found in joint.found.items():
        if found.choice.n and found.choice.safe_n is None:
            return Text(
                "No n can be chosen: one question, or group of questions, says nothing about "
                "others. For this one alone {run} would need n = {n}.",
                run=short_name(name),
                n=found.choice.n,
            )
    return None


def _without_reach(joint: JointChoice, selection: Selection) -> Text:
    if selection.aim.target is None:
        return Text("No n can be chosen: only n = 1 was measured. Run it with n = {n}.", n=FEWEST)
    if selection.aim.target == 0:
        return Text("No n can be chosen: no question was solved.")
    alone = _too_few_questions(joint)
    assert alone is not None  # of several questions the best run surely reaches a share of itself
    return alone


def _without_quality(joint: JointChoice, selection: Selection) -> Text:
    def best(name: str) -> float:
        return float(joint.found[name].choice.table.quality.max())

    name = max(joint.found, key=best)
    table = joint.found[name].choice.table
    at = int(table.quality.argmax())
    return _too_few_questions(joint) or Text(
        "Nothing here is sure to solve {target:.4g}%. {run} at n = {n} comes nearest: {quality}.",
        target=100 * selection.aim.limit,
        run=short_name(name),
        n=int(table.n[at]),
        quality=_quality(table, at),
    )


def _without_budget(joint: JointChoice, selection: Selection) -> Text:
    def cheapest(name: str) -> tuple[float, float]:
        table = joint.found[name].choice.table
        return float(table.cost[0]), -float(table.quality[0])

    name = min(joint.found, key=cheapest)
    found = joint.found[name]
    return _too_few_questions(joint) or Text(
        "Nothing here is sure to cost at most {budget} a question. {run} at n = {n} comes nearest: "
        "{cost}.",
        budget=found.priced.amount(selection.aim.limit),
        run=short_name(name),
        n=int(found.choice.table.n[0]),
        cost=found.priced.amount(float(found.choice.table.cost[0])),
    )


def _without_value(joint: JointChoice, selection: Selection) -> Text:
    def each_solved(found: PricedChoice) -> float:
        return float(np.nan_to_num(found.choice.table.cost_per_solved[0], nan=np.inf))

    name, found = min(joint.found.items(), key=lambda each: each_solved(each[1]))
    if not np.isfinite(each_solved(found)):
        return Text("No n can be chosen: no question was solved.")
    return _too_few_questions(joint) or Text(
        "Nothing here is sure to be worth its price. {run} at n = {n} comes nearest: a solved "
        "question costs {cost}, and is worth {value}.",
        run=short_name(name),
        n=int(found.choice.table.n[0]),
        cost=found.priced.amount(each_solved(found)),
        value=found.priced.amount(selection.aim.limit),
    )


_WITHOUT = {
    "value": _without_value,
    "budget": _without_budget,
    "quality": _without_quality,
    "reach": _without_reach,
}

# What it rests on ---------------------------------------------------------------------------------


def advice(card: ChoiceCard) -> Text:
    """Say which n the aim asks of one run, or why none."""
    if card.found is None:
        assert card.reason is not None
        return card.reason
    choice, (selection, _) = card.found.choice, card.found.together
    option = choice.advice[choice.rule]
    if selection is not None and selection.aim.run:
        whose = selection.aim.run
        run = short_name(whose.removesuffix(f" / {MEAN}") if card.over else whose)
        option = replace(option, best=Text("{best} of {run}", best=selection.aim.best, run=run))
    return advice_in_words(option, card.found.priced.amount)


def advice_in_words(option: Advice, amount: Amount = "{:.4g}".format) -> Text:
    """Say what a rule chooses, with costs spelled by ``amount``."""
    if option.n is not None and option.safe_n is None:
        return Text(
            "These data give n = {n}, but one question (or group of questions) says nothing "
            "about others.",
            n=option.n,
        )
    return _SENTENCES[option.rule](option, amount)


def reasons(cards: Sequence[ChoiceCard]) -> list[Text]:
    """Say what the answer rests on: the aim, all it costs, the last try, what is next."""
    joint = joint_choice(cards)
    return [] if joint.selection is None else [*_reasons(joint, joint.selection)]


def _reasons(joint: JointChoice, selection: Selection) -> Iterator[Text]:
    if joint.chosen is not None:
        card, found = joint.cards[joint.chosen], joint.found[joint.chosen]
        yield advice(card)
        yield _cost_in_all(card, found)
        yield from _last_step(found)
        if selection.aim.rule != "budget":
            yield from _likely(joint, selection)
            yield from _next(joint, selection)
    for found in joint.found.values():
        if joint.chosen is None or not _is_sequential(found):
            yield from _sequential(found)
        if (why := why_none_ends_early(found.sequential)) is not None:
            yield why
    for name, card in joint.cards.items():
        if card.reason is not None:
            yield Text("{run} is left out: {why}", run=short_name(name), why=card.reason)
    yield from selection.remarks


def reliability(cards: Sequence[ChoiceCard]) -> Text | None:
    """Say how often the n to use was as good as it is said to be; None where none is chosen."""
    joint = joint_choice(cards)
    if joint.chosen is None:
        return None
    choice = joint.found[joint.chosen].choice
    if len(joint.found) == 1:
        return choice.held
    if not all(each.choice.simulated and each.choice.stopping for each in joint.found.values()):
        return NOT_SIMULATED
    return several_runs_reliability(choice.rule, choice.n_questions, len(joint.found))


def _cost_in_all(card: ChoiceCard, found: PricedChoice) -> Text:
    count = questions_meant(card)
    amount = found.priced.amount(count * _paid(found))
    if card.settings.questions is not None:
        return Text("{count} questions take {amount}.", amount=amount, count=count)
    return Text(
        "This one question takes {amount}.",
        "These {count} questions take {amount}.",
        amount=amount,
        count=count,
    )


def _last_step(found: PricedChoice) -> Iterator[Text]:
    table, at = found.choice.table, found.place
    if at == 0:
        return
    further = float(table.cost_per_further[at])
    first, last = int(table.n[at - 1]), int(table.n[at])
    if np.isnan(further):
        yield Text(
            "Going from n = {first} to {last} solves no additional question.",
            first=first,
            last=last,
        )
    else:
        yield Text(
            "Going from n = {first} to {last} costs {cost} per additional question solved.",
            first=first,
            last=last,
            cost=found.priced.amount(further),
        )


def _likely(joint: JointChoice, selection: Selection) -> Iterator[Text]:
    """Yield with what chance the run to take is the best at its n, and what it costs if not."""
    assert selection.run is not None
    chance, loss = selection.chances[selection.run], selection.losses[selection.run]
    if len(selection.chances) < 2 or (chance < 1 and not loss):
        return
    rule = selection.aim.rule
    sentence = Text(
        "Of {count} runs, each at its own n, it {does} with a chance of {chance}",
        count=len(selection.chances),
        does=_BEST[rule],
        chance=chance_in_percent(chance),
    )
    if chance == 1:
        yield Text("{said}.", said=sentence)
        return
    lost, amount = loss / (1 - chance), joint.found[joint.chosen or ""].priced.amount
    cost = points(lost) if rule == "budget" else Text("{cost} a question", cost=amount(lost))
    yield Text("{said}; if it does not, that costs {cost} on average.", said=sentence, cost=cost)


_BEST: dict[Rule, Text] = {
    "value": Text("gains most beyond its cost"),
    "budget": Text("solves most"),
    "quality": Text("costs least"),
    "reach": Text("costs least"),
}


def _next(joint: JointChoice, selection: Selection) -> Iterator[Text]:
    """Yield what the other run offers that is likeliest to be the best."""
    others = [name for name in joint.found if name != joint.chosen]
    sure = [name for name in others if joint.found[name].choice.safe_n]
    if sure:
        name = max(sure, key=lambda name: selection.chances[joint.cards[name].key])
        found = joint.found[name]
        yield Text(
            "The next best is {run} at n = {n}: {quality} for {cost} a question.",
            run=short_name(name),
            n=found.n,
            quality=_solved(found),
            cost=_cost(found),
        )
    elif others:
        yield _NONE_ELSE[selection.aim.rule]


_NONE_ELSE: dict[Rule, Text] = {
    "value": Text("No other run is sure to be worth its price."),
    "budget": Text("No other run is sure to stay within the budget."),
    "quality": Text("No other run is sure to reach the aim with its samples."),
    "reach": Text("No other run is sure to reach the aim with its samples."),
}


def best_in_words(cards: Sequence[ChoiceCard]) -> Text | None:
    """Say which of the runs of a dataset is best for its cost from where on; None for one run.

    Of equal offers the first is named.
    """
    joint = joint_choice(cards)
    if len(joint.found) < 2:
        return None
    (offers,) = frontiers(cards).values()
    amount = next(iter(joint.found.values())).priced.amount
    first: dict[tuple[float, float], Offer] = {}
    for offer in offers:
        if offer.best:
            first.setdefault((offer.cost, offer.quality), offer)
    spans = [list(span) for _, span in groupby(first.values(), key=lambda offer: offer.key)]
    sentence: Text | None = None
    for span in spans[:STEPS]:
        step = Text(
            "{run} at {n} from {cost}",
            run=short_name(joint.called(span[0].key) or ""),
            n=_ns(span[0].n, span[-1].n),
            cost=amount(span[0].cost),
        )
        sentence = (
            step if sentence is None else Text("{before}, then {step}", before=sentence, step=step)
        )
    if len(spans) > STEPS:
        sentence = Text("{said}, and {count} more", said=sentence, count=len(spans) - STEPS)
    return Text("Best for its cost: {said}; each cost is that of a question.", said=sentence)


def _ns(first: int, last: int) -> Text:
    if first == last:
        return Text("n = {n}", n=first)
    return Text("n = {first} to {last}", first=first, last=last)


TAKEN = Text("take this")
MISSES: dict[Rule, Text] = {
    "value": Text("not worth its price"),
    "budget": Text("too dear"),
    "quality": Text("not sure to reach it"),
    "reach": Text("not sure to reach it"),
}
"""Of a run that misses the aim."""

# Ways to get one answer ---------------------------------------------------------------------------


def way_name(way: AnswerWay) -> Text:
    """Name a way to get one answer out of several."""
    cut = "" if way.cut is None else quantity(way.cut)
    return {
        "one": Text("one answer"),
        "checked": Text("{k} answers, checked", k=way.k),
        "voted": Text("a vote of {k}", k=way.k),
        "early": Text("a vote of up to {k}, ended early", k=way.k),
        "picked": Text("picked by {signal} among {k}", signal=way.signal, k=way.k),
        "short": Text("{k} answers cut at {cut} tokens, checked", k=way.k, cut=cut),
        "short voted": Text("a vote of {k} answers cut at {cut} tokens", k=way.k, cut=cut),
    }[way.kind]


FREE = {"voted": Text("a plain vote"), "one": Text("one answer")}
"""What can be had without a check, a signal or further answers."""


def free_way_name(way: AnswerWay) -> Text | None:
    """Name what a way is set against."""
    if way.cut is not None:
        return Text("one long answer")
    return None if way.free is None else FREE[way.free]


def no_gain_in_words(way: AnswerWay) -> Text | None:
    """Say that a way gains nothing over a free one, with both numbers; None where it surely does.

    A vote that ends early is to cost less, not to gain.
    """
    difference = unsure_gain(way)
    if difference is None or way.free_value is None:
        return None
    return Text(
        "{way} solves {value}, {free} {other}: {difference}.",
        way=_doing(way),
        value=percent(way.value.value),
        free=free_way_name(way),
        other=percent(way.free_value.value),
        difference=difference,
    )


def unsure_gain(way: AnswerWay) -> Text | None:
    """Return what a way gains beyond a free one, if that is not surely something."""
    if way.free_value is None or way.gain is None:
        return None
    side = side_of(way.gain)
    if side > 0:
        return None
    if side < 0:
        return Text("{fewer} less", fewer=points_less(way.gain))
    return Text("no sure difference, {gain}", gain=points_of(way.gain))


def _doing(way: AnswerWay) -> Text:
    return {
        "checked": Text("Checking {k} answers", k=way.k),
        "picked": Text("Picking by {signal} among {k}", signal=way.signal, k=way.k),
        "short": Text("Checking {k} short answers", k=way.k),
        "short voted": Text("A vote of {k} short answers", k=way.k),
    }.get(way.kind, Text("A vote of {k}", k=way.k))


def ways_in_words(ways: Sequence[AnswerWay]) -> list[Text]:
    """Say which ways gain nothing over a free one."""
    return [sentence for sentence in map(no_gain_in_words, ways) if sentence is not None]


# Votes that end early -----------------------------------------------------------------------------

RULES = {
    "decided": Text("Winner decided"),
    "confidence": Text("Adaptive-Consistency"),
    "windows": Text("Early-stopping self-consistency"),
}
"""What the rules are called that end votes early."""


def rule_name(rule: Stopping) -> Text:
    """Name a rule with its setting.

    Examples
    --------
    >>> str(rule_name(Confidence(0.9)))
    'Adaptive-Consistency, 90%'
    """
    if isinstance(rule, Decided):
        return RULES[rule.name]
    if isinstance(rule, Confidence):
        return Text("{name}, {level:.4g}%", name=RULES[rule.name], level=100 * rule.threshold)
    return Text("{name}, windows of {width}", name=RULES[rule.name], width=rule.width)


def short_rule_name(rule: Stopping) -> Text:
    """Name a rule where there is little room."""
    if isinstance(rule, Decided):
        return Text("decided")
    if isinstance(rule, Confidence):
        return Text("leader {level:.4g}% likely", level=100 * rule.threshold)
    return Text("windows of {width}", width=rule.width)


def _ended(rule: Stopping) -> Text:
    if isinstance(rule, Decided):
        return Text("Ended once nothing can change its winner")
    if isinstance(rule, Confidence):
        return Text(
            "Ended once its leader is {level:.4g}% likely to stay ahead", level=100 * rule.threshold
        )
    return Text("Ended by a window of {width} equal answers", width=rule.width)


def amount(estimate: Estimate) -> Text:
    """Write a number of samples, or a cost, with its interval.

    Examples
    --------
    >>> from metrics.data.results import Interval
    >>> str(amount(Estimate(5.213, Interval(4.95, 5.47), 0.95, "population", 9, Text(""))))
    '5.21 (4.95 to 5.47)'
    >>> str(amount(Estimate(5.213, None, 0.95, "population", 1, Text(""))))
    '5.21'
    """
    low, high = limits(estimate)
    if low is None or high is None:
        return Text("{value}", value=quantity(estimate.value))
    value, low_written, high_written = column([estimate.value, low, high])
    return Text("{value} ({low} to {high})", value=value, low=low_written, high=high_written)


def gain_over_full_vote(vote: AdaptiveVote) -> Text:
    """Say how much more often than a vote of all it is right."""
    if isinstance(vote.rule, Decided):
        return Text("the same")
    return points_of(vote.gain)


def early_vote_in_words(vote: AdaptiveVote, cost: Callable[[float], Text] | None = None) -> Text:
    """Say what a vote that ends early takes, saves and loses.

    cost: Spells its cost, where that is not its number of samples.
    """
    answers = Text("changes what is right by {gain}", gain=gain_over_full_vote(vote))
    if isinstance(vote.rule, Decided):
        answers = Text("answers the same")
    return Text(
        "{ended}, a vote of up to {cap} takes {samples} samples{cost}: {saved} fewer, and "
        "{answers}.",
        ended=_ended(vote.rule),
        cap=vote.cap,
        samples=amount(vote.samples),
        cost="" if cost is None else Text(" for {cost}", cost=cost(vote.cost.value)),
        saved=percent_of(vote.saved),
        answers=answers,
    )


def orders_in_words(sequential: SequentialVotes) -> list[Text]:
    """Say of each rule that was replayed in random orders how far others would move it."""
    sentences = []
    for curve in sequential.curves.values():
        place = int(np.argmax([vote.orders > 0 for vote in curve.each]))
        orders, questions = curve.each[place].orders, curve.each[place].samples.n_questions
        if orders:
            error = 1 / 2 / np.sqrt(orders * questions)
            sentences.append(
                Text(
                    "{rule}: {count} random order of each question was replayed, as all of them "
                    "would take long. Others would move samples by at most {samples:.2g} and what "
                    "is right by at most {points:.2g} points (standard errors).",
                    "{rule}: {count} random orders of each question were replayed, as all of them "
                    "would take long. Others would move samples by at most {samples:.2g} and what "
                    "is right by at most {points:.2g} points (standard errors).",
                    rule=rule_name(curve.rule),
                    count=orders,
                    samples=sequential.cap * error,
                    points=0.0 if isinstance(curve.rule, Decided) else 100 * error,
                )
            )
    return sentences


def why_none_ends_early(sequential: Finding[SequentialVotes]) -> Text | None:
    """Say why no vote that ends early is told of; None where one is, or none was looked for."""
    found, reason = sequential
    if reason is not None:
        return Text("Votes cannot end early here: {why}", why=reason)
    if found is None or found.vote is not None:
        return None
    return Text(
        "No rule that ends votes of up to {cap} early surely pays here: it should take fewer "
        "samples than a vote of all that is right as often, and lose at most {loss:.2g} point.",
        cap=found.cap,
        loss=100 * LOSS,
    )


def describe_sequential(sequential: SequentialVotes) -> Text:
    """Say in words what the picture of all rules shows, for those who do not see it."""
    return Text(
        "Accuracy against cost of votes of all samples, and of votes that end early by {count} "
        "rules. The table has the numbers of votes of up to {cap}.",
        count=len(sequential.curves),
        cap=sequential.cap,
    )


def _of_reach(advice: Advice, amount: Amount) -> Text:
    if advice.n is None and advice.target == 0:
        return Text(
            "No question was solved. {best} is 0, so no n reaches a share of it.", best=advice.best
        )
    if advice.n is None:
        return Text(
            "Only {best} was measured, so there is no n to choose. Sample every question "
            "several times.",
            best=advice.best,
        )
    aim = Text(
        "{target:.1%}, which is {reach:.4g}% of {best}",
        target=advice.target,
        reach=100 * advice.limit,
        best=advice.best,
    )
    if not advice.safe_n:
        return Text(
            "No n up to {n}, the largest measured, is {sure:.0%} sure to reach {aim}.",
            n=advice.n_max,
            sure=advice.sure,
            aim=aim,
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "No n below {n}, the largest measured, is {sure:.0%} sure to reach {aim}.",
            n=advice.safe_n,
            sure=advice.sure,
            aim=aim,
        )
    return Text(
        "n = {n} is {sure:.0%} sure to reach {aim}.", n=advice.safe_n, sure=advice.sure, aim=aim
    )


def _of_quality(advice: Advice, amount: Amount) -> Text:
    target = f"{100 * advice.limit:.4g}"
    if not advice.safe_n:
        return Text(
            "No n up to {n}, the largest measured, is {sure:.0%} sure to solve {target}% of "
            "questions like these.",
            n=advice.n_max,
            target=target,
            sure=advice.sure,
        )
    return Text(
        "n = {n} is {sure:.0%} sure to solve {target}% of questions like these.",
        n=advice.safe_n,
        target=target,
        sure=advice.sure,
    )


def _of_budget(advice: Advice, amount: Amount) -> Text:
    budget = amount(advice.limit)
    if advice.safe_n == 0:
        return Text(
            "Not even one sample is {sure:.0%} sure to stay within {budget} a question.",
            budget=budget,
            sure=advice.sure,
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "n = {n}, the largest measured, is {sure:.0%} sure to stay within {budget} a question; "
            "a larger one may too.",
            n=advice.safe_n,
            budget=budget,
            sure=advice.sure,
        )
    return Text(
        "n = {n} is the largest that is {sure:.0%} sure to stay within {budget} a question.",
        n=advice.safe_n,
        budget=budget,
        sure=advice.sure,
    )


def _of_value(advice: Advice, amount: Amount) -> Text:
    value = amount(advice.limit)
    if advice.safe_n == 0:
        return Text(
            "Not even one sample is sure to be worth its price, with {value} for a solved "
            "question.",
            value=value,
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "Up to n = {n}, the largest measured, each additional solved question costs at most "
            "the {value} it is worth; a larger n may pay too.",
            n=advice.safe_n,
            value=value,
        )
    return Text(
        "Up to n = {n}, each additional solved question costs at most the {value} it is worth.",
        n=advice.safe_n,
        value=value,
    )


_SENTENCES: dict[Rule, Callable[[Advice, Amount], Text]] = {
    "value": _of_value,
    "budget": _of_budget,
    "quality": _of_quality,
    "reach": _of_reach,
}


# The figure --------------------------------------------------------------------------------------

BEST_FOR_COST = Text("best for its cost")
N_AXIS = Text("n, samples of a question")
ALL_VOTE = Text("All vote")


def early_vote_name(name: object) -> Text:
    """Name a run whose votes end early."""
    return Text("{name}, ended early", name=name)


def full_vote_name(n: object) -> Text:
    """Name a vote of all samples."""
    return Text("All of {n} vote", n=n)


def samples_taken(*, cap: object, samples: object) -> Text:
    """Say how many samples a vote takes."""
    return Text("Up to {cap}: {samples} samples", cap=cap, samples=samples)


def cap_name(cap: object) -> Text:
    """Name a cap on the samples of a vote."""
    return Text("up to {cap}", cap=cap)


def quality_line_name(target: object) -> Text:
    """Name the line of a share to solve."""
    return Text("aim: {target}", target=target)


def budget_line_name(budget: object) -> Text:
    """Name the line of a budget."""
    return Text("aim: at most {budget}", budget=budget)


def cost_per_further_at(*, n: object, cost: object) -> Text:
    """Say what a further solved question costs at a number of samples."""
    return Text("n = {n}: {cost} per additional question solved", n=n, cost=cost)


def gain_of_last_sample(*, n: object, points: float) -> Text:
    """Say what the last sample added."""
    return Text("n = {n}: {points:.3g} points more than before", n=n, points=points)


def cost_per_question(cost: object) -> Text:
    """Say what a question costs."""
    return Text("{cost} a question", cost=cost)


def cost_per_further(cost: object) -> Text:
    """Say what a further solved question costs."""
    return Text("{cost} per additional question solved", cost=cost)


def cost_axis(unit: object) -> Text:
    """Name the axis of costs."""
    return Text("Cost of a question on average, in {unit}", unit=unit)


def describe_margins(runs: Sequence[Margin], title: Text) -> Text:
    """Say in words what `charts.margins.margins` shows, for those who do not see it."""
    return Text(
        "{title}, over n, for {count} run. The table has the same numbers.",
        "{title}, over n, for {count} runs. The table has the same numbers.",
        title=title,
        count=len(runs),
    )


def describe_tradeoff(offers: Sequence[PricedRun]) -> Text:
    """Say in words what `charts.tradeoff.tradeoff` shows, for those who do not see it."""
    picks = [(offer.name, offer.pick) for offer in offers if offer.pick is not None]
    if not picks:
        return Text("Quality against cost, without a choice.")
    name, pick = max(picks, key=lambda each: each[1].taken)
    return Text(
        "Quality against cost for {all} runs. {name}: {choice} solves {quality:.1%} at a cost of "
        "{cost:.3g}. The table has the same numbers.",
        all=len(offers),
        name=name,
        choice=pick.name,
        quality=pick.y,
        cost=pick.x,
    )
