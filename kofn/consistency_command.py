"""``kofn consistency``: what a vote of the samples gains over a single one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kofn import inputs
from kofn.consistency import RunVotes, VoteChoices, compare_votes, no_parts, parts_by
from kofn.consistency_rows import SCENARIOS, frame, remarks, rows
from kofn.listing import Row, aligned, markdown
from kofn.rendering import percent, printable, render
from kofn.runs import index_runs
from kofn.scorecard import covered
from kofn.tables import csv_text
from kofn.view import View
from metrics.words import Text

SUMMARY = "set a majority vote against the average of the samples"
DETAILS = """\
Without --k all samples of a question vote: cons@n. With --k it is maj@k, over all choices of k of
the n samples. The difference is paired, question by question. AISBench's three scenarios: the vote
is above or below the average when the interval of the difference leaves out 0, about equal when it
lies within the margin; else the data cannot tell.

formats:
  table  a block for each run and k
  json   {"view", "choices": the settings, "votes": [one object for each run, segment and k]}
  csv    the same rows: run, model, dataset, segment, k, vote, cons, avg, difference (each with _low
         and _high), scenario, tied, half_ties, aisbench, agreement, agreed, confidently_wrong,
         level, target, margin, questions, remarks, reason
  md     one Markdown table
JSON and CSV hold fractions at full precision. tied is the share of votes that tie, which count as
wrong; half_ties is the vote if half of them counted as right. aisbench is what AISBench's own
formula for cons@k gives where k is less than n, which is no majority of k. Where answers were
extracted, agreement is the mean share of samples that give the most common answer, agreed the share
of questions where that is a majority, confidently_wrong the share of questions whose answers agree
and are wrong.

exit status:
  0  every path was read and some run has verdicts
  2  otherwise, with a line that says why; what could be compared is printed all the same
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    VoteChoices.add_arguments(parser, "margin", "by")
    View.add_arguments(parser, "k", "level", "target", "missing", "segment", "run")


def run(arguments: argparse.Namespace) -> int:
    """Print votes and averages of the paths; return the exit status."""
    view, choices = View.from_arguments(arguments), VoteChoices.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    cards = compare_votes(runs, view, parts_by(choices.by))
    problems += inputs.unknown(runs, view)
    if choices.by and not view.segment and not any(card.part for card in cards):
        problems.append(no_parts(choices.by))
    if not problems and not any(card.found for card in cards):
        problems.append(Text("There is no vote to count here; the lines above say why."))
    errors = [f"error: {render(problem)}" for problem in problems]
    for line in dict.fromkeys([*inputs.notes(reports, [card.run for card in cards]), *errors]):
        print(printable(line), file=sys.stderr)
    if cards:
        sys.stdout.write(FORMATS[arguments.format](cards, view, choices))
    return 2 if problems else 0


def _as_table(cards: Sequence[RunVotes], view: View, choices: VoteChoices) -> str:
    blocks = ["\n".join(_block(card, choices.margin)) for card in cards]
    return "\n\n".join([render(covered(view)), *blocks]) + "\n"


def _block(card: RunVotes, margin: float) -> Iterator[str]:
    (row,) = rows([card], margin)
    name = ", ".join(filter(None, [card.key, row["segment"]]))
    if card.found is None:
        yield f"{name}: {row['reason']}"
        return
    count = render(Text("{count} question", "{count} questions", count=row["questions"]))
    yield f"{name}, {count}"
    yield from (f"  {line}" for line in aligned(list(_lines(row))).splitlines()[1:])
    yield from (f"  {printable(render(text))}" for text in remarks(card, margin))


def _lines(row: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the numbers of a row, one below the other."""
    agreement = {"agreement": Text("agreement"), "agreed": Text("majority for one answer")}
    agreement["confidently_wrong"] = Text("confidently wrong")
    names = {"cons": row["vote"], "avg": "avg@n", "difference": Text("difference")}
    for key, name in (names | agreement).items():
        if row[key] is not None:
            value, interval = _cells(row, key)
            yield {"number": render(name), "value": value, "interval": interval}


def _cells(row: Mapping[str, Any], key: str) -> tuple[str, str]:
    """Write a number and its interval: a difference in points, others in percent."""
    limits = [row[f"{key}_{end}"] for end in ("low", "high") if f"{key}_{end}" in row]
    value, *ends = percent(row[key], *limits)
    interval = render(Text("{low} to {high}", low=ends[0], high=ends[1])) if ends else ""
    if key != "difference":
        return value, interval
    interval = interval.replace("%", "")
    return render(Text("{value} points", value=value.removesuffix("%"))), interval


def _as_markdown(cards: Sequence[RunVotes], view: View, choices: VoteChoices) -> str:
    lines = [_markdown_row(row) for row in rows(cards, choices.margin)]
    return f"{render(covered(view))}\n\n{markdown(lines)}\n"


def _markdown_row(row: Mapping[str, Any]) -> Row:
    numbers: dict[str, str] = {}
    for key in ("cons", "avg", "difference"):
        written = ("N/A", "") if row[key] is None else _cells(row, key)
        numbers |= {key: written[0], f"{key}, interval": written[1]}
    scenario = row["scenario"]
    return {
        "run": row["run"],
        "segment": row["segment"] or "",
        "vote": row["vote"] or "",
        **numbers,
        "scenario": render(SCENARIOS[scenario]) if scenario else "",
        "remarks": row["reason"] or " ".join(row["remarks"]),
    }


def _as_csv(cards: Sequence[RunVotes], view: View, choices: VoteChoices) -> str:
    return csv_text(frame(cards, choices.margin))


def _as_json(cards: Sequence[RunVotes], view: View, choices: VoteChoices) -> str:
    document = {
        "view": view.to_json(),
        "choices": {"margin": choices.margin, "by": choices.by},
        "votes": rows(cards, choices.margin),
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[RunVotes], View, VoteChoices], str]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "md": _as_markdown,
}
