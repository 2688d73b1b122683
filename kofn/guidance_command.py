"""``kofn guide``: what to do with each run, by AISBench's scenarios and decision matrix."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kofn import inputs
from kofn.guidance import RunGuidance, Targets, cards_found, guide_runs
from kofn.guidance_rows import cell_rows, target_frame, target_rows
from kofn.guidance_words import (
    LEVEL_NAMES,
    RULE_OF_THUMB,
    STATUS_NAMES,
    pitfalls,
    target_words,
    verdict,
)
from kofn.listing import aligned, csv_text, markdown
from kofn.rendering import percent, printable, render
from kofn.runs import index_runs, unknown_runs
from kofn.scorecard import covered
from kofn.view import View
from metrics.decision import Guidance
from metrics.scenarios import KINDS
from metrics.words import Text

SUMMARY = "say what pass@k, avg@n and cons@k advise, and how sure that is"
DETAILS = """\
Targets and levels are those of AISBench's document, which calls them hypothetical; set your own.
A target is met where the whole interval of its metric lies above it, not met where none of it does,
and undecided otherwise. Everything is about questions like these.

formats:
  table  a block for each run: levels, place in the decision matrix, scenarios, pitfalls
  json   {"view", "targets": the settings, "scenarios": [one object for each run and target],
         "matrix": [one for each run and cell], "runs": [advice in words]}
  csv    the scenarios, with the columns run, model, dataset, segment, scenario, scenario_status,
         scenario_probability, metric, target, status, probability, value, low, high, level,
         questions, questions_to_settle, reason
  md     the scenarios as one Markdown table
JSON and CSV hold fractions at full precision.

exit status:
  0  every path was read and some run can be placed
  2  otherwise, with a line that says why; what could be placed is printed all the same
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    Targets.add_arguments(parser)
    View.add_arguments(parser, "k", "level", "missing", "segment", "run")


def run(arguments: argparse.Namespace) -> int:
    """Print the guidance for the paths; return the exit status."""
    view, targets = View.from_arguments(arguments), Targets.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    cards = guide_runs(runs, view, targets)
    for name in unknown_runs(runs, view.runs):
        known = "; ".join(runs)
        problems.append(
            Text("No run is called {name}; there are: {known}.", name=name, known=known)
        )
    if not problems and not any(card.found for card in cards):
        problems.append(Text("Nothing here can be placed; the lines above say why."))
    errors = [f"error: {render(problem)}" for problem in problems]
    for line in dict.fromkeys([*inputs.notes(reports, [card.run for card in cards]), *errors]):
        print(printable(line), file=sys.stderr)
    if cards:
        sys.stdout.write(FORMATS[arguments.format](cards, view, targets))
    return 2 if problems else 0


def _as_table(cards: Sequence[RunGuidance], view: View, targets: Targets) -> str:
    blocks = ["\n".join(_block(card)) for card in cards]
    return "\n\n".join([render(covered(view)), *blocks, render(RULE_OF_THUMB)]) + "\n"


def _block(card: RunGuidance) -> Iterator[str]:
    found = card.found
    if found is None:
        yield f"{card.key}: {printable(render(card.reason or ''))}"
        return
    yield card.key
    yield from (f"  {line}" for line in aligned(_levels(found)).splitlines())
    yield from (f"  {render(sentence)}" for sentence in verdict(found))
    yield from (f"  {line}" for line in aligned(_scenarios(found)).splitlines())
    for sentence in pitfalls(found):
        yield f"  {render(sentence)}"


def _levels(found: Guidance) -> list[dict[str, str]]:
    rows = []
    for kind, level in zip(KINDS, found.cell, strict=True):
        estimate = found.estimates[kind]
        value, *ends = percent(estimate.value, *(estimate.interval or ()))
        interval = render(Text("{low} to {high}", low=ends[0], high=ends[1])) if ends else ""
        rows.append(
            {
                "metric": found.label(kind),
                "value": value,
                "interval": interval,
                "level": render(LEVEL_NAMES[level]),
            }
        )
    return rows


def _scenarios(found: Guidance) -> list[dict[str, str]]:
    return [
        {
            "scenario": render(each.scenario.name),
            "targets": render(STATUS_NAMES[each.status]),
            "probability": f"{each.probability:.0%}",
            "because": "; ".join(render(target_words(found, target)) for target in each.targets),
        }
        for each in found.verdicts
    ]


def _as_markdown(cards: Sequence[RunGuidance], view: View, targets: Targets) -> str:
    lines = [
        {"run": card.key, **row, "remarks": ""}
        for card, found in cards_found(cards)
        for row in _scenarios(found)
    ]
    blank = dict.fromkeys(lines[0] if lines else ("run", "remarks"), "")
    for card in cards:
        if card.found is None:
            lines.append(blank | {"run": card.key, "remarks": printable(render(card.reason or ""))})
    return f"{render(covered(view))}\n\n{markdown(lines)}\n"


def _as_csv(cards: Sequence[RunGuidance], view: View, targets: Targets) -> str:
    return csv_text(target_frame(cards))


def _as_json(cards: Sequence[RunGuidance], view: View, targets: Targets) -> str:
    document = {
        "view": view.to_json(),
        "targets": targets.to_json(),
        "scenarios": target_rows(cards),
        "matrix": cell_rows(cards),
        "runs": [_in_words(card, found) for card, found in cards_found(cards)],
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _in_words(card: RunGuidance, found: Guidance) -> dict[str, Any]:
    return {
        "run": card.key,
        "k": found.k,
        "advice": [render(sentence) for sentence in verdict(found)],
        "pitfalls": [render(sentence) for sentence in pitfalls(found)],
        "questions_to_settle": found.questions(),
        "bias_by_agreement": found.bias,
    }


FORMATS: Mapping[str, Callable[[Sequence[RunGuidance], View, Targets], str]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "md": _as_markdown,
}
