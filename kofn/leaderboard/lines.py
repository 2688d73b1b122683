"""Models over the datasets that all of them ran on, one card each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from kofn.card import MEAN, Card, Finding, attempt, cards_found
from kofn.choices.runs import index_suites
from kofn.choices.view import View
from kofn.leaderboard.field import run_name
from metrics.data.words import printable
from reports.run.report import Report, Run, Suite

C = TypeVar("C", bound=Card[Any, Any])
T = TypeVar("T")
S = TypeVar("S")


def lines_of(runs: Mapping[str, Run]) -> dict[str, dict[str, str]]:
    """Return the lines of a table: a model, and again for each further run of it on a dataset.

    Returns: By line, the key of the run on each dataset.
    """
    seen: Counter[tuple[str, str]] = Counter()
    lines: dict[tuple[str, int], dict[str, str]] = {}
    for key, run in runs.items():
        pair = run.model, run.dataset
        seen[pair] += 1
        lines.setdefault((run.model, seen[pair]), {})[run.dataset] = key
    named = {}
    for (model, number), keys in lines.items():
        dataset, key = next(iter(keys.items()))
        named[run_name(key, model, dataset) if number > 1 else printable(model)] = keys
    return named


def shared_datasets(runs: Mapping[str, Run]) -> tuple[str, ...]:
    """Return the datasets that every model has a run on.

    Where models share fewer than two, those that ran on a single dataset do not count if the others
    share several.
    """
    ran = _ran(runs)
    several = [each for each in ran.values() if len(each) > 1]
    everyone, others = _common(ran.values()), _common(several)
    shared = others if len(everyone) < 2 <= min(len(several), len(others)) else everyone
    return tuple(dict.fromkeys(run.dataset for run in runs.values() if run.dataset in shared))


def _ran(runs: Mapping[str, Run]) -> dict[str, set[str]]:
    """Return the datasets that each model ran on."""
    ran: dict[str, set[str]] = {}
    for run in runs.values():
        ran.setdefault(run.model, set()).add(run.dataset)
    return ran


def _common(sets: Iterable[set[str]]) -> set[str]:
    return set.intersection(*found) if (found := list(sets)) else set()


class Lines(NamedTuple):
    """Models over the datasets that all of them ran on."""

    # By line, as `lines_of` names them, the key of its run on each dataset. A further run of a
    # model on a dataset is a line of its own where the model ran on all of them again.
    keys: Mapping[str, Mapping[str, str]]
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]  # Datasets that not all models ran on.
    alone: tuple[str, ...]  # Models that ran on one dataset only, where others ran on several.

    def members(self, runs: Mapping[str, Run]) -> dict[str, dict[str, Run]]:
        """Return the runs of each line by their keys, one a dataset."""
        return {line: {key: runs[key] for key in keys.values()} for line, keys in self.keys.items()}

    def sides(self, runs: Mapping[str, Run]) -> dict[str, dict[str, Run]]:
        """Return the runs of each line by their datasets."""
        return {
            line: {name: runs[key] for name, key in keys.items()}
            for line, keys in self.keys.items()
        }

    def runs(self, runs: Mapping[str, Run]) -> dict[str, Run]:
        """Return the runs of all lines by their keys."""
        within = {key for keys in self.keys.values() for key in keys.values()}
        return {key: run for key, run in runs.items() if key in within}


def whole_lines(runs: Mapping[str, Run]) -> Lines | None:
    """Lay out runs that have verdicts; None unless all models share several datasets."""
    judged = {key: run for key, run in runs.items() if run.known is not None}
    shared = shared_datasets(judged)
    if len(shared) < 2:
        return None
    return Lines(
        {
            line: {name: keys[name] for name in shared}
            for line, keys in lines_of(judged).items()
            if all(name in keys for name in shared)
        },
        shared,
        tuple({run.dataset: None for run in judged.values() if run.dataset not in shared}),
        tuple(model for model, datasets in _ran(judged).items() if len(datasets) == 1),
    )


def runs_averaged(runs: Mapping[str, Run]) -> Mapping[str, Run]:
    """Return the runs that an average over datasets is of; all of them where there is none."""
    whole = whole_lines(runs)
    return runs if whole is None else whole.runs(runs)


def mean_card(
    line: str, members: Mapping[str, Run], view: View, settings: S, found: Finding[T]
) -> Card[T, S]:
    """Return what was found of a line as the card of one run, on the mean of its datasets.

    members: Its runs by their keys, one a dataset.
    """
    assumed = next((run.threshold for run in members.values() if run.assumed), None)
    run = Run(line, MEAN, None, threshold=assumed, assumed=assumed is not None)
    return Card(f"{line} / {MEAN}", run, view, settings, *found, tuple(members))


def average_cards(
    cards: Sequence[Card[T, S]], average: Callable[[Sequence[T]], T]
) -> tuple[Card[T, S], ...]:
    """Average what was found of every model over the datasets that all ran on; none without such.

    cards: With the same View and settings.
    """
    found = {card.key: each for card, each in cards_found(cards)}
    runs = {card.key: card.run for card in cards if card.key in found}
    whole = whole_lines(runs)
    if whole is None:
        return ()
    view, settings = cards[0].view, cards[0].settings

    def card(line: str, members: Mapping[str, Run]) -> Card[T, S]:
        mean = attempt(average, [found[key] for key in members])
        return mean_card(line, members, view, settings, mean)

    return tuple(card(line, members) for line, members in whole.members(runs).items())


def whole_suites(
    reports: Sequence[Report], cards: Sequence[C]
) -> Iterator[tuple[str, Suite, list[C]]]:
    """Yield every suite all of whose runs have cards, by its name, with these."""
    by_run = {id(card.run): card for card in cards}
    for key, suite in index_suites(reports).items():
        if all(id(run) in by_run for run in suite.runs):
            yield key, suite, [by_run[id(run)] for run in suite.runs]


def run_of(suite: Suite) -> Run:
    """Return a suite as a run that only has numbers that its file states."""
    return Run(suite.model, suite.name, None, suite.reported, source=suite.source)


def cards_over_datasets(cards: Sequence[C]) -> list[C]:
    """Return the cards that are over several datasets."""
    return [card for card in cards if card.over]


def cards_of_runs(cards: Sequence[C]) -> list[C]:
    """Return the cards of single runs."""
    return [card for card in cards if not card.over]


def first_group(cards: Sequence[C]) -> list[C]:
    """Return the cards to open with: those over all datasets, else those of the first dataset."""
    return cards_over_datasets(cards) or [
        card for card in cards if card.run.dataset == cards[0].run.dataset
    ]


def numbers_of_cards(cards: Sequence[Card[Any, Any]], numbers: Mapping[str, int]) -> dict[str, int]:
    """Add to the numbers of runs those of cards over datasets: each has that of its first run."""
    return {**numbers, **dict(_numbers(cards, numbers))}


def _numbers(
    cards: Sequence[Card[Any, Any]], numbers: Mapping[str, int]
) -> Iterator[tuple[str, int]]:
    return ((card.key, numbers[card.over[0]]) for card in cards if card.over)
