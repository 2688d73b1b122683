"""Axes that double, and axes that show what there is."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log10

import numpy as np
import plotly.graph_objects as go

from metrics.data.arrays import Vector

_TICKS = 8


def doublings(last: int) -> list[int]:
    """Return powers of two up to a number, or of four, eight … where they would be too many.

    Examples
    --------
    >>> doublings(20), doublings(1000)
    ([1, 2, 4, 8, 16], [1, 4, 16, 64, 256])
    """
    step = 1 + (last.bit_length() - 1) // _TICKS
    return [1 << exponent for exponent in range(0, last.bit_length(), step)]


def double(figure: go.Figure, last: int) -> None:
    """Let the horizontal axis of a figure run from 1 to a number, doubling at equal steps."""
    last = max(last, 2)
    margin, ticks = 0.02 * log10(last), doublings(last)
    figure.update_xaxes(
        type="log",
        range=[-margin, log10(last) + margin],
        tickvals=ticks,
        ticktext=[f"{tick:,}" for tick in ticks],
    )


def percents(figure: go.Figure, fractions: Iterable[Vector], title: str) -> None:
    """Let the vertical axis of a figure show some fractions in percent, by whole tens."""
    found = np.concatenate([*fractions, [np.nan]])
    found = found[np.isfinite(found)]
    low, high = (found.min(), found.max()) if len(found) else (0.0, 1.0)
    figure.update_yaxes(
        range=[10 * floor(10 * low) - 1, 10 * ceil(10 * high) + 1],
        title=title,
        showgrid=True,
        zeroline=False,
    )
