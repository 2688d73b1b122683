"""``kofn serve``: the dashboard in a browser."""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

from kofn.terminal import inputs
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from metrics.data.words import Text
from reports.files.addresses import Address, entries
from reports.files.errors import LoadError
from reports.files.stored_uploads import Keeping

DETAILS = Text(
    """\
Every visitor finds the reports of PATH loaded, and can load more. The server listens only on this
machine unless you give --address, and answers browsers that ask for localhost, for ADDRESS (0.0.0.0
stands for every IP address) or for a NAME. Visitors from elsewhere can open only what lies within a
SOURCE: a folder, a file, a pattern, or the address of a place or engine; nobody can open another
place or engine. KOFN_REPORTS takes several, with ";" between them. Ctrl-C ends the server and
removes what it kept. Uploads are kept for KOFN_KEEP minutes after their last use (60; with 0, none
is kept for a reload or a link), and take at most KOFN_KEEP_MB together (2000).

exit status:
  0  ended by Ctrl-C
  2  an argument is wrong, a path does not exist, or the port cannot be used; a line says which
"""
)
APP = "kofn.app"
_HOST = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*", re.ASCII)


def add_flags(parser: Parser) -> None:
    """Give the parser of the subcommand its arguments."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=Text("a report folder, zip or table")
    )
    parser.add_argument(
        "--reports",
        metavar="SOURCE",
        action="append",
        default=[],
        help=Text(
            "what visitors may open, with everything in it; may be repeated (default: KOFN_REPORTS)"
        ),
    )
    parser.add_argument("--address", help=Text("where to listen; 0.0.0.0 lets others connect"))
    parser.add_argument(
        "--allowed-host",
        metavar="NAME",
        action="append",
        default=[],
        type=_host,
        help=Text(
            "a name that browsers or a proxy may ask for, such as kofn.example, or *.example "
            "for all names with that ending; may be repeated (default: "
            "STREAMLIT_SERVER_ALLOWED_HOSTS)"
        ),
    )
    parser.add_argument(
        "--port",
        type=_port,
        help=Text("the port to listen on (default: the first free one from 8501)"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until the process is told to end; return the exit status."""
    if problems := list(_problems(arguments)):
        return inputs.print_remarks((), problems)
    module = import_module(APP)
    folders = (word for each in arguments.reports for word in ("--reports", each))
    paths = (Address.read(path).absolute().text for path in arguments.paths)
    sys.argv = [str(module.__file__), *paths, *folders]
    try:
        environment = module.environment()
    except ValueError as error:
        return inputs.print_remarks((), [Text("{problem}", problem=str(error))])
    settings = {
        "server.address": arguments.address,
        "server.port": arguments.port,
        "server.allowedHosts": arguments.allowed_host,
    }
    with suppress(KeyboardInterrupt):
        given = {name: value for name, value in settings.items() if value}
        module.app.run(config={**environment, **given})
    return 0


def _problems(arguments: argparse.Namespace) -> Iterator[Text]:
    reports = arguments.reports or entries(os.environ.get("KOFN_REPORTS", ""))
    for text in (*arguments.paths, *reports):
        try:
            address = Address.read(text)
        except LoadError as error:
            yield error.text
            continue
        to_come = address.kind == "glob" and text in reports
        if not (to_come or address.exists()):
            yield Text("{path}: does not exist. Check the path.", path=text)
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
            "kofn cannot listen on {place}: {reason}. Give another --address or --port.",
            place=f"{host}:{port}" if port else host,
            reason=error.strerror or str(error),
        )


def _host(text: str) -> str:
    if _HOST.fullmatch(text):
        return text
    sentence = Text(
        "{text!r} is not a host name: give one such as kofn.example, without http:// and port",
        text=text,
    )
    raise argparse.ArgumentTypeError(str(sentence))


def _port(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 1 << 16:
        return int(text)
    sentence = Text("{text!r} is not a port: give a number from 1 to 65535", text=text)
    raise argparse.ArgumentTypeError(str(sentence))


SERVE = Subcommand(DETAILS, add_flags, run)
