"""Stacked bars, one per row, of the parts that make up a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go

from charts.rows import arrange, lay_out
from charts.theme import colour
from metrics.data.words import Text, plain

_HUES = (0, 1, 2, 4, 3)
_PATTERNS = ("", "", "-", "/", "x")
_WIDE = 0.08
"""Share from which on a part has its number written in it."""
_LEGEND = 60
"""Height for the names of parts where they stand below one another."""


class SharesWords(NamedTuple):
    """What the figure says."""

    axis: Text
    share: Callable[[Text, int, int], Text]  # How many of how many samples ended so.


@dataclass(frozen=True, eq=False)
class ShareBar:
    """One bar."""

    name: str
    block: str  # The heading that it stands under; empty for none.
    counts: tuple[int, ...]  # Of each part.


def shares(
    wholes: Sequence[ShareBar],
    parts: Sequence[Text],
    *,
    words: SharesWords,
) -> go.Figure:
    """Draw a bar for each whole, its parts side by side up to 100 %.

    Parts differ by colour and by pattern, so that they are told apart without seeing colours.

    wholes: Those of a block follow one another.
    parts: Five at most.
    Percent on the horizontal axis.
    """
    rows = arrange([whole.block for whole in wholes])
    figure = go.Figure()
    for place, part in enumerate(parts):
        counts = [whole.counts[place] for whole in wholes]
        if not any(counts):
            continue
        of_all = [whole.counts[place] / max(1, sum(whole.counts)) for whole in wholes]
        hints = [
            plain(words.share(part, count, sum(whole.counts)))
            for whole, count in zip(wholes, counts, strict=True)
        ]
        figure.add_trace(
            go.Bar(
                x=[100 * share for share in of_all],
                y=rows.positions,
                orientation="h",
                width=0.72,
                name=plain(part),
                text=[f"{100 * share:.0f}%" if share >= _WIDE else "" for share in of_all],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                insidetextfont={"color": "black" if _PATTERNS[place] else "white", "size": 12},
                constraintext="none",
                hovertext=hints,
                hovertemplate="%{hovertext}<extra></extra>",
                marker={
                    "color": colour(_HUES[place]),
                    "pattern": {
                        "shape": _PATTERNS[place],
                        "bgcolor": colour(_HUES[place]),
                        "fgcolor": "white",
                        "fgopacity": 0.5,
                        "size": 6,
                        "solidity": 0.25,
                    },
                    "line": {"width": 0},
                },
            )
        )
    lay_out(figure, rows, [whole.name for whole in wholes], plain(words.axis))
    figure.update_xaxes(range=[0, 100])
    return figure.update_layout(
        barmode="stack",
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "traceorder": "normal",
        },
        height=figure.layout.height + _LEGEND,
        margin={"t": 20, "r": 30},
    )
