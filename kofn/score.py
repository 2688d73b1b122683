"""``kofn score``: the scorecard of every run in some files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from kofn import inputs
from kofn.rendering import percent, printable, render
from kofn.runs import index_runs
from kofn.scorecard import RunScores, score_runs
from kofn.suites import pool_suites
from kofn.tables import FORMATS
from kofn.view import View
from metrics.words import Text
from reports.reconcile import Comparison, reconcile, reconcile_suite
from reports.report import Report

Compared = tuple[str, Sequence[Comparison]]
"""The name of a run or suite, and what its file states."""

SUMMARY = "print every metric of every run with its interval"
DETAILS = """\
formats:
  table  a block for each run, its caveats numbered below
  json   {"view": the settings, "scores": [one object for each run, metric and k]}
  csv    the same rows, with the columns run, model, dataset, segment, metric, k, value, low,
         high, level, target, questions, method, caveats, reason
  md     one Markdown table
JSON and CSV hold fractions at full precision; what is undefined has a reason instead of a value.

standard error:
  what a reader found, repaired or left out, and where a file's own numbers differ from those of
  its samples, one line each

exit status:
  0  every path was read and some run has a score
  2  otherwise, with a line that says why; what could be scored is printed all the same
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    View.add_arguments(parser, "k", "level", "target", "missing", "segment", "run")


def run(arguments: argparse.Namespace) -> int:
    """Print the scorecards of the paths; return the exit status."""
    view = View.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    scored = score_runs(runs, view)
    suites = tuple(pool_suites(reports, scored))
    problems += inputs.unknown(runs, view)
    if not (problems or any(score.estimate for card in scored for score in card.scores)):
        problems.append(Text("Nothing here can be scored; the lines above say why."))
    errors = [f"error: {render(problem)}" for problem in problems]
    shown = [card.run for card in scored]
    notes = inputs.notes(reports, shown)
    differences = _differences([*_compared(scored), *_compared_suites(reports, scored)])
    for line in dict.fromkeys([*notes, *differences, *errors]):
        print(printable(line), file=sys.stderr)
    if scored:
        sys.stdout.write(FORMATS[arguments.format]((*scored, *suites), view))
    return 2 if problems else 0


def _compared(scored: Sequence[RunScores]) -> Iterator[Compared]:
    return ((card.key, reconcile(card.run)) for card in scored if card.scores)


def _compared_suites(reports: Sequence[Report], scored: Sequence[RunScores]) -> Iterator[Compared]:
    shown = {id(card.run) for card in scored}
    for suite in (suite for report in reports for suite in report.suites):
        if all(id(run) in shown for run in suite.runs):
            yield f"{suite.model} / {suite.name}", reconcile_suite(suite)


def _differences(compared: Sequence[Compared]) -> Iterator[str]:
    for key, lines in compared:
        for line in lines:
            if not line.agrees and line.recomputed is not None:
                reported, recomputed, _ = percent(line.reported, line.recomputed, line.reported)
                difference = Text(
                    "{metric} is {reported} in the file and {recomputed} by its samples: {reason}",
                    metric=line.metric,
                    reported=reported,
                    recomputed=recomputed,
                    reason=line.reason,
                )
                yield f"difference: {key}: {render(difference)}"
