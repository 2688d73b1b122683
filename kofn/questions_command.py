"""``kofn questions``: which questions are right, wrong or flaky, as the page lists them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

from kofn import inputs, waiting
from kofn.question_kinds import KINDS, search, select
from kofn.question_lists import Flags, RunQuestions, comparable, run_questions
from kofn.question_tables import FORMATS, Listing
from kofn.questions import QuestionFilter
from kofn.rendering import printable, render
from kofn.runs import index_runs, unknown_runs
from kofn.view import View
from metrics.words import MetricError, Text
from reports.report import LoadError, Run

SUMMARY = "list the questions that are right, wrong, flaky or worth reading"
_KINDS = "\n".join(f"  {name:<17}  {render(kind.meaning)}" for name, kind in KINDS.items())
DETAILS = f"""\
kinds, for --filter:
{_KINDS}

A strip shows a sample as a letter: # right, . wrong, ! failed, _ never asked.

formats:
  table  a block for each run
  json   {{"view": …, "filter": …, "questions": [one object for each run and question]}}
  csv    the same rows: run, model, dataset, question, samples (the strip), right (the share of
         right samples), c, n, failed, and what the files have of soft, gap (soft minus hard),
         answer (the most common), agreed (the share that gives it), answer_right, tokens_out,
         segment.NAME; --sort takes these names
  md     one Markdown table

exit status:
  0  every path was read, and the questions of some run can be listed so
  2  otherwise, with a line that says why
"""
FLAGS = ("filter", "search", "sort", "down", "right", "agreed", "a", "b")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    QuestionFilter.add_arguments(parser, *FLAGS)
    View.add_arguments(parser, "run", "segment", "missing")


def run(arguments: argparse.Namespace) -> int:
    """Print the questions of the paths; return the exit status."""
    view, chosen = View.from_arguments(arguments), QuestionFilter.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    named = View(runs=tuple(filter(None, (*view.runs, chosen.a, chosen.b))))
    for name in unknown_runs(runs, named.runs):
        known = "; ".join(runs)
        problems.append(
            Text("No run is called {name}; there are: {known}.", name=name, known=known)
        )
    listings, refused = [], []
    for key in _listed(runs, view, chosen):
        try:
            listings.append(_list(key, runs, view, chosen))
        except (LoadError, MetricError) as error:
            refused.append(error.text)
    if not listings:
        problems += refused or [Text("There is no run to list.")]
        refused = []
    notes = inputs.notes(reports, [listing.questions.run for listing in listings])
    lines = [
        *notes,
        *(f"left out: {render(reason)}" for reason in refused),
        *(f"error: {render(problem)}" for problem in problems),
    ]
    for line in dict.fromkeys(lines):
        print(printable(line), file=sys.stderr)
    if listings:
        sys.stdout.write(FORMATS[arguments.format](listings, view, chosen))
    return 2 if problems else 0


def _listed(runs: Mapping[str, Run], view: View, chosen: QuestionFilter) -> Iterator[str]:
    wanted = (chosen.a,) if chosen.a else view.runs or tuple(runs)
    return (key for key in runs if key in wanted)


def _list(key: str, runs: Mapping[str, Run], view: View, chosen: QuestionFilter) -> Listing:
    a = run_questions(key, runs[key], view)
    beside = comparable(runs, view, key, chosen.b)[: int(chosen.kind == "a-beats-b")]
    others = [run_questions(other, runs[other], view) for other in beside]
    found = search(a, chosen.search, _in_texts(a, chosen.search)) if chosen.search else None
    return Listing(a, select(a, others, chosen, found))


def _in_texts(questions: RunQuestions, needle: str) -> Flags | None:
    if not questions.run.has_texts:
        return None
    with waiting.shown(questions.key) as progress:
        return questions.run.search(needle, progress)
