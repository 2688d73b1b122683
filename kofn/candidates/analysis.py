"""What k candidates are worth, by who picks one of them, of several runs under one View."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kofn.candidates.choices import Picking
from kofn.card import Card, attempt, finder, make_one_each
from kofn.choices.runs import outcomes_of
from kofn.choices.view import View
from metrics.analyses.candidates.efficiency import selection_efficiency
from metrics.analyses.candidates.ranking import ranking_quality
from metrics.analyses.candidates.selected import Selected, selected
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Estimate
from metrics.data.words import MetricError, Text
from metrics.estimating.curves import curve
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import METRICS
from reports.run.report import Run

Who = Literal["oracle", "picked", "vote", "one"]

MEASURED = {"tokens_in": "tokens", "tokens_out": "tokens", "latency_s": "seconds", "cost": "cost"}
"""Columns that say what a sample costs, and of what."""
NOT_PICKING = frozenset((*MEASURED, "position", "rank"))
"""Columns that pick only where they are asked to."""
NEVER_PICKING = frozenset(("human", "human_probability"))
"""Columns that hold what people said of a sample."""
NO_SIGNAL = Text("The run has no column of numbers that could pick, one value a sample.")
_EVERY = 8
"""Up to here each k is looked at, beyond some of every doubling."""


class Way(NamedTuple):
    """What k candidates are worth to somebody, for several k.

    Attributes
    ----------
    who : {"oracle", "picked", "vote", "one"}
    metric : str
        Of `metrics.METRICS`, or ``"selected@k"``.
    k : int array, shape (K,)
    value, low, high : float array, shape (K,)
    caveats : tuple of Text
    """

    who: Who
    metric: str
    k: NDArray[np.int64]
    value: Vector
    low: Vector
    high: Vector
    caveats: tuple[Text, ...] = ()

    def at(self, k: int) -> tuple[float, float, float] | None:
        """Return value and interval at one k; None where it is not known."""
        for place in np.flatnonzero(self.k == k).tolist():
            return float(self.value[place]), float(self.low[place]), float(self.high[place])
        return None


@dataclass(frozen=True, eq=False)
class Examined:
    """Candidates of a run.

    Attributes
    ----------
    k : int
        The candidates that the answer is about.
    n_questions : int
        Questions with a gradable sample.
    ways : tuple of Way
        The oracle first.
    missing : tuple of Text
        Why there is no vote, no pick.
    signal : str or None
        The column that picks.
    signals : tuple of str
        The columns that could.
    efficiency, ranking : Estimate or Text or None
        Or why there is none; None where nothing picks.
    picked : Selected or None
        With its fall.
    costs : mapping of str to float
        What a sample takes on average: tokens, seconds, cost.
    """

    k: int
    n_questions: int
    ways: tuple[Way, ...]
    missing: tuple[Text, ...]
    signal: str | None
    signals: tuple[str, ...]
    efficiency: Estimate | Text | None
    ranking: Estimate | Text | None
    picked: Selected | None
    costs: Mapping[str, float]

    def way(self, who: Who) -> Way | None:
        """Return what candidates are worth to somebody, if that is known."""
        return next((way for way in self.ways if way.who == who), None)

    def value(self, who: Who) -> float | None:
        """Return what the k candidates of the answer are worth to somebody."""
        way = self.way(who)
        found = None if way is None else way.at(self.k)
        return None if found is None else found[0]

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each k."""
        return pd.DataFrame(
            [
                {"metric": way.metric, "k": k, "value": value, "low": low, "high": high}
                for way in self.ways
                for k, value, low, high in zip(way.k, way.value, way.low, way.high, strict=True)
            ]
        )


CandidateCard = Card[Examined, Picking]


def examine(run: Run, view: View, picking: Picking) -> Examined:
    """Find out what candidates of a run are worth."""
    outcomes = outcomes_of(run)
    evidence = Evidence(outcomes, view.missing, view.segment, run.answers)
    n = evidence.n_min
    k = max(view.k, default=n)
    ks = spread(n, view.k)
    asked = view.asked
    signals = signals_of(run)
    name = picking.signal or default_signal(run)
    ways = [_oracle(run, ks, picking, asked)]
    missing: list[Text] = []
    found, reason = (
        (None, NO_SIGNAL)
        if name is None
        else attempt(
            selected, run, signal_of(run, name, picking), ks.tolist(), soft=picking.soft, **asked
        )
    )
    if found is not None:
        ways.append(
            Way("picked", "selected@k", found.k, found.value, found.low, found.high, found.caveats)
        )
    elif reason is not None:
        missing.append(reason)
    vote, reason = attempt(_vote, run, ks, picking, asked)
    if vote is not None:
        ways.append(vote)
    elif reason is not None:
        missing.append(reason)
    ways.append(_one(run, ks, picking, asked))
    efficiency = ranking = None
    if found is not None and name is not None:
        by = signal_of(run, name, picking)
        rest = {key: value for key, value in asked.items() if key != "target"}
        efficiency = _or_why(selection_efficiency, run, by, k, soft=picking.soft, **rest)
        ranking = _or_why(ranking_quality, run, by, **rest)
    return Examined(
        k,
        int(evidence.sizes[1].sum()),
        tuple(ways),
        tuple(missing),
        name if found is not None else None,
        signals,
        efficiency,
        ranking,
        found,
        dict(_costs(run, outcomes.members(view.segment))),
    )


