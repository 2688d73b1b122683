"""Which Host and Origin a request may have: the server's address, or a name it was given.

A page of another site can have its own name lead to this machine (DNS rebinding), and would then
read, as a page of the same origin, whatever is loaded here. Its requests still name that site as
their Host. An address of numbers cannot be rebound, so a server that listens on all addresses of
its machine answers to any of them.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from reports.files.addresses import is_loopback

_HOST = re.compile(r"(?P<name>[\w.-]+|\[[\da-f:.]+\])(:(?P<port>\d+))?", re.ASCII | re.IGNORECASE)
_ORIGIN = re.compile(rf"(?P<scheme>[a-z][a-z\d+.-]*)://{_HOST.pattern}", _HOST.flags)
_PORTS = {"http": "80", "https": "443"}
_EVERYWHERE = ("0.0.0.0", "::")
"""The address of a server that listens on every address of its machine."""
_FORBIDDEN = 403
_HOW = (
    "Whoever runs kofn allows a name with --allowed-host NAME (kofn serve) or "
    "--server.allowedHosts NAME (streamlit run).\n"
)


class TrustedHosts:
    """Refuse, before anything else sees it, what comes to a name that is not this server's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not."""
        app = self._app
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            refused = refusal(headers.getlist("host"), headers.getlist("origin"))
            app = PlainTextResponse(refused, _FORBIDDEN) if refused else app
        await app(scope, receive, send)


def refusal(hosts: list[str], origins: list[str]) -> str:
    """Say why a request is refused.

    hosts, origins: Its headers Host and Origin.
    Returns: Two sentences; empty where the request is let in.
    """
    host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if host is None or not _is_served(_name(host)):
        return f"kofn does not answer to the name {', '.join(hosts) or '(none)'}. {_HOW}"
    for text in origins:
        origin = _ORIGIN.fullmatch(text)
        if origin is None or not (_is_at(origin, host) or _is_named(_name(origin))):
            return f"A page of {text} may not use kofn at {hosts[0]}. {_HOW}"
    return ""


def _name(match: re.Match[str]) -> str:
    return match["name"].lower().strip("[]").rstrip(".")


def _is_at(origin: re.Match[str], host: re.Match[str]) -> bool:
    """Say whether a page is of a host; both may leave out the port that its scheme implies."""
    usual = _PORTS.get(origin["scheme"].lower())
    return (_name(origin), origin["port"] or usual) == (_name(host), host["port"] or usual)


def _is_served(name: str) -> bool:
    address = st.get_option("server.address") or _EVERYWHERE[0]
    numbers = _numbers(name)
    return (
        is_loopback(name)
        or name == address.lower()
        or (numbers is not None and (address in _EVERYWHERE or numbers == _numbers(address)))
        or "*" in st.get_option("server.allowedHosts")
        or _is_named(name)
    )


def _is_named(name: str) -> bool:
    """Say whether it is a name that the server was told it is known by."""
    address = st.get_option("browser.serverAddress")
    names = [*st.get_option("server.allowedHosts"), *([] if is_loopback(address) else [address])]
    return any(
        name.endswith(each[1:]) if each.startswith("*.") else name == each
        for each in (name.strip().lower().rstrip(".") for name in names)
    )


def _numbers(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None
