"""What the server does from its start to its end, and all that it changes in Streamlit itself."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import cast

import streamlit as st
from streamlit import net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionClient, SessionInfo, SessionStorage
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.typing import UploadedFile

from kofn.apart import calls
from reports.files import spool

SERVED = 1
"""Seconds after which a visitor was served who wants nothing."""
MOST = 128
"""Visitors who may come back; whoever left first is forgotten for one more."""


@asynccontextmanager
async def serving(app: st.App) -> AsyncIterator[None]:
    """Serve visitors, keep nothing of those who left, and ask nothing of the internet.

    A signal that ends the server comes here too, before the process ends by it.
    """
    # Until a visitor has run st.navigation, Streamlit takes a folder named `pages` for its older,
    # automatic navigation, and greets a link to a page with "Page not found".
    PagesManager.uses_pages_directory = False
    # A visitor with the Origin of another site would have Streamlit ask one on the internet for
    # its own address there, to compare the two.
    net_util.get_external_ip = lambda: None
    runtime = Runtime.instance()
    absent = Absent(st.get_option("server.disconnectedSessionTTL"), _let_go)
    runtime._session_mgr._session_storage = absent  # type: ignore[attr-defined]
    _refuse_late_uploads(runtime)
    spool.remove_left()
    calls.start()
    try:
        yield
    finally:
        calls.stop()
        spool.remove_own()


class Absent(SessionStorage):
    """Visitors whose connection went, until they come back or their time is over.

    Streamlit's own notices that time is over when the next visitor leaves, and then does not free
    what was uploaded.

    Parameters
    ----------
    seconds : float
        That a visitor has to come back.
    forgotten : callable
        Told when one is.
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


def _let_go() -> None:
    """Let go of the visitor served last, and of all that only they had.

    Streamlit's loop holds that visitor, with what they were sent last, until it serves another: so
    it serves nobody in their place.
    """
    runtime = Runtime.instance()
    nobody = runtime.connect_session(_Nobody(), {})
    runtime.handle_backmsg(nobody, BackMsg(app_heartbeat=True))

    def leave() -> None:
        runtime.close_session(nobody)
        _give_back()

    asyncio.get_running_loop().call_later(SERVED, leave)


def _refuse_late_uploads(runtime: Runtime) -> None:
    """Drop an upload that comes to its end when its visitor is forgotten: nobody would free it."""
    uploads = cast(MemoryUploadedFileManager, runtime.uploaded_file_mgr)
    add = uploads.add_file

    def add_if_known(session_id: str, file: UploadedFileRec) -> None:
        if runtime._session_mgr.get_session_info(session_id):
            add(session_id, file)

    uploads.add_file = add_if_known  # type: ignore[method-assign]


def _give_back() -> None:
    """Free what only refers to itself, and what the C library keeps for later, where it can."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def free(upload: UploadedFile) -> None:
    """Free the bytes of an upload: Streamlit would hold them until the visitor is forgotten."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, upload.file_id)
