"""The controls of settings that every page has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kofn.card import is_verified
from kofn.choices.runs import shown_runs, unknown_runs
from kofn.choices.view import View, best_of, coverage_in_words, missed_in_words
from kofn.inventory.facts import RunFacts
from kofn.writing.layout import short_name
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Target
from metrics.data.words import Text, some_of
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.memory.known import facts_by_run
from pages.shared.showing.folds import MANY, fold
from pages.shared.translating import _, run_on, say
from reports.run.report import Run

CONTROLS = ("run", "k", "segment", "target", "level", "missing")
"""Of the settings of a View, those of a page that draws k samples."""
NAMED = 3
"""The most runs that are named in a warning."""


def choose_view(
    runs: Mapping[str, Run],
    controls: Collection[str] = CONTROLS,
    *,
    warn: bool = True,
) -> View:
    """Show the controls of some settings in the sidebar and return what is chosen.

    The URL follows the choice, and a URL that says something else than it did is obeyed. A setting
    without a control on this page is kept for the others. A page that says itself which runs are
    not verified does without the warning.
    """
    view = current_choices(View)
    unknown = unknown_runs(runs, view.runs)
    if unknown:
        names = ", ".join(unknown)
        st.info(say(Text("The link names runs that are not loaded: {names}.", names=names)))
        view = replace(view, runs=tuple(key for key in view.runs if key in runs))
    chosen = shown_runs(runs, view.runs)
    if warn:
        _tell_unverified(chosen)
    facts = [*facts_by_run(chosen).values()]
    with st.sidebar:
        if "run" in controls and len(runs) > 1:
            _choose_runs(view, list(runs))
        if "k" in controls:
            choose_ks(view, chosen)
        _choose_more(view, facts, controls)
        _tell_verified(chosen)
    return view


def _choose_more(view: View, facts: Sequence[RunFacts], controls: Collection[str]) -> None:
    """Show what is seldom chosen out of the way, but not where something is."""
    segments = [segment for fact in facts for segment in fact.segments]
    shown = {
        "segment": bool(segments or view.segment),
        "target": True,
        "level": True,
        "missing": any(fact.failed for fact in facts),
    }
    offered = [name for name in shown if name in controls and shown[name]]
    if not offered:
        return

    def show() -> None:
        if "segment" in offered:
            _choose_segment(view, segments)
        if "target" in offered:
            _choose_target(view)
        if "level" in offered:
            _choose_level(view)
        if "missing" in offered:
            _choose_missing(view)

    usual = View()
    changed = any(getattr(view, name) != getattr(usual, name) for name in offered)
    fold(st.expander, _("More"), "settings", show, opened=changed)


def _tell_unverified(chosen: Mapping[str, Run]) -> None:
    """Warn of runs whose samples do not give the numbers that their file states."""
    keys = [key for key, run in chosen.items() if run.verified is False]
    if keys:
        unverified = Text(
            "Not verified: the file of {runs} states other numbers than its samples give. The page "
            "Reports has both.",
            runs=some_of(map(short_name, keys), NAMED),
        )
        st.warning(say(unverified))


def _tell_verified(chosen: Mapping[str, Run]) -> None:
    verified = sum(map(is_verified, chosen.values()))
    unchecked = sum(run.verified is None for run in chosen.values())
    if verified:
        sentence = (
            Text(
                "Verified: the samples of the run give the average that its file states.",
                "Verified: the samples of the {count} runs give the averages that they state.",
                count=verified,
            )
            if verified == len(chosen)
            else Text(
                "Verified: the samples of {count} of {all} runs give the average that it states.",
                "Verified: the samples of {count} of {all} runs give the averages that they state.",
                count=verified,
                all=len(chosen),
            )
        )
        st.caption(say(sentence))
    if verified and unchecked:
        st.caption(
            say(
                Text(
                    "The file of {count} run states no numbers to check.",
                    "The files of {count} runs state no numbers to check.",
                    count=unchecked,
                )
            )
        )


def _choose_runs(view: View, keys: Sequence[str]) -> None:
    many = len(keys) > MANY

    def show() -> None:
        st.multiselect(
            _("Runs"),
            keys,
            placeholder=_("All runs"),
            label_visibility="collapsed" if many else "visible",
            **tie_widget(View, "runs", list(view.runs), tuple),
        )

    if many:
        fold(st.expander, _("Runs"), "runs", show, opened=bool(view.runs))
    else:
        show()


def choose_ks(view: View, runs: Mapping[str, Run], *, shared: bool = False) -> None:
    """Let the visitor choose several k; without one, each run counts with all of its samples.

    shared: Whether runs of a dataset count with as many as all of them have instead.
    """
    smallest = [fact.n_min for fact in facts_by_run(runs).values()]
    largest = max(smallest, default=1)
    powers = {1 << exponent for exponent in range(largest.bit_length())}
    st.multiselect(
        _("k, samples drawn"),
        [str(k) for k in sorted(powers | {*smallest, *view.k})],
        placeholder=_("As many as all runs have") if shared else _("All samples of each run"),
        accept_new_options=True,
        help=_("Any whole number; type one that is not listed. It concerns pass@k and its kin."),
        **tie_widget(View, "k", [str(k) for k in view.k], _read_k),
    )


def _read_k(chosen: Sequence[str]) -> tuple[int, ...]:
    read = (View.from_query({"k": text})[0].k for text in chosen)
    return tuple(sorted({k for ks in read for k in ks}))


def _choose_segment(view: View, segments: Sequence[Segment]) -> None:
    spelled = {
        View(segment=segment).to_query()["segment"][0]: segment
        for segment in [*segments, view.segment]
        if segment is not None
    }
    chosen = next((name for name, segment in spelled.items() if segment == view.segment), None)
    if spelled:
        st.selectbox(
            _("Questions"),
            list(spelled),
            index=None,
            placeholder=_("All questions"),
            **tie_widget(View, "segment", chosen, spelled.get),
        )


def _choose_target(view: View) -> None:
    names: dict[Target, str] = {
        "population": _("Questions like these"),
        "benchmark": _("These questions, sampled again"),
    }
    st.radio(
        _("The interval covers"),
        **options(names),
        captions=[
            _("What another benchmark of the kind would show: for choosing a model."),
            _("What a second run of this benchmark would show: for repeating a number."),
        ],
        **tie_widget(View, "target", view.target),
    )


def _choose_level(view: View) -> None:
    percent = 100 * view.level
    st.number_input(
        _("Confidence level, in percent"),
        min_value=min(50.0, percent),
        max_value=max(99.9, percent),
        step=1.0,
        format="%.4g",
        **tie_widget(View, "level", percent, lambda percent: round(percent / 100, 6)),
    )


def _choose_missing(view: View) -> None:
    names: dict[Missing, str] = {
        "wrong": _("Count as wrong"),
        "omit": _("Leave out"),
        "right": _("Count as right"),
    }
    st.selectbox(
        _("Failed requests"), **options(names), **tie_widget(View, "missing", view.missing)
    )


def explain_intervals(view: View, runs: Mapping[str, Run]) -> None:
    """Say what the intervals cover, and what not where several runs are compared."""
    shown = shown_runs(runs, view.runs)
    sentences = coverage_in_words(view), best_of(len(shown)), missed_in_words(view, shown.values())
    st.caption(run_on(map(say, filter(None, sentences))))
