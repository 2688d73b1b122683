"""What was loaded: how much each run holds, and what its file states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kofn.card import Card, finder, make_one_each
from kofn.choices.view import View
from kofn.inventory.facts import RunFacts, facts_of
from kofn.inventory.stated import StatedNumber, stated_of, stated_of_suite
from kofn.inventory.words import answer
from kofn.leaderboard.lines import run_of, whole_suites
from metrics.data.words import Text
from reports.run.report import Report, Run


@dataclass(frozen=True)
class Holding:
    """What is known of a run, or of a suite."""

    facts: RunFacts | None  # None without verdicts.
    stated: tuple[StatedNumber, ...]  # Nothing of a segment, of which files state nothing.
    suite: bool = False  # Whether it is of a suite, which only has numbers that were stated.


HoldingCard = Card[Holding, None]


def take_in(runs: Mapping[str, Run], view: View) -> tuple[HoldingCard, ...]:
    """Say of every run that a View names what it holds."""
    return make_one_each(finder(_hold), runs, view, None)


def _hold(run: Run, view: View, _settings: None) -> Holding:
    facts = None if run.known is None else facts_of(run.known, view.segment)
    return Holding(facts, () if view.segment else stated_of(run))


def take_in_suites(
    reports: Sequence[Report], cards: Sequence[HoldingCard]
) -> Iterator[HoldingCard]:
    """Yield what is stated of each suite all of whose runs came in whole."""
    whole = [card for card in cards if not card.view.segment]
    for key, suite, members in whole_suites(reports, whole):
        found = Holding(None, stated_of_suite(suite), suite=True)
        yield Card(key, run_of(suite), members[0].view, None, found)


def answer_holdings(cards: Sequence[HoldingCard]) -> Text:
    """Say what came in, and what is wrong with the numbers that it states."""
    runs = {card.key: card.run for card in cards if not (card.found and card.found.suite)}
    return answer(runs, every_stated(cards))


def every_stated(cards: Sequence[HoldingCard]) -> list[StatedNumber]:
    """Return the numbers that files state of runs and suites."""
    return [each for card in cards if card.found for each in card.found.stated]
