"""The average of each replica of a run, against what chance alone would give."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import plotly.graph_objects as go

from charts.axes import percents
from charts.rows import NEUTRAL
from charts.theme import colour, symbol
from metrics.data.arrays import Integers, Vector
from metrics.data.words import Text, plain

_HEIGHT = 260


class ReplicasWords(NamedTuple):
    """What the figure says."""

    by_chance: Text  # Where chance puts all replicas.
    stands_out: Text
    replica: Text
    accuracy_axis: Text
    replica_axis: Text


def replicas(
    replica: Integers,
    accuracy: Vector,
    band: tuple[Vector, Vector],
    odd: Collection[int],
    number: int,
    *,
    words: ReplicasWords,
) -> go.Figure:
    """Draw a point for each replica, filled where it stands out, over a bar of what chance gives.

    replica: Numbers of the replicas. Shape (N,).
    accuracy: Shape (N,).
    band: Where chance puts all of them at once. Shape (N,).
    odd: Those that stand out.
    Percent on the vertical axis.
    """
    low, high = band
    figure = go.Figure(
        go.Bar(
            x=replica,
            y=100 * (high - low),
            base=100 * low,
            width=0.8,
            marker={"color": NEUTRAL, "opacity": 0.25, "line": {"width": 0}},
            name=plain(words.by_chance),
            hoverinfo="skip",
        )
    )
    for filled in (True, False):
        own = [place for place, each in enumerate(replica.tolist()) if (each in odd) == filled]
        if own:
            figure.add_trace(
                go.Scatter(
                    x=replica[own],
                    y=100 * accuracy[own],
                    mode="markers",
                    cliponaxis=False,
                    marker={
                        "color": colour(number),
                        "size": 10,
                        "symbol": symbol(number, filled=filled),
                    },
                    name=plain(words.stands_out if filled else words.replica),
                    hovertemplate="%{x}: %{y:.1f}%<extra></extra>",
                )
            )
    percents(figure, (low, high, accuracy), plain(words.accuracy_axis))
    figure.update_xaxes(
        title=plain(words.replica_axis), zeroline=False, dtick=1 + len(replica) // 16
    )
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
