"""Who leads at which k, and which run overtakes which as k grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from kofn.card import attempt
from kofn.choices.runs import known_of
from kofn.choices.view import View
from kofn.leaderboard.pairs import Matching, doubling_ks, ks_to, lead_over_k, match_by_texts
from metrics import Lead, Leaders, Ranks, curve, leaders
from metrics.analyses.compare.crossings import crossings
from metrics.data.names import MetricName
from metrics.data.results import Curve
from metrics.scoring.registry import METRICS
from reports.run.matching import Match
from reports.run.report import Run

TOLD = 3
"""The most passings that are put in words."""


@dataclass(frozen=True, eq=False)
class Passing:
    """A run that is behind another at first and ahead at last, as measured."""

    # The keys of the run that is ahead at first and of the one that is ahead at last.
    before: str
    after: str
    # Whether the one surely leads at first and the other at last, with all pairs in view.
    sure: tuple[bool, bool]
    lead: Lead  # Of `after` over `before`.


@dataclass(frozen=True, eq=False)
class PlacesOverK:
    """The runs of a dataset by a metric, k by k."""

    metric: MetricName
    keys: tuple[str, ...]  # Of the runs that have it at each k.
    k: tuple[int, ...]  # That are looked at.
    first: tuple[str | None, ...]  # At each k the run that surely leads each other.
    places: tuple[tuple[int, ...], ...]  # Of each run at each k, by its value.
    ranks: tuple[tuple[Ranks, ...], ...]  # Which places it may have, of all runs at once.
    # At most `TOLD`, those of which some lead is sure; those that part most come first.
    passings: tuple[Passing, ...]
    others: int  # How many more pairs change places, as measured.
    # Which questions of the run that is highest at the first k each other one has.
    matches: Mapping[str, Match]

    @property
    def highest(self) -> str:
        """The run that is highest at the first k."""
        return self.keys[[places[0] for places in self.places].index(1)]


def find_places(
    runs: Mapping[str, Run],
    metric: MetricName,
    last: int,
    view: View,
    matching: Matching = match_by_texts,
) -> PlacesOverK | None:
    """Find out who leads at which k; None of a metric without k, and of fewer than two runs.

    What it returns holds no run, so that it can be kept.

    last: The largest k; runs with fewer samples are passed over.
    view: Segment, level, target and treatment of failed requests count.
    """
    if not METRICS[metric].takes_k or last < 2:
        return None
    curves = {key: each for key, run in runs.items() if (each := _curve(run, metric, last, view))}
    if len(curves) < 2:
        return None
    least = max(int(each.k[0]) for each in curves.values())
    ks, matched = [k for k in doubling_ks(last) if k >= least], cache(matching)
    judged = {key: runs[key] for key in curves}
    found, _reason = attempt(_lead, judged, metric, ks, view, matched)
    if found is None:
        return None
    every = [k for k in ks_to(metric, last) if k >= least]
    crossed = [
        (found.names[pair.before], found.names[pair.after]) for pair in crossings(ks, found.values)
    ]
    sure = {two: ends for two in crossed if any(ends := _sure(found, *two))}
    clearest = sorted(sure, key=lambda two: -sum(sure[two]))[:TOLD]

    highest = found.names[found.places[:, 0].tolist().index(1)]

    def passing(before: str, after: str) -> Passing:
        lead = lead_over_k(runs[before], runs[after], metric, every, view, matched)
        return Passing(before, after, sure[before, after], lead)

    return PlacesOverK(
        metric,
        found.names,
        tuple(found.k.tolist()),
        found.first,
        tuple(map(tuple, found.places.tolist())),
        found.ranks,
        tuple(passing(*two) for two in clearest),
        len(crossed) - len(clearest),
        {key: matched(runs[key], runs[highest]) for key in found.names if key != highest},
    )


def _curve(run: Run, metric: MetricName, last: int, view: View) -> Curve | None:
    """Return the values of a run where it has them; of a metric that begins at 2 from there on."""

    def values(first: int) -> Curve:
        return curve(
            known_of(run),
            metric,
            [k for k in doubling_ks(last) if k >= first],
            confidence_level=None,
            missing=view.missing,
            segment=view.segment,
            answers=run.answers,
        )

    return attempt(values, 1)[0] or attempt(values, 2)[0]


def _lead(
    runs: Mapping[str, Run], metric: MetricName, ks: Sequence[int], view: View, matching: Matching
) -> Leaders:
    return leaders(runs, metric, ks, same_questions=lambda a, b: bool(matching(a, b)), **view.asked)


def _sure(found: Leaders, before: str, after: str) -> tuple[bool, bool]:
    """Whether one run surely leads at first and the other at last, on the same questions."""
    pair, sign = ((before, after), 1) if (before, after) in found.pairs else ((after, before), -1)
    if not found.pairs[pair].paired:
        return False, False
    signs = sign * found.apart[pair]
    return bool(signs[0] < 0), bool(signs[-1] > 0)
