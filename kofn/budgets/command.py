"""``kofn budgets``: several short answers or a long one, and how long one waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kofn.budgets.analysis import BudgetCard, Budgeted, weigh_budgets
from kofn.budgets.choices import BudgetChoices
from kofn.budgets.columns import BUDGETED, BY_RUN, RIVALS, WITH_RIVALS, cut_columns, cuts, rivals
from kofn.budgets.words import ASSUMED, AT_ONCE, answer, best_in_words, in_words, split_in_words
from kofn.card import blocks_of, cards_by_dataset, title, value_of
from kofn.citing.used import DIFFERENCE, MethodNote, Used, used_of_estimates, used_of_metric
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, written
from kofn.writing.layout import Lines, Row
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

DETAILS = Text(
    """\
What k answers solve if each is cut at a number of tokens, and what they take: a longer answer
counts as wrong and has no vote, because it would not have been given. k short answers are cut where
they take as much together as one long answer. Right and wrong answers to the same question are
compared by length. If the file has times, kofn says how long k answers take at once and one after
another.

Tokens of answers are in reports of Inspect, EvalScope, HELM, tau-bench and Every Eval Ever, in
performance runs of AISBench beside a run that judges, and in tables with a column such as
tokens_out; times in most of them, or in a column such as latency_s. Without --k, kofn weighs four
short answers, or as many as all runs of a dataset have; with one sample per question, one answer of
half the tokens.

formats:
  table  a block for each run: what one answer and k answers solve at each cut, and sentences
  json   {{"view", "choices": the settings, "budgets": [one object for each run and number],
         "rivals": [several answers of other runs for the tokens of one of the longest]}}
  csv    the same rows, and the rivals: what they solve (instead), and how much more than one answer
         of the run that they are compared with (instead more)
  md     one Markdown table, a row for each run, and where a dataset has several runs one of several
         answers of the others for the tokens of one of the longest
"""
)


def _blocks(cards: Sequence[BudgetCard]) -> Iterator[Lines]:
    yield from blocks_of(cards, _block)
    if any(card.found for card in cards):
        groups = cards_by_dataset(cards).values()
        sentences = [*map(best_in_words, groups), *map(_split, groups), ASSUMED]
        first, *others = (text for text in sentences if text is not None)
        yield Block(str(first), below=others)


def _document(cards: Sequence[BudgetCard]) -> dict[str, Any]:
    beside = [
        {"run": rival.name, "k": rival.k, "spent": rival.spent, "against": against.key}
        | value_of(rival.value)
        | {f"more_{name}": each for name, each in value_of(rival.more).items()}
        for rival, against in rivals(cards)
    ]
    return {"budgets": BUDGETED.rows(cards), "rivals": beside}


def _split(cards: Sequence[BudgetCard]) -> Text | None:
    """Set short answers against a long one, where the answer sets other runs against it."""
    return split_in_words(cards) if sum(card.found is not None for card in cards) > 1 else None


def _block(card: BudgetCard, found: Budgeted) -> Block:
    below = dict.fromkeys((*in_words(card), *found.budgets.caveats))
    return Block(title(card), cut_columns(card), cuts(found), below)


def _tables(cards: Sequence[BudgetCard]) -> Iterator[Sequence[Row]]:
    yield written(BY_RUN, cards, "paper")
    for group in cards_by_dataset(cards).values():
        yield written(RIVALS, rivals(group), "paper")


def _paper(cards: Sequence[BudgetCard]) -> Iterator[Sequence[Row]]:
    """Yield what the page lists: short and long answers, others against one, and every cut."""
    yield from _tables(cards)
    for card in cards:
        if card.found is not None:
            yield written(cut_columns(card), cuts(card.found), "paper")


def _used(cards: Sequence[BudgetCard]) -> Iterator[Used | MethodNote]:
    for found, card in ((card.found, card) for card in cards if card.found):
        yield used_of_metric(METRICS[card.settings.metric], None, card.run, card.view)
        split, _ = found.split
        yield from used_of_estimates(DIFFERENCE, None, [None if split is None else split.gain])
    for group in cards_by_dataset(cards).values():
        beside = rivals(group)
        yield from (Used(DIFFERENCE, None, each.rival.more.method) for each in beside)
        if len(beside) > 1:
            yield MethodNote(AT_ONCE)
    yield MethodNote(ASSUMED)


BUDGETS = Listing(
    about=DETAILS,
    result=Text("tokens to weigh"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": Text("4, or the most that all runs of a dataset with several samples have")},
    choices={"choices": (BudgetChoices, BudgetChoices.KEYS)},
    compute=weigh_budgets,
    answer=answer,
    blocks=_blocks,
    screen=lambda cards: [Block("", BY_RUN, cards)],
    table=WITH_RIVALS,
    tables=_tables,
    paper=_paper,
    used=_used,
    figure="kofn.budgets.figures:picture",
    document=_document,
)
