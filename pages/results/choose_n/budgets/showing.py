"""What tokens and time buy: a picture, every run, and one run in detail."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from charts.tradeoff import tradeoff
from kofn.budgets.analysis import BudgetCard, dearest
from kofn.budgets.columns import BY_RUN, RIVALS, RivalAnswers, cut_columns, cuts
from kofn.budgets.command import BUDGETS
from kofn.budgets.figures import DRAWN, axes, best_of_all, frontiers, lines_by_k, worth_drawing
from kofn.budgets.words import (
    ASSUMED,
    AT_ONCE,
    WITH_TOKENS,
    best_in_words,
    in_words,
    split_in_words,
)
from kofn.card import are_counted, full_name, names
from kofn.choices.runs import has_tokens
from kofn.choices.view import View
from kofn.choose_n.words import BEST_FOR_COST, describe_tradeoff
from kofn.leaderboard.pairs import match_so_far
from kofn.leaderboard.same_tokens import standing_for_tokens
from kofn.leaderboard.words import tokens_in_words
from kofn.run_columns import name_of_run as named_so
from kofn.writing.layout import short_name
from metrics import TokenBudgets
from metrics.data.words import Text
from pages.results.choose_n.budgets.choosing import BudgetSheet, choose_budgets, choose_run
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.showing.charts import draw
from pages.shared.showing.folds import fold
from pages.shared.showing.remarks import tell_remarks
from pages.shared.showing.tables import show_table, take_away_found
from pages.shared.translating import _, escape_name, run_on, say
from reports.run.report import Run


def show_short_answers(runs: Mapping[str, Run], view: View) -> None:
    """Set short answers against long ones for the same tokens, or say how to get tokens."""
    if not any(map(has_tokens, runs.values())):
        st.info(say(WITH_TOKENS))
        return
    sheet = choose_budgets(runs, view)
    if are_counted(sheet.cards):
        return
    _show_budgets(sheet)
    _list_rivals(sheet)
    _list_budgets(sheet)
    _show_one_budget(choose_run(sheet))
    _explain_budgets()
    take_away_found(BUDGETS, sheet.cards, "budgets")


def tell_same_tokens(runs: Mapping[str, Run], view: View) -> None:
    """Say who solves most for the tokens of one long answer over all datasets."""
    found = _same_tokens(runs, view.plain, match_so_far)
    if found is not None:
        st.markdown(run_on(map(say, tokens_in_words(found))), width=900)


_same_tokens = remember(50)(standing_for_tokens)


def _show_budgets(sheet: BudgetSheet) -> None:
    """Draw what each run solves for how many tokens."""
    drawn = worth_drawing(sheet.cards)
    offers = frontiers(drawn, session.numbers(), sheet.rivals)
    figure = tradeoff(offers, best_of_all(sheet.cards), axes(drawn[0]), best=BEST_FOR_COST)
    draw(figure, describe_tradeoff(offers), "budgets")
    sentences = [
        best_in_words(sheet.cards),
        Text(
            "Each line shows the best that a run gives for its tokens, over all k and cuts; a "
            "number marks where that many answers begin. Diamonds are the short answers of the "
            "table."
        ),
    ]
    if sheet.rivals and sheet.rivals[0].key in {card.key for card in drawn}:
        name = short_name(sheet.rivals[0].name)
        sentences.append(Text("The diamond of {run} is compared with one answer.", run=name))
    if sum(card.found is not None for card in sheet.cards) > DRAWN:
        cut = Text("{kept} of {all} runs are drawn.", kept=len(drawn), all=len(sheet.cards))
        sentences.append(cut)
    st.caption(run_on(say(each) for each in sentences if each is not None))


def _list_budgets(sheet: BudgetSheet) -> None:
    """List the short and the long answers of each run, and the lengths of right ones."""
    found = [card for card in sheet.cards if card.found is not None]
    if found:
        called = dict(zip((card.key for card in sheet.cards), names(sheet.cards), strict=True))
        shown = [named_so(called), *BY_RUN[1:]]
        show_table(shown, found, _("Short answers and a long one for the same tokens"))
    known: dict[Text, list[str]] = {}
    for card in sheet.cards:
        sentences = [] if card.reason is None else [card.reason]
        sentences += card.found.budgets.caveats if card.found else ()
        for text in dict.fromkeys(sentences):
            known.setdefault(text, []).append(full_name(card))
    if found:
        tell_remarks(known, list(map(full_name, sheet.cards)))


def _show_one_budget(card: BudgetCard | None) -> None:
    """Draw every k of a run over its tokens, list the cuts, and say what lengths and times do."""
    if card is None or card.found is None:
        return
    st.markdown(f"**{escape_name(card.key)}**")
    for text in in_words(card):
        st.markdown(say(text), width=900)
    _draw_cuts(card, card.found.budgets)
    show_table(cut_columns(card), cuts(card.found), _("What is solved at each cut"))


def _draw_cuts(card: BudgetCard, table: TokenBudgets) -> None:
    """Draw a line for each k; with a single one the first picture has it."""
    drawn = lines_by_k(card)
    if len(drawn) == 1:
        return
    best = sorted(zip(table.spent[table.best], table.value[table.best], strict=True))
    described = Text(
        "What {run} solves over the tokens it takes, a line for each of {count} numbers of "
        "answers. The table has some of the numbers.",
        run=card.run.model,
        count=len(drawn),
    )
    caption = _("A line for each number of answers; along it they are cut later and later.")
    draw(
        tradeoff(drawn, best, axes(card), best=BEST_FOR_COST),
        described,
        "cuts",
        caption,
    )


def _list_rivals(sheet: BudgetSheet) -> None:
    """List as many answers of the other runs as take no more tokens than one of the longest."""
    if not sheet.rivals:
        return
    against = dearest(sheet.cards)
    assert against is not None
    alt = _("Several answers of others for the tokens of one")
    st.markdown(f"**{alt}**")
    show_table(RIVALS, [RivalAnswers(rival, against) for rival in sheet.rivals], alt)
    if len(sheet.rivals) > 1:
        st.caption(say(AT_ONCE))
    st.markdown(say(split_in_words(sheet.cards)), width=900)


def _explain_budgets() -> None:
    """Say what a cut is, what is assumed, and what the numbers are."""
    caption = _(
        "- **Tokens** are those of answers; what a prompt takes is left out.\n"
        "- **Short answers** are cut where together they take what one uncut answer does "
        "on average; the interval of the difference allows for that.\n"
        "- **Lengths** are compared within questions, since hard questions have long "
        "answers, and wrong ones.\n"
        "- **Times** are as measured, under whatever load there was."
    )
    sentence = f"{say(ASSUMED)}\n\n{caption}"
    fold(st.expander, _("What is assumed"), "assumed", partial(st.markdown, sentence))
