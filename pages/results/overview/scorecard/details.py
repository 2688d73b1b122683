"""One run in detail: all its metrics, what they say and how they are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from kofn.questions.filters import QuestionFilter
from kofn.scorecard.analysis import ScoreCard, score_run, score_runs, scores_of
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.table import as_one
from kofn.writing.estimates import percent
from metrics.analyses.scorecard import Score
from metrics.data.words import Text
from metrics.scoring.registry import METRICS
from pages.results.overview.scorecard.choosing import Sheet
from pages.shared.choices import choose
from pages.shared.memory.facts import describe_run
from pages.shared.memory.findings import remembered
from pages.shared.showing.links import link_to_questions
from pages.shared.translating import _, escape, escape_name, plain, say


def show_one_run(sheet: Sheet) -> None:
    """Show every metric of the run that was clicked."""
    card = next(
        (line.card for line in sheet.table.lines if line.card.key == sheet.choices.detail), None
    )
    if card is None:
        return
    with st.container(border=True):
        _show_card(_scored(sheet, card))


def _scored(sheet: Sheet, card: ScoreCard) -> ScoreCard:
    """Return the card with every metric; that of a suite has those of the table."""
    run = sheet.runs.get(card.key)
    if run is None:
        return card
    every = replace(sheet.choices, names=(), sort="", detail="")
    (full,) = score_runs({card.key: run}, card.view, every, remembered(score_run))
    return full


def _show_card(card: ScoreCard) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape_name(card.key)}**", width="stretch")
        st.button(_("Close"), key="kofn.scorecard.close", type="tertiary", on_click=_close)
    pooled = card.found.pooled if card.found else None
    size = say(pooled) if pooled else describe_run(card.key, card.run)
    st.caption(size)
    for note in card.run.notes:
        st.caption(say(note.what))
    if card.reason is not None:
        st.write(say(card.reason))
        return
    scores = scores_of(card)
    shared = _shared_caveats(scores)
    for caveat in shared:
        st.caption(say(caveat))
    st.table(_table(card, shared), border="horizontal", alt=card.key)
    if card.run.known is not None:
        link_to_questions(_("Its questions"), QuestionFilter(a=card.key), card.view)


def _close() -> None:
    choose(ScoreChoices, detail="")


def _shared_caveats(scores: Sequence[Score]) -> list[Text]:
    """Return what must be known before using any of the numbers."""
    caveats = [score.estimate.caveats for score in scores if score.estimate is not None]
    first = caveats[0] if caveats else ()
    return [caveat for caveat in first if all(caveat in others for others in caveats)]


def _table(card: ScoreCard, shared: Sequence[Text]) -> pd.DataFrame:
    named = as_one(card)
    families = [score.metric.family for _heading, score in named]
    return pd.DataFrame(
        [
            {
                _("Answers"): "" if family in families[max(0, i - 1) : i] else say(family),
                _("Metric"): say(heading),
                _("Value"): _value(score),
                _("What it says"): _meaning(score, shared),
            }
            for i, (family, (heading, score)) in enumerate(zip(families, named, strict=True))
        ]
    )


def _value(score: Score) -> str:
    if score.estimate is None:
        return escape(plain(percent(None)))
    written = plain(percent(score.estimate.value, *(score.estimate.interval or ())))
    number, gap, interval = escape(written).partition(" ")
    return f"**{number}**{gap}{interval}".replace(" ", "\N{NO-BREAK SPACE}")


def _meaning(score: Score, shared: Sequence[Text]) -> str:
    if score.reason is not None:
        return say(score.reason)
    caveats = score.estimate.caveats if score.estimate else ()
    remarks = [say(caveat) for caveat in caveats if caveat not in shared]
    return " ".join([f":gray[{say(score.metric.sentence)}]", *remarks])


def explain_metrics(sheet: Sheet) -> None:
    """Offer what each metric says, its formula and source, and how the numbers are estimated."""
    with st.expander(_("What the metrics mean")):
        st.table(
            pd.DataFrame(
                [
                    {
                        _("Metric"): escape(metric.name),
                        _("What it says"): say(metric.sentence),
                        _("Formula"): f"${metric.formula}\\,$",
                        _("Source"): escape(metric.source),
                    }
                    for metric in METRICS.values()
                ]
            ),
            border="horizontal",
        )
        scores = (score for line in sheet.table.lines for score in line.scores.values())
        methods = (score.estimate.method for score in scores if score.estimate is not None)
        for method in dict.fromkeys(methods):
            st.write(say(method))
