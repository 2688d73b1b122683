"""Files that the visitor opened, read in the background on whichever page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from kofn.choices.sources import ReportSource
from metrics.data.words import Text
from pages.shared.choices import DATA
from pages.shared.memory import session
from pages.shared.memory.session import Wanted
from pages.shared.translating import say
from pages.shared.waiting import wait_for
from reports.files.errors import LoadError, OpenChoice
from reports.run.report import Report

_FIRST = "kofn.first"


def bring(files: Sequence[Wanted]) -> None:
    """Have files read that the visitor brings, in a callback, as `want` does."""
    st.session_state[_FIRST] = not session.reports()
    want(files)


def came_first() -> bool:
    """Say, once, whether what the visitor brought last was the first that came in."""
    return bool(st.session_state.pop(_FIRST, False))


def want(files: Sequence[Wanted]) -> None:
    """Have files read, in a callback; what was said of earlier ones is forgotten.

    While something is missing that a link shows, no other data is taken: the settings of the link
    are for that.
    """
    session.refusals().clear()
    for number, file in enumerate(files, start=1):
        place = Text("{number} of {all}", number=number, all=len(files))
        if not session.missing_sources() or file.linked:
            session.wanted_files().append(replace(file, place=place))
        elif fitting := next(filter(partial(_fits, file), session.missing_sources()), None):
            session.missing_sources().remove(fitting)
            source = replace(file.source, columns=fitting.columns)
            session.wanted_files().append(replace(file, source=source, linked=True, place=place))
        else:
            file.forget()
            session.refusals().append(_another(file))


def _fits(file: Wanted, missing: ReportSource) -> bool:
    source = file.source
    if missing.kind != source.kind or not missing.digest or source.kind == "path":
        return (missing.kind, missing.name) == (source.kind, source.name)
    return missing.is_alike(source.digest)


def _another(file: Wanted) -> Text:
    return Text(
        "{name} is not the report that the link shows, and the link's settings fit only that "
        "one. Load the report that it asks for, or leave the link.",
        name=file.source.name,
    )


def read_wanted() -> None:
    """Read what is wanted; every page that shows reports begins with it."""
    _spell_sources()
    while wanted := session.wanted_files():
        file = wanted[0]
        source = file.source
        doing = Text("Reading {name} ({place})", name=source.name, place=file.place)
        choices: tuple[OpenChoice, ...] = ()
        try:
            do, stop = partial(file.read, source.columns), partial(wanted.remove, file)
            report = wait_for("file", file, say(doing), do, stop)
        except OpenChoice as choice:
            choices = (choice.with_traceback(None),)  # which holds all that was read of the table
        except LoadError as error:
            if file.instead:
                session.stale_sources()[file.instead] = error.problem
            else:
                session.refusals().append(error.text)
                file.forget()
            if file.linked:
                session.missing_sources().append(source.without_key())
        except Exception:
            wanted.pop(0)  # a fault of ours is shown once, not on every page from now on
            raise
        else:
            take(file, report)
            wanted.pop(0)
            continue
        session.answer(file, [session.ColumnQuestion(file, choice) for choice in choices])
        wanted.pop(0)
    _spell_sources()


def take(file: Wanted, report: Report) -> None:
    """Take a report in, with what it leaves open, and say what is odd about it."""
    source, digest = file.source, report.digest
    if digest in session.reports() and not source.columns and not file.instead:
        session.refusals().append(Text("{file}: is loaded already.", file=source.name))
    if file.linked and not source.is_alike(digest):
        session.refusals().append(_changed(source))
    session.take_in(file, report)
    taken = session.files()[digest]
    asked = [session.ColumnQuestion(taken, choice, digest) for choice in report.choices]
    session.answer(taken, asked)
    _spell_sources()


def _changed(source: ReportSource) -> Text:
    return Text(
        "{name} was changed since this link was made, so its numbers may differ from those that "
        "its sender saw.",
        name=source.name,
    )


def _spell_sources() -> None:
    """Have the address name what is loaded or is to be, so that a reload finds it again."""
    spelled = [source.spelled() for source in session.sources()]
    if spelled and spelled != st.query_params.get_all(DATA):
        st.query_params[DATA] = spelled
    elif not spelled and DATA in st.query_params:
        del st.query_params[DATA]
