"""Run one subcommand: its arguments, its errors and its exit status."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pkgutil import resolve_name

from kofn.terminal.subcommand import Subcommand
from kofn.writing.rendering import printable, render
from metrics.data.words import MetricError
from reports.files import spool
from reports.files.errors import LoadError

UNUSABLE = 2


def run(name: str, summary: str, place: str, given: Sequence[str]) -> int:
    """Run a subcommand.

    Parameters
    ----------
    name, summary, place : str
        As `kofn.command.SUBCOMMANDS` has them.
    given : sequence of str
        Its arguments.

    Returns
    -------
    int
        Exit status.
    """
    spool.remove_left()
    subcommand: Subcommand = resolve_name(place)
    parser = argparse.ArgumentParser(
        prog=f"kofn {name}",
        description=summary.capitalize() + ".",
        epilog=subcommand.details,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subcommand.add_flags(parser)
    parser.set_defaults(command=shlex.join(["kofn", name, *given]))
    arguments = parser.parse_args(given)
    try:
        return subcommand.run(arguments)
    except (LoadError, MetricError) as error:
        print(f"error: {printable(render(error.text))}", file=sys.stderr)
        return UNUSABLE
