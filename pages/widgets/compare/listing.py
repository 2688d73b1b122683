"""Each run beside the baseline, as a table, and what must be known of the numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from kofn.compare.analysis import CompareCard, compare_runs
from kofn.compare.choices import CompareChoices
from kofn.compare.command import COMPARE
from kofn.compare.contest import Contest
from kofn.compare.instrument import matched_in_words
from kofn.compare.tables import frame
from kofn.standings.pairs import match_so_far
from kofn.writing.estimates import percent, points
from metrics.data.words import Text
from pages.widgets.compare.choosing import CompareSheet
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.remarks import tell_remarks
from pages.widgets.shared.translating import _, plain, translations

HEIGHT = 390
"""Of a table of more than ten rows, in pixels."""


def list_comparison(sheet: CompareSheet) -> None:
    """Show the places of all runs and what parts them from the baseline."""
    contest = sheet.contest
    if contest.estimates:
        lines = [_line(contest, key) for key in contest.estimates]
        st.dataframe(
            pd.DataFrame(lines),
            hide_index=True,
            height=HEIGHT if len(lines) > 10 else "auto",
            alt=_("Each run beside the baseline"),
        )
    tell_remarks(_remarks(contest), list(contest.names.values()))


def _line(contest: Contest, key: str) -> dict[str, str]:
    estimate, ranking = contest.estimates[key], contest.ranking
    line = {
        _("Run"): contest.names[key],
        contest.label: plain(percent(estimate.value, *(estimate.interval or ()))),
    }
    if ranking is None:
        return line
    if len(ranking.names) > 2:
        line[_("Rank")] = str(ranking.ranks[ranking.names.index(key)])
    found = contest.against.get(key)
    if found is None:
        told = _("baseline"), "", "", ""
    else:
        apart = contest.base is not None and contest.told_apart(contest.base, key)
        told = (
            plain(points(found.value, *(found.interval or ()))),
            _("yes") if apart else _("no"),
            "" if found.wins is None else str(found.wins),
            "" if found.losses is None else str(found.losses),
        )
    columns = _("Less the baseline"), _("Told apart"), _("Better on"), _("Worse on")
    return line | dict(zip(columns, told, strict=True))


def _remarks(contest: Contest) -> dict[Text, list[str]]:
    known: dict[Text, list[str]] = {}
    for key, reason in contest.reasons.items():
        known.setdefault(reason, []).append(contest.names[key])
    for key, found in contest.against.items():
        matched = matched_in_words(contest.match(contest.base or "", key))
        for text in dict.fromkeys([*matched, *found.caveats]):
            known.setdefault(text, []).append(contest.names[key])
    return known


def download_comparison(sheet: CompareSheet) -> None:
    """Offer the differences from the baseline in full precision."""
    catalogue, runs, view, base = translations(), sheet.runs, sheet.view, sheet.choices.base

    def compared() -> Sequence[CompareCard]:
        return compare_runs(runs, view, CompareChoices(base), same=match_so_far)

    download_table(
        lambda: frame(compared(), catalogue), "compare", lambda: COMPARE.cited(compared(), view)
    )
