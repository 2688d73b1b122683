"""Long work in the background, with its progress on the page.

A click runs the page again, or another page, at once. The work goes on meanwhile, and whoever asks
for it next waits for what is left of it. It ends when the visitor leaves, stops it, or wants
something else instead.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from concurrent import futures
from itertools import count
from math import inf
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

import streamlit as st

from pages.shared.translating import _
from reports.files.progress import EVERY, Progress

T = TypeVar("T")
PATIENCE = 2
"""Seconds before it is offered to stop."""
_UNDER_WAY = "kofn.under.way"
_NUMBERS = count()


class _Work:
    """What one visitor waits for.

    Attributes
    ----------
    key : hashable
        What tells it from other work of its kind.
    share : float
        How much is done; 0 as long as nothing is told.
    number : int
        That no other work has or had.
    """

    def __init__(self, key: Hashable, do: Callable[[Progress], object]) -> None:
        self.key, self.share, self.number = key, 0.0, next(_NUMBERS)
        self.outcome: futures.Future[Any] = futures.Future()
        Thread(target=_work, args=(do, self.outcome, weakref.ref(self)), daemon=True).start()


def _work(
    do: Callable[[Progress], object],
    outcome: futures.Future[object],
    asked: weakref.ref[_Work],
) -> None:
    def tell(done: int, total: int) -> None:
        work = asked()
        if work is None:
            raise SystemExit  # whoever asked has left, or wants something else instead
        work.share = done / max(total, 1)

    try:
        outcome.set_result(do(tell))
    except BaseException as error:
        outcome.set_exception(error)


def wait_for(
    kind: str,
    key: Hashable,
    what: str,
    do: Callable[[Progress], T],
    stop: Callable[[], None] | None = None,
) -> T:
    """Return what comes of some work, and show meanwhile that it goes on.

    kind: Of the work: a visitor waits for one of a kind, the one asked for last.
    key: What is to be done, among work of this kind.
    what: Says to the visitor what goes on.
    do: Does it without Streamlit, and may tell how far it has come. What it raises is raised here.
    stop: Makes the page want it no more: called if the visitor stops it.
    """

    def end() -> None:
        del under_way[kind]
        if stop:
            stop()

    under_way, work = _all_under_way(), _begun(kind, key, do)
    with st.spinner(what, show_time=True):
        bar, button = st.empty(), st.empty()
        shown = monotonic() + PATIENCE
        while futures.wait([work.outcome], EVERY).not_done:
            if work.share:
                bar.progress(work.share)
            else:
                bar.empty()
            if stop and monotonic() > shown:
                button.button(_("Stop"), key=f"{_UNDER_WAY}.{work.number}", on_click=end)
                shown = inf
        bar.empty()
        button.empty()
    outcome: T = _taken(kind, work)
    return outcome


def come_to(kind: str, key: Hashable, do: Callable[[Progress], object]) -> float | None:
    """Return how much of some work is done, or None at its end; nobody waits for it meanwhile.

    kind, key, do: As for `wait_for`. What it raises is raised here, at its end.
    """
    work = _begun(kind, key, do)
    return work.share if outcome_of(kind, key, do) is None else None


def outcome_of(kind: str, key: Hashable, do: Callable[[Progress], T]) -> tuple[T] | None:
    """Return what came of some work, alone in a tuple; None until then.

    kind, key, do: As for `wait_for`. What it raises is raised here, at its end.
    """
    work = _begun(kind, key, do)
    return (_taken(kind, work),) if work.outcome.done() else None


def drop(kind: str) -> None:
    """Forget work of a kind, which ends."""
    _all_under_way().pop(kind, None)


def is_under_way(kind: str) -> bool:
    """Return whether work of a kind was begun whose end nobody has seen."""
    return kind in _all_under_way()


def _begun(kind: str, key: Hashable, do: Callable[[Progress], object]) -> _Work:
    """Return the work of a kind, begun unless it goes on."""
    under_way = _all_under_way()
    work = under_way.get(kind)
    if work is None or work.key != key:
        work = under_way[kind] = _Work(key, do)
    return work


def _taken(kind: str, work: _Work) -> Any:
    """Return what came of some work, which is forgotten."""
    under_way = _all_under_way()
    if under_way.get(kind) is work:
        del under_way[kind]
    return work.outcome.result()


def _all_under_way() -> dict[str, _Work]:
    under_way: dict[str, _Work] = st.session_state.setdefault(_UNDER_WAY, {})
    return under_way
