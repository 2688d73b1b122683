"""A heat map of questions by samples, the easiest questions first: the shape of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from charts.labels import label
from metrics.data.arrays import Vector
from metrics.data.words import Text, plain

SCALE = ((0.0, "#d9822b"), (0.5, "#c9c4b8"), (1.0, "#2f6fb0"))
"""From wrong to right: told apart by those who confuse red and green, and in grey by lightness."""
FAILED = "#b8448f"
_TALLEST, _LOWEST, _ROW = 180, 56, 10
_MARGIN = 90
_SHARE = "%{z:.0%}"


class HeatWords(NamedTuple):
    """What the figure says."""

    questions_axis: Text
    sample_axis: Text
    values: Text  # What the colours stand for.
    at: Callable[[str, str], Text]  # A question and a sample.
    value: Callable[[str], Text]  # What share of a cell is right, or its score.
    failed: Callable[[str], Text]


@dataclass(frozen=True, eq=False)
class Panel:
    """What is drawn of one run."""

    name: str
    samples: tuple[str, ...]  # Of each of R rows.
    value: Vector  # From 0, wrong, to 1, right; NaN where nothing is graded. Shape (R, C).
    failed: Vector  # The share of requests that failed; NaN where nothing was asked. Shape (R, C).


def heat(
    panels: Sequence[Panel],
    questions: Sequence[str],
    *,
    words: HeatWords,
) -> go.Figure:
    """Draw the panels one above the other, with the same questions in the same columns.

    questions: Of each of C columns: untrusted text.
    Cells of which more than half failed are of one colour of their own.
    """
    heights = [min(_TALLEST, max(_LOWEST, _ROW * len(panel.samples))) for panel in panels]
    figure = make_subplots(
        rows=len(panels),
        cols=1,
        shared_xaxes=True,
        row_heights=heights,
        vertical_spacing=min(0.3, 30 / sum(heights)),
        subplot_titles=[label(panel.name, 80) for panel in panels],
    )
    columns = _distinct(questions)
    for row, panel in enumerate(panels, start=1):
        shared = {"x": columns, "y": panel.samples, "name": ""}
        value = words.value(_SHARE)
        graded = go.Heatmap(
            z=panel.value.astype(np.float32),
            coloraxis="coloraxis",
            hovertemplate=_hover(value, words),
            **shared,
        )
        figure.add_trace(graded, row=row, col=1)
        lost = np.where(panel.failed > 0.5, panel.failed, np.nan)
        if np.isfinite(lost).any():
            failed = go.Heatmap(
                z=lost.astype(np.float32),
                colorscale=[(0, FAILED), (1, FAILED)],
                showscale=False,
                hovertemplate=_hover(words.failed(_SHARE), words),
                **shared,
            )
            figure.add_trace(failed, row=row, col=1)
    figure.update_xaxes(type="category", showticklabels=False, ticks="", showgrid=False)
    figure.update_yaxes(
        type="category", autorange="reversed", nticks=5, showgrid=False, fixedrange=True
    )
    title = plain(words.questions_axis)
    figure.update_xaxes(title=title, row=len(panels), col=1)
    figure.update_yaxes(title=plain(words.sample_axis))
    return figure.update_layout(
        height=_MARGIN + sum(heights) + 30 * len(panels),
        margin={"t": 40, "b": 40, "r": 20},
        coloraxis={
            "colorscale": SCALE,
            "cmin": 0,
            "cmax": 1,
            "colorbar": {
                "title": plain(words.values),
                "tickformat": ".0%",
                "tickvals": [0, 0.5, 1],
                "thickness": 12,
            },
        },
    )


def _hover(value: Text, words: HeatWords) -> str:
    return f"{plain(words.at('%{x}', '%{y}'))}<br>{plain(value)}<extra></extra>"


def _distinct(names: Sequence[str]) -> list[str]:
    """Shorten names to labels of an axis, which merges columns of one name: so tell them apart."""
    shortened = [label(name) for name in names]
    repeated = {name for name in shortened if shortened.count(name) > 1}
    return [
        f"{name} ({place})" if name in repeated else name
        for place, name in enumerate(shortened, start=1)
    ]
