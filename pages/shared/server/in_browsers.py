"""What kofn adds to Streamlit in the browser.

The history has one entry for each page that was visited. Streamlit adds one whenever a setting of
the address changes, so that *Back* would go through all settings a page ever had, and one for the
address without a page, which only leads on to the first.

A page opened in another tab shows the data of this one: its address carries it. In a window where
the menu lies over the page, it closes when a page was chosen, as it does on a phone. Who opens a
popover by the keyboard goes on within it: Streamlit puts it at the end of the page. Who has no
pointer to hover with finds how to copy a link. What is chosen of several buttons, and what needs
more data, is told in letters of enough contrast. A title stands beside Streamlit's buttons, and a
page's quiet link or line beside its title, close to the sentence below. In a narrow window nothing
stands beside parts or beside how a figure is read. A link that has the focus has an outline, as
buttons have.
The menu and figures are drawn when they change only, and a page in few steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.internals import draw_once, is_changed

_ADDED = b"""<style>
  body a:focus-visible { outline: 2px solid currentColor !important; outline-offset: -2px; }
  @media (min-width: 768px) {
    body [data-testid=stMainBlockContainer] { padding: 1rem min(5rem, 6vw) 2rem; }
    body [data-testid=stHeader] { background: none; pointer-events: none; }
    body [data-testid=stHeader] button { pointer-events: auto; }
    body [data-testid=stMain] :is(h1, h2) { padding-top: 0.5rem; }
    body div:has(> .st-key-kofn-beside-title) {
      position: absolute; top: 1.6rem; right: min(5rem, 6vw); width: auto;
    }
  }
  body .st-key-kofn-wins a { padding-left: 0; }
  body .st-key-kofn-wins div div:has(> [data-testid=stMarkdown]) { flex: 1 1 20rem; }
  @media (max-width: 1023px) {
    body .st-key-kofn-parts > div:has([data-testid=stButtonGroup]) { flex-basis: 100%; }
    body .st-key-kofn-wins { gap: 0.75rem; }
    body .st-key-kofn-beside [data-testid=stColumn] { min-width: 100%; }
  }
  @media (max-width: 640px) {
    body [class*=st-key-kofn-below] { flex-direction: column; align-items: flex-start; }
    body [class*=st-key-kofn-below] > div { flex: none; max-width: 100%; }
  }
  body [data-testid=stSidebar] [data-testid=stPageLink] p {
    color: color-mix(in srgb, canvastext 65%, canvas);
  }
  [data-testid=stPopoverBody] [data-testid=stCode] > div { visibility: visible; opacity: 1; }
  [data-testid=stButtonGroup] [data-selected=true] p {
    color: color-mix(in srgb, currentcolor, canvastext);
  }
</style>
<script>
  const push = history.pushState;
  history.pushState = function (state, title, url) {
    const here = location.pathname, there = new URL(url ?? "", location.href).pathname;
    const turned = here === there || here.endsWith("/");
    (turned ? history.replaceState : push).call(this, state, title, url);
  };

  const MENU = "a[data-testid=stSidebarNavLink]", LINK = MENU + ", a[data-testid^=stPageLink]";
  for (const event of ["pointerdown", "contextmenu", "focusin"]) {
    document.addEventListener(event, ({ target }) => {
      const link = target.closest?.(LINK);
      if (link?.origin !== location.origin) return;
      const there = new URL(link.href);
      there.searchParams.delete("data");
      for (const each of new URLSearchParams(location.search).getAll("data")) {
        there.searchParams.append("data", each);
      }
      link.href = there;
    }, true);
  }

  const over = matchMedia("(max-width: 767px)");
  const close = () => document.querySelector(
    "[data-testid=stSidebarCollapseButton] button[aria-expanded=true]"
  )?.click();
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.(LINK)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) event.stopPropagation();
    else if (over.matches && event.target.closest(MENU)) setTimeout(close);
  }, true);

  const enter = (tries) => {
    const opened = document.querySelector("[data-testid=stPopoverBody]");
    opened?.setAttribute("tabindex", "-1");
    opened?.focus();
    if (!opened && tries) setTimeout(enter, 50, tries - 1);
  };
  document.addEventListener("click", ({ target, detail }) => {
    const opener = detail === 0 && target.closest?.("[data-testid=stPopoverButton]");
    if (opener && opener.getAttribute("aria-expanded") === "false") setTimeout(enter, 50, 20);
  }, true);
</script>
"""
_UNCHANGED = (b"accept-encoding", b"if-modified-since", b"if-none-match", b"range")
"""What would have a file come packed, in part, or not at all."""


class InBrowsers:
    """Has every page that a browser opens bring what is ours, and Streamlit draw less often."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if (change := _change(scope)) is None:
            await self._app(scope, receive, send)
            return
        kept = [header for header in scope["headers"] if header[0] not in _UNCHANGED]
        await self._app({**scope, "headers": kept}, receive, _Changing(send, *change).send)


def _change(scope: Scope) -> tuple[str, Callable[[bytes], bytes]] | None:
    """Return what kind of file is to be changed, and how; None where nothing is."""
    if scope["type"] != "http":
        return None
    if "text/html" in Headers(scope=scope).get("accept", ""):
        return "html", _with_ours
    if scope["method"] == "GET" and is_changed(scope["path"]):
        return "javascript", partial(draw_once, scope["path"])
    return None


def _with_ours(page: bytes) -> bytes:
    return page.replace(b"</head>", _ADDED + b"</head>")


class _Changing:
    """Passes an answer on, changed if it is of a kind."""

    def __init__(self, send: Send, kind: str, change: Callable[[bytes], bytes]) -> None:
        self._send, self._kind, self._change = send, kind, change
        self._start: Message = {}
        self._parts: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        self._parts.append(message.get("body", b""))
        if message.get("more_body"):
            return
        body = b"".join(self._parts)
        headers = MutableHeaders(raw=self._start["headers"])
        if self._kind in headers.get("content-type", ""):
            body = self._change(body)
            headers["content-length"] = str(len(body))
            for name in ("etag", "last-modified"):
                del headers[name]
        await self._send(self._start)
        await self._send({**message, "body": body})
