"""Columns of a choice of n, in files and for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from kofn.card import cards_by_dataset
from kofn.choose_n.analysis import ChoiceCard, PricedChoice, joint_choice, questions_meant
from kofn.choose_n.answer_ways import AnswerWay
from kofn.choose_n.frontier import frontiers
from kofn.choose_n.prices import SAMPLES, Priced, kind_of_amounts
from kofn.choose_n.sequential_stopping import SequentialVotes, pays
from kofn.choose_n.words import (
    MISSES,
    TAKEN,
    amount,
    free_way_name,
    gain_over_full_vote,
    rule_name,
    way_name,
)
from kofn.run_columns import ABOUT, LEVEL, REASON, RUN
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.kinds import (
    COUNT,
    DIFFERENCE,
    ESTIMATE,
    FLAG,
    NUMBER,
    REMARKS,
    WORD,
    WRITTEN,
)
from metrics import AdaptiveCurve, AdaptiveVote
from metrics.analyses.choose_n.tradeoff import Tradeoff
from metrics.data.words import Text

SHOWN = frozenset(n for power in range(20) for n in (2**power, 3 * 2**power))
"""The n that people read, or the odd n before them where n are odd."""
MARGINAL = "what is paid for each additional question solved"


def _amounts(path: str, lines: Sequence[Any], label: Text, **how: Any) -> Column[Any]:
    """Return a column of amounts of some lines, written alike."""
    value = member(path)
    return for_people(label, kind_of_amounts([*map(value, lines)]), value, **how)


def _finite(number: Any) -> float | None:
    return float(number) if np.isfinite(number) else None


# Every run at its n -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChosenLine:
    """A run at the n to use, or at the one that comes nearest to the aim."""

    card: ChoiceCard
    name: str  # How figures call the run.
    n: int | None = None
    # Share of questions solved, with its interval.
    quality: tuple[float, float, float] | None = None
    # Of a question, of all that are meant, of each additional question solved.
    cost: float | None = None
    all: float | None = None
    further: float | None = None
    # That it is the run to take, that it misses the aim, or why there is nothing.
    note: Text | None = None


def lines(cards: Sequence[ChoiceCard]) -> list[ChosenLine]:
    """Lay out the runs of one dataset: the one to take, others by cost, then those that miss."""
    joint = joint_choice(cards)
    found = [_line(name, card, name == joint.chosen) for name, card in joint.cards.items()]
    order = {TAKEN: 0, None: 1}
    return sorted(found, key=lambda line: (order.get(line.note, 2), line.n is None, line.cost or 0))


def _line(name: str, card: ChoiceCard, taken: bool) -> ChosenLine:
    if card.found is None:
        return ChosenLine(card, name, note=card.reason)
    choice = card.found.choice
    table, n = choice.table, choice.n if choice.safe_n is None else choice.safe_n
    note = TAKEN if taken else None
    if not n:
        nearest = table.quality.argmax() if choice.rule in ("quality", "reach") else 0
        n, note = int(table.n[nearest]), MISSES[choice.rule] if choice.safe_n == 0 else None
    row = table.index(n)
    cost = float(table.cost[row])
    return ChosenLine(
        card,
        name,
        n,
        _quality(table, row),
        cost,
        cost * questions_meant(card),
        _finite(table.cost_per_further[row]) if row else None,
        note,
    )


def _quality(table: Tradeoff, row: int) -> tuple[float, float, float]:
    return float(table.quality[row]), float(table.quality_low[row]), float(table.quality_high[row])


def _remarks(line: ChosenLine) -> list[Text]:
    found = line.card.found
    return [] if found is None else [found.priced.basis, *found.choice.remarks]


def line_columns(found: Sequence[ChosenLine]) -> Columns[ChosenLine]:
    """Return what is told of each run at its n."""
    unit = next((line.card.found.priced.unit for line in found if line.card.found), SAMPLES)
    return (
        for_people(RUN.label, WORD, member("card.key"), ("terminal", "paper")),
        for_people(Text("model"), WORD, member("name"), ("page",)),
        for_people(Text("n"), COUNT, member("n")),
        for_people(Text("solves"), ESTIMATE, member("quality")),
        _amounts("cost", found, Text("cost of a question, {unit}", unit=unit)),
        _amounts("all", found, Text("cost of all, {unit}", unit=unit)),
        _amounts("further", found, Text("marginal cost"), help=MARGINAL),
        for_people(Text("note"), WORD, member("note")),
        for_people(Text("remarks"), REMARKS, _remarks, ("paper",)),
    )


# Every n ------------------------------------------------------------------------------------------


class StepLine(NamedTuple):
    """A run at one n."""

    card: ChoiceCard
    row: int
    best: bool = False

    @property
    def found(self) -> PricedChoice:
        """The choice of the run."""
        assert self.card.found is not None
        return self.card.found

    @property
    def n(self) -> int:
        """The most samples."""
        return int(self.found.choice.table.n[self.row])

    @property
    def used(self) -> bool:
        """Whether it is the n to use."""
        return self.n == self.found.choice.safe_n

    def number(self, name: str) -> float | None:
        """Return a number of the table; None where there is none."""
        return _finite(getattr(self.found.choice.table, name)[self.row])


def steps(card: ChoiceCard, best: frozenset[tuple[str, int]] = frozenset()) -> list[StepLine]:
    """Return the n of a run that people read: those that double, that of the aim and the last."""
    if card.found is None:
        return []
    choice = card.found.choice
    named = {choice.n, choice.safe_n, int(choice.table.n[-1])}
    return [
        StepLine(card, row, (card.key, n) in best)
        for row, n in enumerate(choice.table.n.tolist())
        if n in SHOWN or n in named or (choice.votes and n + 1 in SHOWN)
    ]


def all_steps(cards: Sequence[ChoiceCard]) -> list[StepLine]:
    """Return those of the runs of a dataset, and which are best for their cost."""
    offers = [offer for found in frontiers(cards).values() for offer in found if offer.best]
    best = frozenset((offer.key, offer.n) for offer in offers)
    return [step for card in cards for step in steps(card, best)]


def step_columns(found: Sequence[StepLine]) -> Columns[StepLine]:
    """Return what is told of each n; where costs count samples, those drawn are the cost."""
    runs = {step.card.key for step in found}
    counted = any(step.found.priced.unit == SAMPLES for step in found)

    def amount(name: str, label: Text, **how: Any) -> Column[StepLine]:
        values = [step.number(name) for step in found]
        return for_people(label, kind_of_amounts(values), lambda step: step.number(name), **how)

    several: Columns[StepLine] = (for_people(RUN.label, WORD, member("card.key"), ("page",)),)
    best: Columns[StepLine] = (
        for_people(Text("best for its cost"), FLAG, member("best"), ("page",)),
    )
    cost = () if counted else (amount("cost", Text("cost")),)
    return (
        *(several if len(runs) > 1 else ()),
        for_people(Text("n"), COUNT, member("n"), ("page",)),
        for_people(Text("n"), WORD, lambda step: f"{step.n}{' *' * step.used}", ("terminal",)),
        for_people(Text("to use"), FLAG, member("used"), ("page",)),
        for_people(Text("solved"), ESTIMATE, _solved_at),
        amount("attempts", Text("samples")),
        *cost,
        amount("cost_per_further", Text("marginal cost"), help=MARGINAL),
        amount("cost_per_solved", Text("cost of a solved one")),
        *(best if len(runs) > 1 else ()),
    )


def _solved_at(step: StepLine) -> tuple[float, float, float]:
    return _quality(step.found.choice.table, step.row)


# Votes that end early -----------------------------------------------------------------------------


class RuleLine(NamedTuple):
    """A rule that ends votes of a run early, at the most samples that are told of."""

    card: ChoiceCard
    sequential: SequentialVotes
    name: str

    @property
    def curve(self) -> AdaptiveCurve:
        """Its votes at every most samples."""
        return self.sequential.curves[self.name]

    @property
    def vote(self) -> AdaptiveVote:
        """Its vote of the most samples."""
        return self.curve.at(self.sequential.cap)

    @property
    def note(self) -> Text | None:
        """Whether it pays."""
        if not pays(self.curve, self.sequential.cap):
            return None
        return Text("pays most") if self.name == self.sequential.best else Text("pays")


def rules(card: ChoiceCard) -> list[RuleLine]:
    """Lay out the rules that end votes of a run early, those that take the fewest samples first."""
    if card.found is None or card.found.sequential[0] is None:
        return []
    sequential = card.found.sequential[0]
    found = [RuleLine(card, sequential, name) for name in sequential.curves]
    return sorted(found, key=lambda rule: rule.vote.samples.value)


def rule_columns(priced: Priced) -> Columns[RuleLine]:
    """Return what is told of each rule; where samples are counted, they are the cost."""
    cost: Columns[RuleLine] = (
        for_people(Text("cost"), WRITTEN, lambda rule: amount(rule.vote.cost)),
    )
    return (
        for_people(RUN.label, WORD, member("card.key"), ("paper",)),
        for_people(Text("up to"), COUNT, member("sequential.cap"), ("paper",)),
        for_people(Text("rule"), WORD, lambda rule: rule_name(rule.vote.rule)),
        for_people(Text("samples"), WRITTEN, lambda rule: amount(rule.vote.samples)),
        for_people(Text("saves"), ESTIMATE, member("vote.saved")),
        *(() if priced.unit == SAMPLES else cost),
        for_people(Text("solved"), ESTIMATE, member("vote.value")),
        for_people(
            Text("beyond a vote of all"), WRITTEN, lambda rule: gain_over_full_vote(rule.vote)
        ),
        for_people(
            Text("as good a fixed n"),
            COUNT.optional,
            lambda rule: rule.curve.fewest(rule.sequential.cap),
        ),
        for_people(Text("note"), WORD, member("note")),
    )


# Ways to get one answer ---------------------------------------------------------------------------


WAYS: Columns[AnswerWay] = (
    for_people(Text("way"), WORD, way_name),
    for_people(Text("solves"), ESTIMATE, member("value")),
    for_people(Text("cost of a question"), WRITTEN, member("cost")),
    for_people(
        Text("beyond a free way"),
        DIFFERENCE,
        member("gain"),
        help=Text("paired, question by question"),
    ),
    for_people(Text("the free way"), WORD, free_way_name),
)
"""Ways to get one answer out of the same samples."""

# Files --------------------------------------------------------------------------------------------


class InFile(NamedTuple):
    """A run at one n; none where nothing is found, or for a vote that ends early by a rule."""

    card: ChoiceCard
    step: StepLine | None = None
    rule: RuleLine | None = None
    row: int = 0

    @property
    def reason(self) -> Text | None:
        """Why there is no choice."""
        return self.card.reason


NUMBERS = [field.name for field in fields(Tradeoff)]


def _of_step(find: Callable[[StepLine], Any]) -> Callable[[InFile], Any]:
    return lambda line: None if line.step is None else find(line.step)


def _number(name: str, of_rule: str = "") -> Column[InFile]:
    """Return the column of a number of the table; of votes that end early by another name."""

    def value(line: InFile) -> Any:
        if line.step is not None:
            return line.step.number(name)
        if line.rule is None or not of_rule:
            return None
        return float(getattr(line.rule.curve, of_rule)[line.row])

    return in_files(name, NUMBER, value)


def _choice(find: Callable[[Any], Any]) -> Callable[[InFile], Any]:
    """Return what finds something of the choice of a line that is no vote that ends early."""

    def value(line: InFile) -> Any:
        return None if line.card.found is None or line.rule else find(line.card.found.choice)

    return value


def _n(line: InFile) -> int | None:
    if line.rule is not None:
        return int(line.rule.curve.cap[line.row])
    return line.step and line.step.n


def _metric(line: InFile) -> str | None:
    return "plurality@k" if line.rule else _choice(member("metric"))(line)


def _questions(line: InFile) -> int | None:
    if line.rule is not None:
        return line.rule.curve.each[line.row].value.n_questions
    found: int | None = _choice(member("n_questions"))(line)
    return found


def _taken(step: StepLine) -> bool:
    selection, _ = step.found.together
    return selection is not None and selection.run == step.card.key and step.used


COLUMNS: Columns[InFile] = (
    *ABOUT,
    in_files("metric", WORD, _metric),
    in_files("n", COUNT, _n),
    _number("quality", "value"),
    _number("quality_low", "low"),
    _number("quality_high", "high"),
    _number("attempts", "samples"),
    _number("cost", "cost"),
    *map(_number, NUMBERS[NUMBERS.index("cost") + 1 :]),
    in_files("unit", WORD, member("card.found.priced.unit")),
    LEVEL,
    in_files("questions", COUNT, _questions),
    in_files("rule", WORD, _choice(member("rule"))),
    in_files("safe", FLAG, _of_step(member("used")), Text("the n to use of the run")),
    in_files("chosen", FLAG, _of_step(_taken), Text("that of the run to take")),
    REASON,
    in_files(
        "ends_early",
        WORD,
        member("rule.name"),
        Text("the rule that ends votes early, which take attempts of at most n samples"),
    ),
)


def _every(cards: Sequence[ChoiceCard]) -> Iterator[InFile]:
    for card in cards:
        if card.found is None:
            yield InFile(card)
        else:
            for row in range(len(card.found.choice.table.n)):
                yield InFile(card, StepLine(card, row))


def _with_sequential(cards: Sequence[ChoiceCard]) -> Iterator[InFile]:
    yield from _every(cards)
    for card in cards:
        sequential = card.found.sequential[0] if card.found else None
        for name, curve in sequential.curves.items() if sequential else ():
            assert sequential is not None
            for row in range(len(curve.cap)):
                yield InFile(card, None, RuleLine(card, sequential, name), row)


CHOSEN: Table[ChoiceCard, InFile] = Table("table", COLUMNS, _every)
"""What JSON holds."""
WITH_SEQUENTIAL: Table[ChoiceCard, InFile] = Table("table", COLUMNS, _with_sequential)
"""What CSV holds: below, votes that end early."""


def every_line(cards: Sequence[ChoiceCard]) -> list[ChosenLine]:
    """Return the runs of each dataset at their n."""
    return [line for group in cards_by_dataset(cards).values() for line in lines(group)]
