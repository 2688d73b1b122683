"""``kofn curve``: what more samples buy."""

from __future__ import annotations

import argparse
import sys

from kofn import inputs
from kofn.curve_tables import FORMATS
from kofn.curves import Span, trace_run
from kofn.rendering import printable, render
from kofn.runs import index_runs
from kofn.view import View
from metrics.words import Text

SUMMARY = "print a metric for every k, measured and beyond the samples"
DETAILS = """\
Up to the samples n of a question everything is measured. Beyond, pass@k, pass^k and maj@k are
carried on by a model as far as 16 n, with its band, and pass@k and pass^k also with what is
possible without a model. Where the model cannot be trusted the reason stands instead.

formats:
  table  a block for each run: k that double, or those of --k
  json   {"view", "span": the settings, "points": [one object for each run and k], "runs": [samples,
         backtest of the model, reasons, caveats]}
  csv    the points, with the columns run, model, dataset, segment, metric, k, source, value, low,
         high, bound_low, bound_high, alike (if all questions were equally hard), gain (of one more
         try), level, target, samples, reason
  md     the points as a Markdown table
JSON and CSV hold fractions at full precision.

exit status:
  0  every path was read and some run has a curve
  2  otherwise, with a line that says why; what could be computed is printed all the same
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    Span.add_arguments(parser, "up-to")
    View.add_arguments(parser, "metric", "k", "level", "target", "missing", "segment", "run")


def run(arguments: argparse.Namespace) -> int:
    """Print the curves of the paths; return the exit status."""
    view, span = View.from_arguments(arguments), Span.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    shown = {key: run for key, run in runs.items() if not view.runs or key in view.runs}
    curves = [trace_run(key, run, view, span) for key, run in shown.items()]
    problems += inputs.unknown(runs, view.runs)
    if not problems and not any(curve.points for curve in curves):
        problems.append(Text("Nothing here has a curve; the reasons stand beside the runs."))
    errors = [f"error: {render(problem)}" for problem in problems]
    for line in dict.fromkeys([*inputs.notes(reports, list(shown.values())), *errors]):
        print(printable(line), file=sys.stderr)
    if curves:
        sys.stdout.write(FORMATS[arguments.format](curves, view, span))
    return 2 if problems else 0
