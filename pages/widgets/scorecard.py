"""The scorecards of the chosen runs: computed once for a View, then shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from charts.forest import describe_forest, forest
from kofn.card import make_one_each, names
from kofn.choices.runs import shown_runs
from kofn.choices.view import View, covered
from kofn.scorecard.analysis import (
    EVERY_METRIC,
    ScoreCard,
    Scorecard,
    frame,
    score_run,
    scores_of,
)
from kofn.scorecard.figures import forest_rows
from kofn.scorecard.suites import pool_suites
from kofn.writing.estimates import percent
from metrics.analyses.scorecard import Score
from metrics.data.words import Text
from metrics.scoring.registry import METRICS
from pages.widgets.shared import session
from pages.widgets.shared.charts import draw
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.facts import describe_run
from pages.widgets.shared.findings import remembered
from pages.widgets.shared.translating import _, escape, escape_name, plain, say, translations
from reports.run.report import Run

CARDS = 30
"""The most scorecards that are drawn at once."""
LEADING = ("avg@n", "soft", "pass@k", "pass^k", "maj@k", "cons@n")
"""The metrics that are shown first, where a run has what they need."""


def score(runs: Mapping[str, Run], view: View) -> tuple[ScoreCard, ...]:
    """Score the runs of a View and their suites; runs scored before come from a cache."""
    shown, settings = shown_runs(runs, view.runs), replace(view, runs=())
    with st.spinner(_("Estimating"), show_time=True):
        cards = make_one_each(remembered(score_run), shown, settings, EVERY_METRIC)
    return (*cards, *pool_suites(list(session.reports().values()), cards))


def explain_intervals(view: View) -> None:
    """Say what the intervals cover."""
    st.caption(say(covered(view)))


def show_scores(cards: Sequence[ScoreCard]) -> None:
    """Draw a table of each run, and a forest plot of those that may be compared."""
    if len(cards) > CARDS:
        shown = Text(
            "Here are {shown} of {all} runs; choose runs on the left to see others. The downloads "
            "have all.",
            shown=CARDS,
            all=len(cards),
        )
        st.info(say(shown))
    datasets: dict[str, list[ScoreCard]] = {}
    for card in cards[:CARDS]:
        datasets.setdefault(card.run.dataset, []).append(card)
    one_model = len({card.run.model for card in cards}) == 1 and len(cards) == len(datasets)
    if one_model:
        _draw_forest(cards[:CARDS], "scorecard")
    for dataset, group in datasets.items():
        st.subheader(escape_name(dataset), anchor=False)
        if not one_model:
            _draw_forest(group, f"scorecard {dataset}")
        for card, name in zip(group, names(group), strict=True):
            _show_card(card, name)


def _draw_forest(cards: Sequence[ScoreCard], name: str) -> None:
    leading = [replace(card, found=Scorecard(_leading(card))) for card in cards]
    rows = forest_rows(leading, session.numbers())
    if rows:
        level = cards[0].view.level
        draw(forest(rows, level, plain), describe_forest(rows, level), name)


def _leading(card: ScoreCard) -> tuple[Score, ...]:
    return tuple(
        score
        for score in scores_of(card)
        if score.metric.name in LEADING and (score.estimate is not None or not score.metric.needs)
    )


def _show_card(card: ScoreCard, name: str) -> None:
    notes = [say(note.what) for note in card.run.notes]
    pooled = card.found.pooled if card.found else None
    size = say(pooled) if pooled else describe_run(card.key, card.run)
    st.markdown(
        " · ".join(filter(None, [f"**{escape_name(name)}**", size])), help="\n\n".join(notes)
    )
    if card.reason is not None:
        st.write(say(card.reason))
        return
    leading = _leading(card)
    shared = _shared_caveats(leading)
    st.table(_table(leading, shared), border="horizontal", alt=card.key)
    for caveat in shared:
        st.caption(say(caveat))
    rest = [score for score in scores_of(card) if score not in leading]
    more = st.expander(
        _("More metrics"), key=f"kofn.more.{card.key}", on_change="rerun", type="compact"
    )
    if more.open:
        more.table(_table(rest, shared), border="horizontal")


def _shared_caveats(scores: Sequence[Score]) -> list[Text]:
    """Return what must be known before using any of the numbers."""
    caveats = [score.estimate.caveats for score in scores if score.estimate is not None]
    first = caveats[0] if caveats else ()
    return [caveat for caveat in first if all(caveat in others for others in caveats)]


def _table(scores: Sequence[Score], shared: Sequence[Text]) -> pd.DataFrame:
    families = [score.metric.family for score in scores]
    return pd.DataFrame(
        [
            {
                _("Answers"): "" if family in families[max(0, i - 1) : i] else say(family),
                _("Metric"): escape(score.label),
                _("Value"): _value(score),
                _("What it says"): _meaning(score, shared),
            }
            for i, (family, score) in enumerate(zip(families, scores, strict=True))
        ]
    )


def _value(score: Score) -> str:
    if score.estimate is None:
        return _("N/A")
    return plain(percent(score.estimate.value, *(score.estimate.interval or ())))


def _meaning(score: Score, shared: Sequence[Text]) -> str:
    if score.reason is not None:
        return say(score.reason)
    caveats = score.estimate.caveats if score.estimate else ()
    remarks = [say(caveat) for caveat in caveats if caveat not in shared]
    return " ".join([f":gray[{say(score.metric.sentence)}]", *remarks])


def explain_metrics(cards: Sequence[ScoreCard]) -> None:
    """Offer, for each metric, what it says, its formula and source, and how it is estimated."""
    with st.expander(_("How the numbers are made")):
        st.table(
            pd.DataFrame(
                [
                    {
                        _("Metric"): escape(metric.name),
                        _("Answers"): say(metric.family),
                        _("Formula"): f"${metric.formula}$",
                        _("Source"): escape(metric.source),
                    }
                    for metric in METRICS.values()
                ]
            ),
            border="horizontal",
        )
        estimates = [score.estimate for card in cards for score in scores_of(card)]
        for method in dict.fromkeys(estimate.method for estimate in estimates if estimate):
            st.write(say(method))


def download_scores(cards: Sequence[ScoreCard]) -> None:
    """Offer all numbers in full precision."""
    catalogue = translations()
    download_table(lambda: frame(cards, catalogue), "scorecard")
