"""How each run compares with the others on its dataset, for the page, the command and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kofn.card import Card, Finding
from kofn.choices.focus import Focus, groups_in_focus
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.compare.contest import Contest, contend, key_of_name, name_across_datasets
from kofn.compare.over_datasets import OverDatasets, compare_over_datasets
from kofn.compare.pair import ComparedPair, by_segment, pair_up
from kofn.leaderboard.pairs import Matching
from metrics import BySegment
from metrics.data.words import Text
from reports.run.matching import match
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class RunInContest:
    """A run beside those of its dataset."""

    contest: Contest
    pair: ComparedPair | None = None  # Against the baseline; None of the baseline itself.
    together: OverDatasets | None = None  # Against the baseline on all datasets that both ran.
    # The same in each segment, if that is asked for, or why there is none.
    segments: Finding[BySegment] = (None, None)
    chosen: bool = False  # Whether a person chose the dataset that comes first.


CompareCard = Card[RunInContest, CompareChoices]


def rank_runs(
    runs: Mapping[str, Run],
    view: View,
    choices: CompareChoices | None = None,
    focus: Focus | None = None,
    same: Matching = match,
) -> tuple[CompareCard, ...]:
    """Find the place of every run that a View names among those of its dataset.

    view: As for `kofn.compare.contest.contend`.
    focus: The dataset that comes first.
    same: Says which questions of two runs are the same.
    """
    choices = choices or CompareChoices()
    plain = replace(view, runs=())
    cards: list[CompareCard] = []
    for group in groups_in_focus(shown_runs(runs, view.runs), focus).values():
        contest = contend(group, plain, choices.base, same)
        for key in (*contest.estimates, *contest.reasons):
            reason = contest.reasons.get(key) or contest.refusal
            found = RunInContest(contest, chosen=bool(focus and focus.dataset))
            cards.append(Card(key, group[key], plain, choices, found, reason))
    return tuple(cards)


def compare_runs(
    runs: Mapping[str, Run],
    view: View,
    choices: CompareChoices | None = None,
    focus: Focus | None = None,
    same: Matching = match,
) -> tuple[CompareCard, ...]:
    """Set every run that a View names against the baseline of its dataset; as `rank_runs`."""
    shown = shown_runs(runs, view.runs)
    known: dict[tuple[str, str], OverDatasets | None] = {}

    def against_base(card: CompareCard) -> CompareCard:
        if card.found is None or card.key not in card.found.contest.against:
            return card
        contest = card.found.contest
        pair = pair_up(contest, shown, card.key, card.view)
        names = (
            name_across_datasets(pair.base, shown[pair.base]),
            name_across_datasets(card.key, card.run),
        )
        if names not in known:
            known[names] = compare_over_datasets(shown, pair.base, card.key, card.view, same)
        segments: Finding[BySegment] = (None, None)
        if card.settings.by:
            asked = card.settings.by, contest.metric, contest.k, card.view
            segments = by_segment(pair, shown, *asked)
        return replace(
            card, found=RunInContest(contest, pair, known[names], segments, card.found.chosen)
        )

    return tuple(map(against_base, rank_runs(runs, view, choices, focus, same)))


def card_in_detail(cards: Sequence[CompareCard]) -> CompareCard | None:
    """Return the run of a dataset that is set against the baseline in detail; None if none is."""
    pairs = {card.key: card for card in cards if card.found and card.found.pair}
    runs = {card.key: card.run for card in cards}
    meant = key_of_name(cards[0].settings.other, runs)
    return pairs.get(meant or "") or next(iter(pairs.values()), None)


def reasons_of(cards: Sequence[CompareCard]) -> dict[Text, list[str]]:
    """Return why runs are left out, with their keys."""
    keys_of: dict[Text, list[str]] = {}
    for card in cards:
        if card.reason is not None:
            keys_of.setdefault(card.reason, []).append(card.key)
    return keys_of
