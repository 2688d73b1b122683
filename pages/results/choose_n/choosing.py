"""The n to pay for: chosen once for the settings, and told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from kofn.apart.reading import tokens
from kofn.card import Card, runs_of
from kofn.choices.focus import by_dataset
from kofn.choices.view import View
from kofn.choose_n.analysis import (
    ChoiceCard,
    Choices,
    choose_means,
    choose_together,
    look_closer,
)
from kofn.choose_n.early import Ending
from kofn.choose_n.lengths import Tokens
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import beside, choice_of, otherwise_on
from kofn.standings.lines import means, singles
from pages.shared.choices import current
from pages.shared.memory import session
from pages.shared.memory.questions import find_texts
from pages.shared.memory.remembering import remember
from pages.shared.showing.answers import link_to_wins, show_answer
from pages.shared.translating import _, say
from reports.files.errors import LoadError
from reports.run.report import Run


def choose_samples(runs: Mapping[str, Run], view: View, pricing: Pricing) -> tuple[ChoiceCard, ...]:
    """Choose among models over all datasets and among the runs of each, once for the settings."""
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    if pricing.basis == "lengths":
        for key, run in runs.items():
            with suppress(LoadError):
                find_texts(key, run)
    ending = current(Ending)
    found: list[ChoiceCard] = []
    with st.spinner(_("Weighing gain against cost"), show_time=True):
        for group in by_dataset(runs).values():
            chosen = _choose(_identities(group), settings, pricing, ending, group)
            found += [Card(key, run, settings, pricing, *chosen[key]) for key, run in group.items()]
        found += choose_over_all(runs, settings, pricing)
    return tuple(found)


def choose_over_all(
    runs: Mapping[str, Run], settings: View, pricing: Pricing
) -> tuple[ChoiceCard, ...]:
    """Choose among models over all datasets, once for the settings; none of one dataset."""
    return _choose_means(_identities(runs), settings, pricing, runs)


def _identities(runs: Mapping[str, Run]) -> tuple[tuple[str, str], ...]:
    return tuple((key, session.identity(key, run)) for key, run in runs.items())


@remember(50)
def _choose_means(
    identities: tuple[tuple[str, str], ...], view: View, pricing: Pricing, _runs: Mapping[str, Run]
) -> tuple[ChoiceCard, ...]:
    return choose_means(_runs, view, pricing, _kept_tokens(identities, _runs))


@remember(50)
def _choose(
    identities: tuple[tuple[str, str], ...],
    view: View,
    pricing: Pricing,
    ending: Ending,
    _runs: Mapping[str, Run],
) -> Choices:
    """Return the choices and how costs are spelled; neither runs nor their costs are kept."""
    tokens_of = _kept_tokens(identities, _runs)
    found = choose_together(_runs, view, pricing, tokens_of)
    found = look_closer(found, _runs, view, pricing, ending, tokens_of)
    return {
        key: (each and replace(each, priced=replace(each.priced, costs=0.0)), reason)
        for key, (each, reason) in found.items()
    }


def _kept_tokens(
    identities: tuple[tuple[str, str], ...], runs: Mapping[str, Run]
) -> Callable[[Run], Tokens]:
    """Return a function that estimates the tokens of these runs once."""
    known = dict(identities)

    def tokens_of(run: Run) -> Tokens:
        key = next(key for key, each in runs.items() if each is run)
        return _tokens(known[key], run)

    return tokens_of


@remember(50)
def _tokens(identity: str, _run: Run) -> Tokens:
    return tokens(_run)


def answer_choices(shown: Sequence[ChoiceCard], chosen: Sequence[ChoiceCard]) -> None:
    """Say which model to take at which n, or why none, and what stands beside that.

    Parameters
    ----------
    shown : sequence of ChoiceCard
        Models over all datasets, or the runs of one.
    chosen : sequence of ChoiceCard
        All there are.
    """
    runs = runs_of(singles(chosen))
    show_answer(choice_of(shown), runs)
    said = [*beside(shown), *(otherwise_on(shown, singles(chosen)) if means(shown) else ())]
    if said:
        st.markdown(" ".join(map(say, said)), width=900)
    link_to_wins(runs)
