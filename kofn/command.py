"""The command line of kofn: ``kofn score PATH…``, or ``kofn PATH…`` for short."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from kofn.choose_n.command import CHOOSE_N
from kofn.consistency.command import CONSISTENCY
from kofn.guidance.command import GUIDE
from kofn.questions.command import QUESTIONS
from kofn.saturation.command import CURVE
from kofn.scorecard.command import SCORE
from kofn.soft_hard.command import SOFT_HARD
from kofn.terminal import convert
from kofn.terminal.subcommand import Subcommand
from kofn.writing.rendering import printable, render
from metrics.data.words import MetricError
from reports.files import spool
from reports.files.errors import LoadError

SUBCOMMANDS: Mapping[str, Subcommand] = {
    "score": SCORE.subcommand,
    "soft-hard": SOFT_HARD.subcommand,
    "questions": QUESTIONS.subcommand,
    "consistency": CONSISTENCY.subcommand,
    "choose-n": CHOOSE_N.subcommand,
    "curve": CURVE.subcommand,
    "guide": GUIDE.subcommand,
    "convert": Subcommand(convert.SUMMARY, convert.DETAILS, convert.add_flags, convert.run),
}
UNUSABLE = 2
CLOSED_PIPE = 141
"""As a shell reports a process that the closed pipe ended."""
ENDED = 128
"""Added to the number of the signal, as a shell does."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; without the name of one, ``score``.

    Parameters
    ----------
    argv : sequence of str, optional
        By default the arguments of the process.

    Returns
    -------
    int
        Exit status: 0, or 2 for input that cannot be used.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    spool.remove_left()
    with _ended_in_order():
        return _run(list(sys.argv[1:] if argv is None else argv))


def _run(given: list[str]) -> int:
    if given and given[0] not in (*SUBCOMMANDS, "-h", "--help"):
        given.insert(0, "score")
    arguments = _parser().parse_args(given)
    try:
        status = SUBCOMMANDS[arguments.subcommand].run(arguments)
        sys.stdout.flush()
    except (LoadError, MetricError) as error:
        print(f"error: {printable(render(error.text))}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    return status


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kofn",
        description="How good is a model that may try n times, and how sure are we?",
        epilog="kofn PATH… is short for kofn score PATH….",
    )
    choices = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    for name, subcommand in SUBCOMMANDS.items():
        subcommand.add_flags(
            choices.add_parser(
                name,
                help=subcommand.summary,
                description=subcommand.summary.capitalize() + ".",
                epilog=subcommand.details,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
        )
    return parser
