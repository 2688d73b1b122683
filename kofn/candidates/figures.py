"""Turn the candidates of a run into the data of the chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go

from charts.best_of_n import Course, best_of_n
from charts.theme import Stretch
from kofn.candidates.analysis import CandidateCard, Examined, WayWorth, Who, label
from kofn.candidates.details import WholeCard, without_details
from kofn.candidates.words import CANDIDATES_AXIS, score_axis, solved_axis, way_name
from kofn.choose_n.prices import quantity
from kofn.writing.estimates import percent
from metrics.data.words import Text

NUMBERS: Mapping[Who, int] = {"oracle": 0, "picked": 1, "vote": 2, "one": 3, "weighted": 4}
"""For colours, dashes and markers."""


def courses(card: CandidateCard) -> tuple[Course, ...]:
    """Turn what candidates are worth into the lines of `charts.best_of_n.best_of_n`."""
    found = card.found
    if found is None:
        return ()
    return tuple(
        Course(
            way_name(found, way),
            NUMBERS[way.who],
            Stretch(way.k, way.value, way.low, way.high, list(_details(found, way))),
            way.who == "picked",
        )
        for way in found.ways
    )


def axis_title(card: CandidateCard) -> Text:
    """Say what the vertical axis shows."""
    level = 100 * card.view.level
    if card.settings.soft:
        return score_axis(level=level)
    return solved_axis(level=level)


def _details(found: Examined, way: WayWorth) -> Iterator[tuple[Text, ...]]:
    for k, value, low, high in zip(way.k.tolist(), way.value, way.low, way.high, strict=True):
        written = percent(float(value), float(low), float(high))
        name = Text("{label} = {value}", label=label(way, k), value=written)
        costs = (
            Text("{amount} {unit}", amount=quantity(k * mean), unit=what)
            for what, mean in found.costs.items()
        )
        yield (way_name(found, way), name, *costs)


def picture(cards: Sequence[WholeCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw quality against the number of candidates, of the first run; None without several."""
    card = next((card for card in without_details(cards) if card.found and card.found.k > 1), None)
    return (
        None if card is None else best_of_n(courses(card), axis_title(card), k_axis=CANDIDATES_AXIS)
    )
