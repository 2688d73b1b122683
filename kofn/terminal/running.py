"""Run one subcommand: its arguments, its errors and its exit status."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pkgutil import resolve_name

from kofn.terminal import inputs
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from kofn.writing.columns import first_capital
from metrics.data.words import MetricError, Text
from reports.files import upload_store
from reports.files.errors import LoadError


def run(name: str, summary: Text, dotted_name: str, given: Sequence[str]) -> int:
    """Run a subcommand.

    name, summary, dotted_name: As `kofn.command.SUBCOMMANDS` has them.
    Returns: Exit status.
    """
    upload_store.remove_left()
    subcommand: Subcommand = resolve_name(dotted_name)
    parser = Parser(
        prog=f"kofn {name}",
        description=Text("{summary}.", summary=first_capital(str(summary))),
        epilog=subcommand.details,
    )
    subcommand.add_flags(parser)
    parser.add_language()
    parser.set_defaults(command=shlex.join(["kofn", name, *given]))
    arguments = parser.parse_args(given)
    try:
        return subcommand.run(arguments)
    except (LoadError, MetricError) as error:
        return inputs.print_remarks((), [error.text])
