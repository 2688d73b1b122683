"""The signals of a run compared, and whether the one that picks can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kofn.candidates.analysis import NO_SIGNAL, ks_to_examine
from kofn.candidates.choices import Picking
from kofn.card import Finding, attempt
from kofn.choices.runs import outcomes_of
from kofn.choices.signals import (
    column_of,
    default_signal,
    made_to_pick,
    numbers_of,
    signal_name,
    signals_of,
)
from kofn.choices.view import View
from metrics.analyses.candidates.compare_ways import compare_ways
from metrics.analyses.candidates.ranking import ranking_quality
from metrics.analyses.candidates.selected import selected
from metrics.analyses.candidates.ways import Way
from metrics.analyses.compare.difference import Difference
from metrics.analyses.trust.calibration import SignalCalibration, signal_calibration
from metrics.analyses.trust.nested import Nested, nested_choice
from metrics.analyses.trust.optimism import Optimism, optimism
from metrics.data.evidence import Evidence
from metrics.data.results import Estimate
from metrics.data.words import MetricError, Text
from reports.run.report import Run

MOST = 20
"""The most signals that are set against one."""
SIGNALS = 4
"""The most signals that are chosen from."""
VOTE = Text("a majority vote")
NO_SOFT = Text(
    "Mean scores have no vote and no difference of two signals; count verdicts to see both."
)
_QUARTILES = (0.25, 0.5, 0.75)

# Other signals on the same candidates -------------------------------------------------------------


class RivalSignal(NamedTuple):
    """A signal, or a vote, beside the one that picks."""

    name: Text
    signal: str  # As `kofn.choices.signals.numbers_of` takes it; empty for a vote.
    value: float
    ranking: Estimate | None
    # It minus the one that picks, on the same candidates; None for that one itself, and where soft
    # scores count.
    difference: Difference | None


class Rivals(NamedTuple):
    """The signals of a run beside one another."""

    each: tuple[RivalSignal, ...]  # The one that picks first.
    missing: tuple[Text, ...]  # Why something is not told of them.


def compare_signals(run: Run, view: View, picking: Picking) -> Rivals:
    """Set every signal of a run, and a vote, against the one that picks."""
    signal = picking.signal or default_signal(run)
    if not signal:
        raise MetricError(NO_SIGNAL)
    each = tuple(_rivals(run, signal, max(view.k, default=None), view, picking.soft))
    return Rivals(each, (NO_SOFT,) if picking.soft else ())


def _rivals(run: Run, signal: str, k: int | None, view: View, soft: bool) -> Iterator[RivalSignal]:
    by = numbers_of(run, signal)

    def solved(other: str) -> float:
        picked = selected(run, numbers_of(run, other), k, soft=soft, **view.asked)
        return float(picked.value[-1])

    def ranked(other: str) -> Finding[Estimate]:
        return attempt(ranking_quality, run, numbers_of(run, other), **view.asked_but_target)

    yield RivalSignal(
        signal_name(signal, column_of(run, signal)), signal, solved(signal), ranked(signal)[0], None
    )
    others = [name for name in signals_of(run) if name != column_of(run, signal)]
    for other in others[:MOST]:
        against, worth = None, attempt(solved, other)[0]
        if not soft:
            rival = numbers_of(run, other)
            against, _reason = attempt(compare_ways, run, by, rival, k, **view.asked)
        if worth is not None and (soft or against is not None):
            yield RivalSignal(signal_name(other, other), other, worth, ranked(other)[0], against)
    if soft:
        return
    vote, _reason = attempt(compare_ways, run, by, Way(None), k, **view.asked)
    if vote is not None:
        yield RivalSignal(VOTE, "", solved(signal) + vote.value, None, vote)


# Whether the signal can be trusted ----------------------------------------------------------------


class SignalTrust(NamedTuple):
    """What a signal says, of all samples and of what it picks."""

    signal: Text
    calibration: Finding[SignalCalibration]  # Or why there is none.
    by_verdict: Finding[Optimism]  # Its own score of its picks, against the verdict.
    by_other: dict[str, Optimism]  # Against other signals, by their column.


class Chosen(NamedTuple):
    """A way of picking that was chosen on half of the questions and judged on the other."""

    name: Text  # What all questions choose.
    nested: Nested
    names: tuple[Text, ...]  # Of the ways that were chosen from.


def check_signal(run: Run, view: View, picking: Picking) -> SignalTrust:
    """Find out whether the signal of a run means what it says."""
    signal = picking.signal or default_signal(run)
    if not signal:
        raise MetricError(NO_SIGNAL)
    by = numbers_of(run, signal)
    asked = view.asked_but_target
    k = max(view.k, default=None)
    column = column_of(run, signal)
    others = (name for name in made_to_pick(run) if name != column)
    against = {
        name: attempt(optimism, run, by, numbers_of(run, name), k, **asked)[0] for name in others
    }
    return SignalTrust(
        signal_name(signal, column),
        attempt(signal_calibration, run, by, **asked),
        attempt(optimism, run, by, k=k, **asked),
        {name: found for name, found in against.items() if found is not None},
    )


def choose_nested(run: Run, view: View, picking: Picking) -> Chosen:
    """Choose a signal, weights, a threshold and k on half of the questions; judge on the other."""
    offered = dict(_offered(run, picking))
    if not offered:
        raise MetricError(NO_SIGNAL)
    n = Evidence(outcomes_of(run), view.missing, view.segment).n_min
    ks = [k for k in ks_to_examine(n).tolist() if k & (k - 1) == 0 or k == n]
    nested = nested_choice(
        run, list(offered.values()), ks, answers=run.answers, **view.asked_but_target
    )
    names = tuple(offered)
    return Chosen(names[nested.place], nested, names)


def _offered(run: Run, picking: Picking) -> Iterator[tuple[Text, Way]]:
    """Yield ways to pick: each signal, pairs of them, and the one that picks above a threshold."""
    first = picking.signal or default_signal(run)
    if not first:
        return
    others = [name for name in made_to_pick(run) if name != column_of(run, first)]
    signals = [first, *others]
    known = {each: numbers_of(run, each) for each in signals[:SIGNALS]}
    name = {each: signal_name(each, column_of(run, each)) for each in known}
    for each, by in known.items():
        yield name[each], Way(by)
    spread = {each: float(np.nanstd(by)) for each, by in known.items()}
    for a, b in combinations([each for each in known if spread[each]], 2):
        both = Text("{a} and {b} of equal weight", a=name[a], b=name[b])
        yield both, Way(known[a] / spread[a] + known[b] / spread[b])
    for quartile in np.unique(np.nanquantile(known[first], _QUARTILES)).tolist():
        above = Text("any with {name} of {mark:.3g} or more", name=name[first], mark=quartile)
        yield above, Way(known[first], threshold=quartile)
