"""Axes that double, and axes that fit the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10

import numpy as np
import plotly.graph_objects as go

from metrics.data.arrays import Vector

_TICKS = 8
_FINER = (
    (4, (1, 3)),
    (4, (1, 2, 5)),
    (4, (1, 1.5, 2, 3, 4, 5, 7)),
    (2, (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8)),
)
"""First digits of ticks for where coarser ones are fewer than a number."""


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


def amounts(low: float, high: float) -> tuple[list[float], list[str]]:
    """Return round amounts for the ticks of an axis that doubles, and how they are written.

    low, high: Above 0; `high` is twice as large at least.

    Examples
    --------
    >>> amounts(0.8, 60)
    ([1.0, 3.0, 10.0, 30.0], ['1', '3', '10', '30'])
    >>> amounts(1, 4.6)[1], amounts(1, 12)[1], amounts(1e-5, 2e7)[1][:3]
    (['1', '1.5', '2', '3', '4'], ['1', '2', '5', '10'], ['0.00001', '0.001', '0.1'])
    """
    exponents = range(floor(log10(low)), ceil(log10(high)) + 1)

    def within(digits: Sequence[float]) -> list[float]:
        ticks = [float(f"{digit}e{power}") for power in exponents for digit in digits]
        return [tick for tick in ticks if low <= tick <= high]

    ticks = within((1,))
    ticks = ticks[:: max(1, -(-len(ticks) // _TICKS))]
    for enough, digits in _FINER:
        if len(ticks) < enough:
            ticks = within(digits)
    return ticks, [f"{tick:,.12f}".rstrip("0").rstrip(".") for tick in ticks]
