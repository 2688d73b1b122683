"""Votes and averages: what to compare, the runs, and the questions of one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import plotly.graph_objects as go
import streamlit as st

from charts.plane import CROSSES
from charts.scatter import scatter
from kofn.card import Finding, full_name, runs_of
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.consistency.analysis import (
    AXES,
    VOTE,
    Colour,
    VoteCard,
    VoteChoices,
    VoteResult,
    Voting,
    axis_value,
    compare_votes,
    count_votes,
    mean_axis_value,
    mean_votes,
    no_parts,
)
from kofn.consistency.columns import COLUMNS
from kofn.consistency.figures import VoteScatter, vote_scatter
from kofn.consistency.words import (
    SCENARIOS,
    answer,
    caveats,
    describe_scatter,
    is_one_sample,
    scatter_words,
    scenario_meaning,
    sorted_by_size,
)
from kofn.leaderboard.lines import cards_over_datasets
from kofn.questions.filters import QuestionFilter
from kofn.writing.columns import first_capital
from metrics.data.outcomes import Segment
from metrics.data.results import Estimate
from metrics.data.words import Text, printable
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.memory import session
from pages.shared.memory.cached import remember, remember_findings
from pages.shared.memory.known import facts_by_run, run_facts
from pages.shared.showing.answers import link_to_questions, show_leaders
from pages.shared.showing.charts import draw, pick
from pages.shared.showing.folds import fold
from pages.shared.showing.leaderboard import remembered_winner
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, say
from reports.run.report import Run

TIES = Text(
    "A vote of an even number can tie, and a tie counts as wrong; an odd number of votes has no "
    "ties."
)
BY_AISBENCH = Text(
    "AISBench's formula for cons@k asks for more than k/2 right among all n samples. Where k is "
    "less than n, that is not a majority of k; maj@k is."
)
SHOWN = 200
"""The most points that are drawn and listed."""


def choose_votes(runs: Mapping[str, Run], view: View) -> VoteChoices:
    """Show the controls of the comparison in the sidebar and return what is chosen."""
    choices = current_choices(VoteChoices)
    facts = facts_by_run(shown_runs(runs, view.runs)).values()
    attributes = list(dict.fromkeys(name for fact in facts for name, _label in fact.segments))
    show = partial(_choose_picture, choices, [] if view.segment else attributes)
    with st.sidebar:
        if choices.by and choices.by not in attributes:
            st.info(say(no_parts(choices.by)))
        fold(st.expander, _("Picture"), "picture", show, opened=choices != VoteChoices())
    return choices


def _choose_picture(choices: VoteChoices, attributes: Sequence[str]) -> None:
    st.number_input(
        _("About equal within, in points"),
        min_value=0.0,
        max_value=100.0,
        step=0.5,
        format="%.4g",
        **tie_widget(VoteChoices, "margin", 100 * choices.margin, lambda points: points / 100),
    )
    if attributes:
        st.selectbox(
            _("Segments as further points"),
            attributes,
            index=None,
            placeholder=_("None"),
            **tie_widget(
                VoteChoices,
                "by",
                choices.by if choices.by in attributes else None,
                lambda name: name or "",
            ),
        )
    for field, label in (("x", _("Horizontal axis")), ("y", _("Vertical axis"))):
        st.selectbox(label, AXES, **tie_widget(VoteChoices, field, getattr(choices, field)))
    colours: dict[Colour, str] = {
        "model": _("Model"),
        "dataset": _("Dataset"),
        "run": _("Run"),
    }
    st.selectbox(
        _("Colour"), **options(colours), **tie_widget(VoteChoices, "colour", choices.colour)
    )
    st.toggle(
        _("Joint regions"),
        help=_(
            "Where average and vote lie together with the confidence level, or more: what is "
            "possible at all, and what the intervals of both and of their difference allow."
        ),
        **tie_widget(VoteChoices, "region", choices.region),
    )


def set_against(runs: Mapping[str, Run], view: View, choices: VoteChoices) -> tuple[VoteCard, ...]:
    """Set votes against averages; what was compared before comes from a cache."""
    known = remember_findings(count_votes)

    def find(key: str, run: Run, chosen: View, voting: Voting) -> Finding[VoteResult]:
        return known(key, run, replace(chosen, runs=(), k=()), Voting(voting.k))

    def parts(key: str, run: Run) -> list[Segment]:
        facts = run_facts(key, run)
        return [part for part in facts.segments if part[0] == choices.by] if facts else []

    with st.spinner(_("Counting votes"), show_time=True):
        return compare_votes(runs, view, choices, parts, find)


def _mean_on_axis(cards: Sequence[VoteCard], card: VoteCard, name: str) -> Estimate | Text:
    if not card.over or name in (VOTE, "avg@n"):
        return _on_axis(card, name)
    members = (each for each in cards if each.key in card.over and not each.settings.part)
    return mean_axis_value([_on_axis(each, name) for each in members])


def _on_axis(card: VoteCard, name: str) -> Estimate | Text:
    settings = replace(card.view, runs=(), k=())
    return _estimate(session.identity(card.key, card.run), settings, card.settings.k, name, card)


@remember(2000)
def _estimate(
    identity: str, view: View, k: int | None, name: str, _card: VoteCard
) -> Estimate | Text:
    return axis_value(_card, name)


def answer_votes(cards: Sequence[VoteCard]) -> None:
    """Show what a vote gains and loses."""
    show_leaders(answer(cards, remembered_winner), runs_of(cards))


def show_votes(cards: Sequence[VoteCard], choices: VoteChoices) -> None:
    """Draw models over all datasets, or runs, between average and vote; say what that means."""
    drawn = mean_votes(cards) or cards
    if len(drawn) > SHOWN:
        shown = Text(
            "{shown} of {all} points are shown; choose runs on the left to see others. The "
            "download has all.",
            shown=SHOWN,
            all=len(drawn),
        )
        st.info(say(shown))
    found = [card for card in drawn if card.found]
    if found and all(map(is_one_sample, found)):
        return
    picture, words = st.container(key="kofn.beside").columns([3, 2])
    with picture:
        ground = _draw_votes(drawn[:SHOWN], cards, choices).ground
    if ground.possible:
        with words:
            _explain_scenarios(_largest(drawn), choices)


def _largest(cards: Sequence[VoteCard]) -> list[VoteCard]:
    return sorted_by_size([card for card in cards[:SHOWN] if card.found])


def _draw_votes(
    shown: Sequence[VoteCard], cards: Sequence[VoteCard], choices: VoteChoices
) -> VoteScatter:
    drawn = vote_scatter(shown, choices, session.loaded_runs(), partial(_mean_on_axis, cards))
    if drawn.spots:
        figure = scatter(drawn.spots, drawn.ground, words=scatter_words())
        description = describe_scatter(drawn.spots, drawn.ground)
        if cards_over_datasets(drawn.cards):
            draw(figure, description, "consistency")
        else:
            _pick_run(figure, description, drawn.cards, choices)
    for reason in drawn.missing:
        st.caption(say(reason))
    return drawn


def _pick_run(
    figure: go.Figure, description: Text, cards: Sequence[VoteCard], choices: VoteChoices
) -> None:
    """Show the runs, and lead to the questions of the one that is picked."""
    shown = tuple((card.key, card.view, card.settings.k) for card in cards)
    names = [printable(full_name(card)) for card in cards]
    asked = _("Click a point, or choose a run")
    picked = pick(figure, description, "consistency", names, asked, choices, shown)
    if picked is not None:
        card = cards[picked]
        label = say(Text("Questions of {run}", run=full_name(card)))
        link_to_questions(label, QuestionFilter(a=card.key), card.view)


def _explain_scenarios(cards: Sequence[VoteCard], choices: VoteChoices) -> None:
    """Say what each scenario means that occurs here, and of how many."""
    occur = Counter(
        str(card.found.compared.scenario(choices.margin).name)
        for card in cards
        if card.found and not is_one_sample(card)
    )
    for name, heading in SCENARIOS.items():
        if name in occur:
            many = Text("{name}: {number}", name=heading, number=occur[name])
            title = first_capital(say(many if len(cards) > 1 else heading))
            st.markdown(f"**{title}** · :gray[{say(scenario_meaning(name, choices.margin))}]")
    st.caption(
        _(
            "The grey area is all that is possible with these samples. Drag to enlarge a part, "
            "double-click to see all."
        )
    )
    if any(card.settings.part for card in cards):
        st.caption(_("Small, open markers are segments."))
    if len(cards) > CROSSES:
        st.caption(_("The run whose questions are shown is marked with a cross."))


def list_votes(cards: Sequence[VoteCard]) -> None:
    """List the runs, those first of which a vote makes most."""
    show_table(COLUMNS, _largest(cards), _("Votes against averages"))


def remarks_on(cards: Sequence[VoteCard]) -> dict[Text, list[str]]:
    """Return what must be known of these numbers, with the names of the runs it is of."""
    known: dict[Text, list[str]] = {}
    for card in _largest(cards):
        if card.found is None:
            continue
        sentences = [*caveats(card)]
        if card.found.compared.tied:
            sentences.append(TIES)
        if card.found.compared.by_aisbench is not None:
            sentences.append(BY_AISBENCH)
        for text in sentences:
            known.setdefault(text, []).append(full_name(card))
    return known
