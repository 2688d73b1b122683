"""What the server does from start to end."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import streamlit as st

from kofn.workers import calls
from pages.shared import internals
from pages.shared.memory.server_cache import EVERY, KEPT
from pages.shared.server import trusted_hosts
from reports.files import upload_store

_SOON = 0.2
"""Seconds after which the server, which has bound its port, answers on it."""


@asynccontextmanager
async def serving(app: st.App) -> AsyncIterator[None]:
    """Serve visitors, and keep nothing of those who left.

    A signal that ends the server comes here too, before the process ends by it.
    """
    internals.use_navigation_alone()
    internals.leave_hosts_to(trusted_hosts.refusal)
    seconds = st.get_option("server.disconnectedSessionTTL")
    internals.keep_absent(internals.Absent(seconds, partial(internals.let_go, _give_back)))
    internals.refuse_late_uploads()
    upload_store.remove_left()
    upload_store.hold_temporary_files()
    calls.start()
    _spare_what_all_share()
    asyncio.get_running_loop().call_later(_SOON, internals.open_browser)
    expiring = asyncio.create_task(_expire())
    try:
        yield
    finally:
        gc.unfreeze()  # or libraries complain that they were not let go
        expiring.cancel()
        calls.stop()
        upload_store.remove_own()


async def _expire() -> None:
    """Let go of uploads whose time is over, though nobody asks for them."""
    while True:
        KEPT.expire()
        await asyncio.sleep(EVERY)


def _spare_what_all_share() -> None:
    """Spare modules and the like the collection of garbage that follows each click."""
    gc.collect()
    gc.freeze()


def _give_back() -> None:
    """Free what only refers to itself, and what the C library keeps for later, where it can."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