def examine_runs(
    runs: Mapping[str, Run], view: View, picking: Picking
) -> tuple[CandidateCard, ...]:
    """Examine the candidates of every run that a View names, in their order."""
    return make_one_each(finder(examine), runs, view, picking)


def signals_of(run: Run) -> tuple[str, ...]:
    """Return the columns that could pick, those first that are measured for nothing else."""
    names = [name for name in run.columns if name not in NEVER_PICKING]
    return tuple(sorted(names, key=lambda name: name in NOT_PICKING))


def default_signal(run: Run) -> str | None:
    """Return the column that picks where none is chosen; None where none is made for it."""
    return next((name for name in signals_of(run) if name not in NOT_PICKING), None)


def signal_of(run: Run, name: str, picking: Picking) -> Any:
    """Return the signal as `metrics.selected` takes it: the higher, the rather it is picked."""
    if picking.lowest and name in run.columns:
        return -run.columns[name].astype(np.float64)
    return name


def spread(n: int, wanted: Sequence[int] = ()) -> NDArray[np.int64]:
    """Return the k that are looked at: each up to 8, then those that double, with one between.

    Examples
    --------
    >>> spread(40).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 40]
    """
    powers = [1 << exponent for exponent in range(3, n.bit_length() + 1)]
    some = {*range(1, _EVERY + 1), *powers, *(power + power // 2 for power in powers), n, *wanted}
    return np.array(sorted(k for k in some if k <= max(n, *wanted, 1)), dtype=np.int64)


def _or_why(analyse: Callable[..., Estimate], *given: Any, **named: Any) -> Estimate | Text | None:
    found, reason = attempt(analyse, *given, **named)
    return reason if found is None else found


def _oracle(run: Run, ks: NDArray[np.int64], picking: Picking, asked: Mapping[str, Any]) -> Way:
    metric = "soft-max@k" if picking.soft else "pass@k"
    return _curve("oracle", metric, run, ks, asked)


def _vote(run: Run, ks: NDArray[np.int64], picking: Picking, asked: Mapping[str, Any]) -> Way:
    if picking.soft:
        raise MetricError(Text("A vote has no soft score."))
    if run.answers is None:  # a tie is right as often as one of two alike
        return _curve("vote", "maj@k", run, ks, {**asked, "ties": "half"})
    return _curve("vote", "plurality@k", run, ks, asked)


def _curve(who: Who, metric: str, run: Run, ks: NDArray[np.int64], asked: Mapping[str, Any]) -> Way:
    found = curve(run.outcomes, metric, ks.tolist(), answers=run.answers, **asked)
    return Way(who, metric, found.k, found.value, found.low, found.high)


def _one(run: Run, ks: NDArray[np.int64], picking: Picking, asked: Mapping[str, Any]) -> Way:
    metric = "soft" if picking.soft else "avg@n"
    found = estimate(run.outcomes, metric, **asked)
    ends = found.interval or (np.nan, np.nan)
    value, low, high = (np.full(len(ks), each) for each in (found.value, *ends))
    return Way("one", metric, ks, value, low, high, found.caveats)


def _costs(run: Run, members: Any) -> Iterator[tuple[str, float]]:
    """Yield what a sample takes on average, of what is known of it."""
    totals: dict[str, float] = {}
    for name, what in MEASURED.items():
        values = run.columns.get(name)
        known = None if values is None else values[members][np.isfinite(values[members])]
        if known is not None and len(known):
            totals[what] = totals.get(what, 0.0) + float(known.mean())
    yield from totals.items()


def label(way: Way, k: int | None = None) -> str:
    """Name a metric with its k."""
    if way.metric in METRICS:
        return METRICS[way.metric].label(k)
    return way.metric if k is None else f"{way.metric[:-1]}{k}"
