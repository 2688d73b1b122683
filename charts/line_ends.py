"""Names beside the ends of lines, none over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from charts.labels import label

GAP = 17
"""Pixels from one name to the next."""
_LETTERS = 22
_LETTER = 7


@dataclass(frozen=True, slots=True)
class End:
    """A name and where its line ends.

    Attributes
    ----------
    name : str
        Untrusted text.
    height : float
        On the vertical axis.
    hue : str
    strong : bool
        Whether it stands out.
    """

    name: str
    height: float
    hue: str
    strong: bool = False


def name_ends(
    figure: go.Figure, ends: Sequence[End], span: tuple[float, float], pixels: int
) -> None:
    """Write names at the right of a figure, as near to the height of their lines as they fit.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Its right margin is set.
    ends : sequence of End
    span : tuple of float
        The ends of the vertical axis.
    pixels : int
        Its length.
    """
    shown = {end.name: label(end.name, _LETTERS) for end in ends}
    heights = apart([end.height for end in ends], span, GAP * (span[1] - span[0]) / pixels)
    for end, height in zip(ends, heights, strict=True):
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            xshift=6,
            y=height,
            text=f"<b>{shown[end.name]}</b>" if end.strong else shown[end.name],
            font={"color": end.hue, "size": 12},
            showarrow=False,
        )
    longest = max((len(end.name[:_LETTERS]) for end in ends), default=0)
    figure.update_layout(margin={"r": 14 + _LETTER * longest})


def apart(heights: Sequence[float], span: tuple[float, float], gap: float) -> list[float]:
    """Move heights as little as it takes to be a gap apart, within a span where they fit.

    Examples
    --------
    >>> apart([0.5, 0.52, 0.9], (0, 1), 0.1)
    [0.46, 0.56, 0.9]
    >>> [round(height, 2) for height in apart([1.0, 1.0, 0.0], (0, 1), 0.1)]
    [0.9, 1.0, 0.0]
    """
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    groups: list[tuple[float, list[int]]] = []
    for place in order:
        middle, members = heights[place], [place]
        while groups and _top(*groups[-1], gap) + gap > middle - gap * (len(members) - 1) / 2:
            below, others = groups.pop()
            total = len(others) + len(members)
            middle = (below * len(others) + middle * len(members)) / total
            members = others + members
        half = gap * (len(members) - 1) / 2
        middle = max(span[0] + half, min(middle, span[1] - half))
        groups.append((middle, members))
    found = [0.0] * len(heights)
    for middle, members in groups:
        for step, place in enumerate(members):
            found[place] = middle + gap * (step - (len(members) - 1) / 2)
    return found


def _top(middle: float, members: Sequence[int], gap: float) -> float:
    return middle + gap * (len(members) - 1) / 2
