"""What k candidates are worth, by who picks one of them, of several runs under one View."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from kofn.candidates.choices import Picking
from kofn.card import Card, Finding, attempt, finder, make_one_each
from kofn.choices.runs import outcomes_of
from kofn.choices.signals import MEASURED, column_of, default_signal, numbers_of, signal_name
from kofn.choices.view import View
from kofn.choose_n.answer_ways import AnswerWay, compare_with_free
from metrics.analyses.candidates.efficiency import selection_efficiency
from metrics.analyses.candidates.ranking import ranking_quality
from metrics.analyses.candidates.selected import Selected, selected
from metrics.analyses.candidates.signals import candidates, double_use_caveats
from metrics.analyses.candidates.weighted_vote import Weighing, weighted_vote
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.results import Estimate
from metrics.data.words import MetricError, Text
from metrics.estimating.curves import curve
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import METRICS
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

Who = Literal["oracle", "picked", "weighted", "vote", "one"]

NO_SIGNAL = Text("The run has no column of numbers, one value per sample, to pick by.")
_EVERY = 8
"""Up to here each k is looked at, beyond some of every doubling."""


class WayWorth(NamedTuple):
    """What k candidates are worth to somebody, for several k."""

    who: Who
    metric: str  # Of `metrics.METRICS`, or ``"selected@k"`` or ``"weighted-vote@k"``.
    k: Integers  # Shape (K,).
    # value, low, high: Shape (K,).
    value: Vector
    low: Vector
    high: Vector
    caveats: tuple[Text, ...] = ()
    rule: Weighing | None = None  # What a weighted vote takes of signals.

    def at(self, k: int) -> tuple[float, float, float] | None:
        """Return value and interval at one k; None where it is not known."""
        for place in np.flatnonzero(self.k == k).tolist():
            return float(self.value[place]), float(self.low[place]), float(self.high[place])
        return None


@dataclass(frozen=True, eq=False)
class Examined:
    """Candidates of a run."""

    k: int  # The candidates that the answer is about.
    n: int  # The fewest samples of any question.
    n_questions: int  # Questions with a gradable sample.
    ways: tuple[WayWorth, ...]  # The oracle first.
    missing: tuple[Text, ...]  # Why there is no vote, no pick.
    signal: Text | None
    # Or why there is none; None where nothing picks.
    efficiency: Finding[Estimate] | None
    ranking: Finding[Estimate] | None
    # The pick beside a plain vote; None where soft scores count, or these very questions.
    free: AnswerWay | None
    picked: Selected | None  # With its fall.
    # Whether the signal that picks gives the verdicts, or scores, that evaluate.
    is_optimistic: bool
    costs: Mapping[str, float]  # What a sample takes on average: tokens, seconds, cost.

    def way(self, who: Who) -> WayWorth | None:
        """Return what candidates are worth to somebody, if that is known."""
        return next((way for way in self.ways if way.who == who), None)

    def value(self, who: Who) -> float | None:
        """Return what the k candidates of the answer are worth to somebody."""
        way = self.way(who)
        found = None if way is None else way.at(self.k)
        return None if found is None else found[0]

    def values(self, *each: Who) -> list[float]:
        """Return what they are worth to some, of those for whom that is known."""
        return [value for who in each if (value := self.value(who)) is not None]

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each k."""
        import pandas as pd

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
    evidence = _evidence(run, view)
    return _examine(run, view, picking, evidence, ks_to_examine(evidence.n_min, view.k))


def examine_briefly(run: Run, view: View, picking: Picking) -> Examined:
    """Find out what as many candidates of a run are worth as the answer is about."""
    evidence = _evidence(run, view)
    k = np.array([max(view.k, default=evidence.n_min)])
    return _examine(run, view, picking, evidence, k)


def _evidence(run: Run, view: View) -> Evidence:
    return Evidence(outcomes_of(run), view.missing, view.segment, run.answers)


def _examine(run: Run, view: View, picking: Picking, evidence: Evidence, ks: Integers) -> Examined:
    k = max(view.k, default=evidence.n_min)
    signal = picking.signal or default_signal(run)
    found, no_pick = attempt(_pick, run, signal, ks, view, picking)
    vote, no_vote = attempt(_vote, run, ks, view, picking)
    ways = (
        _oracle(run, ks, view, picking),
        None if found is None else _as_way("picked", "selected@k", found),
        vote,
        _one_sample(run, ks, view, picking),
    )
    efficiency = ranking = free = None
    if found is not None:
        by = numbers_of(run, signal)
        like_these = view.asked_but_target
        share = attempt(selection_efficiency, run, by, k, soft=picking.soft, **like_these)
        efficiency, ranking = share, attempt(ranking_quality, run, by, **like_these)
    if found is not None and not picking.soft and view.target == "population":
        free, _unknown = attempt(compare_with_free, run, view, signal, k)
    return Examined(
        k,
        evidence.n_min,
        int(evidence.sizes[1].sum()),
        tuple(way for way in ways if way is not None),
        tuple(reason for reason in (no_pick, no_vote) if reason not in (None, NO_SIGNAL)),
        None if found is None else signal_name(signal, column_of(run, signal)),
        efficiency,
        ranking,
        free,
        found,
        found is not None and _gives_verdicts(run, evidence, signal, picking),
        dict(_costs(run, view)),
    )


