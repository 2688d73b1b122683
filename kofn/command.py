"""The command line of kofn: ``kofn scorecard PATH…``, or ``kofn PATH…`` for short.

Readers, tables and numerics are imported for the subcommand that was chosen, so that help comes at
once.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, NamedTuple

from kofn.terminal.parsing import Parser
from kofn.version import VERSION
from kofn.writing.languages import asked_for, catalogue
from metrics.data.words import Text, reading_in


class SubcommandOffer(NamedTuple):
    """A subcommand, not yet imported."""

    summary: Text
    # Of its `kofn.terminal.subcommand.Subcommand`, as `pkgutil.resolve_name` takes it.
    dotted_name: str


SUBCOMMANDS: dict[str, SubcommandOffer] = {
    "serve": SubcommandOffer(
        Text("open the dashboard in a browser, with reports loaded"),
        "kofn.terminal.serve:SERVE",
    ),
    "inventory": SubcommandOffer(
        Text("say what came in, and which reported numbers are wrong"),
        "kofn.inventory.command:INVENTORY.subcommand",
    ),
    "repair": SubcommandOffer(
        Text("write a report of AISBench with its wrong numbers corrected"),
        "kofn.repair.command:REPAIR",
    ),
    "overview": SubcommandOffer(
        Text("say who leads each dataset, what is wrong and what to be careful of"),
        "kofn.overview.command:OVERVIEW.subcommand",
    ),
    "scorecard": SubcommandOffer(
        Text("print every metric of every run with its interval"),
        "kofn.scorecard.command:SCORECARD.subcommand",
    ),
    "soft-vs-hard": SubcommandOffer(
        Text("compare soft accuracy with the share of scores above a threshold"),
        "kofn.soft_vs_hard.command:SOFT_VS_HARD.subcommand",
    ),
    "trust": SubcommandOffer(
        Text("check the verdicts against the final answers in the texts"),
        "kofn.trust.command:TRUST.subcommand",
    ),
    "questions": SubcommandOffer(
        Text("list the questions that are right, wrong, flaky or worth reading"),
        "kofn.questions.command:QUESTIONS.subcommand",
    ),
    "consistency": SubcommandOffer(
        Text("compare a majority vote with one answer"),
        "kofn.consistency.command:CONSISTENCY.subcommand",
    ),
    "candidates": SubcommandOffer(
        Text("say what picking one of several samples by a score gains"),
        "kofn.candidates.command:CANDIDATES.subcommand",
    ),
    "compare": SubcommandOffer(
        Text("say which of two runs is better, by how much, and whether it could be luck"),
        "kofn.compare.command:COMPARE.subcommand",
    ),
    "rank": SubcommandOffer(
        Text("rank runs, with the places that each may have"),
        "kofn.rank.command:RANK.subcommand",
    ),
    "series": SubcommandOffer(
        Text("follow a metric along checkpoints, versions or temperatures"),
        "kofn.series.command:SERIES.subcommand",
    ),
    "plan": SubcommandOffer(
        Text("say how small a difference a benchmark can detect, and what a smaller one takes"),
        "kofn.plan.command:PLAN.subcommand",
    ),
    "choose-n": SubcommandOffer(
        Text("weigh what more samples solve against what they cost, and choose n"),
        "kofn.choose_n.command:CHOOSE_N.subcommand",
    ),
    "budgets": SubcommandOffer(
        Text("weigh short answers against long ones for the same tokens, and the time they take"),
        "kofn.budgets.command:BUDGETS.subcommand",
    ),
    "trade-offs": SubcommandOffer(
        Text("show any metric or cost of every run against any other"),
        "kofn.trade_offs.command:TRADE_OFFS.subcommand",
    ),
    "saturation": SubcommandOffer(
        Text("print a metric for every k: measured, and forecast beyond the samples"),
        "kofn.saturation.command:SATURATION.subcommand",
    ),
    "guidance": SubcommandOffer(
        Text("say what a model is fit for by its pass@k, avg@n and cons@k"),
        "kofn.guidance.command:GUIDANCE.subcommand",
    ),
    "report": SubcommandOffer(
        Text("write the conclusions of all pages to one file, to keep and to send"),
        "kofn.report.command:REPORT",
    ),
    "tools": SubcommandOffer(
        Text("list the tools whose files kofn reads, and on which files that was checked"),
        "kofn.tools.command:TOOLS_COMMAND",
    ),
    "convert": SubcommandOffer(
        Text("write every run as one long table, or as records of Every Eval Ever"),
        "kofn.terminal.convert:CONVERT",
    ),
    "completion": SubcommandOffer(
        Text("print the script that lets a shell complete subcommands and options"),
        "kofn.completion:COMPLETION",
    ),
}
ALIASES = {
    "score": "scorecard",
    "soft-hard": "soft-vs-hard",
    "curve": "saturation",
    "guide": "guidance",
}
"""Earlier names of subcommands, which stay."""
DETAILS = Text(
    """\
