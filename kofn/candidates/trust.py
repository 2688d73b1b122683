"""Whether a signal can be trusted: with what it says, with what it picks, with being chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from kofn.candidates.analysis import NO_SIGNAL, spread
from kofn.candidates.choices import Picking
from kofn.card import Finding, attempt
from kofn.choices.runs import outcomes_of
from kofn.choices.signals import (
    MEASURED,
    RANKS,
    called,
    column_of,
    default_signal,
    numbers_of,
    signals_of,
)
from kofn.choices.view import View
from kofn.writing.estimates import percent, points
from metrics.analyses.candidates.ways import Way
from metrics.analyses.trust.calibration import SignalCalibration, signal_calibration
from metrics.analyses.trust.nested import Nested, nested_choice
from metrics.analyses.trust.optimism import Optimism, optimism
from metrics.data.evidence import Evidence
from metrics.data.words import MetricError, Text
from reports.run.report import Run

SIGNALS = 4
"""The most signals that are chosen from."""
_QUARTILES = (0.25, 0.5, 0.75)


class Trust(NamedTuple):
    """What a signal says, of all samples and of what it picks.

    Attributes
    ----------
    signal : Text
    calibration : (SignalCalibration or None, Text or None)
        Or why there is none.
    by_verdict : (Optimism or None, Text or None)
        Its own score of its picks, against the verdict.
    by_other : dict of str to Optimism
        Against other signals, by their column.
    """

    signal: Text
    calibration: Finding[SignalCalibration]
    by_verdict: Finding[Optimism]
    by_other: dict[str, Optimism]


class Chosen(NamedTuple):
    """A way of picking that was chosen on half of the questions and judged on the other.

    Attributes
    ----------
    name : Text
        What all questions choose.
    nested : Nested
    names : tuple of Text
        Of the ways that were chosen from.
    """

    name: Text
    nested: Nested
    names: tuple[Text, ...]


def trust(run: Run, view: View, picking: Picking) -> Trust:
    """Find out whether the signal of a run means what it says."""
    signal = picking.signal or default_signal(run)
    if not signal:
        raise MetricError(NO_SIGNAL)
    by = numbers_of(run, signal)
    asked = _like_these(view)
    k = max(view.k, default=None)
    column = column_of(run, signal)
    others = (name for name in signals_of(run) if name not in (column, *MEASURED, *RANKS))
    against = {
        name: attempt(optimism, run, by, numbers_of(run, name), k, **asked)[0] for name in others
    }
    return Trust(
        called(signal, column),
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
    ks = [k for k in spread(n).tolist() if k & (k - 1) == 0 or k == n]
    found = nested_choice(run, list(offered.values()), ks, answers=run.answers, **_like_these(view))
    names = tuple(offered)
    return Chosen(names[found.place], found, names)


def told_nested(found: Chosen) -> Iterator[Text]:
    """Say what the choice is worth on questions that had no part in it."""
    nested = found.nested
    yield Text(
        "Chosen on half of the questions among {count} ways to pick, and judged on the other half: "
        "{value}. All questions choose {name} with {k}, which solves {seen} of these same "
        "questions: {optimism} of that is luck.",
        count=len(found.names),
        value=percent(nested.value.value, *(nested.value.interval or ())),
        name=found.name,
        k=nested.k,
        seen=percent(nested.seen.value),
        optimism=points(nested.optimism.value, *(nested.optimism.interval or ())),
    )
    yield from nested.caveats


def told(found: Trust) -> Iterator[Text]:
    """Say whether the signal means what it says."""
    calibration, _reason = found.calibration
    if calibration is not None:
        excess = calibration.excess
        yield Text(
            "As a probability it promises {excess} more than comes true. Its calibration error is "
            "{error}, where a calibrated signal would have about {chance}; its Brier score is "
            "{brier:.3f}.",
            excess=points(excess.value, *(excess.interval or ())),
            error=points(calibration.error),
            chance=points(calibration.error_by_chance),
            brier=calibration.brier.value,
        )
    judged = found.by_verdict[0]
    if judged is not None:
        yield _overrated(judged, Text("the verdict"))
    for name, other in found.by_other.items():
        yield _overrated(other, Text("{name}", name=name))


def _overrated(found: Optimism, judge: Text) -> Text:
    last = -1
    return Text(
        "It gives what it picks among {k} {claimed} on average, {judge} {found}. Picking itself "
        "adds {optimism} to that gap.",
        k=int(found.k[last]),
        claimed=percent(float(found.claimed[last])),
        judge=judge,
        found=percent(float(found.found[last])),
        optimism=points(
            float(found.optimism[last]),
            float(found.optimism_low[last]),
            float(found.optimism_high[last]),
        ),
    )


def _offered(run: Run, picking: Picking) -> Iterator[tuple[Text, Way]]:
    """Yield ways to pick: each signal, pairs of them, and the one that picks above a threshold."""
    first = picking.signal or default_signal(run)
    if not first:
        return
    columns = [name for name in signals_of(run) if name not in (*MEASURED, *RANKS)]
    signals = list(dict.fromkeys([first, *(c for c in columns if c != column_of(run, first))]))
    known = {each: numbers_of(run, each) for each in signals[:SIGNALS]}
    name = {each: called(each, column_of(run, each)) for each in known}
    for each, by in known.items():
        yield name[each], Way(by)
    scaled = {each: by / (np.nanstd(by) or 1.0) for each, by in known.items()}
    for a, b in combinations(known, 2):
        both = Text("{a} and {b} of equal weight", a=name[a], b=name[b])
        yield both, Way(scaled[a] + scaled[b])
    for quartile in np.unique(np.nanquantile(known[first], _QUARTILES)).tolist():
        above = Text("any with {name} of {mark:.3g} or more", name=name[first], mark=quartile)
        yield above, Way(known[first], threshold=quartile)


def _like_these(view: View) -> dict[str, Any]:
    return {name: each for name, each in view.asked.items() if name != "target"}
