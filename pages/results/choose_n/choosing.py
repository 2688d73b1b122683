"""The n to pay for: chosen once for the settings, told, drawn and listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from charts.margins import Margin, describe_margins, margins
from charts.tradeoff import describe_tradeoff, tradeoff
from kofn.apart.reading import tokens
from kofn.card import Card, Finding, runs_of
from kofn.choices.view import View
from kofn.choose_n.analysis import (
    ChoiceCard,
    PricedChoice,
    choose_together,
    frame,
    with_early_votes,
)
from kofn.choose_n.answer import answer, reasons
from kofn.choose_n.command import CHOOSE_N
from kofn.choose_n.early.ending import Ending
from kofn.choose_n.figures import (
    cost_margins,
    ended_early,
    frontier,
    gain_margins,
    mark,
    offers,
    worth_drawing,
)
from kofn.choose_n.frontier import best_in_words, frontiers
from kofn.choose_n.lengths import Tokens
from kofn.choose_n.prices import SAMPLES, Priced, column_format
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.tables import lines
from kofn.writing.estimates import percent
from metrics.analyses.choose_n.choice import Choice
from metrics.data.words import Text
from pages.shared.choices import current
from pages.shared.memory import session
from pages.shared.memory.questions import find_texts
from pages.shared.memory.remembering import remember
from pages.shared.showing.answers import show_answer
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, escape_name, plain, say, translations
from reports.files.errors import LoadError
from reports.run.report import Run


def choose_samples(runs: Mapping[str, Run], view: View, pricing: Pricing) -> tuple[ChoiceCard, ...]:
    """Choose among the runs of a dataset; what was chosen before comes from a cache."""
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    if pricing.basis == "lengths":
        for key, run in runs.items():
            with suppress(LoadError):
                find_texts(key, run)
    ending = current(Ending)
    identities = {key: session.identity(key, run) for key, run in runs.items()}
    with st.spinner(_("Weighing gain against cost"), show_time=True):
        found = _choose(tuple(identities.items()), settings, pricing, runs)
        if not pricing.verifier:
            found = _end_early(tuple(identities.items()), settings, pricing, ending, runs, found)
    return tuple(Card(key, run, settings, pricing, *found[key]) for key, run in runs.items())


@remember(50)
def _choose(
    identities: tuple[tuple[str, str], ...], view: View, pricing: Pricing, _runs: Mapping[str, Run]
) -> dict[str, Finding[PricedChoice]]:
    """Return the choices and how costs are spelled; neither runs nor their costs are kept."""
    found = choose_together(_runs, view, pricing, _kept_tokens(identities, _runs))
    return {
        key: (each and replace(each, priced=replace(each.priced, costs=0.0)), reason)
        for key, (each, reason) in found.items()
    }


@remember(50)
def _end_early(
    identities: tuple[tuple[str, str], ...],
    view: View,
    pricing: Pricing,
    ending: Ending,
    _runs: Mapping[str, Run],
    _found: dict[str, Finding[PricedChoice]],
) -> dict[str, Finding[PricedChoice]]:
    """Return the same choices, with votes that end early."""
    tokens_of = _kept_tokens(identities, _runs)
    return with_early_votes(_found, _runs, view, pricing, ending, tokens_of)


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


def answer_choices(chosen: Sequence[ChoiceCard]) -> None:
    """Show which model to take at which n, or why no choice can be made."""
    show_answer(answer(chosen), runs_of(chosen))


def tell_reasons(chosen: Sequence[ChoiceCard]) -> None:
    """Say what the answer rests on."""
    said = reasons(chosen)
    if said:
        st.markdown(" ".join(map(say, said)), width=900)


def show_tradeoff(chosen: Sequence[ChoiceCard]) -> None:
    """Draw quality against cost, with the choice and its uncertainty; not of a single n."""
    if not any(len(one.found.choice.table.n) > 1 for one in chosen if one.found):
        return
    kept, (choice, priced) = worth_drawing(chosen), _first(chosen)
    drawn, dotted = offers(kept, session.numbers()), ended_early(kept, session.numbers(), plain)
    axes = (
        Text("Cost of a question on average, in {unit}", unit=priced.unit),
        Text("{metric}, in percent", metric=choice.metric.replace("k", "n")),
    )
    figure = tradeoff((*drawn, *dotted), frontier(chosen), axes, mark(kept), plain)
    draw(figure, describe_tradeoff(drawn), "quality against cost")
    said = [Text("Each point is an n.")]
    if any(offer.pick is not None for offer in drawn):
        diamonds = Text(
            "The diamond is the one to use: its bars are the {level:.4g}% interval of the quality, "
            "and what the n that a bootstrap of the questions asks for cost.",
            level=100 * choice.confidence_level,
        )
        said.append(diamonds)
    if dotted:
        said.append(Text("Dotted is what the run to take solves if its votes end early."))
    if len(kept) < len(chosen):
        cut = Text("{kept} of {all} runs are drawn.", kept=len(kept), all=len(chosen))
        said.append(cut)
    best = best_in_words(chosen)
    st.caption(" ".join(map(say, [best, *said] if best else said)))


def list_lines(chosen: Sequence[ChoiceCard]) -> None:
    """Show each run at the n to use, with what it solves and costs."""
    found = lines(chosen)
    amounts = {
        _("Cost a question"): [line.cost for line in found],
        _("Cost of all"): [line.all for line in found],
        _("Each further solved"): [line.further for line in found],
    }
    table = pd.DataFrame(
        {
            _("Model"): [line.name for line in found],
            _("n"): pd.array([line.n for line in found], dtype="Int64"),
            _("Solves"): [plain(percent(*line.quality)) if line.quality else "" for line in found],
            **amounts,
            _("Note"): ["" if line.note is None else plain(line.note) for line in found],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        column_config={name: _numbers(table, name) for name in amounts},
        placeholder="–",
        alt=_("Each model at the n to use"),
    )


def tell_remarks(chosen: Sequence[ChoiceCard]) -> None:
    """Say what costs rest on, and what must be known before using the numbers."""
    remarks: dict[Text, list[str]] = {}
    for one in chosen:
        if one.found is not None:
            for remark in (one.found.priced.basis, *one.found.choice.remarks):
                remarks.setdefault(remark, []).append(one.key)
    shared = [say(remark) for remark, keys in remarks.items() if len(keys) == len(chosen)]
    if shared:
        st.caption(" ".join(shared))
    own = [(remark, keys) for remark, keys in remarks.items() if len(keys) < len(chosen)]
    if own:
        with st.expander(_("Remarks on single runs")):
            for remark, keys in own:
                st.markdown(f"{', '.join(map(escape_name, keys))}: {say(remark)}")


def show_margins(chosen: Sequence[ChoiceCard], pricing: Pricing) -> None:
    """Draw what each further solved question costs, and what the n-th sample adds."""
    choice, priced = _first(chosen)
    if len(choice.table.n) < 2:
        return
    label = _("What the n-th sample costs and gains")
    fold = st.expander(label, key="kofn.choose_n.margins", on_change="rerun")
    if fold.open:
        with fold:
            _show_both_margins(worth_drawing(chosen), priced, pricing)


def _show_both_margins(kept: Sequence[ChoiceCard], priced: Priced, pricing: Pricing) -> None:
    cost, gain = st.columns(2, gap="medium")
    with cost:
        st.markdown(f"**{_('What each further solved question costs')}**")
        limit = None
        if pricing.value is not None:
            worth = Text("worth {value}", value=priced.amount(pricing.value))
            limit = pricing.value, worth
        title = Text("Costs, in {unit}", unit=priced.unit)
        found = cost_margins(kept, session.numbers())
        _draw_margins(found, title, "marginal cost", None, limit)
    with gain:
        st.markdown(f"**{_('What the n-th sample gains')}**")
        found = gain_margins(kept, session.numbers())
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
    amounts = [name for name in table.columns if pd.api.types.is_float_dtype(table[name])]
    with st.expander(_("Every n")):
        st.dataframe(
            table,
            hide_index=True,
            column_config={name: _numbers(table, name) for name in amounts},
            placeholder="–",
            alt=_("Cost and gain of each n"),
        )
        catalogue = translations()
        view = chosen[0].view
        download_table(
            lambda: frame(chosen, catalogue),
            "choice of n",
            lambda: CHOOSE_N.cited(chosen, view),
        )


def _numbers(table: pd.DataFrame, name: str) -> Any:
    form = "%" + column_format(table[name].tolist()).lstrip(",")
    return st.column_config.NumberColumn(format=form)


def _rows(one: ChoiceCard, best: set[tuple[str, int]]) -> Iterator[dict[str, object]]:
    if one.found is None:
        return
    choice, table = one.found.choice, one.found.choice.table
    listed = {1 << power for power in range(20)} | {choice.safe_n, choice.n, int(table.n[-1])}
    if choice.votes:
        listed |= {n - 1 for n in listed if n}
    for at, n in enumerate(table.n.tolist()):
        if n in listed:
            solved = table.quality[at], table.quality_low[at], table.quality_high[at]
            yield {
                _("Run"): one.key,
                _("n"): n,
                _("To use"): n == choice.safe_n,
                _("Solved"): plain(percent(*map(float, solved))),
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
