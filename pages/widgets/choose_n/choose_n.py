"""The n to pay for: chosen once for the settings, told, drawn and listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import pandas as pd
import streamlit as st

from charts.margins import Margin, describe_margins, margins
from charts.tradeoff import describe_tradeoff, tradeoff
from kofn.apart.reading import tokens
from kofn.card import Finding, attempt, make_one_each
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard, PricedChoice, answer, choose_run, frame, parts
from kofn.choose_n.figures import cost_margins, frontier, gain_margins, offers
from kofn.choose_n.frontier import frontiers
from kofn.choose_n.lengths import Tokens
from kofn.choose_n.prices import SAMPLES, Priced, column_format
from kofn.choose_n.pricing import Pricing
from metrics.analyses.choose_n.choice import Choice
from metrics.data.words import Text
from pages.widgets.questions.data import find_texts
from pages.widgets.shared import session
from pages.widgets.shared.charts import draw
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.translating import _, escape_name, plain, say, translations
from reports.files.errors import LoadError
from reports.run.report import Run


def choose_samples(runs: Mapping[str, Run], view: View, pricing: Pricing) -> tuple[ChoiceCard, ...]:
    """Choose n for each run; what was chosen before comes from a cache."""
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    if pricing.basis == "lengths":
        for key, run in runs.items():
            with suppress(LoadError):
                find_texts(key, run)

    def find(key: str, run: Run, view: View, pricing: Pricing) -> Finding[PricedChoice]:
        return _choose(session.identity(key, run), view, pricing, run)

    with st.spinner(_("Weighing gain against cost"), show_time=True):
        return make_one_each(find, runs, settings, pricing)


@st.cache_resource(scope="session", max_entries=500, show_spinner=False)
def _choose(identity: str, view: View, pricing: Pricing, _run: Run) -> Finding[PricedChoice]:
    """Return the choice and how costs are spelled; neither the run nor its costs are kept."""
    found, reason = attempt(
        choose_run, _run, view, pricing, tokens_of=lambda run: _tokens(identity, run)
    )
    if found is not None:
        found = replace(found, priced=replace(found.priced, costs=0.0))
    return found, reason


@st.cache_resource(scope="session", max_entries=50, show_spinner=False)
def _tokens(identity: str, _run: Run) -> Tokens:
    return tokens(_run)


def tell_choices(chosen: Sequence[ChoiceCard]) -> None:
    """Say which n to pay for, run by run, and what that rests on."""
    for one in chosen:
        if len(chosen) == 1:
            st.markdown(say(answer(one)))
        else:
            brief = [say(part) for place, part in enumerate(parts(one)) if place in (0, 2)]
            st.markdown(f"**{escape_name(one.key)}:** {' '.join(brief)}")
    remarks: dict[Text, list[str]] = {}
    for one in chosen:
        if one.found is not None:
            for remark in (one.found.priced.basis, *one.found.choice.remarks):
                remarks.setdefault(remark, []).append(one.key)
    shared = [say(remark) for remark, keys in remarks.items() if len(keys) == len(chosen)]
    if shared:
        st.caption(" ".join(shared))
    for remark, keys in remarks.items():
        if len(keys) < len(chosen):
            st.caption(f"{', '.join(map(escape_name, keys))}: {say(remark)}")


def show_tradeoff(chosen: Sequence[ChoiceCard]) -> None:
    """Draw quality against cost, with the choice and its uncertainty."""
    drawn, (choice, priced) = offers(chosen, session.numbers()), _first(chosen)
    axes = (
        Text("Cost of a question on average, in {unit}", unit=priced.unit),
        Text(
            "{metric} and {level:.4g}% interval, in percent",
            metric=choice.metric.replace("k", "n"),
            level=100 * choice.confidence_level,
        ),
    )
    st.subheader(_("Quality against cost"), anchor=False)
    figure = tradeoff(drawn, frontier(chosen), axes, plain)
    draw(figure, describe_tradeoff(drawn), "quality against cost")
    st.caption(
        _(
            "Numbers at the points are n. The diamond is the n to use; its bars are the interval "
            "of the quality and the costs of the n that resampled questions would choose."
        )
    )


def show_margins(chosen: Sequence[ChoiceCard], pricing: Pricing) -> None:
    """Draw what each further solved question costs, and what the n-th sample adds."""
    choice, priced = _first(chosen)
    if len(choice.table.n) < 2:
        return
    cost, gain = st.columns(2, gap="medium")
    with cost:
        st.subheader(_("What each further solved question costs"), anchor=False)
        limit = None
        if pricing.value is not None:
            limit = pricing.value, Text("worth {value}", value=priced.amount(pricing.value))
        title = Text("Costs, in {unit}", unit=priced.unit)
        _draw_margins(cost_margins(chosen, session.numbers()), title, "marginal cost", None, limit)
    with gain:
        st.subheader(_("What the n-th sample gains"), anchor=False)
        found = gain_margins(chosen, session.numbers())
        alike = Text("(1 − p)ⁿ⁻¹ p, if all questions were equally hard")
        compared = alike if any(run.compared is not None for run in found) else None
        _draw_margins(found, Text("Percentage points"), "marginal gain", compared, None)


def _draw_margins(
    runs: Sequence[Margin],
    title: Text,
    name: str,
    compared: Text | None,
    limit: tuple[float, Text] | None,
) -> None:
    figure = margins(runs, title, compared, limit, plain)
    draw(figure, describe_margins(runs, title), name)


def list_choices(chosen: Sequence[ChoiceCard]) -> None:
    """Show cost and gain at n that double, and offer those of every n."""
    best = {
        (offer.key, offer.n)
        for found in frontiers(chosen).values()
        for offer in found
        if offer.best
    }
    table = pd.DataFrame([row for one in chosen for row in _rows(one, best)])
    if len(chosen) == 1:
        table = table.drop(columns=[_("Run"), _("Best for its cost")])
    if _first(chosen)[1].unit == SAMPLES:
        table = table.drop(columns=_("Cost"))
    formats = {
        name: st.column_config.NumberColumn(
            format="%" + column_format(table[name].tolist()).lstrip(",")
        )
        for name in table.columns
        if pd.api.types.is_float_dtype(table[name])
    }
    for name in (_("Solved"), _("From"), _("To")):
        formats[name] = st.column_config.NumberColumn(format="%.1f%%")
    st.dataframe(
        table,
        hide_index=True,
        column_config=formats,
        placeholder="–",
        alt=_("Cost and gain of each n"),
    )
    catalogue = translations()
    download_table(lambda: frame(chosen, catalogue), "choice of n")


def _rows(one: ChoiceCard, best: set[tuple[str, int]]) -> Iterator[dict[str, object]]:
    if one.found is None:
        return
    choice, table = one.found.choice, one.found.choice.table
    listed = {1 << power for power in range(20)} | {choice.safe_n, choice.n, int(table.n[-1])}
    if choice.metric != "pass@k":
        listed |= {n - 1 for n in listed if n}
    for at, n in enumerate(table.n.tolist()):
        if n in listed:
            yield {
                _("Run"): one.key,
                _("n"): n,
                _("Chosen"): n == choice.safe_n,
                _("Solved"): 100 * table.quality[at],
                _("From"): 100 * table.quality_low[at],
                _("To"): 100 * table.quality_high[at],
                _("Samples drawn"): table.attempts[at],
                _("Cost"): table.cost[at],
                _("Each further solved"): table.cost_per_further[at],
                _("Each solved"): table.cost_per_solved[at],
                _("Best for its cost"): (one.key, n) in best,
            }


def explain_choices(chosen: Sequence[ChoiceCard]) -> None:
    """Say how n and its intervals are found."""
    with st.expander(_("How n is chosen")):
        for method in dict.fromkeys(one.found.choice.method for one in chosen if one.found):
            st.markdown(say(method))


def _first(chosen: Sequence[ChoiceCard]) -> tuple[Choice, Priced]:
    return next((one.found.choice, one.found.priced) for one in chosen if one.found)
