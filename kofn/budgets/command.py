"""``kofn budgets``: several short answers or a long one, and how long one waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kofn.budgets.analysis import BudgetCard, dearest, weigh_budgets
from kofn.budgets.answer import answer, split_in_words
from kofn.budgets.choices import BudgetChoices
from kofn.budgets.frontier import best_in_words
from kofn.budgets.rivals import AT_ONCE, Rival, rivals_of
from kofn.budgets.sentences import ASSUMED, cut_of, gained, in_words, solved
from kofn.budgets.tables import frame, lines, rows
from kofn.card import full_name, limits, of_datasets, title, value_of
from kofn.choose_n.prices import quantity
from kofn.citing.used import DIFFERENCE, Told, Used, estimated, measured
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent, points
from kofn.writing.layout import Row, aligned, named
from kofn.writing.rendering import render
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

DETAILS = """\
What k answers solve that are cut at so many tokens, and what they take: an answer that is longer
counts as wrong and gives no vote, since it would not have been given. k short answers are cut where
together they take what a long one does. Right and wrong answers to the same question are compared
by their length. Where the file has times, they say how long one waits for k answers at once and one
after another.

Tokens of answers are in reports of Inspect, EvalScope, HELM, tau-bench and Every Eval Ever, in
performance runs of AISBench beside a run that judges, and in tables with a column such as
tokens_out; times in most of them, or in a column such as latency_s. Without --k four short answers
are weighed, or as many as all runs of a dataset have; with one sample a question, one of half the
tokens.

formats:
  table  a block for each run: what one answer and k answers solve at each cut, and sentences
  json   {"view", "choices": the settings, "budgets": [one object for each run and number],
         "rivals": [several answers of other runs for the tokens of one of the longest]}
  csv    the same rows: run, model, dataset, verified, grouping, segment, metric, number, unit, k,
         budget, cut, spent, spent_low, spent_high, value, low, high, best, level, target,
         questions, against, caveats, reason; and the rivals: what they solve (instead), and that
         beyond one answer of the run that they stand against (instead more)
  md     one Markdown table, a row for each run, and where a dataset has several runs one of several
         answers of the others for the tokens of one of the longest
"""


def _blocks(cards: Sequence[BudgetCard]) -> Iterator[Iterator[str]]:
    yield from map(_block, cards)
    if any(card.found for card in cards):
        groups = of_datasets(cards).values()
        said = [*map(best_in_words, groups), *map(_split, groups), ASSUMED]
        yield iter(render(text) for text in said if text is not None)


def _document(cards: Sequence[BudgetCard]) -> dict[str, Any]:
    rivals = [
        {"run": rival.name, "k": rival.k, "spent": rival.spent, "against": card.key}
        | value_of(rival.value)
        | {f"more_{name}": each for name, each in _more(rival).items()}
        for group in of_datasets(cards).values()
        if (card := dearest(group)) is not None
        for rival in rivals_of(card, group)
    ]
    return {"budgets": rows(cards), "rivals": rivals}


def _more(rival: Rival) -> dict[str, float | None]:
    low, high = rival.more.interval or (None, None)
    return {"value": rival.more.value, "low": low, "high": high}


def _split(cards: Sequence[BudgetCard]) -> Text | None:
    """Set short answers against a long one, where the answer sets other runs against it."""
    return split_in_words(cards) if sum(card.found is not None for card in cards) > 1 else None


def _block(card: BudgetCard) -> Iterator[str]:
    if card.found is None:
        yield f"{title(card)}: {render(card.reason or '')}"
        return
    yield title(card)
    yield from aligned(_cuts(card))
    for said in dict.fromkeys((*in_words(card), *card.found.budgets.caveats)):
        yield render(said)


def _cuts(card: BudgetCard) -> list[Row]:
    assert card.found is not None
    metric, found = METRICS[card.settings.metric], lines(card.found)
    return [
        {
            "at most": f"{quantity(line.budget)}",
            "cut": render(percent(line.cut)),
            "tokens of one": render(line.spent),
            metric.label(1): render(line.one),
            **({metric.label(line.k): render(line.several)} if line.k > 1 else {}),
        }
        for line in found
    ]


def _summary(card: BudgetCard) -> Row:
    split = None if card.found is None else card.found.split[0]
    said = [card.reason] if card.reason is not None else in_words(card)
    known = split and {
        "short": str(split.short.k),
        "cut at": render(cut_of(split.short)),
        "short solve": render(solved(split.short)),
        "long solves": render(solved(split.long)),
        "more": render(gained(split)),
    }
    return {
        "run": full_name(card),
        **(known or dict.fromkeys(_HEADS, "N/A")),
        "remarks": " ".join(map(render, said)),
    }


def _rivals(cards: Sequence[BudgetCard]) -> list[Row]:
    card = dearest(cards)
    return [
        {
            "run": rival.key,
            "answers": str(rival.k),
            "for the tokens of one of": "" if card is None else named(full_name(card)),
            "take": quantity(rival.spent),
            "solve": render(percent(rival.value.value, *limits(rival.value))),
            "more": render(points(rival.more.value, *(rival.more.interval or ()))),
        }
        for rival in rivals_of(card, cards)
    ]


def _tables(cards: Sequence[BudgetCard]) -> Iterator[list[Row]]:
    yield list(map(_summary, cards))
    yield from filter(None, map(_rivals, of_datasets(cards).values()))


def _paper(cards: Sequence[BudgetCard]) -> Iterator[list[Row]]:
    """Yield what the page lists: short and long answers, others against one, and every cut."""
    yield from _tables(cards)
    for card in cards:
        if card.found is not None:
            yield [{"run": full_name(card), **row} for row in _cuts(card)]


_HEADS = ("short", "cut at", "short solve", "long solves", "more")


def _used(cards: Sequence[BudgetCard]) -> Iterator[Used | Told]:
    for found, card in ((card.found, card) for card in cards if card.found):
        yield measured(METRICS[card.settings.metric], None, card.run, card.view)
        split, _ = found.split
        yield from estimated(DIFFERENCE, None, [None if split is None else split.gain])
    for group in of_datasets(cards).values():
        rivals = rivals_of(dearest(group), group)
        yield from (Used(DIFFERENCE, None, rival.more.method) for rival in rivals)
        if len(rivals) > 1:
            yield Told(AT_ONCE)
    yield Told(ASSUMED)


BUDGETS = Listing(
    about=DETAILS,
    result=Text("tokens to weigh"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": "4, or the most that all runs of a dataset with several samples have"},
    choices={"choices": (BudgetChoices, BudgetChoices.KEYS)},
    compute=weigh_budgets,
    found=lambda card: card.found,
    answer=answer,
    blocks=_blocks,
    tables=_tables,
    paper=_paper,
    used=_used,
    figure="kofn.budgets.figures:picture",
    frame=frame,
    document=_document,
)
