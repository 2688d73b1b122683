"""One chart of a comparison at a time; only what is in view is computed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from charts.differences import Gap, differences
from charts.lead_over_k import lead_over_k
from charts.pairs import pairs
from charts.ranks import ranks
from kofn.compare.choices import CompareChoices, Picture
from kofn.compare.figures import (
    cells,
    curve_over_k,
    gap_title,
    gaps_by_dataset,
    gaps_by_metric,
    gaps_by_segment,
    gaps_to_base,
    places,
    rank_title,
    sides_of,
)
from kofn.compare.pair import attributes_of
from kofn.compare.words import (
    describe_differences,
    describe_lead_over_k,
    describe_pairs,
    describe_ranks,
    segments_in_words,
)
from kofn.writing.estimates import K_AXIS, NA
from metrics.data.words import Text, printable
from pages.results.compare.choosing import CompareSheet
from pages.results.compare.data import metrics_once, segments_once
from pages.shared.choices import tie_widget
from pages.shared.memory import session
from pages.shared.showing.charts import draw
from pages.shared.translating import _, say


def show_picture(sheet: CompareSheet) -> None:
    """Let the visitor choose a picture of those there are, and draw it."""
    offered = _offered(sheet)
    if not offered:
        return
    names = {
        "ranks": _("Ranks"),
        "base": _("Against the baseline"),
        "k": _("Along k"),
        "metrics": _("By metric"),
        "datasets": _("By dataset"),
        "segments": _("By segment"),
        "pairs": _("All pairs"),
    }
    chosen = sheet.choices.picture
    shown = chosen if chosen in offered else offered[0]
    if len(offered) > 1:
        st.segmented_control(
            _("Shown"),
            offered,
            format_func=lambda name: names[name],
            required=True,
            label_visibility="collapsed",
            **tie_widget(CompareChoices, "picture", shown),
        )
    _DRAWN[shown](sheet)


def _offered(sheet: CompareSheet) -> list[Picture]:
    """Return the pictures there are, the one to open with first."""
    pair = sheet.pair
    if pair is None or sheet.contest.ranking is None:
        return []
    several = len(sheet.contest.ranking.names) > 2
    found: list[tuple[Picture, bool]] = [
        ("ranks", several),
        ("base", several),
        ("k", pair.along is not None),
        ("metrics", True),
        ("datasets", sheet.together is not None),
        ("segments", bool(attributes_of(sheet.runs, pair))),
        ("pairs", several),
    ]
    return [name for name, there in found if there]


def _ranks(sheet: CompareSheet) -> None:
    found = places(sheet.contest, session.numbers())
    figure = ranks(found, rank_title(sheet.contest))
    caption = _("A dot is the rank as measured, a diamond the baseline.")
    draw(figure, describe_ranks(found), "compare.ranks", caption)


def _base(sheet: CompareSheet) -> None:
    _draw(sheet, gaps_to_base(sheet.contest, session.numbers()), "base", one=False)


def _lead_over_k(sheet: CompareSheet) -> None:
    pair = sheet.pair
    assert pair is not None
    assert pair.along is not None
    gap, metric = curve_over_k(pair.along, pair.followed), pair.followed
    title = Text("Difference in {metric}, in points", metric=metric)
    number = session.numbers()[pair.other]
    figure = lead_over_k(gap, number, title, sides_of(sheet.contest, pair), k_axis=K_AXIS)
    draw(figure, describe_lead_over_k(gap, metric), "compare.along")


def _metrics(sheet: CompareSheet) -> None:
    assert sheet.pair is not None
    found = metrics_once(sheet.pair, sheet.runs, sheet.view)
    _draw(sheet, gaps_by_metric(found, sheet.pair, session.numbers()), "metrics")


def _datasets(sheet: CompareSheet) -> None:
    assert sheet.pair is not None
    assert sheet.together is not None
    gaps = gaps_by_dataset(sheet.together, sheet.pair, session.numbers(), _("All together"))
    _draw(sheet, gaps, "datasets")


def _segments(sheet: CompareSheet) -> None:
    assert sheet.pair is not None
    attributes = attributes_of(sheet.runs, sheet.pair)
    by = sheet.choices.by
    chosen = by if by in attributes else attributes[0]
    if len(attributes) > 1:
        st.selectbox(
            _("Segments by"),
            attributes,
            format_func=printable,
            width=220,
            **tie_widget(CompareChoices, "by", chosen),
        )
    found, reason = segments_once(sheet.pair, sheet.runs, chosen, sheet.contest, sheet.view)
    if found is None:
        st.info(say(reason or NA))
        return
    st.caption(say(segments_in_words(found)))
    _draw(sheet, gaps_by_segment(found, sheet.pair, session.numbers()), "segments")


def _pairs(sheet: CompareSheet) -> None:
    found = cells(sheet.contest)
    names = [sheet.contest.names[key] for key in sheet.contest.estimates]
    caption = _(
        "The run of a row less that of a column, in points; pale where it is too close to call."
    )
    draw(pairs(found, names), describe_pairs(found, len(names)), "compare.pairs", caption)


def _draw(sheet: CompareSheet, gaps: tuple[Gap, ...], name: str, *, one: bool = True) -> None:
    title = gap_title(sheet.contest, sheet.pair if one else None, sheet.view.level)
    caption = _("Filled where the interval leaves out 0; each interval is for its row alone.")
    draw(differences(gaps, title), describe_differences(gaps), f"compare.{name}", caption)


_DRAWN: dict[Picture, Callable[[CompareSheet], None]] = {
    "ranks": _ranks,
    "base": _base,
    "k": _lead_over_k,
    "metrics": _metrics,
    "datasets": _datasets,
    "segments": _segments,
    "pairs": _pairs,
}
