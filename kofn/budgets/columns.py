"""Columns of what tokens and time buy, in files and for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kofn.budgets.analysis import BudgetCard, Budgeted, dearest
from kofn.budgets.rivals import Rival, rivals_of
from kofn.budgets.words import amount, cut_length, in_words
from kofn.card import cards_by_dataset, full_name
from kofn.choose_n.prices import quantity
from kofn.run_columns import ABOUT, LEVEL, RUN, segment_of
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.kinds import (
    COUNT,
    DIFFERENCE,
    ESTIMATE,
    FLAG,
    NAME,
    NUMBER,
    REMARKS,
    SHARE,
    WORD,
    WRITTEN,
)
from metrics.data.results import Estimate
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

_ROUND = (1.0, 2.0, 5.0)
"""Of each power of ten, the cuts that are read."""
_FEW = 6


class BudgetCut(NamedTuple):
    """One cut of the answers of a run as it is read, by its rows of the budgets."""

    found: Budgeted
    # The rows of one answer and of k.
    one: int
    several: int

    @property
    def budget(self) -> float:
        """At how many tokens answers are cut."""
        return float(self.found.budgets.budget[self.one])

    def number(self, name: str, row: int) -> tuple[float, float, float]:
        """Return a number of a row, with its interval."""
        low, high = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
        value, *ends = (getattr(self.found.budgets, each)[row] for each in (name, low, high))
        return float(value), float(ends[0]), float(ends[1])


def cuts(found: Budgeted) -> list[BudgetCut]:
    """Return the cuts to read: 1, 2 and 5 of each power of ten, and none; of few cuts all."""
    table = found.budgets
    ones, several = ((table.k == each).nonzero()[0].tolist() for each in (1, found.k))
    every = [BudgetCut(found, *rows) for rows in zip(ones, several, strict=True)]
    few = len(every) <= _FEW
    return [cut for cut in every if few or cut is every[-1] or _leading(cut.budget) in _ROUND]


def _leading(number: float) -> float:
    return float(f"{number:e}".partition("e")[0])


def _tokens(cut: BudgetCut) -> Text:
    spent, *ends = map(quantity, cut.number("spent", cut.one))
    if cut.found.budgets.n_questions == 1:
        return Text("{value}", value=spent)
    return Text("{value} ({low} to {high})", value=spent, low=ends[0], high=ends[1])


def cut_columns(card: BudgetCard) -> Columns[BudgetCut]:
    """Return what is read of each cut of a run."""
    if card.found is None:
        return ()
    metric, k = METRICS[card.settings.metric], card.found.k

    def solved(drawn: int, row: str) -> Column[BudgetCut]:
        head = Text("{metric}", metric=metric.label(drawn))
        return for_people(head, ESTIMATE, lambda cut: cut.number("value", getattr(cut, row)))

    return (
        for_people(RUN.label, WORD, lambda cut: full_name(card), ("paper",)),
        for_people(Text("at most"), WRITTEN, lambda cut: quantity(cut.budget)),
        for_people(Text("cut"), SHARE, lambda cut: float(cut.found.budgets.cut[cut.one])),
        for_people(Text("tokens of one"), WRITTEN, _tokens),
        solved(1, "one"),
        *([solved(k, "several")] if k > 1 else []),
    )


@dataclass(frozen=True)
class BudgetLine:
    """A number of a run in files."""

    card: BudgetCard
    number: str | None = None
    unit: str | None = None
    what: Any = None
    k: int | None = None
    budget: float | None = None
    cut: float | None = None
    spent: Any = None
    best: bool | None = None
    target: str | None = None
    questions: int | None = None
    against: str | None = None
    caveats: Sequence[Text] | None = None
    reason: Text | None = None


COLUMNS: Columns[BudgetLine] = (
    *ABOUT,
    in_files("metric", WORD, member("card.settings.metric")),
    in_files("number", WORD, member("number")),
    in_files("unit", WORD, member("unit"), Text("of value, low and high")),
    in_files("k", COUNT, member("k")),
    in_files("budget", NUMBER, member("budget")),
    in_files("cut", SHARE, member("cut")),
    in_files("spent", ESTIMATE, member("spent")),
    in_files(("value", "low", "high"), ESTIMATE, member("what")),
    in_files("best", FLAG, member("best")),
    LEVEL,
    in_files("target", WORD, member("target")),
    in_files("questions", COUNT, member("questions")),
    in_files("against", WORD, member("against"), Text("whose one answer others stand against")),
    in_files("caveats", REMARKS, lambda line: _listed(line.caveats)),
    in_files("reason", WORD, member("reason")),
)


def _listed(caveats: Sequence[Text] | None) -> list[Text] | None:
    return None if caveats is None else [*caveats]


def _of_estimate(
    card: BudgetCard, number: str, unit: str, what: Estimate | None, **more: Any
) -> BudgetLine:
    if what is not None:
        more |= {"target": what.target, "questions": what.n_questions}
    return BudgetLine(card, number, unit, what, caveats=what.caveats if what else (), **more)


def _lines(cards: Sequence[BudgetCard]) -> Iterator[BudgetLine]:
    for card in cards:
        if card.found is None:
            yield BudgetLine(card, target=card.view.target, reason=card.reason)
        else:
            yield from _of_run(card, card.found)


def _of_run(card: BudgetCard, found: Budgeted) -> Iterator[BudgetLine]:
    table = found.budgets
    for row in range(len(table.k)):
        each = BudgetCut(found, row, row)
        yield BudgetLine(
            card,
            "budget",
            "fraction",
            each.number("value", row),
            k=int(table.k[row]),
            budget=each.budget,
            cut=float(table.cut[row]),
            spent=each.number("spent", row),
            best=bool(table.best[row]),
            target=card.view.target,
            questions=table.n_questions,
            caveats=table.caveats,
        )
    split, why = found.split
    for name in ("short", "long"):
        answers = None if split is None else getattr(split, name)
        value, known = None, {}
        if answers is not None:
            value = answers.value
            known = {"k": answers.k, "budget": answers.budget, "spent": answers.spent}
        yield _of_estimate(card, name, "fraction", value, reason=why, **known)
    gain = split.gain if split else None
    yield _of_estimate(card, "gain", "fraction", gain, k=found.k, reason=why)
    lengths, why = found.lengths
    for name, unit, path in (
        ("length ratio", "times", "ratio"),
        ("right longer", "fraction", "longer"),
        ("length ratio over all", "times", "over_all"),
    ):
        yield _of_estimate(card, name, unit, member(path)(lengths), reason=why)
    times, why = found.times
    for path, unit in (
        ("all_at_once", "seconds"),
        ("all_in_turn", "seconds"),
        ("all_faster", "times"),
        ("right_at_once", "seconds"),
        ("right_in_turn", "seconds"),
        ("right_faster", "times"),
        ("none_right", "fraction"),
    ):
        name, what = path.replace("_", " "), member(path)(times)
        yield _of_estimate(card, name, unit, what, k=member("k")(times), reason=why)


class RivalAnswers(NamedTuple):
    """Answers of a run that take no more tokens than one answer of another."""

    rival: Rival
    against: BudgetCard


def rivals(cards: Sequence[BudgetCard]) -> list[RivalAnswers]:
    """Return them, dataset by dataset."""
    return [
        RivalAnswers(rival, card)
        for group in cards_by_dataset(cards).values()
        if (card := dearest(group)) is not None
        for rival in rivals_of(card, group)
    ]


def _with_rivals(cards: Sequence[BudgetCard]) -> Iterator[BudgetLine]:
    yield from _lines(cards)
    own = {card.key: card for card in cards}
    for rival, against in rivals(cards):
        asked: Any = {"k": rival.k, "spent": rival.spent, "against": against.key}
        yield _of_estimate(own[rival.key], "instead", "fraction", rival.value, **asked)
        target = own[rival.key].view.target
        more = rival.more
        yield BudgetLine(
            own[rival.key],
            "instead more",
            "fraction",
            more,
            target=target,
            questions=more.n_questions,
            caveats=more.caveats,
            **asked,
        )


BUDGETED: Table[BudgetCard, BudgetLine] = Table("budgets", COLUMNS, _lines)
"""What JSON holds."""
WITH_RIVALS: Table[BudgetCard, BudgetLine] = Table("budgets", COLUMNS, _with_rivals)
"""What CSV holds: below them, rows for the answers that are set against one of another."""


def _short(card: BudgetCard) -> Text | None:
    split = member("found.split.0")(card)
    if split is None:
        return None
    return Text("{k} ≤ {cut}", k=split.short.k, cut=cut_length(split.short))


def _amount(find: Callable[[BudgetCard], Any]) -> Callable[[BudgetCard], Text | None]:
    return lambda card: None if (found := find(card)) is None else amount(found)


def _sentences(card: BudgetCard) -> list[Text]:
    return [card.reason] if card.reason is not None else list(in_words(card))


BY_RUN: Columns[BudgetCard] = (
    RUN,
    for_people(Text("segment"), WORD, segment_of),
    for_people(
        Text("short"), WRITTEN, _short, help=Text("answers, and at how many tokens they are cut")
    ),
    for_people(Text("short solve"), ESTIMATE, member("found.split.0.short.value")),
    for_people(Text("long solves"), ESTIMATE, member("found.split.0.long.value")),
    for_people(Text("more"), DIFFERENCE, member("found.split.0.gain")),
    for_people(Text("long takes"), WRITTEN, _amount(member("found.split.0.long.spent"))),
    for_people(
        Text("right by wrong length"), WRITTEN, _amount(member("found.lengths.0.ratio")), ("page",)
    ),
    for_people(Text("right one longer"), ESTIMATE, member("found.lengths.0.longer"), ("page",)),
    for_people(Text("remarks"), REMARKS, _sentences, ("paper",)),
)
"""Short answers and a long one for the same tokens."""
RIVALS: Columns[RivalAnswers] = (
    for_people(RUN.label, WORD, member("rival.key"), ("paper",)),
    for_people(RUN.label, WORD, member("rival.name"), ("page",)),
    for_people(Text("answers"), COUNT, member("rival.k")),
    for_people(
        Text("for the tokens of one of"), NAME, lambda line: full_name(line.against), ("paper",)
    ),
    for_people(Text("take"), WRITTEN, lambda line: quantity(line.rival.spent)),
    for_people(Text("solve"), ESTIMATE, member("rival.value")),
    for_people(Text("more than the one"), DIFFERENCE, member("rival.more")),
)
"""Several answers of others for the tokens of one."""
