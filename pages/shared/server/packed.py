"""Streamlit's scripts and styles, compressed: a first visit needs a third of the bytes.

Streamlit sends them as they are, since packing each time takes the server long. Here each is packed
once and kept: they are files of the installation, and do not change while it runs.
"""

from __future__ import annotations

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEAST = 1_000
"""Bytes below which packing gains nothing."""
_ENDINGS = (".js", ".css")
_ASKING = ("range", "if-none-match", "if-modified-since")
"""What asks for a part, or for nothing if the browser has it."""


class Packed:
    """Sends scripts and styles packed to whoever takes them so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, tuple[Message, bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if not _is_packed(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self._kept:
            collected = _Collected()
            await self._app(scope, receive, collected.send)
            if not collected.can_be_packed:
                await send(collected.start)
                await send({"type": "http.response.body", "body": collected.body})
                return
            self._kept[path] = await asyncio.to_thread(_pack, collected)
        start, body = self._kept[path]
        await send(start)
        await send({"type": "http.response.body", "body": body})


def _is_packed(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    headers, path = Headers(scope=scope), scope["path"]
    return (
        "/static/" in path
        and path.endswith(_ENDINGS)
        and "gzip" in headers.get("accept-encoding", "")
        and not any(name in headers for name in _ASKING)
    )


class _Collected:
    """An answer as a whole."""

    def __init__(self) -> None:
        self.start: Message = {}
        self.body = b""

    @property
    def can_be_packed(self) -> bool:
        encoded = "content-encoding" in MutableHeaders(raw=self.start["headers"])
        return self.start["status"] == 200 and not encoded and len(self.body) >= LEAST

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
        else:
            self.body += message.get("body", b"")


def _pack(collected: _Collected) -> tuple[Message, bytes]:
    body = gzip.compress(collected.body, 9, mtime=0)
    headers = MutableHeaders(raw=list(collected.start["headers"]))
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(body))
    headers.add_vary_header("accept-encoding")
    return {**collected.start, "headers": headers.raw}, body
