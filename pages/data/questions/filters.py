"""The controls of a list of questions: which run, which kind, which letters, which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from kofn.choices.focus import largest, runs_by_dataset
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.questions.columns import LABELS
from kofn.questions.filters import Kind, QuestionFilter
from kofn.questions.kinds import OF_TWO, OF_VERDICTS
from kofn.questions.words import KINDS
from kofn.writing.columns import first_capital
from metrics.data.words import Text, plain, printable
from pages.data.questions.data import Shown, count_kinds
from pages.shared.choices import choose, current_choices, tie_widget
from pages.shared.showing.answers import link_to_questions
from pages.shared.showing.leaderboard import remembered_field
from pages.shared.translating import _, escape, say
from reports.run.report import Run

LOST: tuple[Kind, ...] = ("majority-wrong", "never", "confidently-wrong")
"""The kinds of questions that the answer counts."""


def choose_listed(runs: Mapping[str, Run], view: View) -> str:
    """Let the visitor choose the run whose questions are listed; return its key."""
    chosen = current_choices(QuestionFilter)
    shown = list(shown_runs(runs, view.runs))
    graded = [key for key in shown if runs[key].known is not None] or shown
    if chosen.a and chosen.a not in runs:
        st.info(say(Text("The link names a run that is not loaded: {name}.", name=chosen.a)))
    keys = [*graded, *([chosen.a] if chosen.a in runs and chosen.a not in graded else [])]
    a = chosen.a if chosen.a in keys else _leading({key: runs[key] for key in keys}, view)
    if len(keys) > 1:
        st.selectbox(_("Run"), keys, **tie_widget(QuestionFilter, "a", a))
    return a


def _leading(runs: Mapping[str, Run], view: View) -> str:
    """Return the run that leads the largest dataset."""
    groups = runs_by_dataset(runs)
    dataset = largest(groups)
    found = remembered_field(dataset, groups[dataset], 1, replace(view, runs=()))
    return found.one_try.first if found.one_try else next(iter(groups[dataset]))


def filter_questions(shown: Shown, chosen: QuestionFilter) -> None:
    """Show the controls of kind, search and order."""
    counts = count_kinds(shown)
    unread = [kind for kind in KINDS if kind in OF_VERDICTS and kind not in counts]
    names = [*shown.a.columns, *(f"right.{other.key}" for other in shown.others)]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row.container(width=260):
        choose_kind(counts, chosen.kind, unread if shown.a.run.has_texts else ())
    row.text_input(
        _("Search in prompts and answers")
        if shown.a.run.has_texts
        else _("Search in the ids of questions"),
        placeholder=_("Any text"),
        icon=":material/search:",
        width=260,
        **tie_widget(QuestionFilter, "search", chosen.search),
    )
    with row.container(width=200):
        choose_order(names, chosen, _("Order of the file"))
    with row.container(width=170):
        choose_direction(chosen)
    if chosen.kind in OF_TWO and len(shown.others) > 1:
        others = [other.key for other in shown.others]
        st.selectbox(_("B"), others, **tie_widget(QuestionFilter, "b", others[0]))
    if chosen.kind != "all":
        st.caption(say(KINDS[chosen.kind].meaning))
    show_spans(chosen)


def link_to_lost(shown: Shown, view: View) -> None:
    """Lead to the questions that the answer counts."""
    counts = count_kinds(shown)
    with st.container(horizontal=True, gap="small"):
        for kind in LOST:
            if counts.get(kind):
                chosen = QuestionFilter(a=shown.a.key, kind=kind)
                link_to_questions(escape(_name(kind, counts)), chosen, view)


def choose_kind(counts: Mapping[Any, int], kind: str, uncounted: Sequence[str] = ()) -> None:
    """Let the visitor choose a kind of questions, of which there are so many, or nobody knows."""
    st.selectbox(
        _("Show"),
        list(dict.fromkeys([*counts, *uncounted, kind])),
        format_func=lambda kind: _name(kind, counts),
        **tie_widget(QuestionFilter, "kind", kind),
    )


def choose_order(names: Sequence[str], chosen: QuestionFilter, usual: str) -> None:
    """Let the visitor choose the column that orders the list, or its usual order."""
    st.selectbox(
        _("Sort by"),
        ["", *names],
        format_func=lambda name: column_label(name) if name else usual,
        **tie_widget(QuestionFilter, "sort", chosen.sort if chosen.sort in names else ""),
    )


def choose_direction(chosen: QuestionFilter) -> None:
    """Let the visitor turn the order round."""
    st.toggle(_("Highest first"), **tie_widget(QuestionFilter, "down", chosen.down))


def show_spans(chosen: QuestionFilter) -> None:
    """Say to which shares a link confines the list, with a way out."""
    spans = ((chosen.right, "right"), (chosen.agreed, "agreed"))
    only = [
        say(
            Text(
                "{what}: {low:.4g} to {high:.4g}",
                what=column_label(key),
                low=span[0],
                high=span[1],
            )
        )
        for span, key in spans
        if span is not None
    ]
    if only:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(" · ".join(only), width="content")
            st.button(
                _("Any share"),
                key="kofn.questions.any",
                on_click=lambda: choose(QuestionFilter, right=None, agreed=None),
                type="tertiary",
            )


def column_label(name: str) -> str:
    """Name a column; it takes no Markdown."""
    if name in LABELS:
        return first_capital(plain(LABELS[name]))
    kind, _dot, rest = name.partition(".")
    return plain(Text("Right: {run}", run=rest)) if kind == "right" else printable(rest)


def _name(kind: Kind, counts: Mapping[str, int]) -> str:
    if kind in OF_VERDICTS and kind not in counts:
        return plain(KINDS[kind].name)
    return plain(Text("{kind} ({number})", kind=KINDS[kind].name, number=counts.get(kind, 0)))
