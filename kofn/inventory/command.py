"""``kofn inventory``: what was loaded, and whether the numbers that files state are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import title
from kofn.inventory.columns import (
    EVERYTHING,
    ON_SCREEN,
    REPORTED,
    RUNS,
    STATED,
    lines_of,
    runs_among,
)
from kofn.inventory.holdings import (
    HoldingCard,
    answer_holdings,
    every_stated,
    take_in,
    take_in_suites,
)
from kofn.inventory.stated import causes
from kofn.inventory.words import of_cause
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.joining import said_of
from kofn.writing.layout import Row
from kofn.writing.rendering import render
from kofn.writing.settings import in_words
from metrics.data.words import Text
from reports.run.fingerprint import FIRST

DETAILS = Text(
    """\
Each reported number is compared with that of the samples, computed in the file's own way. Notes on
what was found, repaired or left out go to standard error.

formats:
  table  why reported numbers are wrong, and a block for each run: how much it holds, how it was
         made, its numbers
  json   {{"view", "runs": [one object for each run], "reported": [one for each reported number]}}
  csv    a row for each reported number; a run that states none has one row without
  md     a Markdown table of the runs, and one of the reported numbers
"""
)


def _blocks(cards: Sequence[HoldingCard]) -> Iterator[Block]:
    yield from (Block(render(of_cause(cause))) for cause in causes(every_stated(cards)))
    yield from map(_block, cards)


def _screen(cards: Sequence[HoldingCard]) -> Iterator[Block]:
    causes_of = map(of_cause, causes(every_stated(cards)))
    yield Block("", ON_SCREEN, runs_among(cards), causes_of)


def _block(card: HoldingCard) -> Block:
    found = card.found
    if found is None:
        return Block(str(said_of(title(card), card.reason or "")))
    made = {name: card.run.settings[name] for name in FIRST if name in card.run.settings}
    said = [Text("made with {settings}", settings=in_words(made))] if made else []
    heading = title(card, *(found.facts.in_words() if found.facts else ()))
    return Block(heading, STATED, lines_of(card), said)


def _tables(cards: Sequence[HoldingCard]) -> Iterator[Sequence[Row]]:
    yield RUNS.written(cards, "paper")
    yield EVERYTHING.written(cards, "paper")


INVENTORY = Listing(
    about=DETAILS,
    result=Text("something in it"),
    view=("segment", "run"),
    compute=take_in,
    found=lambda card: card.found,
    answer=answer_holdings,
    blocks=_blocks,
    screen=_screen,
    table=EVERYTHING,
    groups=lambda cards: (),
    more=_tables,
    document=lambda cards: {"runs": RUNS.rows(cards), "reported": REPORTED.rows(cards)},
    pooled=take_in_suites,
)
