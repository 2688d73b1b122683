"""The questions of one run, by vote and by agreement, with links to them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from charts.bubbles import Bubble, bubbles
from kofn.choices.view import View
from kofn.consistency.analysis import VoteCard, VoteChoices
from kofn.consistency.figures import AGREEMENT, agreement_bubbles, vote_bubbles
from kofn.consistency.words import describe_bubbles, is_one_sample
from kofn.questions.filters import QuestionFilter
from kofn.writing.estimates import percent
from metrics.analyses.questions import AGREED
from metrics.data.words import Text, plain
from pages.shared.choices import tie_widget
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.showing.answers import link_to_questions
from pages.shared.showing.charts import pick
from pages.shared.showing.remarks import tell_counted
from pages.shared.translating import _, say
from reports.run.report import Run


def votes_by_run(cards: Sequence[VoteCard]) -> dict[str, VoteCard]:
    """Return the runs whose questions were sampled again, by their keys."""
    return {
        card.key: card
        for card in cards
        if card.found and not card.settings.part and not is_one_sample(card)
    }


def show_questions_of_one(cards: Sequence[VoteCard], choices: VoteChoices) -> None:
    """Draw the questions of one run: by vote, and by agreement of answers."""
    whole = votes_by_run(cards)
    key = choices.detail if choices.detail in whole else next(iter(whole))
    if len(whole) > 1:
        st.selectbox(_("Run"), list(whole), **tie_widget(VoteChoices, "detail", key))
    card = whole[key]
    votes, answers = st.columns(2)
    with votes:
        _show_by_vote(card)
    with answers:
        _show_by_agreement(card)


def _show_by_vote(card: VoteCard) -> None:
    assert card.found is not None
    found = card.found.compared
    drawn, paths = vote_bubbles(found, session.numbers()[card.key])
    titles = (
        Text("Right samples of a question, in percent"),
        Text("Chance that {label} is right, in percent", label=found.label),
    )
    st.markdown(f"**{_('Where a vote gains, where it loses')}**")
    figure = bubbles(drawn, *titles, paths)
    described = describe_bubbles(drawn, *titles)
    shown = (card.key, card.view, card.settings.k)
    if (there := _pick(figure, described, "votes", drawn, *shown)) is not None:
        _link(card, _question_count(there), QuestionFilter(right=_about(there, "x")))
    st.caption(
        _(
            "A larger bubble is more questions. The line is a vote of independent tries that are "
            "right with the chance on the horizontal axis: it lifts what is above one half and "
            "lowers what is below."
        )
    )
    _link(card, Text("Majority wrong but solvable"), QuestionFilter(kind="majority-wrong"))


def _show_by_agreement(card: VoteCard) -> None:
    if card.run.counts is not None:
        tell_counted(Text("Whether answers agree"), {card.key: card.run})
        return
    st.markdown(f"**{_('Do answers agree, and are they right')}**")
    identity, number = session.identity(card.key, card.run), session.numbers()[card.key]
    drawn = _agreement(identity, replace(card.view, k=()), number, card.run)
    if not drawn or card.found is None or card.found.agreed is None:
        st.write(_("The file holds no extracted answers, so it is not known whether they agree."))
        return
    titles = (
        Text("Samples with the most common answer, in percent"),
        Text("Right samples of a question, in percent"),
    )
    figure = bubbles(drawn, *titles, (AGREEMENT,))
    described = describe_bubbles(drawn, *titles)
    if (there := _pick(figure, described, "agreement", drawn, card.key, card.view)) is not None:
        _link(
            card,
            _question_count(there),
            QuestionFilter(right=_about(there, "y"), agreed=_about(there, "x")),
        )
    agreed = card.found.agreed
    summary = Text(
        "On average, {mean} of the samples give the most common answer. For {majority} of the "
        "questions that is a majority, right or wrong. {wrong} are confidently wrong: at least "
        "{agreed:.0%} of the samples give the same wrong answer, so neither a vote nor more "
        "samples help.",
        mean=percent(agreed.mean),
        majority=percent(agreed.majority),
        wrong=percent(agreed.confidently_wrong),
        agreed=AGREED,
    )
    st.caption(say(summary))
    _link(card, Text("Confidently wrong"), QuestionFilter(kind="confidently-wrong"))


@remember(200)
def _agreement(identity: str, view: View, number: int, _run: Run) -> tuple[Bubble, ...]:
    return agreement_bubbles(_run, view, number)


def _pick(
    figure: go.Figure, described: Text, name: str, drawn: Sequence[Bubble], *shown: Hashable
) -> Bubble | None:
    names = [plain(bubble.detail) for bubble in drawn]
    place = pick(figure, described, name, names, _("Click a bubble, or choose questions"), *shown)
    return None if place is None else drawn[place]


def _question_count(bubble: Bubble) -> Text:
    return Text("{count} question", "{count} questions", count=bubble.questions)


def _about(bubble: Bubble, axis: Literal["x", "y"]) -> tuple[float, float]:
    """Return the shares of the questions of a bubble, along an axis."""
    middle: float = getattr(bubble, axis)
    return max(0.0, middle - bubble.reach), min(1.0, middle + bubble.reach)


def _link(card: VoteCard, label: Text, chosen: QuestionFilter) -> None:
    link_to_questions(say(label), replace(chosen, a=card.key), card.view)
