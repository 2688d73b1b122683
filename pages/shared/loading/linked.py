"""What a link opens: read at once, after asking, or not at all."""

from __future__ import annotations

import streamlit as st

from kofn.choices.sources import ReportSource
from metrics.data.words import MetricError, Text, some_of
from pages.shared.choices import DATA, start_anew
from pages.shared.loading import opening, server_paths
from pages.shared.loading.wanted import want
from pages.shared.memory import session
from pages.shared.translating import _, say

_GIVEN = "kofn.given"
NAMED = 5
"""The most paths that are named in a sentence."""


def load_given() -> None:
    """Have each visitor begin with what the link names, or else with the paths given at start."""
    if _GIVEN in st.session_state:
        return
    st.session_state[_GIVEN] = True
    wrong = server_paths.problems()
    if not (texts := st.query_params.get_all(DATA)):
        want(opening.given_sources())
        session.refusals().extend(wrong)
        return
    found = []
    for text in dict.fromkeys(texts):
        try:
            source = ReportSource.read(text)
        except MetricError as error:
            session.refusals().append(
                Text("A part of this link is left out: {why}", why=error.text)
            )
            continue
        if file := opening.linked_source(source):
            found.append(file)
        else:
            session.missing_sources().append(source.without_key())
    sentences = [*session.refusals(), *wrong]
    want(found)
    session.refusals().extend(sentences)


def ask_missing() -> bool:
    """Ask for what the link shows and is not loaded; return whether there is anything."""
    missing = session.missing_sources()
    if not missing:
        return False
    paths = {each.shown: source for source in missing if (each := opening.may_open(source))}
    with st.container(border=True):
        for source in missing:
            if source not in paths.values():
                st.markdown(say(_tell(source)))
        if paths:
            asking = Text(
                "This link opens {paths} on this machine, which was not given when kofn was "
                "started. Open it only if you trust the link.",
                paths=some_of(paths, NAMED),
            )
            st.markdown(say(asking))
        st.caption(_("Its settings are for that alone: no other data is shown under them."))
        with st.container(horizontal=True):
            if paths:
                st.button(
                    _("Open"),
                    key="kofn.link.open",
                    type="primary",
                    on_click=_open,
                    args=(list(paths.values()),),
                )
            st.button(
                _("Leave the link"),
                key="kofn.link.leave",
                on_click=_leave,
                help=_("Go on without what is missing, and without the settings of the link."),
            )
    return True


def _tell(source: ReportSource) -> Text:
    if source.kind == "sample":
        return Text("This link shows {name}, which this sample does not have.", name=source.name)
    if source.kind == "path":
        return Text(
            "This link shows {name}, which this server cannot open for you. If its sender uploads "
            "it, their link will show it.",
            name=source.name,
        )
    if not source.digest:
        return Text("This link shows {name}. Upload that file to see it.", name=source.name)
    return Text(
        "This link shows {name} (fingerprint {fingerprint}), which is not kept here. Upload that "
        "file to see what its sender saw.",
        name=source.name,
        fingerprint=source.fingerprint,
    )


def _open(sources: list[ReportSource]) -> None:
    for source in sources:
        session.missing_sources().remove(source)
    want([opening.allowed_source(source) for source in sources])


def _leave() -> None:
    session.missing_sources().clear()
    start_anew()
