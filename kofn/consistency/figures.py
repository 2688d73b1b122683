"""Turn votes and averages into the data of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.bubbles import Bubble, Path
from charts.plane import CROSSES
from charts.scatter import Corners, Ground, Spot, scatter
from kofn.card import full_name, runs_of
from kofn.choices.run_numbers import number_runs
from kofn.choices.view import View
from kofn.consistency.analysis import (
    VOTE,
    Colour,
    VoteCard,
    VoteChoices,
    axis_label,
    axis_value,
    mean_votes,
)
from kofn.consistency.words import (
    ANSWERS_AGREE,
    COMMON_RIGHT,
    COMMON_WRONG,
    QUESTIONS,
    SCENARIOS,
    VOTE_ABOVE,
    VOTE_BELOW,
    agreed_questions,
    independent_vote_name,
    scatter_words,
    scenario_detail,
    spot_detail,
    voted_questions,
)
from kofn.leaderboard.lines import cards_over_datasets, numbers_of_cards
from kofn.writing.estimates import in_percent, percent, percent_of, points_of
from kofn.writing.joining import with_name
from metrics.analyses.consistency.consistency import Consistency, vote_curve
from metrics.analyses.consistency.feasible_region import Polygon, convex_hull, feasible_region
from metrics.analyses.questions import AGREED, question_statistics
from metrics.data.results import Estimate
from metrics.data.words import Text, printable
from reports.run.report import Run

Axis = Callable[[VoteCard, str], Estimate | Text]

GRID = 60
"""Shares of questions are drawn in steps of one in n, or of one in this where n is larger."""
REGIONS = 4
"""More regions of what is possible than these are drawn as one."""
AGREEMENT = Path(ANSWERS_AGREE, (AGREED, AGREED), (0.0, 1.0), "dot")
"""Right of it answers are said to agree; where they are wrong as well, confidently."""


class VoteScatter(NamedTuple):
    """What a scatter plot shows, the run of each point, and why some runs are not on it."""

    spots: tuple[Spot, ...]
    cards: tuple[VoteCard, ...]
    ground: Ground
    missing: tuple[Text, ...]


def vote_scatter(
    cards: Sequence[VoteCard],
    choices: VoteChoices,
    loaded: Mapping[str, Run],
    estimate: Axis = axis_value,
) -> VoteScatter:
    """Turn runs and segments into points between the two metrics that are chosen.

    Of many only the run that is looked at has its intervals drawn. Region, feasible region and
    scenarios belong to the vote against avg@n alone, and a region to a
    whole run.

    loaded: All runs, from which each has its number: a model has the look of its first run shown.
    estimate: In place of `axis_value`, such as one with a cache.
    """
    usual = (choices.x, choices.y) == ("avg@n", VOTE)
    x_name, y_name = (axis_label(name, cards) for name in (choices.x, choices.y))
    numbers, firsts = numbers_of_cards(cards, number_runs(loaded)), dict[str, int]()
    colour: Colour = "model" if cards_over_datasets(cards) else choices.colour
    for key, run in (loaded if colour == "dataset" else runs_of(cards)).items():
        own = len(firsts) if colour == "dataset" else numbers[key]
        firsts.setdefault(_series(colour, key, run), own)

    def crossed(card: VoteCard) -> bool:
        return len(cards) <= CROSSES or card.key == (choices.detail or cards[0].key)

    spots: list[Spot] = []
    shown: list[VoteCard] = []
    missing: list[Text] = []
    for card in cards:
        x, y = (estimate(card, name) for name in (choices.x, choices.y))
        if isinstance(x, Text) or isinstance(y, Text):
            reason = x if isinstance(x, Text) else y
            missing.append(with_name(full_name(card), reason))
            continue
        joint = usual and choices.region and not card.settings.part
        region = card.found.compared.region if card.found and joint else None
        series = _series(colour, card.key, card.run)
        shown.append(card)
        spots.append(
            Spot(
                series,
                firsts[series],
                x.value,
                y.value,
                x.interval if crossed(card) else None,
                y.interval if crossed(card) else None,
                _detail(card, (x_name, x), (y_name, y), choices.margin if usual else None),
                card.settings.part,
                () if region is None else _corners(region),
            )
        )
    title = in_percent(x_name), in_percent(y_name)
    absent = tuple(missing)
    if not usual:
        return VoteScatter(tuple(spots), tuple(shown), Ground(*title), absent)
    sides = VOTE_ABOVE, VOTE_BELOW
    return VoteScatter(tuple(spots), tuple(shown), Ground(*title, _possible(cards), *sides), absent)


def _series(colour: Colour, key: str, run: Run) -> str:
    return printable({"model": run.model, "dataset": run.dataset, "run": key}[colour])


def vote_bubbles(found: Consistency, number: int) -> tuple[tuple[Bubble, ...], tuple[Path, ...]]:
    """Turn the questions of a run into bubbles of c/n and the chance that a vote is right.

    The line is the chance that a vote of independent tries is right, where all have one number.
    """
    rows = zip(found.tally.n, found.tally.c, found.tally.questions, found.chance, strict=True)
    drawn = tuple(
        Bubble(
            QUESTIONS,
            number,
            float(c / n),
            float(chance),
            int(questions),
            voted_questions(
                count=int(questions),
                c=int(c),
                n=int(n),
                label=found.label,
                chance=percent(float(chance)),
            ),
            0.5 / int(n),
        )
        for n, c, questions, chance in rows
    )
    sizes = found.tally.each_n
    if found.k is None and len(sizes) > 1:
        return drawn, ()
    votes = found.k or sizes[0]
    line = independent_vote_name(count=votes)
    rates, chances = vote_curve(votes)
    return drawn, (Path(line, rates.tolist(), chances.tolist()),)


def agreement_bubbles(run: Run, view: View, number: int) -> tuple[Bubble, ...]:
    """Turn the questions of a run with answers into bubbles of agreement and share of right ones.

    Those whose most common answer is right have the colour of the run, by its number.
    Shares are rounded to steps of one in n, or in `GRID` where n is larger or varies.
    """
    if run.outcomes is None or run.answers is None:
        return ()
    statistics = question_statistics(
        run.outcomes, run.answers, missing=view.missing, segment=view.segment
    )
    assert statistics.agreement is not None
    assert statistics.modal_right is not None
    graded = statistics.n > 0
    n = statistics.n[graded]
    steps = int(n[0]) if len(n) and np.all(n == n[0]) and n[0] <= GRID else GRID
    across = np.rint(steps * statistics.agreement.share[graded]).astype(np.int64)
    up = np.rint(steps * statistics.c[graded] / n).astype(np.int64)
    places = (~statistics.modal_right[graded] * (steps + 1) + across) * (steps + 1) + up
    each, counts = np.unique(places, return_counts=True)
    return tuple(
        Bubble(
            COMMON_RIGHT if (right := place < (steps + 1) ** 2) else COMMON_WRONG,
            number if right else None,
            x := place // (steps + 1) % (steps + 1) / steps,
            y := place % (steps + 1) / steps,
            count,
            agreed_questions(count=count, x=x, y=y),
            0.5 / steps,
        )
        for place, count in zip(each.tolist(), counts.tolist(), strict=True)
    )


def _possible(cards: Sequence[VoteCard]) -> tuple[Corners, ...]:
    """Return what is possible for each number of samples and votes, or for all if they are many."""
    whole = {
        (card.found.compared.tally.each_n, card.settings.k)
        for card in cards
        if card.found and not card.settings.part
    }
    regions = [feasible_region(sizes, k) for sizes, k in sorted(whole, key=str)]
    if len(regions) > REGIONS:
        regions = [convex_hull(np.concatenate(regions))]
    return tuple(map(_corners, regions))


def _corners(polygon: Polygon) -> Corners:
    return [(x, y) for x, y in polygon.tolist()]


def _detail(
    card: VoteCard, x: tuple[str, Estimate], y: tuple[str, Estimate], margin: float | None
) -> Text:
    (across, x_found), (up, y_found) = x, y
    scenario: Text | str = ""
    if card.found is not None and margin is not None:
        name = SCENARIOS[card.found.compared.scenario(margin).name]
        scenario = scenario_detail(name=name, difference=points_of(card.found.compared.difference))
    return spot_detail(
        run=full_name(card),
        across=across,
        x=percent_of(x_found),
        up=up,
        y=percent_of(y_found),
        count=x_found.n_questions,
        scenario=scenario,
    )


def picture(cards: Sequence[VoteCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw the vote of runs against their average; None where there is nothing."""
    drawn = vote_scatter(mean_votes(cards) or cards, VoteChoices(), runs_of(cards))
    return scatter(drawn.spots, drawn.ground, words=scatter_words()) if drawn.spots else None
