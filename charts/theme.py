"""Colours of lines and bands that are visible on light and dark backgrounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.labels import label
from metrics.data.arrays import Vector
from metrics.data.words import Text, plain

COLOURS = (
    "#3883d1",
    "#ad5010",
    "#6a978d",
    "#945d99",
    "#ac8632",
    "#cb5e6f",
    "#3f8f9c",
    "#7c8791",
    "#7f8f3e",
    "#b0658c",
)
"""Each stands out from both backgrounds by 3 to 1; who sees no red or no green can tell the first
six apart."""
SYMBOLS = ("circle", "square", "triangle-up", "cross", "star", "triangle-down", "x")
"""Their number shares no factor with that of the colours, so that pairs repeat after seventy."""
_MARKED = 12
"""A line of more points than this marks about so many of them."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Part of a curve; NaN where it has no value."""

    x: NDArray[Any]  # Ascending. Shape (K,).
    value: Vector  # Shape (K,).
    # The band around it. Shape (K,).
    low: Vector
    high: Vector
    # The lines that the pointer shows at each point; empty for none.
    details: Sequence[tuple[Text, ...]] = ()


def colour(number: int) -> str:
    """Return the colour of a run, or of another series; they repeat after ten.

    Examples
    --------
    >>> colour(0), colour(3) == colour(13)
    ('#3883d1', True)
    """
    return COLOURS[number % len(COLOURS)]


def symbol(number: int, *, filled: bool = True) -> str:
    """Return plotly's name of the marker of a run; they repeat after seven.

    Examples
    --------
    >>> symbol(1), symbol(1, filled=False)
    ('square', 'square-open')
    """
    return SYMBOLS[number % len(SYMBOLS)] + ("" if filled else "-open")


def band(x: NDArray[Any], low: Vector, high: Vector, hue: str, opacity: float) -> go.Scatter:
    """Fill what lies between two curves; the pointer passes over it."""
    seen = np.isfinite(low) & np.isfinite(high)
    x, low, high = x[seen], low[seen], high[seen]
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        fill="toself",
        fillcolor=sheer(hue, opacity),
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )


def line(
    x: NDArray[Any],
    y: Vector,
    hue: str,
    details: Sequence[str] = (),
    *,
    marked: str = "",
    opacity: float = 1.0,
    **stroke: Any,
) -> go.Scatter:
    """Join points.

    x, y: Shape (K,).
    details: What the pointer shows at each point, ready to be shown.
    marked: Plotly's symbol to mark points with; empty for none.
    opacity: Of the line.
    **stroke: Of plotly's line: dash, width.
    """
    return go.Scatter(
        x=x,
        y=y,
        mode="lines+markers" if marked else "lines",
        line={"color": hue, "width": 2.5, **stroke},
        marker={"color": hue, "size": 7, "symbol": marked or None, "maxdisplayed": _MARKED},
        opacity=opacity,
        hovertext=list(details),
        hoverinfo="text" if details else "skip",
        showlegend=False,
    )


def error_bars(
    value: Vector, low: Vector, high: Vector, *, thickness: float = 2, width: float = 0
) -> dict[str, object]:
    """Return plotly's error bars from values to the ends of their intervals.

    value, low, high: Shape (K,).
    thickness, width: Of the line, and of its ends.
    """
    return {
        "type": "data",
        "symmetric": False,
        "array": (high - value).tolist(),
        "arrayminus": (value - low).tolist(),
        "thickness": thickness,
        "width": width,
    }


def hints(stretch: Stretch) -> list[str]:
    """Render what the pointer shows at each point of a stretch."""
    return ["<br>".join(label(plain(text), 160) for text in lines) for lines in stretch.details]


def key(name: str, hue: str, **stroke: Any) -> go.Scatter:
    """Explain a kind of line in the legend."""
    return go.Scatter(
        x=[None], y=[None], mode="lines", name=name, line={"color": hue, **stroke}, hoverinfo="skip"
    )


def sheer(hue: str, opacity: float) -> str:
    """Return a colour that lets through what is behind it.

    Examples
    --------
    >>> sheer("#2c5f8a", 0.2)
    'rgba(44, 95, 138, 0.2)'
    """
    red, green, blue = (int(hue[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"
