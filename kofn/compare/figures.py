"""Turn comparisons into the data of charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from charts.differences import Gap, differences
from charts.pairs import PairCell
from charts.ranks import RankRow
from charts.theme import Stretch
from kofn.card import Finding
from kofn.compare.analysis import CompareCard
from kofn.compare.contest import Contest
from kofn.compare.over_datasets import OverDatasets
from kofn.compare.pair import ComparedPair
from kofn.compare.words import (
    better_side_name,
    gap_detail,
    gap_of_all,
    gap_of_best,
    gap_of_one,
    pair_detail,
    rank_axis,
    rank_detail,
)
from kofn.writing.estimates import percent_of, points, points_of, signed, undefined
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics import BySegment, Difference
from metrics.data.results import Curve, Interval
from metrics.data.words import Text, printable
from metrics.scoring.registry import find_metric


def places(contest: Contest, numbers: Mapping[str, int]) -> tuple[RankRow, ...]:
    """Return the places of the runs of a contest, the best first."""
    return tuple(_places(contest, numbers))


def _places(contest: Contest, numbers: Mapping[str, int]) -> Iterator[RankRow]:
    ranking = contest.ranking
    assert ranking is not None
    for measured, (key, ranks) in enumerate(zip(ranking.names, ranking.ranks, strict=True), 1):
        yield RankRow(
            contest.names[key],
            ranks.first,
            ranks.last,
            measured,
            rank_detail(
                run=contest.names[key],
                ranks=str(ranks),
                metric=contest.label,
                value=percent_of(contest.estimates[key]),
            ),
            numbers[key],
            key == contest.base,
        )


def rank_title(contest: Contest) -> Text:
    """Name the axis of places."""
    assert contest.ranking is not None
    return rank_axis(metric=contest.label, level=100 * contest.ranking.confidence_level)


def gaps_to_base(contest: Contest, numbers: Mapping[str, int]) -> tuple[Gap, ...]:
    """Return by how much each run is better than the baseline, the best first.

    Where the baseline is the first, it is by how much that is better.
    """
    turn = reversed_difference if _leads(contest) else lambda found: found
    return tuple(
        gap("", contest.names[key], (turn(contest.against[key]), None), numbers[key])
        for key in contest.others
        if key in contest.against
    )


def _leads(contest: Contest) -> bool:
    """Return whether the baseline is the highest."""
    return [contest.base] == list(contest.estimates)[:1]


def reversed_difference(difference: Difference) -> Difference:
    """Return a difference with its sides exchanged, as far as it is drawn."""
    ends = difference.interval and Interval(-difference.interval.high, -difference.interval.low)
    return replace(difference, value=-difference.value, interval=ends)


def gaps_by_metric(
    found: Mapping[str, Finding[Difference]], pair: ComparedPair, numbers: Mapping[str, int]
) -> tuple[Gap, ...]:
    """Return the difference of two runs by each metric."""
    return tuple(gap("", label, each, numbers[pair.other]) for label, each in found.items())


def gaps_by_dataset(
    together: OverDatasets, pair: ComparedPair, numbers: Mapping[str, int], all_of_them: str
) -> tuple[Gap, ...]:
    """Return the difference of two models on each dataset, and on all together, called so."""
    return gaps_of(together, numbers[pair.other], all_of_them)


def gaps_of(together: OverDatasets, number: int, all_of_them: str) -> tuple[Gap, ...]:
    """Return the same in the colour of a number."""
    each = (gap("", short_name(name), found, number) for name, found in together.each.items())
    return (*each, gap(" ", all_of_them, (together.all, together.reason), number))


def gaps_by_segment(
    by_segment: BySegment, pair: ComparedPair, numbers: Mapping[str, int]
) -> tuple[Gap, ...]:
    """Return the difference of two runs in each segment, those first that add most."""
    order = sorted(by_segment.segments, key=lambda label: -abs(by_segment.parts[label]))
    return tuple(
        gap("", printable(label) or "–", (by_segment.segments[label], None), numbers[pair.other])
        for label in order
    )


def gap(block: str, name: str, found: Finding[Difference], number: int) -> Gap:
    """Return a difference, or why there is none, as a row."""
    difference, reason = found
    if difference is None:
        return Gap(block, name, None, None, undefined(reason), number)
    detail = gap_detail(name=name, points=points_of(difference), count=difference.n_questions)
    return Gap(block, name, difference.value, difference.interval, detail, number)


def gap_title(contest: Contest, pair: ComparedPair | None, level: float) -> Text:
    """Name the axis of differences: of one run, or of all, less the baseline."""
    assert contest.base is not None
    base = contest.names[contest.base]
    if pair is None and _leads(contest):
        return gap_of_best(base=base, metric=contest.label, level=100 * level)
    if pair is None:
        return gap_of_all(base=base, metric=contest.label, level=100 * level)
    return gap_of_one(run=contest.names[pair.other], base=base, level=100 * level)


def sides_of(contest: Contest, pair: ComparedPair) -> tuple[Text, Text]:
    """Say what it means to lie above 0, and below it."""
    other, base = (better_side_name(run=contest.names[key]) for key in (pair.other, pair.base))
    return other, base


def curve_over_k(along: Curve, metric: str) -> Stretch:
    """Return the difference over k in a metric."""
    label = find_metric(metric).label
    rows = zip(
        along.k.tolist(), along.value.tolist(), along.low.tolist(), along.high.tolist(), strict=True
    )
    details = [
        (with_name(label(k), points(value, *_known_ends(low, high))),)
        for k, value, low, high in rows
    ]
    return Stretch(along.k, along.value, along.low, along.high, details)


def _known_ends(low: float, high: float) -> tuple[float, ...]:
    return (low, high) if np.isfinite(low) and np.isfinite(high) else ()


def cells(contest: Contest) -> tuple[PairCell, ...]:
    """Return all pairs of a contest, both ways round, the best in the first row."""
    return tuple(_cells(contest))


def _cells(contest: Contest) -> Iterator[PairCell]:
    ranking = contest.ranking
    assert ranking is not None
    at = {key: place for place, key in enumerate(ranking.names)}
    for (better, worse), difference in ranking.pairs.items():
        sure, adjusted = ranking.sure(better, worse), ranking.p_values[better, worse]
        ends = difference.interval or ()
        turned = tuple(-end for end in reversed(ends))
        for one, other, value, limits in (
            (better, worse, difference.value, tuple(ends)),
            (worse, better, -difference.value, turned),
        ):
            detail = pair_detail(
                one=contest.names[one],
                other=contest.names[other],
                points=points(value, *limits),
                p=adjusted,
            )
            text = signed(f"{100 * value:+.1f}")
            yield PairCell(at[one], at[other], value, sure, text, detail)


def picture(cards: Sequence[CompareCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw the runs of the first dataset against the baseline; None where there is nothing."""
    found = next((card.found for card in cards if card.found), None)
    if found is None or not (gaps := gaps_to_base(found.contest, numbers)):
        return None
    return differences(gaps, gap_title(found.contest, None, cards[0].view.level))
