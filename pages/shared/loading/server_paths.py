"""Which server paths, remote addresses and engines a visitor may open."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from metrics.data.words import Text
from reports.files.addresses import Address, entries, is_loopback
from reports.files.errors import LoadError

_FORWARDED = re.compile(
    r"via|forwarded|x-forwarded.*|x-original-.*|x-real-ip|.*(client|connecting)-ip", re.IGNORECASE
)
"""Headers by which proxies say for whom they ask."""
LONGEST = 4096
"""Letters of a path: no system knows longer ones."""


def sources_to_load() -> list[Address]:
    """Return the paths and addresses given at start, for every visitor."""
    return _addresses(_given_at_start().paths)[0]


def sources_of_reports() -> list[Address]:
    """Return what visitors may open by name, by ``--reports SOURCE`` or ``KOFN_REPORTS``."""
    return _addresses(_named_at_start())[0]


def problems() -> list[Text]:
    """Say what is wrong with addresses given at start."""
    return _addresses([*_given_at_start().paths, *_named_at_start()])[1]


def is_given(address: Address) -> bool:
    """Say whether an address was given at start, or lies within what was."""
    return any(each.covers(address) for each in [*sources_of_reports(), *sources_to_load()])


def spell(address: Address) -> str:
    """Spell an address as `find` takes it: within the folders of reports, relative to that."""
    if address.is_remote:
        return address.shown
    for folder in _folders():
        if Path(address.text).is_relative_to(folder):
            inside = str(Path(address.text).relative_to(folder))
            if _absolute_address(inside) == address:
                return inside
    return address.text


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
        is_loopback(st.get_option("server.address"))
        and (visitor is None or is_loopback(visitor))
        and bool(asked and asking)
        and all(is_loopback(_host(url)) for url in asked + asking)
        and not any(_FORWARDED.fullmatch(name) for name in headers)
    )


def find(text: str) -> Address:
    """Return what a visitor named, if they may open it.

    text: A path or pattern, relative to a folder given at start or absolute; or an address.
    Raises LoadError if it is the address of a place or engine outside of what was given, or a path
    outside of it and the server can be reached by others. Whether such a path exists is not told.
    """
    try:
        if len(text) > LONGEST:
            raise ValueError("too long")
        asked = Address.read(text.strip())
        if asked.is_remote:
            return _among_given(asked)
        asked = _absolute_address(asked.text)
    except LoadError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        raise LoadError(text, Text("is not a path"), Text("Check the path.")) from error
    if is_given(asked) or is_own_machine():
        return asked
    raise LoadError(
        text,
        Text("is outside the folder of reports of this server"),
        Text("Give a path within that folder, or upload the file."),
    )


def _among_given(asked: Address) -> Address:
    """Return an address, with the parameters of the one that was given."""
    for given in (*sources_of_reports(), *sources_to_load()):
        if asked.text in (given.text, given.shown):
            return given
    if is_given(asked):
        return asked
    raise LoadError(
        asked.shown,
        Text("is not an address that this server was started with, nor within one"),
        Text("Its administrator names addresses when starting it."),
    )


def _absolute_address(text: str) -> Address:
    """Return the path of a text: in the first folder of reports that has it."""
    path = Path(text).expanduser()
    found = [Address.read(str((folder / path).resolve())) for folder in _folders() or [Path()]]
    return next((each for each in found if each.exists()), found[0])


def _folders() -> list[Path]:
    return [Path(each.text) for each in sources_of_reports() if each.kind == "path"]


def _addresses(texts: Iterable[str]) -> tuple[list[Address], list[Text]]:
    found, wrong = [], []
    for text in filter(None, texts):
        try:
            found.append(Address.read(text).absolute())
        except LoadError as error:
            wrong.append(error.text)
    return found, wrong


def _named_at_start() -> list[str]:
    given: list[str] | None = _given_at_start().reports
    return entries(os.environ.get("KOFN_REPORTS", "")) if given is None else given


def _given_at_start() -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--reports", action="append")
    return parser.parse_known_args(sys.argv[1:])[0]


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
