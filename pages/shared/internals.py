"""Everything that kofn changes or uses in Streamlit's internals.

Another version may have it otherwise: each function has a test, and the version tried is held.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import cast

import click
from streamlit import cli_util, config, file_util
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.column_types import ColumnConfig
from streamlit.navigation.page import StreamlitPage
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionClient, SessionInfo, SessionStorage
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.typing import UploadedFile
from streamlit.web import cli
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_websocket

__all__ = [
    "MOST",
    "SCRIPTS",
    "SERVED",
    "Absent",
    "ColumnConfig",
    "DeltaGenerator",
    "StreamlitPage",
    "draw_once",
    "free",
    "is_changed",
    "is_held",
    "keep_absent",
    "leave_hosts_to",
    "let_go",
    "open_browser",
    "page_hash",
    "refuse_late_uploads",
    "settings_of_environment",
    "use_navigation_alone",
    "use_own_settings",
]

SERVED = 1
"""Seconds after which a visitor was served who wants nothing."""
MOST = 128
"""Visitors who may come back; whoever left first is forgotten for one more."""
SCRIPTS = {
    "index": (
        (b"F&&c($w,{", b"F&&c($w.once??=(0,U.memo)($w),{"),
        (
            b"appPages:r}=e;this.appPages=r,",
            b"appPages:r}=e,q=JSON.stringify([t,r]);q===this.told?[t,r]=this.menu:"
            b"(this.told=q,this.menu=[t,r]),this.appPages=r,",
        ),
        (
            b"this.handleDeltaMsg=(e,t,n)=>{this.setState(",
            b"this.waiting=[],this.drawWaiting=()=>{clearTimeout(this.wait);this.wait=void 0;"
            b"for(let e of this.waiting.splice(0))this.setState(e)},"
            b"this.handleDeltaMsg=(e,t,n)=>{this.wait??=setTimeout(this.drawWaiting,100);"
            b"this.waiting.push(",
        ),
        (
            b"this.handleMessage=e=>{",
            b"this.handleMessage=e=>{e.type===`delta`||this.drawWaiting();",
        ),
    ),
    "PlotlyChart": (
        (b"return t?i(Je,", b"return t>0?i(Je,"),
        (
            b"(0,P.useEffect)(()=>{F(t=>Le(t,e.theme,c))},[e.id,c,e.theme])",
            b"(t=>(0,P.useEffect)(()=>{t.current===c||(t.current=c,F(t=>Le(t,e.theme,c)))},"
            b"[e.id,c,e.theme]))((0,P.useRef)(c))",
        ),
        (
            b"P.push(w.drawData,w.finalDraw,g,",
            b"P.push(e=>{let t=e._fullLayout;t._replotting=!1;let n=u.doAutoMargin(e);"
            b"return n?P.length=0:t._replotting=!0,n},w.drawData,w.finalDraw,g,",
        ),
    ),
}
"""What is otherwise in Streamlit's scripts, by how their names begin. The menu is made again when
it changes only, not whenever something of a page comes, or the same menu. What comes of a page
waits a tenth of a second for more of it, or until the page has run to its end. A figure waits for a
width above 0, is coloured again when the colours of the page change only, and finds out how much
room its axes need before its data are drawn, not after."""


def use_navigation_alone() -> None:
    """Let pages be those of `st.navigation` from the first visitor on.

    Until a visitor has run it, Streamlit takes a folder named `pages` for its older, automatic
    navigation, and greets a link to a page with "Page not found".
    """
    PagesManager.uses_pages_directory = False


def use_own_settings() -> None:
    """Read no settings, and no secrets, of the folder one stands in: they are of another app.

    Those beside `app.py` would win, but over what they say only.
    """
    file_util.get_project_streamlit_file_path = file_util.get_streamlit_file_path


def settings_of_environment() -> dict[str, object]:
    """Return the settings that the environment has: by itself, only `streamlit run` reads them.

    Raises ValueError if one is not of its kind, such as a port that is no number.
    """
    command = click.command()(cli.configurator_options(lambda **found: found))
    try:
        found = command.main([], standalone_mode=False)
    except click.ClickException as error:
        raise ValueError(error.format_message()) from error
    return {
        name.replace("_", "."): value for name, value in found.items() if value not in (None, ())
    }


def open_browser() -> None:
    """Open the dashboard in the browser of whoever started it, where there is a screen."""
    if not config.get_option("server.headless"):
        cli_util.open_browser(server_util.get_url(config.get_option("browser.serverAddress")))


def leave_hosts_to(refusal: Callable[[list[str], list[str]], str]) -> None:
    """Let a rule of ours alone say which Host and Origin a connection may have.

    Streamlit's own rule lets in any Host, and every port of this machine as an Origin; told of
    names, it refuses the loopback address. It asks a site on the internet for the server's own
    address there, to compare an Origin with it.

    refusal: From the headers Host and Origin to why a request is refused; empty where it is let in.
    """

    def is_allowed(origin: str | None, host: str | None) -> bool:
        return not refusal([host or ""], [] if origin is None else [origin])

    starlette_websocket._is_origin_allowed = is_allowed


def keep_absent(absent: Absent) -> None:
    """Let visitors whose connection went be kept elsewhere than Streamlit does."""
    Runtime.instance()._session_mgr._session_storage = absent  # type: ignore[attr-defined]


def is_changed(path: str) -> bool:
    """Return whether at a path of the server lies a script of Streamlit that is to be otherwise."""
    return _changes(path) is not None


def draw_once(path: str, script: bytes) -> bytes:
    """Let a script of Streamlit draw once what it draws often: menu, figures, parts of a page."""
    changes = _changes(path) or ()
    if all(script.count(before) == 1 for before, _ in changes):
        for before, after in changes:
            script = script.replace(before, after)
    return script


def _changes(path: str) -> tuple[tuple[bytes, bytes], ...] | None:
    found = re.search(r"/static/js/(\w+)\.[\w-]+\.js$", path)
    return SCRIPTS.get(found[1]) if found else None


def is_held(key: str) -> bool:
    """Return whether the browser has said what the widget with a key holds: it has drawn it."""
    context = get_script_run_ctx()
    if context is None:
        return True
    state = context.session_state._state
    return state._key_id_mapper.get_id_from_key(key) in state._new_widget_state.states


def page_hash() -> str:
    """Return what tells the page that is run from the others; nothing outside of a page."""
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""


class Absent(SessionStorage):
    """Visitors whose connection went, until they come back or their time is over.

    Streamlit's own notices that time is over when the next visitor leaves, and then does not free
    what was uploaded.

    seconds: That a visitor has to come back.
    forgotten: Told when one is.
    """

    def __init__(self, seconds: float, forgotten: Callable[[], None]) -> None:
        self._seconds, self._forgotten = seconds, forgotten
        self._left: dict[str, SessionInfo] = {}

    def get(self, session_id: str) -> SessionInfo | None:
        """Return a visitor who left, if they may come back."""
        return self._left.get(session_id)

    def save(self, session_info: SessionInfo) -> None:
        """Remember a visitor who leaves, for some time."""
        self._left[session_info.session.id] = session_info
        asyncio.get_running_loop().call_later(self._seconds, self._forget, session_info)
        if len(self._left) > MOST:
            self._forget(next(iter(self._left.values())))

    def delete(self, session_id: str) -> None:
        """Let go of a visitor, who has come back or is gone."""
        self._left.pop(session_id, None)

    def list(self) -> list[SessionInfo]:
        """Return those who may come back."""
        return list(self._left.values())

    def _forget(self, left: SessionInfo) -> None:
        if self._left.get(left.session.id) is left:
            self.delete(left.session.id)
            left.session.shutdown()
            self._forgotten()


class _Nobody(SessionClient):
    """A visitor who is shown nothing."""

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Take what is shown, and drop it."""


def let_go(then: Callable[[], None]) -> None:
    """Let go of the visitor served last, and of all that only they had.

    Streamlit's loop holds that visitor, with what they were sent last, until it serves another: so
    it serves nobody in their place, and does something when they have left.
    """
    runtime = Runtime.instance()
    nobody = runtime.connect_session(_Nobody(), {})
    runtime.handle_backmsg(nobody, BackMsg(app_heartbeat=True))

    def leave() -> None:
        runtime.close_session(nobody)
        then()

    asyncio.get_running_loop().call_later(SERVED, leave)


def refuse_late_uploads() -> None:
    """Drop an upload that comes to its end when its visitor is forgotten: nobody would free it."""
    runtime = Runtime.instance()
    uploads = cast(MemoryUploadedFileManager, runtime.uploaded_file_mgr)
    add = uploads.add_file

    def add_if_known(session_id: str, file: UploadedFileRec) -> None:
        if runtime._session_mgr.get_session_info(session_id):
            add(session_id, file)

    uploads.add_file = add_if_known  # type: ignore[method-assign]


def free(upload: UploadedFile) -> None:
    """Free the bytes of an upload: Streamlit would hold them until the visitor is forgotten."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, upload.file_id)
