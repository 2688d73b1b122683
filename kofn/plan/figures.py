"""Turn a plan into the data of the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.contours import Contour, ContourMark, contours
from kofn.plan.analysis import PlanCard, Planned
from kofn.plan.choices import PlanChoices
from kofn.plan.words import (
    BEST_SPLIT,
    THIS_BENCHMARK,
    bill_line_name,
    contours_words,
    width_line_name,
)
from kofn.writing.estimates import points


def drawn(
    found: Planned, goals: PlanChoices
) -> tuple[tuple[Contour, ...], tuple[ContourMark, ...]]:
    """Return the lines of a plan, and the marks beside them."""
    needs, plan = found.needs, found.plan
    lines = [
        Contour(points(difference), needs.samples, takes)
        for difference, takes in found.takes.items()
    ]
    if goals.width is not None and needs.questions_for_width is not None:
        name = width_line_name(width=points(goals.width))
        lines.append(Contour(name, needs.samples, needs.questions_for_width))
    marks = [ContourMark(THIS_BENCHMARK, plan.n_samples, plan.n_questions, filled=True)]
    if needs.affordable is not None and found.split is not None:
        name = bill_line_name(bill=goals.total)
        lines.append(Contour(name, needs.samples, needs.affordable, paid=True))
        marks.append(ContourMark(BEST_SPLIT, *found.split[:2], filled=False))
    return tuple(lines), tuple(marks)


def picture(cards: Sequence[PlanCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw what questions and samples show, on the first dataset; None where there is nothing."""
    card = next((card for card in cards if card.found), None)
    if card is None or card.found is None:
        return None
    return contours(*drawn(card.found, card.settings), words=contours_words())
