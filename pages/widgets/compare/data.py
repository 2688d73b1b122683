"""What is compared: computed once for the same settings, and held without the runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from kofn.choices.view import View
from kofn.compare.contest import Contest, Matching, contend
from kofn.compare.pair import Pair, pair_up
from kofn.compare.together import Together, put_together
from pages.widgets.shared import session
from reports.run.matching import Match, match
from reports.run.report import Run

_PROVEN = "kofn.compare.proven"

Proven = dict[tuple[str, str], Match]
"""Of two runs, by their identities, what their texts say of their questions."""


def proven() -> Proven:
    """Return what is known by now from the texts of runs."""
    known: Proven = st.session_state.setdefault(_PROVEN, {})
    return known


def matching(runs: Mapping[str, Run]) -> Matching:
    """Return what matches two runs by their texts where those were compared, else by their ids."""
    named = {id(run): session.identity(key, run) for key, run in runs.items()}

    def same(a: Run, b: Run) -> Match:
        pair = named[id(a)], named[id(b)]
        known = proven().get(pair) or proven().get(pair[::-1])
        return known or match(replace(a, store=None), replace(b, store=None))

    return same


def contend_once(runs: Mapping[str, Run], view: View, base: str) -> Contest:
    """Return what `kofn.compare.contest.contend` does, from a cache if it is known."""
    return _contend(_identity(runs), view, base, runs)


@st.cache_resource(scope="session", max_entries=100, show_spinner=False)
def _contend(identity: str, view: View, base: str, _runs: Mapping[str, Run]) -> Contest:
    return contend(_runs, view, base, matching(_runs))


def pair_once(contest: Contest, runs: Mapping[str, Run], other: str, view: View) -> Pair:
    """Return what `kofn.compare.pair.pair_up` does, from a cache if it is known."""
    pair = {key: runs[key] for key in (contest.base or "", other)}
    asked = contest.metric, contest.k, contest.base, other
    return _pair(_identity(pair), asked, view, contest, pair)


@st.cache_resource(scope="session", max_entries=500, show_spinner=False)
def _pair(
    identity: str,
    asked: tuple[object, ...],
    view: View,
    _contest: Contest,
    _runs: Mapping[str, Run],
) -> Pair:
    return pair_up(_contest, _runs, str(asked[-1]), view)


def together_once(runs: Mapping[str, Run], pair: Pair, view: View) -> Together | None:
    """Return what `kofn.compare.together.put_together` does, from a cache if it is known."""
    models = {runs[key].model for key in (pair.base, pair.other)}
    theirs = {key: run for key, run in runs.items() if run.model in models}
    return _together(_identity(theirs), pair.base, pair.other, view, theirs)


@st.cache_resource(scope="session", max_entries=100, show_spinner=False)
def _together(
    identity: str, base: str, other: str, view: View, _runs: Mapping[str, Run]
) -> Together | None:
    return put_together(_runs, base, other, view, matching(_runs))


def _identity(runs: Mapping[str, Run]) -> str:
    """Identify runs, and what is known of their texts."""
    named = [session.identity(key, run) for key, run in runs.items()]
    known = sum(each in proven() for each in proven() if set(each) <= set(named))
    return "\n".join([*named, str(known)])
