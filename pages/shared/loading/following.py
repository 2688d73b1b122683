"""Reports on the server that change: noticed, loaded again, and followed on request.

Whether a source has changed is looked at for all visitors together. What has changed is read beside
the page, one report at a time, and takes the place of the older one when it is there; until then,
and where it cannot be read, the numbers stay. Nothing is looked at or read for a visitor whose page
is closed, since it is the page that asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import PurePath
from time import monotonic, sleep

import streamlit as st

from kofn.choices.following import Following
from kofn.choices.runs import index_reports
from kofn.unfinished_runs import moment
from kofn.workers.watching import can_be_watched
from metrics.data.words import Text, some_of
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.loading.wanted import take, want
from pages.shared.memory import session
from pages.shared.memory.language import spoken
from pages.shared.memory.server_cache import READINGS, WATCHES
from pages.shared.memory.session import Wanted
from pages.shared.translating import _, say
from pages.shared.waiting import drop, is_under_way, outcome_of
from reports.files import progress
from reports.files.addresses import Address
from reports.files.errors import LoadError

NOTICE = 10
"""Seconds after which an open page looks whether something has changed that nobody follows."""
SOON = 1
"""Seconds after which a page looks again for what it has begun to read."""
TIMES = 10
"""What is followed is looked at again when this many times what reading it took have passed."""
NAMED = 3
"""The most reports that are named in a sentence."""
_WORK = "follow"
_NEXT = "kofn.follow.next"
_DUE = "kofn.follow.due"
_TRIED = "kofn.follow.tried"


@dataclass(frozen=True)
class _Changed:
    """A report that is another on disk now."""

    digest: str  # Of the one that is loaded.
    state: str  # Of its source now; empty if that is gone.


def keep_up() -> None:
    """Load again what has changed, every so often, if the visitor wants that; call it first.

    It says of what could not be read again that its numbers are older.
    """
    every = current_choices(Following).every if _followed() else 0
    if every:
        if is_under_way(_WORK):
            _attempt()
        elif monotonic() >= st.session_state.get(_DUE, 0.0):
            _begin(every)
        seconds = SOON if is_under_way(_WORK) else every
        st.fragment(_follow, run_every=seconds)(count(), every)
    for sentence in _stale():
        st.warning(say(sentence))


def offer_following() -> None:
    """Say which reports have changed on disk, and offer to load them again, or by themselves."""
    if not _followed():
        return
    every = current_choices(Following).every
    names = {0: _("never"), 10: _("every 10 s"), 60: _("every minute"), 300: _("every 5 minutes")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            _("Load again what has changed on disk"),
            **options(names),
            width=240,
            help=_(
                "An evaluation that goes on writes more and more into its files. What you chose "
                "stays chosen, and all pages show the newer numbers."
            ),
            **tie_widget(Following, "every", every),
        )
        if every:
            st.caption(say(_followed_since()))
        else:
            st.fragment(_notice, run_every=NOTICE)()


def offer_counting_again() -> None:
    """Say when engines counted what they hold, and offer to have them count again."""
    engines = {
        digest: file
        for digest, file in session.files().items()
        if isinstance(file.held, Address) and file.held.kind == "engine"
    }
    reports = session.reports()
    times = [each.at for digest in engines if (each := READINGS.reading(reports[digest]))]
    if not times:
        return
    names = index_reports([reports[digest] for digest in engines])
    sentence = Text(
        "{names}: counted at {time}.", names=some_of(names, NAMED), time=moment(min(times))
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(sentence), width="content")
        st.button(
            _("Count again"),
            key="kofn.count.again",
            type="tertiary",
            help=_("What the engine holds may be more now. What you chose stays chosen."),
            on_click=_count_again,
            args=(engines,),
        )


def _count_again(engines: Mapping[str, Wanted]) -> None:
    want(
        [
            replace(_instead(file, digest), read=partial(file.read, anew=True))
            for digest, file in engines.items()
        ]
    )


@spoken
def _notice() -> None:
    if session.wanted_files():  # the button was pressed
        st.rerun()
    changed = [digest for digest, state, loaded in _states(NOTICE) if state != loaded]
    if not changed:
        return
    reports = session.reports()
    names = index_reports([reports[digest] for digest in changed])
    what = Text(
        "{names} has changed on disk.",
        "{names} have changed on disk.",
        count=len(names),
        names=some_of([PurePath(name).name or name for name in names], NAMED),
    )
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        st.markdown(say(what), width="content")
        st.button(_("Load again"), key="kofn.again", on_click=_load_again, args=(changed,))


def _load_again(digests: list[str]) -> None:
    files = session.files()
    st.session_state.pop(_TRIED, None)
    want([_instead(files[digest], digest) for digest in digests if digest in files])


@spoken
def _follow(runs: Iterator[int], every: int) -> None:
    """Look, read, and run the page once more if there is something new; not while it runs."""
    if not next(runs):
        return
    known = [*session.reports().values()], {**session.stale_sources()}
    if not is_under_way(_WORK):
        _begin(every)
    slot = st.empty()
    while is_under_way(_WORK):
        if _attempt():
            _begin_next(every)
        else:
            slot.empty()  # where a click ends this
            sleep(progress.EVERY)
    if known != ([*session.reports().values()], session.stale_sources()):
        st.rerun()


def _begin(every: int) -> None:
    st.session_state[_DUE] = monotonic() + every
    _begin_next(every)


def _begin_next(every: int) -> None:
    """Begin to read the first report that has changed and was not tried since; one at a time."""
    tried: dict[str, str] = st.session_state.setdefault(_TRIED, {})
    for digest, state, loaded in _states(every):
        if state == loaded:
            session.stale_sources().pop(digest, None)
            tried.pop(digest, None)
        elif state != tried.get(digest):
            tried[digest] = state
            if state:
                st.session_state[_NEXT] = _Changed(digest, state), monotonic()
                _attempt()
                return
            problem = WATCHES.problem(_followed()[digest])
            session.stale_sources()[digest] = problem or Text("no longer exists")


def _attempt() -> bool:
    """Take in what was read, if it is there; return whether the reading has ended."""
    changed, begun = st.session_state[_NEXT]
    file = session.files().get(changed.digest)
    if file is None:
        drop(_WORK)
        return True
    file = _instead(file, changed.digest)
    read = partial(file.read, file.source.columns, state=changed.state)
    try:
        found = outcome_of(_WORK, changed, read)
    except LoadError as error:
        session.stale_sources()[changed.digest] = error.problem
    else:
        if found is None:
            return False
        take(file, found[0])
    pause = TIMES * (monotonic() - begun)
    st.session_state[_DUE] = max(st.session_state.get(_DUE, 0.0), monotonic() + pause)
    return True


def _states(seconds: float) -> Iterator[tuple[str, str, str]]:
    """Give the digests of loaded reports, what their sources are now, and what they were."""
    for digest, address in _followed().items():
        reading, state = (
            READINGS.reading(session.reports()[digest]),
            WATCHES.state(address, seconds),
        )
        if reading and state is not None:
            yield digest, state, reading.state


def _followed() -> dict[str, Address]:
    """Return where loaded reports lie that can change on disk."""
    return {
        digest: file.held
        for digest, file in session.files().items()
        if file.source.kind == "path"
        and isinstance(file.held, Address)
        and can_be_watched(file.held)
    }


def _instead(file: Wanted, digest: str) -> Wanted:
    return replace(file, linked=False, instead=digest)


def _followed_since() -> Text:
    read = [READINGS.reading(session.reports()[digest]) for digest in _followed()]
    times = [each.at for each in read if each is not None]
    return Text("Read at {time}.", time=moment(max(times))) if times else Text("")


def _stale() -> Iterator[Text]:
    """Say of what could not be read again why, and of when its numbers are."""
    for digest, problem in session.stale_sources().items():
        report = session.reports().get(digest)
        reading = report is not None and READINGS.reading(report)
        if report is not None and reading:
            yield Text(
                "{name}: {problem}. The numbers are those of {time}.",
                name=PurePath(report.name).name or report.name,
                problem=problem,
                time=moment(reading.at),
            )