def examine_weighted_vote(run: Run, view: View, picking: Picking) -> WayWorth:
    """Find out what a vote is worth in which answers count by the signal; it takes a while."""
    signal = picking.signal or default_signal(run)
    if picking.soft or not signal:
        raise MetricError(NO_SIGNAL)
    n = _evidence(run, view).n_min
    ks = [k for k in ks_to_examine(n, view.k).tolist() if k & (k - 1) == 0 or k in (n, *view.k)]
    by = numbers_of(run, signal)
    rule = picking.vote or ("mean" if np.nanmin(by) < 0 else "sum")
    found = weighted_vote(run, by, rule, ks, answers=run.answers, **view.asked)
    return _as_way("weighted", "weighted-vote@k", found)._replace(rule=rule)


def with_weighted_vote(card: CandidateCard, weighed: Finding[WayWorth]) -> CandidateCard:
    """Return a card with a weighted vote beside its other ways, or with why there is none."""
    way, reason = weighed
    if card.found is None or card.found.picked is None or card.run.answers is None:
        return card
    ways, missing = list(card.found.ways), card.found.missing
    if way is not None:
        ways.insert(2, way)
    elif reason is not None and reason not in missing:
        missing = (*missing, reason)
    return replace(card, found=replace(card.found, ways=tuple(ways), missing=missing))


def examine_runs(
    runs: Mapping[str, Run], view: View, picking: Picking
) -> tuple[CandidateCard, ...]:
    """Examine the candidates of every run that a View names, in their order."""
    cards = make_one_each(finder(examine), runs, view, picking)
    return tuple(
        with_weighted_vote(card, attempt(examine_weighted_vote, card.run, view, picking))
        for card in cards
    )


def ks_to_examine(n: int, wanted: Sequence[int] = ()) -> Integers:
    """Return the k that are looked at: each up to 8, then those that double, with one between.

    Examples
    --------
    >>> ks_to_examine(40).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 40]
    """
    powers = [1 << exponent for exponent in range(3, n.bit_length() + 1)]
    some = {*range(1, _EVERY + 1), *powers, *(power + power // 2 for power in powers), n, *wanted}
    return np.array(sorted(k for k in some if k <= max(n, *wanted, 1)), dtype=np.int64)


def _pick(run: Run, signal: str, ks: Integers, view: View, picking: Picking) -> Selected:
    if not signal:
        raise MetricError(NO_SIGNAL)
    by = numbers_of(run, signal)
    return selected(run, by, ks.tolist(), soft=picking.soft, **view.asked)


def _as_way(who: Who, metric: str, found: Selected) -> WayWorth:
    return WayWorth(who, metric, found.k, found.value, found.low, found.high, found.caveats)


def _oracle(run: Run, ks: Integers, view: View, picking: Picking) -> WayWorth:
    return _curve("oracle", "soft-max@k" if picking.soft else "pass@k", run, ks, view)


def _vote(run: Run, ks: Integers, view: View, picking: Picking) -> WayWorth:
    if picking.soft:
        raise MetricError(Text("A vote has no soft score."))
    if run.answers is None:  # a tie is right as often as one of two alike
        return _curve("vote", "maj@k", run, ks, view, ties="half")
    return _curve("vote", "plurality@k", run, ks, view)


def _curve(
    who: Who, metric: MetricName, run: Run, ks: Integers, view: View, **options: Any
) -> WayWorth:
    found = curve(run.outcomes, metric, ks.tolist(), answers=run.answers, **view.asked, **options)
    return WayWorth(who, metric, found.k, found.value, found.low, found.high)


def _one_sample(run: Run, ks: Integers, view: View, picking: Picking) -> WayWorth:
    metric: MetricName = "soft" if picking.soft else "avg@n"
    found = estimate(run.outcomes, metric, **view.asked)
    ends = found.interval or (np.nan, np.nan)
    value, low, high = (np.full(len(ks), each) for each in (found.value, *ends))
    return WayWorth("one", metric, ks, value, low, high, found.caveats)


def _gives_verdicts(run: Run, evidence: Evidence, signal: str, picking: Picking) -> bool:
    """Return whether what a pick pays follows from the very signal that picks."""
    found = candidates(run, evidence, numbers_of(run, signal), picking.soft)
    return any(True for _text in double_use_caveats(found))


def _costs(run: Run, view: View) -> Iterator[tuple[str, float]]:
    """Yield what a sample takes on average, of what is known of it."""
    members = outcomes_of(run).members(view.segment)
    totals: dict[str, float] = {}
    for name, what in MEASURED.items():
        values = run.columns.get(name)
        known = None if values is None else values[members][np.isfinite(values[members])]
        if known is not None and len(known):
            totals[what] = totals.get(what, 0.0) + float(known.mean())
    yield from totals.items()


def label(way: WayWorth, k: int | None = None) -> str:
    """Name a metric with its k."""
    if way.metric in METRICS:
        return METRICS[way.metric].label(k)
    return way.metric if k is None else f"{way.metric[:-1]}{k}"
