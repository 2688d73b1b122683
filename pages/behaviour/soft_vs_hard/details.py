"""Details behind soft and hard accuracy: rankings of runs, questions, replicas."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from kofn.card import names
from kofn.questions.filters import QuestionFilter
from kofn.soft_vs_hard.analysis import SoftHardCard, gap_makers
from kofn.soft_vs_hard.rankings import is_kept, rankings, soft_order
from kofn.writing.estimates import distinct_percents, percent, points
from kofn.writing.layout import short_name
from metrics.analyses.soft_vs_hard.comparison import SoftHard
from metrics.data.words import Text, plain
from pages.shared.showing.answers import link_to_questions
from pages.shared.translating import _, escape, escape_name, say


def show_ranking(cards: Sequence[SoftHardCard]) -> None:
    """Say whether the order of the runs depends on the threshold."""
    orders = rankings(cards)
    if not orders:
        return
    called = dict(zip([card.key for card in cards], names(cards), strict=True))

    def written(order: tuple[tuple[str, ...], ...]) -> str:
        return ", ".join(" = ".join(short_name(called[key]) for key in group) for group in order)

    soft = soft_order(cards)
    if is_kept(cards):
        same = Text(
            "The order of the runs is the same at every threshold, and by soft accuracy: {order}.",
            order=written(soft),
        )
        st.markdown(say(same))
    else:
        changes = Text(
            "The order of the runs depends on the threshold. By soft accuracy it is {order}.",
            order=written(soft),
        )
        st.markdown(say(changes))
        table = [
            {
                _("Threshold, exceeded"): f"{part.low:g} – {part.high:g}",
                _("From best to worst"): escape(written(part.order)),
            }
            for part in orders
        ]
        st.table(pd.DataFrame(table), border="horizontal")
    st.caption(_("These are the orders of the values; where intervals overlap they are no result."))


def show_gap_makers(cards: Sequence[SoftHardCard]) -> None:
    """List the questions that make the gap, with a link to all of them."""
    for name, card in zip(names(cards), cards, strict=True):
        _list_makers(name, card)


def _list_makers(name: str, card: SoftHardCard) -> None:
    makers = gap_makers(card)
    if not makers:
        return
    st.markdown(f"**{escape_name(name)}**")
    table = [
        {
            _("Question"): maker["question"],
            _("Scores"): ", ".join(f"{score:.3g}" for score in maker["scores"]),
            _("Soft"): plain(percent(maker["soft"])),
            _("Hard"): plain(percent(maker["hard"])),
            _("Soft − hard"): plain(points(maker["gap"])),
            _("Of the gap"): plain(points(maker["share"])),
        }
        for maker in makers
    ]
    st.dataframe(
        pd.DataFrame(table),
        hide_index=True,
        alt=_("Which questions make the gap"),
    )
    chosen = QuestionFilter(a=card.key, kind="soft-gap", sort="gap", down=True)
    link_to_questions(_("See all of them with their answers"), chosen, card.view)


def show_replicas(cards: Sequence[SoftHardCard]) -> None:
    """Show the accuracies of each replica, and both orders of averaging."""
    st.caption(
        _(
            "AISBench averages soft accuracy within each replica first and hard accuracy "
            "within each question first. Both orders give the same number unless samples are "
            "missing."
        )
    )
    table = [
        _replicas(name, card.found.accuracies, number)
        for name, card in zip(names(cards), cards, strict=True)
        if card.found
        for number in (0, 1)
    ]
    st.table(pd.DataFrame(table), border="horizontal")


def _replicas(name: str, found: SoftHard, number: int) -> dict[str, str]:
    replicas = found.by_replica[number]
    by_replica, by_question = distinct_percents(
        replicas.mean(), (found.accuracy, found.avg)[number].value
    )
    return {
        _("Run"): escape_name(name),
        _("Accuracy"): (_("soft"), _("hard"))[number],
        _("Each replica"): ", ".join(plain(percent(value)) for value in replicas[:64]),
        _("Mean by replica"): by_replica,
        _("Mean by question"): by_question,
        _("Standard deviation"): plain(points(found.spread and found.spread[number])),
    }
