"""From a plan to what the chart draws."""

from __future__ import annotations

from charts.contours import Contour, Mark
from kofn.plan.analysis import Planned
from kofn.plan.choices import PlanChoices
from kofn.writing.estimates import points
from metrics.data.words import Text


def drawn(found: Planned, goals: PlanChoices) -> tuple[tuple[Contour, ...], tuple[Mark, ...]]:
    """Return the lines of a plan, and the marks beside them."""
    needs, plan = found.needs, found.plan
    lines = [
        Contour(points(difference), needs.samples, takes)
        for difference, takes in found.takes.items()
    ]
    if goals.width is not None and needs.questions_for_width is not None:
        name = Text("{width} wide", width=points(goals.width))
        lines.append(Contour(name, needs.samples, needs.questions_for_width))
    marks = [Mark(Text("this benchmark"), plan.n_samples, plan.n_questions, filled=True)]
    if needs.affordable is not None and found.split is not None:
        name = Text("{bill:,g} pays for", bill=goals.total)
        lines.append(Contour(name, needs.samples, needs.affordable, paid=True))
        marks.append(Mark(Text("best split"), *found.split[:2], filled=False))
    return tuple(lines), tuple(marks)
