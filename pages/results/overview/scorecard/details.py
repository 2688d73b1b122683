"""One run in detail: all its metrics, what they mean and how they are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from charts.forest import forest
from kofn.choices.view import View
from kofn.scorecard.analysis import ScoreCard, score_run, score_runs, scores_of
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.figures import rows_of_one
from kofn.scorecard.table import named_scores
from kofn.scorecard.words import describe_forest, forest_words
from kofn.writing.estimates import percent, percent_of
from metrics.analyses.scorecard import Score
from metrics.data.words import Text, plain
from metrics.scoring.registry import METRICS
from pages.results.overview.scorecard.choosing import Sheet
from pages.shared.choices import current_choices
from pages.shared.memory import session
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.charts import draw
from pages.shared.translating import _, escape, say
from reports.run.report import Run


def show_metrics(key: str, run: Run, view: View) -> None:
    """Show every metric of a run as a picture and with what it says."""
    every = replace(current_choices(ScoreChoices), names=(), sort="")
    found = score_runs({key: run}, view, every, find=remember_findings(score_run))
    for card in found:
        _show_card(card)


def _show_card(card: ScoreCard) -> None:
    for note in card.run.notes:
        st.caption(say(note.what))
    if card.reason is not None:
        st.write(say(card.reason))
        return
    scores = scores_of(card)
    shared = _shared_caveats(scores)
    for caveat in shared:
        st.caption(say(caveat))
    rows = rows_of_one(card, session.numbers()[card.key])
    draw(
        forest(rows, card.view.level, words=forest_words()),
        describe_forest(rows, card.view.level),
        "run",
    )
    st.table(_table(card, shared), border="horizontal", alt=card.key)


def _shared_caveats(scores: Sequence[Score]) -> list[Text]:
    """Return what must be known before using any of the numbers."""
    caveats = [score.estimate.caveats for score in scores if score.estimate is not None]
    first = caveats[0] if caveats else ()
    return [caveat for caveat in first if all(caveat in others for others in caveats)]


def _table(card: ScoreCard, shared: Sequence[Text]) -> pd.DataFrame:
    named = named_scores(card)
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
    written = plain(percent_of(score.estimate))
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
