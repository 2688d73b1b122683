"""One entry of the browser's history for each page that was visited.

Streamlit adds one whenever a setting of the address changes, so that *Back* would go through all
settings a page ever had, and one for the address without a page, which only leads on to the first.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SCRIPT = b"""<script>
  const push = history.pushState;
  history.pushState = function (state, title, url) {
    const here = location.pathname, there = new URL(url ?? "", location.href).pathname;
    const turned = here === there || here.endsWith("/");
    (turned ? history.replaceState : push).call(this, state, title, url);
  };
</script>
"""
_UNCHANGED = (b"accept-encoding", b"if-modified-since", b"if-none-match", b"range")
"""What would have the page come packed, in part, or not at all."""


class OneEntryAPage:
    """Has every page that a browser opens replace entries of its own in the history.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        kept = [header for header in scope["headers"] if header[0] not in _UNCHANGED]
        await self._app({**scope, "headers": kept}, receive, _Adding(send).send)


class _Adding:
    """Passes an answer on, with the script if it is a page."""

    def __init__(self, send: Send) -> None:
        self._send, self._body = send, b""
        self._start: Message = {}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        headers = MutableHeaders(raw=self._start["headers"])
        if headers.get("content-type", "").startswith("text/html"):
            self._body = self._body.replace(b"</head>", _SCRIPT + b"</head>", 1)
            headers["content-length"] = str(len(self._body))
            for name in ("etag", "last-modified"):
                del headers[name]
        await self._send(self._start)
        await self._send({**message, "body": self._body})
