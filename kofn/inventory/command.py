"""``kofn inventory``: what was loaded, and whether the numbers that files state are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import blocks_of, title
from kofn.inventory.analysis import (
    Holding,
    HoldingCard,
    answer_holdings,
    every_stated,
    take_in,
    take_in_suites,
)
from kofn.inventory.columns import (
    EVERYTHING,
    ON_SCREEN,
    REPORTED,
    RUNS,
    STATED,
    lines_of,
    runs_among,
)
from kofn.inventory.stated import causes
from kofn.inventory.words import cause_in_words
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.layout import Lines, Row
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


def _blocks(cards: Sequence[HoldingCard]) -> Iterator[Lines]:
    yield from (Block(str(cause_in_words(cause))) for cause in causes(every_stated(cards)))
    yield from blocks_of(cards, _block)


def _screen(cards: Sequence[HoldingCard]) -> Iterator[Block]:
    causes_of = map(cause_in_words, causes(every_stated(cards)))
    yield Block("", ON_SCREEN, runs_among(cards), causes_of)


def _block(card: HoldingCard, found: Holding) -> Block:
    made = {name: card.run.settings[name] for name in FIRST if name in card.run.settings}
    sentences = [Text("made with {settings}", settings=in_words(made))] if made else []
    heading = title(card, *(found.facts.in_words() if found.facts else ()))
    return Block(heading, STATED, lines_of(card), sentences)


def _tables(cards: Sequence[HoldingCard]) -> Iterator[Sequence[Row]]:
    yield RUNS.written(cards)
    yield EVERYTHING.written(cards)


INVENTORY = Listing(
    about=DETAILS,
    result=Text("something in it"),
    view=("segment", "run"),
    compute=take_in,
    answer=answer_holdings,
    blocks=_blocks,
    screen=_screen,
    table=EVERYTHING,
    tables=_tables,
    document=lambda cards: {"runs": RUNS.rows(cards), "reported": REPORTED.rows(cards)},
    pooled=take_in_suites,
)
