"""``kofn guide``: what to do with each run, by AISBench's scenarios and decision matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kofn.card import blocks_of, cards_found, title
from kofn.citing.used import Used, used_of_estimates
from kofn.guidance.analysis import Goals, GuidanceCard, guide_means, guide_runs
from kofn.guidance.columns import LEVELS, MATRIX, SCENARIOS, USES, levels, screen_columns, uses
from kofn.guidance.words import (
    IN_SHORT,
    RULE_OF_THUMB,
    advice,
    answer,
    gap_of,
    is_judged,
    pitfalls,
    place_in_words,
    scenario_lines,
)
from kofn.leaderboard.lines import cards_of_runs
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, written
from kofn.writing.layout import Lines
from metrics.analyses.guidance.decision import Guidance
from metrics.data.words import Text

DETAILS = Text(
    """\
Targets and levels are those of AISBench's document, which calls them hypothetical; set your own. A
target is met if the whole interval of its metric lies above it, not met if none of it does, and
undecided otherwise. Everything is about questions like these.

formats:
  table  a block for each run: advice, levels, place in the decision matrix, scenarios, pitfalls
  json   {{"view", "targets": the settings, "scenarios": [one object for each run and target],
         "matrix": [one for each run and cell], "runs": [advice in words]}}
  csv    the scenarios
  md     the scenarios as one Markdown table
"""
)


def _blocks(cards: Sequence[GuidanceCard]) -> Iterator[Lines]:
    yield from blocks_of(cards, _block)
    yield Block(str(RULE_OF_THUMB))


def _block(card: GuidanceCard, found: Guidance) -> Block:
    sentences = [
        *(advice(found) if is_judged(found) else [IN_SHORT[gap_of(found)]]),
        *place_in_words(found),
    ]
    for verdict in found.verdicts:
        sentences += scenario_lines(found, verdict)
    return Block(title(card), LEVELS, levels(found), [*sentences, *pitfalls(found)])


def _document(cards: Sequence[GuidanceCard]) -> dict[str, Any]:
    return {
        "matrix": MATRIX.rows(cards_of_runs(cards)),
        "runs": [_in_words(card, found) for card, found in cards_found(cards_of_runs(cards))],
    }


def _in_words(card: GuidanceCard, found: Guidance) -> dict[str, Any]:
    return {
        "run": card.key,
        "k": found.k,
        "advice": [str(sentence) for sentence in advice(found)],
        "place": [str(sentence) for sentence in place_in_words(found)],
        "pitfalls": [str(sentence) for sentence in pitfalls(found)],
        "questions_to_settle": found.questions(),
        "bias_by_agreement": found.bias,
    }


def _used(cards: Sequence[GuidanceCard]) -> Iterator[Used]:
    for found in (card.found for card in cards_of_runs(cards) if card.found):
        vote = ("cons@n", found.n) if found.voted else ("maj@k", found.k)
        yield from used_of_estimates("pass@k", found.k, [found.estimates["pass"]])
        yield from used_of_estimates("avg@n", found.n, [found.estimates["avg"]])
        yield from used_of_estimates(*vote, [found.estimates["cons"]])


GUIDANCE = Listing(
    about=DETAILS,
    result=Text("a place in the decision matrix"),
    view=("k", "level", "missing", "segment", "run"),
    defaults={"k": Text("the fewest samples of any question, and all of them vote, as in cons@n")},
    choices={"targets": (Goals, ())},
    compute=lambda runs, view, goals: [
        *guide_runs(runs, view, goals),
        *guide_means(runs, view, goals),
    ],
    answer=answer,
    blocks=_blocks,
    screen=lambda cards: [Block("", screen_columns(cards), cards)],
    table=SCENARIOS,
    tables=lambda cards: [written(USES, uses(cards), "paper")],
    used=_used,
    figure="kofn.guidance.figures:picture",
    document=_document,
)
