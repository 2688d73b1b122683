"""The choice of n in a chart, and every model at its n."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from charts.margins import Margin, margins
from charts.tradeoff import tradeoff
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.columns import all_steps, line_columns, lines, step_columns
from kofn.choose_n.figures import (
    axes_of,
    cost_margins,
    frontier,
    gain_margins,
    mark,
    offers,
    sequential_votes,
    worth_drawing,
)
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import (
    BEST_FOR_COST,
    N_AXIS,
    best_in_words,
    describe_margins,
    describe_tradeoff,
    reasons,
    reliability,
)
from kofn.leaderboard.lines import numbers_of_cards
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.showing.charts import draw
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, run_on, say


def show_tradeoff(chosen: Sequence[ChoiceCard]) -> None:
    """Draw quality against cost, with the choice and its uncertainty; not of a single n."""
    if not any(len(one.found.choice.table.n) > 1 for one in chosen if one.found):
        return
    kept, numbers = worth_drawing(chosen), numbers_of_cards(chosen, session.numbers())
    drawn, dotted = offers(kept, numbers), sequential_votes(kept, numbers)
    figure = tradeoff(
        (*drawn, *dotted),
        frontier(chosen),
        axes_of(chosen),
        mark(kept),
        best=BEST_FOR_COST,
    )
    sentences = [Text("Each point is an n.")]
    if any(offer.pick is not None for offer in drawn):
        diamond = Text(
            "Each point is an n; a diamond is the n to use, with {level:.4g}% intervals.",
            level=100 * chosen[0].view.level,
        )
        sentences = [diamond]
    if dotted:
        sentences.append(Text("The dotted line shows votes that end early."))
    if len(kept) < len(chosen):
        sentences.append(Text("{kept} of {all} runs are drawn.", kept=len(kept), all=len(chosen)))
    caption = run_on(map(say, sentences))
    draw(figure, describe_tradeoff(drawn), "quality against cost", caption)


def list_lines(chosen: Sequence[ChoiceCard]) -> None:
    """Show each run at the n to use, with what it solves and costs."""
    found = lines(chosen)
    show_table(line_columns(found), found, _("Each model at the n to use"))
    best = best_in_words(chosen)
    if sentence := [*([best] if best else []), *reasons(chosen)]:
        st.markdown(run_on(map(say, sentence)), width=900)


def remarks_on(chosen: Sequence[ChoiceCard]) -> dict[Text, list[str]]:
    """Return what the choices rest on, with the names of the runs it is of."""
    remarks: dict[Text, list[str]] = {}
    for one in chosen:
        if one.found is not None:
            for remark in (one.found.priced.basis, *one.found.choice.remarks):
                remarks.setdefault(remark, []).append(one.key)
    return remarks


def list_choices(chosen: Sequence[ChoiceCard], pricing: Pricing) -> None:
    """Show cost and gain at n that double, and what each adds; offer those of every n."""
    found = all_steps(chosen)
    show_table(step_columns(found), found, _("Cost and gain of each n"))
    _show_margins(chosen, pricing)


def _show_margins(chosen: Sequence[ChoiceCard], pricing: Pricing) -> None:
    kept = [one for one in worth_drawing(chosen) if one.found is not None]
    first = kept[0].found
    if first is None or len(first.choice.table.n) < 2:
        return
    cost, gain = st.columns(2, gap="medium")
    numbers = numbers_of_cards(kept, session.numbers())
    with cost:
        st.markdown(f"**{_('What an additional question solved costs')}**")
        limit = None
        if pricing.value is not None:
            worth = Text("worth {value}", value=first.priced.amount(pricing.value))
            limit = pricing.value, worth
        title = Text("Costs, in {unit}", unit=first.priced.unit)
        _draw_margins(cost_margins(kept, numbers), title, "marginal cost", None, limit)
    with gain:
        st.markdown(f"**{_('What the n-th sample gains')}**")
        lines = gain_margins(kept, numbers)
        alike = Text("(1 − p)ⁿ⁻¹ p, if all questions were equally hard")
        compared = alike if any(run.compared is not None for run in lines) else None
        _draw_margins(lines, Text("Percentage points"), "marginal gain", compared, None)


def _draw_margins(
    runs: Sequence[Margin],
    title: Text,
    name: str,
    compared: Text | None,
    limit: tuple[float, Text] | None,
) -> None:
    figure = margins(runs, title, compared, limit, n_axis=N_AXIS)
    draw(figure, describe_margins(runs, title), name)


def explain_choices(chosen: Sequence[ChoiceCard]) -> None:
    """Say how n and its intervals are found, and how often that holds."""
    held = reliability(chosen)
    methods = dict.fromkeys(one.found.choice.method for one in chosen if one.found)
    for sentence in (*filter(None, [held]), *methods):
        st.markdown(say(sentence), width=900)
