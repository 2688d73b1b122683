"""``kofn serve``: the dashboard in a browser."""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from kofn.terminal import inputs
from kofn.terminal.subcommand import Subcommand
from metrics.data.words import Text
from reports.files.staying import Keeping

DETAILS = """\
Every visitor finds the reports of PATH loaded, and may load more. It listens on this machine alone
unless ADDRESS says otherwise; who comes from elsewhere may open paths within DIR only. Ctrl-C ends
it, and removes what it kept: uploads stay KOFN_KEEP minutes after their last use (60; 0: none is
kept for a reload or a link), at most KOFN_KEEP_MB together (2000).

exit status:
  0  ended by Ctrl-C
  2  an argument is wrong, a path is not there, or the port cannot be had; a line says which
"""
APP = "kofn.app"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a report folder, zip or table")
    parser.add_argument(
        "--reports", metavar="DIR", help="whose files visitors may open (default: KOFN_REPORTS)"
    )
    parser.add_argument("--address", help="where to listen: 0.0.0.0 for others to come")
    parser.add_argument(
        "--port", type=_port, help="and at which port (default: the first free one from 8501 on)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until the process is told to end; return the exit status."""
    if problems := list(_problems(arguments)):
        return inputs.tell((), problems)
    module = import_module(APP)
    folder = ["--reports", arguments.reports] if arguments.reports else []
    paths = (str(Path(path).resolve()) for path in arguments.paths)
    sys.argv = [str(module.__file__), *paths, *folder]
    settings = {"server.address": arguments.address, "server.port": arguments.port}
    with suppress(KeyboardInterrupt):
        module.app.run(config={name: value for name, value in settings.items() if value})
    return 0


def _problems(arguments: argparse.Namespace) -> Iterator[Text]:
    for path in filter(None, (*arguments.paths, arguments.reports)):
        if not Path(path).exists():
            yield Text("{path}: does not exist. Check the path.", path=path)
    try:
        Keeping.of()
    except ValueError as error:
        yield Text("{problem}", problem=str(error))
    host, port = arguments.address or "localhost", arguments.port or 0
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((host, port))
    except OSError as error:
        yield Text(
            "{place} cannot be listened on: {reason}. Give another --address or --port.",
            place=f"{host}:{port}" if port else host,
            reason=error.strerror or str(error),
        )


def _port(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 1 << 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 1 to 65535")


SERVE = Subcommand(DETAILS, add_flags, run)
