"""``kofn inventory``: what came in, and whether the numbers that files state hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import OF_RUN, frame_of, of_run, say, title
from kofn.inventory.holdings import (
    HoldingCard,
    answer_holdings,
    every_stated,
    take_in,
    take_in_suites,
)
from kofn.inventory.stated import both_written, causes, replicas_written
from kofn.terminal.subcommand import Listing
from kofn.writing.layout import Row, aligned, named
from kofn.writing.rendering import printable, render
from kofn.writing.settings import in_words
from metrics.data.words import Text
from reports.run.settings import FIRST

if TYPE_CHECKING:
    import pandas as pd

DETAILS = """\
A reported number is set against that of the samples, computed in the file's own way. What the
readers found, repaired or left out goes to standard error.

formats:
  table  why reported numbers are wrong, and a block for each run: how much it holds, how it was
         made, its numbers
  json   {"view", "runs": [one object for each run], "reported": [one for each reported number]}
  csv    a row for each reported number: run, model, dataset, verified, grouping, questions,
         n_min, n_max (samples of a question), failed, ungradable (questions), metric, reported,
         recomputed, agrees, reason, replicas (the numbers whose average it is: the first sample of
         every question, the second …); of a run that states none, one row without
  md     a Markdown table of the runs, and one of the reported numbers
"""
_COUNTS = ("questions", "n_min", "n_max", "failed", "ungradable")
_STATED = {
    "metric": "string",
    "reported": "Float64",
    "recomputed": "Float64",
    "agrees": "boolean",
    "reason": "string",
    "replicas": "string",
}
COLUMNS = OF_RUN | dict.fromkeys(_COUNTS, "Int64") | _STATED


def _blocks(cards: Sequence[HoldingCard]) -> Iterator[Iterator[str]]:
    yield from (iter([render(cause.text)]) for cause in causes(every_stated(cards)))
    yield from map(_block, cards)


def _block(card: HoldingCard) -> Iterator[str]:
    found = card.found
    if found is None:
        yield f"{title(card)}: {render(card.reason or '')}"
        return
    yield title(card, *(found.facts.in_words() if found.facts else ()))
    if made := {name: card.run.settings[name] for name in FIRST if name in card.run.settings}:
        yield render(Text("made with {settings}", settings=in_words(made)))
    if found.stated:
        yield from aligned([_numbers(each) for each in found.stated])


def _numbers(stated: Any) -> Row:
    reported, recomputed = both_written(stated.line)
    return {
        "metric": named(printable(stated.line.metric)),
        "reported": reported,
        "recomputed": recomputed,
        "replicas": render(replicas_written(stated.line)),
    }


def _tables(cards: Sequence[HoldingCard]) -> Iterator[list[Row]]:
    yield [
        {
            "run": card.key,
            "holds": ", ".join(map(render, card.found.facts.in_words()))
            if card.found and card.found.facts
            else say(card.reason) or "",
        }
        for card in cards
        if not (card.found and card.found.suite)
    ]
    yield [
        {"run": card.key, **_numbers(each), "why they differ": say(each.line.reason) or ""}
        for card in cards
        if card.found
        for each in card.found.stated
    ]


def _runs(cards: Sequence[HoldingCard]) -> list[dict[str, Any]]:
    return [_about(card) for card in cards if not (card.found and card.found.suite)]


def _about(card: HoldingCard) -> dict[str, Any]:
    facts = card.found.facts if card.found else None
    counts = {name: getattr(facts, name, None) for name in _COUNTS}
    return of_run(card.key, card.run) | counts | {"reason": say(card.reason)}


def _reported(card: HoldingCard) -> list[dict[str, Any]]:
    return [
        {
            "metric": printable(each.line.metric),
            "reported": each.line.reported,
            "recomputed": each.line.recomputed,
            "agrees": None if each.line.recomputed is None else each.line.agrees,
            "reason": say(each.line.reason),
            "replicas": list(each.line.replicas) or None,
        }
        for each in (card.found.stated if card.found else ())
    ]


def _frame(cards: Sequence[HoldingCard]) -> pd.DataFrame:
    rows = [
        _about(card) | more | {"replicas": list(map(str, more.get("replicas") or ()))}
        for card in cards
        for more in (_reported(card) or [{}])
    ]
    return frame_of(rows, COLUMNS)


def _document(cards: Sequence[HoldingCard]) -> dict[str, Any]:
    reported = [of_run(card.key, card.run) | each for card in cards for each in _reported(card)]
    return {"runs": _runs(cards), "reported": reported}


INVENTORY = Listing(
    about=DETAILS,
    result=Text("anything in it"),
    view=("segment", "run"),
    compute=take_in,
    found=lambda card: card.found,
    answer=answer_holdings,
    blocks=_blocks,
    tables=_tables,
    frame=_frame,
    document=_document,
    pooled=take_in_suites,
)
