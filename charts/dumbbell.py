"""A dumbbell chart: what a file reports, joined to what its samples give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL, arrange, lay_out
from charts.strokes import colour
from metrics.data.words import Text


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of a dumbbell chart.

    Attributes
    ----------
    block : str
        The heading it stands under, such as a run; pairs of a block follow one another.
    name : str
        Its label, such as a metric.
    reported, recomputed : float
        Fractions.
    detail : Text
        What the pointer shows: the reason for the difference.
    """

    block: str
    name: str
    reported: float
    recomputed: float
    detail: Text


def dumbbell(pairs: Sequence[Pair], render: Callable[[Text], str] = str) -> go.Figure:
    """Draw a ring for the reported and a dot for the recomputed value, joined where they differ.

    Parameters
    ----------
    pairs : sequence of Pair
        Names are untrusted text.
    render : callable, optional
        From Text to the reader's language.

    Returns
    -------
    plotly.graph_objects.Figure
        Percent on the horizontal axis; the height grows with the rows.
    """
    rows = arrange([pair.block for pair in pairs])
    details = [label(render(pair.detail), 400) for pair in pairs]
    figure = go.Figure()
    for name, values, marker in (
        (
            Text("Reported in the file"),
            [pair.reported for pair in pairs],
            {"symbol": "circle-open", "size": 15, "line": {"width": 2}, "color": colour(0)},
        ),
        (
            Text("Recomputed from its samples"),
            [pair.recomputed for pair in pairs],
            {"symbol": "circle", "size": 8, "color": colour(1)},
        ),
    ):
        figure.add_trace(
            go.Scatter(
                name=render(name),
                x=[100 * value for value in values],
                y=rows.positions,
                mode="markers",
                marker=marker,
                hovertext=details,
                hoverinfo="text",
            )
        )
    for pair, position in zip(pairs, rows.positions, strict=True):
        figure.add_shape(
            type="line",
            x0=100 * pair.reported,
            x1=100 * pair.recomputed,
            y0=position,
            y1=position,
            line={"color": NEUTRAL, "width": 3},
            layer="below",
        )
    lay_out(figure, rows, [pair.name for pair in pairs], render(Text("Value, in percent")))
    return figure.update_layout(legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"})


def describe_dumbbell(pairs: Sequence[Pair]) -> Text:
    """Say in words what `dumbbell` shows, for those who do not see it."""
    if not pairs:
        return Text("Nothing to compare: the file states no metric.")
    widest = max(pairs, key=lambda pair: abs(pair.recomputed - pair.reported))
    return Text(
        "Reported against recomputed for {count} metric: {name} {reported:.1%} against "
        "{recomputed:.1%}.",
        "Reported against recomputed for {count} metrics. They differ most for {name}: "
        "{reported:.1%} against {recomputed:.1%}.",
        count=len(pairs),
        name=widest.name,
        reported=widest.reported,
        recomputed=widest.recomputed,
    )
