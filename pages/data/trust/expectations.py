"""An expected number or run, typed, chosen or loaded, and the result of the check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from kofn.card import name_of, runs_of
from kofn.choices.view import View
from kofn.trust.checks import Check
from kofn.trust.expectations import Stating, WantedNumbers, check_all
from kofn.trust.expected_numbers import LARGEST, SUFFIXES, read_expectations
from kofn.trust.over_datasets import mean_trust
from kofn.trust.result import TrustCard
from kofn.trust.words import answer, card_to_open, most_moved_card
from metrics.data.words import MetricError, Text, printable
from pages.data.trust.reading import compare_readings
from pages.shared.choices import current_choices, tie_widget
from pages.shared.memory.cached import remember
from pages.shared.showing.answers import link_to_wins, show_answer
from pages.shared.showing.folds import fold
from pages.shared.translating import _, say
from reports import LoadError

_FILE, _TABLE, _PROBLEM = (
    f"kofn.trust.expected_numbers.{part}" for part in ("file", "table", "problem")
)


def choose_expected(cards: Sequence[TrustCard]) -> tuple[TrustCard | None, WantedNumbers | None]:
    """Let the visitor choose a run, or a model over all datasets, and say what is expected of it.

    Something is expected of runs only.
    """
    stating = current_choices(Stating)
    known = {card.key: card for card in cards if card.found is not None}
    offered = {card.key: card for card in mean_trust(cards) if card.found is not None} | known
    most = most_moved_card(cards) if stating.expected or stating.run else card_to_open(cards)
    if most is None:
        return None, None
    card = offered.get(stating.detail, most)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(offered) > 1:
            st.selectbox(
                _("Run"),
                list(offered),
                format_func=lambda key: printable(name_of(offered[key])),
                width=340,
                **tie_widget(Stating, "detail", card.key),
            )
        st.text_input(
            _("Expected number"),
            placeholder=_("Choose a run") if card.over else "59.74%",
            disabled=bool(card.over),
            width=170,
            help=_(
                "What a paper, a card or another machine states of this run, as 43.1% or 0.431. "
                "Another metric is written before it, as pass@4=50%."
            ),
            **tie_widget(Stating, "expected", stating.expected),
        )
        if stating.expected:
            st.number_input(
                _("Its samples a question"),
                min_value=1,
                value=None,
                placeholder=_("not known"),
                width=170,
                **tie_widget(Stating, "n", stating.n),
            )

        def show() -> None:
            if not card.over:
                _ask_details(stating, card, known)
            _ask_table()

        fold(st.popover, _("More about it"), "known", show)
    runs = {key: each.run for key, each in known.items()}
    wanted, problem = stating.wanted(card.key, runs, st.session_state.get(_TABLE, ()))
    if problem is not None:
        st.error(say(problem))
    return card, wanted if wanted.numbers or wanted.runs else None


def _ask_details(stating: Stating, card: TrustCard, known: dict[str, TrustCard]) -> None:
    st.number_input(
        _("Its questions"),
        min_value=1,
        value=None,
        placeholder=_("these"),
        help=_("Another number than here means other questions of the kind."),
        **tie_widget(Stating, "questions", stating.questions),
    )
    st.number_input(
        _("Accepted if lower by at most, in points"),
        min_value=0.01,
        max_value=99.0,
        format="%.4g",
        value=None,
        placeholder=_("no margin"),
        **tie_widget(
            Stating,
            "margin",
            None if stating.margin is None else 100 * stating.margin,
            lambda points: None if points is None else points / 100,
        ),
    )
    others = [
        key
        for key, each in known.items()
        if key != card.key and each.run.dataset == card.run.dataset
    ]
    if others:
        st.selectbox(
            _("Or a run, question by question"),
            others,
            format_func=printable,
            placeholder=_("none"),
            **tie_widget(
                Stating,
                "run",
                stating.run if stating.run in others else None,
                lambda key: key or "",
            ),
        )


def _ask_table() -> None:
    """Let the visitor upload a table of expected numbers, which stays until another comes."""
    given = st.file_uploader(
        _("Or a table of expected numbers"),
        type=[suffix.removeprefix(".") for suffix in SUFFIXES],
        key=_FILE,
        on_change=_take_table,
        help=_(
            "CSV, YAML or JSON with dataset, model, metric, value, n, questions, source, and any "
            "setting such as temperature or max_tokens."
        ),
    )
    if given is not None and (problem := st.session_state.get(_PROBLEM)):
        st.error(say(problem))
    if given is None and _TABLE in st.session_state:
        st.button(_("Remove"), key=f"{_TABLE}.remove", on_click=_take_table, type="tertiary")


def _take_table() -> None:
    """Take in the table that was uploaded, in the place of the one before."""
    st.session_state.pop(_TABLE, None)
    st.session_state.pop(_PROBLEM, None)
    given = st.session_state[_FILE]
    if given is None:
        return
    if given.size > LARGEST:
        st.session_state[_PROBLEM] = Text("A table of expected numbers has at most 1 MiB.")
        return
    try:
        found = read_expectations(given.name, given.getvalue())
    except LoadError as error:
        st.session_state[_PROBLEM] = error.text
        return
    if found is None:
        st.session_state[_PROBLEM] = Text("{name} has no column value.", name=given.name)
    else:
        st.session_state[_TABLE] = found


def hold_against(
    cards: Sequence[TrustCard], wanted: WantedNumbers | None, view: View
) -> tuple[TrustCard, ...]:
    """Return cards with what is expected of them; of what is expected of none it is said."""
    margin = current_choices(Stating).margin
    if wanted is None:
        return tuple(cards)
    expected = repr(wanted.numbers), tuple(wanted.runs), wanted.of
    try:
        with st.spinner(_("Holding the runs against what is expected"), show_time=True):
            checks = _held(cards, expected, margin, view, wanted)
    except MetricError as error:
        st.error(say(error.text))
        return tuple(cards)
    return tuple(
        replace(card, found=replace(card.found, checks=checks[card.key])) if card.found else card
        for card in cards
    )


@remember(50)
def _held(
    cards: Sequence[TrustCard],
    expected: tuple[str, tuple[str, ...], str],
    margin: float | None,
    view: View,
    _wanted: WantedNumbers,
) -> dict[str, tuple[Check, ...]]:
    found = check_all(cards, _wanted, view, margin)
    return {card.key: card.found.checks for card in found if card.found}


def answer_trust(cards: Sequence[TrustCard]) -> None:
    """Show what the page opens with."""
    show_answer(answer(cards, compare_readings(cards)), runs_of(cards))
    link_to_wins(runs_of(cards))
