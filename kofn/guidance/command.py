"""``kofn guide``: what to do with each run, by AISBench's scenarios and decision matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kofn.card import limits, title
from kofn.citing.used import Used, estimated
from kofn.guidance.advice import IN_SHORT, advice, gap_of
from kofn.guidance.analysis import Goals, GuidanceCard, cards_found, guide_runs
from kofn.guidance.answer import answer
from kofn.guidance.reach import distance_words, scenario_lines, way_to
from kofn.guidance.sentences import (
    LEVEL_NAMES,
    RULE_OF_THUMB,
    STATUS_NAMES,
    is_judged,
    pitfalls,
    place,
)
from kofn.guidance.tables import cell_rows, target_frame, target_rows
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent
from kofn.writing.layout import Row, aligned
from kofn.writing.rendering import printable, render
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import DIMENSIONS
from metrics.data.words import Text

DETAILS = """\
Targets and levels are those of AISBench's document, which calls them hypothetical; set your own.
A target is met where the whole interval of its metric lies above it, not met where none of it does,
and undecided otherwise. Everything is about questions like these.

formats:
  table  a block for each run: advice, levels, place in the decision matrix, scenarios, pitfalls
  json   {"view", "targets": the settings, "scenarios": [one object for each run and target],
         "matrix": [one for each run and cell], "runs": [advice in words]}
  csv    the scenarios, with the columns run, model, dataset, verified, grouping, segment, scenario,
         scenario_status, scenario_probability, metric, target, status, probability, value, low,
         high, level, questions, questions_to_settle, short (how far below the target), way (what
         would meet it), reason
  md     the scenarios as one Markdown table
"""


def _blocks(cards: Sequence[GuidanceCard]) -> Iterator[Iterator[str]]:
    yield from map(_block, cards)
    yield iter([render(RULE_OF_THUMB)])


def _block(card: GuidanceCard) -> Iterator[str]:
    found = card.found
    if found is None:
        yield f"{title(card)}: {render(card.reason or '')}"
        return
    yield title(card)
    yield from map(render, advice(found) if is_judged(found) else [IN_SHORT[gap_of(found)]])
    yield from aligned(list(_levels(found)))
    yield from map(render, place(found))
    for verdict in found.verdicts:
        yield from map(render, scenario_lines(found, verdict))
    yield from map(render, pitfalls(found))


def _levels(found: Guidance) -> Iterator[Row]:
    for dimension, level in zip(DIMENSIONS, found.cell, strict=True):
        estimate = found.estimates[dimension]
        yield {
            "metric": found.label(dimension),
            "value": render(percent(estimate.value, *limits(estimate))),
            "level": render(LEVEL_NAMES[level]),
        }


def _scenarios(found: Guidance) -> list[Row]:
    if not is_judged(found):
        return []
    return [
        {
            "scenario": render(each.scenario.name),
            "targets": render(STATUS_NAMES[each.status]),
            "because": "; ".join(render(distance_words(found, goal)) for goal in each.targets),
            "what would meet them": " ".join(
                render(way) for goal in each.targets if (way := way_to(found, goal)) is not None
            ),
        }
        for each in found.verdicts
    ]


def _lines(cards: Sequence[GuidanceCard]) -> Sequence[Row]:
    lines = [
        {"run": card.key, **row, "remarks": ""}
        for card, found in cards_found(cards)
        for row in _scenarios(found)
    ]
    blank = dict.fromkeys(lines[0] if lines else ("run", "remarks"), "")
    for card in cards:
        if card.found is None or not is_judged(card.found):
            why = card.reason if card.found is None else IN_SHORT[gap_of(card.found)]
            lines.append(blank | {"run": card.key, "remarks": printable(render(why or ""))})
    return lines


def _document(cards: Sequence[GuidanceCard]) -> dict[str, Any]:
    return {
        "scenarios": target_rows(cards),
        "matrix": cell_rows(cards),
        "runs": [_in_words(card, found) for card, found in cards_found(cards)],
    }


def _in_words(card: GuidanceCard, found: Guidance) -> dict[str, Any]:
    return {
        "run": card.key,
        "k": found.k,
        "advice": [render(sentence) for sentence in advice(found)],
        "place": [render(sentence) for sentence in place(found)],
        "pitfalls": [render(sentence) for sentence in pitfalls(found)],
        "questions_to_settle": found.questions(),
        "bias_by_agreement": found.bias,
    }


def _used(cards: Sequence[GuidanceCard]) -> Iterator[Used]:
    for found in (card.found for card in cards if card.found):
        vote = ("cons@n", found.n) if found.voted else ("maj@k", found.k)
        yield from estimated("pass@k", found.k, [found.estimates["pass"]])
        yield from estimated("avg@n", found.n, [found.estimates["avg"]])
        yield from estimated(*vote, [found.estimates["cons"]])


GUIDE = Listing(
    about=DETAILS,
    result=Text("a place in the decision matrix"),
    view=("k", "level", "missing", "segment", "run"),
    defaults={"k": "the fewest samples of any question, and all of them vote, as in cons@n"},
    choices={"targets": (Goals, ())},
    compute=guide_runs,
    found=lambda card: card.found,
    answer=answer,
    blocks=_blocks,
    tables=lambda cards: [_lines(cards)],
    used=_used,
    figure="kofn.guidance.figures:picture",
    frame=target_frame,
    document=_document,
)
