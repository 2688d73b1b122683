"""What the readers found, repaired, assumed or left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
import streamlit as st

from kofn.choices.runs import place_in
from kofn.writing.layout import short_name
from metrics.data.words import Text, plain, printable
from pages.shared.memory import session
from pages.shared.showing.folds import fold
from pages.shared.showing.parts import Part
from pages.shared.translating import _, say
from reports.files.notes import Note, Severity
from reports.run.report import Run

NAMED = 3
"""The most runs that are named below a finding; the full list has all."""

Found = tuple[str, Note]


def notes_of(runs: Mapping[str, Run]) -> dict[str, Part]:
    """Return what the readers found, if there is anything, as a part of a page."""
    found = list(_gather(runs))
    if not found:
        return {}
    label = Text("{count} thing to know", "{count} things to know", count=len(kinds_of(found)))
    return {"findings": (plain(label), lambda: _show_all(found))}


def _show_all(found: Sequence[Found]) -> None:
    """Show each kind of finding once, what matters most on top, and offer every note."""
    kinds = kinds_of(found)
    for severity in ("problem", "warning", "info"):
        for kind in kinds:
            if kind[0][1].severity == severity:
                _show(kind)
    if len(kinds) < len(found):
        label = _("Every note")

        def show() -> None:
            st.dataframe(_every(found), hide_index=True, alt=label)

        fold(st.expander, label, "notes.all", show)


def kinds_of(found: Sequence[Found]) -> list[list[Found]]:
    """Put together what is said alike, but for numbers and names."""
    kinds: dict[tuple[Severity, str], list[Found]] = {}
    for name, note in found:
        kinds.setdefault((note.severity, _templates(note.what)), []).append((name, note))
    return [*kinds.values()]


def _templates(what: Text) -> str:
    """Return the template of a sentence, with those of the sentences in it."""
    within = (each for each in what.fields.values() if isinstance(each, Text))
    return " ".join([what.template, *map(_templates, within)])


def _gather(runs: Mapping[str, Run]) -> Iterator[Found]:
    for name, report in session.named_reports().items():
        for note in report.notes:
            yield place_in(report, note.where, name), note
    for key, run in runs.items():
        yield from ((key, note) for note in run.notes)


def _show(kind: Sequence[Found]) -> None:
    """Show the first of its kind in words, and where else it was found."""
    name, *names = (short_name(name) for name, _note in kind[: NAMED + 1])
    note = kind[0][1]
    colour = {"problem": "red", "warning": "orange", "info": "gray"}[note.severity]
    st.markdown(f":{colour}-badge[{_severity(note.severity)}] {say(note.what)}")
    others = ", ".join(names)
    more = len(kind) - 1 - len(names)
    if more:
        where = Text(
            "{name}; likewise {others} and {more} more",
            name=name,
            others=others,
            more=more,
        )
    elif others:
        where = Text("{name}; likewise {others}", name=name, others=others)
    else:
        where = Text("{name}", name=name)
    st.caption(say(where))


def _severity(severity: Severity) -> str:
    return {"problem": _("Problem"), "warning": _("Warning"), "info": _("Note")}[severity]


def _every(found: Sequence[Found]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                _("Kind"): _severity(note.severity),
                _("Where"): printable(name),
                _("File"): printable(note.where),
                _("Count"): note.count,
                _("Finding"): plain(note.what),
            }
            for name, note in found
        ]
    )
