"""Which run passes which as k grows, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kofn.card import attempt
from kofn.choices.runs import outcomes_of
from kofn.choices.view import View
from kofn.standings.pairs import differ, ks_to
from kofn.writing.estimates import points
from metrics import Difference, curve
from metrics.analyses.trade_offs.crossings import Crossing, crossings
from metrics.data.results import Curve
from metrics.data.words import Text
from metrics.scoring.registry import METRICS
from reports.run.report import Run

LOOKED_AT = 10
"""The most pairs of which it is found out how sure they are."""
TOLD = 3
"""The most passings that are put in words."""


@dataclass(frozen=True, eq=False)
class Passing:
    """A run that is behind another at first and ahead at last, as measured.

    Attributes
    ----------
    metric : str
    before, after : str
        The keys of the run that is ahead at first and of the one that is ahead at last.
    k : int
        From which on it is.
    first, last : int
        The k that are compared.
    lead : Difference
        Of `before` over `after`, at `first`.
    gain : Difference
        Of `after` over `before`, at `last`.
    """

    metric: str
    before: str
    after: str
    k: int
    first: int
    last: int
    lead: Difference
    gain: Difference

    @property
    def sure(self) -> bool:
        """Whether the intervals of both differences leave out 0."""
        return self.lead.sure and self.gain.sure


@dataclass(frozen=True)
class Passings:
    """The pairs of runs of a dataset that change places.

    Attributes
    ----------
    told : tuple of Passing
        At most `TOLD`, those of which some lead is sure; those that part most come first.
    others : int
        How many more pairs do, as measured.
    """

    told: tuple[Passing, ...] = ()
    others: int = 0


def find_passings(runs: Mapping[str, Run], metric: str, last: int, view: View) -> Passings:
    """Find the pairs of runs that change places as k grows.

    Parameters
    ----------
    runs : mapping of str to Run
        Of one dataset.
    metric : str
    last : int
        The largest k; runs with fewer samples are passed over.
    view : View
        Segment, level, target and treatment of failed requests count.
    """
    if not METRICS[metric].takes_k or last < 2:
        return Passings()
    curves = {key: found for key, run in runs.items() if (found := _curve(run, metric, last, view))}
    if len(curves) < 2:
        return Passings()
    keys, ks = list(curves), ks_to(metric, last)
    ks = [k for k in ks if k >= max(int(found.k[0]) for found in curves.values())]
    values = [each.value[np.isin(each.k, ks)] for each in curves.values()]
    crossed = crossings(ks, values)
    looked_at = [_passing(each, keys, ks, runs, metric, view) for each in crossed[:LOOKED_AT]]
    told = sorted(filter(_is_told, looked_at), key=lambda each: not each.sure)[:TOLD]
    return Passings(tuple(told), len(crossed) - len(told))


def _is_told(passing: Passing) -> bool:
    return passing.lead.sure or passing.gain.sure


def _curve(run: Run, metric: str, last: int, view: View) -> Curve | None:
    def found(first: int) -> Curve:
        return curve(
            outcomes_of(run),
            metric,
            [k for k in ks_to(metric, last) if k >= first],
            confidence_level=None,
            missing=view.missing,
            segment=view.segment,
            answers=run.answers,
        )

    whole, _reason = attempt(found, 1)
    return whole or attempt(found, 2)[0]


def _passing(
    found: Crossing,
    keys: Sequence[str],
    ks: Sequence[int],
    runs: Mapping[str, Run],
    metric: str,
    view: View,
) -> Passing:
    before, after = keys[found.before], keys[found.after]

    def ahead(behind: str, leader: str, k: int) -> Difference:
        return differ(runs[behind], runs[leader], metric, k, view)

    return Passing(
        metric,
        before,
        after,
        found.k,
        ks[0],
        ks[-1],
        ahead(after, before, ks[0]),
        ahead(before, after, ks[-1]),
    )


def in_words(passing: Passing, names: Mapping[str, str]) -> Text:
    """Say which run passes which from which k on, and how sure each lead is."""
    label = METRICS[passing.metric].label
    before, after = names[passing.before], names[passing.after]
    first, last = label(passing.first), label(passing.last)
    lead, gain = _ahead(passing.lead), _ahead(passing.gain)
    if passing.sure:
        return Text(
            "From k = {k} on {after} passes {before}: {before} leads by {lead} in {first}, {after} "
            "by {gain} in {last}.",
            k=passing.k,
            before=before,
            after=after,
            lead=lead,
            first=first,
            gain=gain,
            last=last,
        )
    if passing.lead.sure:
        return Text(
            "From k = {k} on {after} catches up with {before}: {before} leads by {lead} in "
            "{first}; in {last} it is too close to call, {gain}.",
            k=passing.k,
            before=before,
            after=after,
            lead=lead,
            first=first,
            gain=gain,
            last=last,
        )
    return Text(
        "From k = {k} on {after} pulls ahead of {before}: by {gain} in {last}; in {first} it is "
        "too close to call.",
        k=passing.k,
        before=before,
        after=after,
        first=first,
        gain=gain,
        last=last,
    )


def others_in_words(found: Passings) -> Text | None:
    """Say how many pairs change places without more to say of them; None where none does."""
    if not found.others:
        return None
    if not found.told:
        return Text(
            "{count} pair of runs changes places as k grows, too close to call.",
            "{count} pairs of runs change places as k grows, too close to call.",
            count=found.others,
        )
    return Text(
        "{count} more pair of runs changes places, as measured.",
        "{count} more pairs of runs change places, as measured.",
        count=found.others,
    )


def _ahead(found: Difference) -> Text:
    return points(found.value, *(found.interval or ()))
