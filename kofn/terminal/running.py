"""Run one subcommand: its arguments, its errors and its exit status."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pkgutil import resolve_name

from kofn.terminal import inputs
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from metrics.data.words import MetricError
from reports.files import spool
from reports.files.errors import LoadError


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
    parser = Parser(
        prog=f"kofn {name}",
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=subcommand.details,
    )
    subcommand.add_flags(parser)
    parser.set_defaults(command=shlex.join(["kofn", name, *given]))
    arguments = parser.parse_args(given)
    try:
        return subcommand.run(arguments)
    except (LoadError, MetricError) as error:
        return inputs.tell((), [error.text])
