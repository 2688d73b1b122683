"""``kofn soft-hard``: why accuracy and avg@n of one run differ."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kofn import inputs
from kofn.listing import Row, aligned, csv_text, markdown
from kofn.rendering import percent, printable, render
from kofn.runs import index_runs, unknown_runs
from kofn.scorecard import covered
from kofn.soft_hard import Mark, RunCompared, by_dataset, compare_runs
from kofn.soft_hard_orders import rankings
from kofn.soft_hard_rows import DIFFERENCES, frame, gap_makers, rows
from kofn.soft_hard_words import explain, rule_of
from kofn.view import View
from metrics.thresholds import Band
from metrics.words import Text

SUMMARY = "compare soft accuracy with the share of scores beyond a threshold"
DETAILS = """\
Only runs whose samples have soft scores are compared; the others say why not.

formats:
  table  a block for each run: both accuracies, the gap between them and what makes it
  json   {"view", "mark": the settings, "numbers": [one object for each run and number], "runs":
         [levels, replicas, questions and the sweep over all thresholds], "rankings": by dataset}
  csv    the numbers, with the columns run, model, dataset, segment, threshold, rule, metric, value,
         low, high, level, target, questions, caveats, reason
  md     the numbers as one Markdown table
JSON and CSV hold fractions at full precision.

exit status:
  0  every path was read and some run has soft scores
  2  otherwise, with a line that says why; what could be compared is printed all the same
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    Mark.add_arguments(parser)
    View.add_arguments(parser, "level", "target", "missing", "segment", "run")


def run(arguments: argparse.Namespace) -> int:
    """Print the comparison of the paths; return the exit status."""
    view, mark = View.from_arguments(arguments), Mark.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    cards = compare_runs(runs, view, mark)
    for name in unknown_runs(runs, view.runs):
        known = "; ".join(runs)
        problems.append(
            Text("No run is called {name}; there are: {known}.", name=name, known=known)
        )
    if not problems and not any(card.found for card in cards):
        problems.append(Text("No run here has soft scores to compare."))
    errors = [f"error: {render(problem)}" for problem in problems]
    for line in dict.fromkeys([*inputs.notes(reports, [card.run for card in cards]), *errors]):
        print(printable(line), file=sys.stderr)
    if cards:
        sys.stdout.write(FORMATS[arguments.format](cards, view, mark))
    return 2 if problems else 0


def _as_table(cards: Sequence[RunCompared], view: View, mark: Mark) -> str:
    blocks = ["\n".join(_block(card)) for card in cards]
    orders = [line for lines in by_dataset(cards).values() for line in _order_lines(lines)]
    return "\n\n".join([render(covered(view)), *blocks, *orders]) + "\n"


def _block(card: RunCompared) -> Iterator[str]:
    found = card.found
    if found is None:
        yield f"{card.key}: {printable(render(card.compared.reason or ''))}"
        return
    yield f"{card.key}, {render(rule_of(card))}"
    yield from (f"  {line}" for line in aligned(list(map(_cells, rows([card])))).splitlines())
    yield f"  {render(explain(found))}"
    if card.contrary is not None:
        yield f"  {render(card.contrary)}"


def _order_lines(cards: Sequence[RunCompared]) -> Iterator[str]:
    for ranking in rankings(cards):
        order = " > ".join(" = ".join(group) for group in ranking.order)
        yield render(
            Text(
                "By hard accuracy, threshold {low:g} to {high:g}: {order}",
                low=ranking.low,
                high=ranking.high,
                order=order,
            )
        )


def _as_markdown(cards: Sequence[RunCompared], view: View, mark: Mark) -> str:
    lines = [
        {
            "run": row["run"],
            **_cells(row),
            "remarks": row["reason"] or " ".join(row["caveats"]),
        }
        for row in rows(cards)
    ]
    return f"{render(covered(view))}\n\n{markdown(lines)}\n"


def _cells(row: Mapping[str, Any]) -> Row:
    value, *limits = (row[name] for name in ("value", "low", "high"))
    if value is None:
        return {"number": "", "value": render(Text("N/A")), "interval": ""}
    written = percent(value, *(limit for limit in limits if limit is not None))
    value, *ends = written
    if row["metric"] in DIFFERENCES:
        value, *ends = (part.removesuffix("%") for part in written)
        value = render(Text("{value} points", value=value))
    interval = Text("{low} to {high}", low=ends[0], high=ends[1]) if ends else ""
    return {"number": row["metric"], "value": value, "interval": render(interval)}


def _as_csv(cards: Sequence[RunCompared], view: View, mark: Mark) -> str:
    return csv_text(frame(cards))


def _as_json(cards: Sequence[RunCompared], view: View, mark: Mark) -> str:
    document = {
        "view": view.to_json(),
        "mark": mark.to_json(),
        "numbers": rows(cards),
        "runs": [_details(card) for card in cards],
        "rankings": {
            dataset: [
                {"low": part.low, "high": part.high, "order": part.order}
                for part in rankings(group)
            ]
            for dataset, group in by_dataset(cards).items()
        },
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _details(card: RunCompared) -> dict[str, Any]:
    found, sweep = card.found, card.compared.sweep
    if found is None or sweep is None:
        return {"run": card.key}
    levels = zip(
        found.levels.score, found.levels.share, found.levels.right, found.levels.credit, strict=True
    )
    return {
        "run": card.key,
        "levels": [
            {"score": float(s), "share": float(p), "right": bool(r), "adds": float(a)}
            for s, p, r, a in levels
        ],
        "replicas": {
            name: replica.tolist()
            for name, replica in zip(("soft", "hard"), found.by_replica, strict=True)
        },
        "questions": gap_makers(card),
        "sweep": {
            "threshold": sweep.threshold.tolist(),
            "above": _band(sweep.above),
            "reached": _band(sweep.reached),
        },
    }


def _band(band: Band) -> dict[str, list[float]]:
    return {name: getattr(band, name).tolist() for name in ("value", "low", "high")}


FORMATS: Mapping[str, Callable[[Sequence[RunCompared], View, Mark], str]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "md": _as_markdown,
}
