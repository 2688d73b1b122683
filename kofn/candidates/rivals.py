"""Other signals on the same candidates, each against the one that picks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kofn.candidates.analysis import NO_SIGNAL
from kofn.candidates.choices import Picking
from kofn.card import Finding, attempt
from kofn.choices.signals import called, column_of, default_signal, numbers_of, signals_of
from kofn.choices.view import View
from metrics.analyses.candidates.compare_ways import compare_ways
from metrics.analyses.candidates.ranking import ranking_quality
from metrics.analyses.candidates.selected import selected
from metrics.analyses.candidates.ways import Way
from metrics.analyses.compare.difference import Difference
from metrics.data.results import Estimate
from metrics.data.words import MetricError, Text
from reports.run.report import Run

MOST = 20
"""The most signals that are set against one."""
VOTE = Text("a majority vote")
NO_SOFT = Text(
    "Of mean scores neither a vote nor the difference of two signals is known: count verdicts for "
    "them."
)


class Rival(NamedTuple):
    """A signal, or a vote, beside the one that picks.

    Attributes
    ----------
    name : Text
    signal : str
        As `kofn.choices.signals.numbers_of` takes it; empty for a vote.
    value : float
        What it solves.
    ranking : Estimate or None
        How well it ranks.
    difference : Difference or None
        It minus the one that picks, on the same candidates; None for that one itself, and where
        soft scores count.
    """

    name: Text
    signal: str
    value: float
    ranking: Estimate | None
    difference: Difference | None


class Rivals(NamedTuple):
    """The signals of a run beside one another.

    Attributes
    ----------
    each : tuple of Rival
        The one that picks first.
    missing : tuple of Text
        Why something is not told of them.
    """

    each: tuple[Rival, ...]
    missing: tuple[Text, ...]


def rivals(run: Run, view: View, picking: Picking) -> Rivals:
    """Set every signal of a run, and a vote, against the one that picks."""
    signal = picking.signal or default_signal(run)
    if not signal:
        raise MetricError(NO_SIGNAL)
    each = tuple(_each(run, signal, max(view.k, default=None), view, picking.soft))
    return Rivals(each, (NO_SOFT,) if picking.soft else ())


def _each(run: Run, signal: str, k: int | None, view: View, soft: bool) -> Iterator[Rival]:
    like_these = {name: each for name, each in view.asked.items() if name != "target"}
    by = numbers_of(run, signal)

    def solved(other: str) -> float:
        picked = selected(run, numbers_of(run, other), k, soft=soft, **view.asked)
        return float(picked.value[-1])

    def ranked(other: str) -> Finding[Estimate]:
        return attempt(ranking_quality, run, numbers_of(run, other), **like_these)

    yield Rival(
        called(signal, column_of(run, signal)), signal, solved(signal), ranked(signal)[0], None
    )
    others = [name for name in signals_of(run) if name != column_of(run, signal)]
    if soft:
        for other in others[:MOST]:
            worth, _reason = attempt(solved, other)
            if worth is not None:
                yield Rival(called(other, other), other, worth, ranked(other)[0], None)
        return
    for other in others[:MOST]:
        against, _reason = attempt(compare_ways, run, by, numbers_of(run, other), k, **view.asked)
        if against is not None:
            name = called(other, other)
            yield Rival(name, other, solved(other), ranked(other)[0], against)
    vote, _reason = attempt(compare_ways, run, by, Way(None), k, **view.asked)
    if vote is not None:
        yield Rival(VOTE, "", solved(signal) + vote.value, None, vote)
