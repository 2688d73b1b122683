"""Which paths of the server a visitor may open."""

from __future__ import annotations

import argparse
import os
import re
import sys
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from metrics.data.words import Text
from reports.files.errors import LoadError

_FORWARDED = re.compile(
    r"via|forwarded|x-forwarded.*|x-original-.*|x-real-ip|.*(client|connecting)-ip", re.IGNORECASE
)
"""Headers by which proxies say for whom they ask."""
LONGEST = 4096
"""Letters of a path: no system knows longer ones."""


def paths_to_load() -> list[Path]:
    """Return the paths given at start, for every visitor."""
    return [Path(path).resolve() for path in _given_at_start().paths]


def reports_folder() -> Path | None:
    """Return the folder given at start, by ``--reports DIR`` or ``KOFN_REPORTS``."""
    folder: str | None = _given_at_start().reports
    return Path(folder).resolve() if folder else None


def is_given(path: Path) -> bool:
    """Say whether a path was given at start, or lies within what was."""
    folder = reports_folder()
    given = paths_to_load() if folder is None else [folder, *paths_to_load()]
    return any(path.is_relative_to(each) for each in given)


def spell(path: Path) -> str:
    """Spell a path as `find` takes it: within the folder of reports, relative to that."""
    folder = reports_folder()
    inside = folder is not None and path.is_relative_to(folder)
    return str(path.relative_to(folder) if folder and inside else path)


def is_own_machine() -> bool:
    """Say whether only users of this machine reach the server.

    It must be bound to the loopback address, and the visitor's browser must have asked for that
    address, on a page of that address: not through a proxy, and not under another name that leads
    here. A proxy that says nothing of itself asks for it too, but passes on what page asked.
    """
    headers, visitor = st.context.headers, st.context.ip_address  # None for the loopback address
    asked = [f"//{host}" for host in headers.get_all("Host")]
    asking = headers.get_all("Origin")
    return (
        _is_loopback(st.get_option("server.address"))
        and (visitor is None or _is_loopback(visitor))
        and bool(asked and asking)
        and all(_is_loopback(_host(url)) for url in asked + asking)
        and not any(_FORWARDED.fullmatch(name) for name in headers)
    )


def find(text: str) -> Path:
    """Return the path a visitor named, if they may open it.

    Parameters
    ----------
    text : str
        Relative to the folder given at start, or absolute.

    Raises
    ------
    LoadError
        If it lies outside of what was given and the server can be reached by others. Whether such a
        path exists is not told.
    """
    folder = reports_folder()
    try:
        if len(text) > LONGEST:
            raise ValueError("too long")
        path = ((folder or Path()) / Path(text.strip()).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise LoadError(text, Text("is not a path"), Text("Check the path.")) from error
    if is_given(path) or is_own_machine():
        return path
    raise LoadError(
        text,
        Text("is outside the folder of reports of this server"),
        Text("Give a path within that folder, or upload the file."),
    )


def _given_at_start() -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--reports", default=os.environ.get("KOFN_REPORTS"))
    return parser.parse_known_args(sys.argv[1:])[0]


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return host is not None and ip_address(host).is_loopback
    except ValueError:
        return False
