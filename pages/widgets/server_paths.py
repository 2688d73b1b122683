"""Which paths of the server a visitor may open."""

from __future__ import annotations

import argparse
import os
import sys
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from metrics.words import Text
from reports.errors import LoadError


def reports_folder() -> Path | None:
    """Return the folder given at start, by ``--reports DIR`` or ``KOFN_REPORTS``."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--reports", default=os.environ.get("KOFN_REPORTS"))
    folder: str | None = parser.parse_known_args(sys.argv[1:])[0].reports
    return Path(folder).resolve() if folder else None


def is_own_machine() -> bool:
    """Say whether only users of this machine reach the server.

    It must be bound to the loopback address, and the visitor must have asked for that address
    itself: not through a proxy, and not under another name that leads here.
    """
    headers = st.context.headers
    host = urlsplit(f"//{headers.get('Host', 'localhost')}").hostname
    forwarded = any(name in headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-Ip"))
    return _is_loopback(st.get_option("server.address")) and _is_loopback(host) and not forwarded


def find(text: str) -> Path:
    """Return the path a visitor named, if they may open it.

    Parameters
    ----------
    text : str
        Relative to the folder given at start, or absolute.

    Raises
    ------
    LoadError
        If it lies outside that folder and the server can be reached by others. Whether such a path
        exists is not told.
    """
    folder = reports_folder()
    try:
        path = ((folder or Path()) / Path(text.strip()).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise LoadError(text, Text("is not a path"), Text("Check the path.")) from error
    if is_own_machine() or (folder is not None and path.is_relative_to(folder)):
        return path
    raise LoadError(
        text,
        Text("is outside the folder of reports of this server"),
        Text("Give a path within that folder, or upload the file."),
    )


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return host is not None and ip_address(host).is_loopback
    except ValueError:
        return False
