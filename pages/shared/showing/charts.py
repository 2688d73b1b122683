"""Figures on a page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from metrics.data.words import Text, plain
from pages.shared.internals import DeltaGenerator
from pages.shared.showing.downloads import download_figure, file_name
from pages.shared.showing.picking import Pick

_CLICKED = {"clickmode": "event+select", "dragmode": "pan", "hovermode": "closest"}
"""How Streamlit has a figure whose points are clicked; one that is not so from the start is drawn
twice."""
_LEFT_OUT = ["zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale"]


def draw(figure: go.Figure, description: Text, name: str, caption: str = "") -> None:
    """Show a figure in the page's theme, with a description for those who do not see it.

    It can be taken away: as SVG by its toolbar, and as a web page.

    name: Of this figure among those of the page, and of its file.
    caption: Markdown: how it is read.
    """
    st.plotly_chart(
        figure, config=_toolbar(name), alt=plain(description), key=f"kofn.figure.{name}"
    )
    with _row_below(name, caption):
        download_figure(figure, name)


def pick(
    figure: go.Figure,
    description: Text,
    name: str,
    names: Sequence[str],
    label: str,
    *shown: Hashable,
    caption: str = "",
) -> int | None:
    """Show a figure as `draw` does, and return which of its points was clicked or chosen.

    figure: Its custom data are places in a sequence.
    name: Of this figure among those of the page.
    names: To choose from, by their places; none where another control does so.
    label: Asks to choose one.
    *shown: What it shows; with something else what was picked is forgotten.
    caption: Markdown: how it is read.
    """
    picked = Pick(name, *shown)
    key = picked.key

    def click() -> None:
        points = st.session_state[key].selection.points
        places = [point["customdata"] for point in points if "customdata" in point]
        picked.click(places[0] if places else None)

    own = {name: figure.layout[name] for name in _CLICKED}
    figure.update_layout(_CLICKED)
    st.plotly_chart(
        figure,
        config=_toolbar(name),
        alt=plain(description),
        key=key,
        on_select=click,
        selection_mode="points",
    )
    figure.update_layout(own)
    with _row_below(name, caption, "left" if names else "right"):
        if names:
            picked.offer(names, label)
        download_figure(figure, name)
    return picked.place


def _row_below(name: str, caption: str, side: Literal["left", "right"] = "right") -> DeltaGenerator:
    """Return the row below a figure, begun with how it is read."""
    row = st.container(
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment=side,
        key=f"kofn.below.{name}",
    )
    if caption:
        row.container(width="stretch").caption(caption)
    return row


def _toolbar(name: str) -> dict[str, Any]:
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": _LEFT_OUT,
        "toImageButtonOptions": {"format": "svg", "filename": file_name(name)},
    }
