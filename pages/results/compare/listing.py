"""A table of each run against the baseline, with caveats about its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.card import Card
from kofn.compare.analysis import CompareCard, RunInContest, compare_runs
from kofn.compare.choices import CompareChoices
from kofn.compare.columns import COLUMNS
from kofn.compare.command import COMPARE
from kofn.compare.contest import Contest
from kofn.compare.words import matched_in_words
from kofn.leaderboard.pairs import match_so_far
from kofn.rank.columns import RANK
from kofn.run_columns import name_of_run
from metrics.data.words import Text
from pages.results.compare.choosing import CompareSheet
from pages.shared.showing.tables import show_table, take_away_later
from pages.shared.translating import _


def list_comparison(sheet: CompareSheet) -> None:
    """Show the places of all runs and what parts them from the baseline."""
    contest = sheet.contest
    found = RunInContest(contest)
    cards = [
        Card(key, sheet.runs[key], sheet.view, sheet.choices, found) for key in contest.estimates
    ]
    several = [RANK] if len(cards) > 2 else []
    shown = [name_of_run(contest.names), *COLUMNS[1:], *several]
    show_table(shown, cards, _("Each run beside the baseline"))


def remarks_on(contest: Contest) -> dict[Text, list[str]]:
    """Return what must be known of these numbers, with the names of the runs it is of."""
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
    runs, view, base = sheet.runs, sheet.view, sheet.choices.base

    def compared() -> Sequence[CompareCard]:
        return compare_runs(runs, view, CompareChoices(base), same=match_so_far)

    take_away_later(COMPARE, compared, view, "compare")
