"""``kofn serve``: the dashboard in a browser."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from kofn.terminal.subcommand import Subcommand
from metrics.data.words import Text
from reports.files.errors import LoadError

DETAILS = """\
Every visitor finds the reports of PATH loaded, and may load more. It listens on this machine alone
unless ADDRESS says otherwise; who comes from elsewhere may open paths within DIR only. Ctrl-C ends
it, and removes what it kept.

exit status:
  0  ended by Ctrl-C
  1  the port is taken
  2  an argument is wrong, or there is no such path
"""
APP = "kofn.app"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a report folder, zip or table")
    parser.add_argument(
        "--reports", metavar="DIR", help="whose files visitors may open (default: KOFN_REPORTS)"
    )
    parser.add_argument("--address", help="0.0.0.0 for all of this machine (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, help="default: the first free one from 8501 on")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the process is told to end; return the exit status."""
    paths = [Path(each).resolve() for each in arguments.paths]
    for path in paths:
        if not path.exists():
            raise LoadError(str(path), Text("does not exist"), Text("Check the path."))
    settings = {"server.address": arguments.address, "server.port": arguments.port}
    given = {name: value for name, value in settings.items() if value is not None}
    folder = ["--reports", arguments.reports] if arguments.reports else []
    module = import_module(APP)
    sys.argv = [str(module.__file__), *map(str, paths), *folder]
    with suppress(KeyboardInterrupt):
        module.app.run(config=given)
    return 0


SERVE = Subcommand(DETAILS, add_flags, run)