kofn PATH… is short for kofn scorecard PATH…. kofn help SUBCOMMAND explains one of them.

exit status:
  0  everything was done
  1  a gate fails: scorecard --fail-under, compare --margin
  2  an argument is wrong, or something could not be read, computed or written. A line on standard
     error says what; everything else is done nevertheless
  3  a gate cannot decide: compare --margin --strict
130  interrupted by Ctrl-C
"""
)
ENDED = 128
"""Added to the number of the signal, as a shell does."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; without the name of one, ``score``.

    argv: By default the arguments of the process.
    Returns: Exit status: 0, or as `DETAILS` says.
    """
    language, given = asked_for(list(sys.argv[1:] if argv is None else argv), os.environ)
    with _ended_in_order(), reading_in(catalogue(language)):
        return _run(given)


def _run(given: list[str]) -> int:
    if given == ["help"]:
        given = []
    elif given[:1] == ["help"]:
        given = [*given[1:2], "--help"]
    if not given or given[0] in ("-h", "--help"):
        parser_of()[0].print_help()
        return 0
    if given[0] in ("-V", "--version", "version"):
        print(f"kofn {VERSION}")
        return 0
    if (name := ALIASES.get(given[0], given[0])) in SUBCOMMANDS:
        del given[0]
    elif meant := _misspelled(name):
        problem = Text(
            "{name!r} is neither a subcommand nor a path. Did you mean {meant}?",
            name=name,
            meant=meant,
        )
        parser_of()[0].error(str(problem))
    else:
        name = "scorecard"
    from kofn.terminal import running

    return running.run(name, *SUBCOMMANDS[name], given)


def _misspelled(word: str) -> str | None:
    """Return the subcommand that is meant where a word is no path either."""
    if "." in word or Path(word).exists():
        return None
    known = (*SUBCOMMANDS, *ALIASES, "help", "version")
    meant = get_close_matches(word.casefold().replace("_", "-"), known, n=1)
    return meant[0] if meant else None


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Have SIGTERM end the command as Ctrl-C does: nothing that it kept is left behind."""
    if current_thread() is not main_thread():  # where no handler can be set
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: FrameType | None) -> None:
    sys.exit(ENDED + number)


def parser_of() -> tuple[Parser, argparse._SubParsersAction[Any]]:
    """Return the parser of the command, and what takes its subcommands."""
    parser = Parser(
        prog="kofn",
        description=Text("How good is a model that may try n times, and how sure are we?"),
        epilog=DETAILS,
    )
    parser.add_argument(
        "-V", "--version", action="store_true", help=Text("print the version and exit")
    )
    parser.add_language()
    choices = parser.add_subparsers(dest="subcommand", metavar="SUBCOMMAND")
    for name, offer in SUBCOMMANDS.items():
        choices.add_parser(name, help=str(offer.summary))
    return parser, choices
