"""Figures on a page."""

from __future__ import annotations

from collections.abc import Hashable

import plotly.graph_objects as go
import streamlit as st

from metrics.data.words import Text
from pages.widgets.shared.downloads import download_figure
from pages.widgets.shared.translating import plain

_TOOLBAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale"],
    "toImageButtonOptions": {"scale": 2},
}


def draw(figure: go.Figure, description: Text, name: str) -> None:
    """Show a figure in the page's theme, with a description for those who do not see it.

    It can be taken away: as a picture by its toolbar, and as a web page.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    description : Text
    name : str
        Of this figure among those of the page, and of its file.
    """
    st.plotly_chart(figure, config=_TOOLBAR, alt=plain(description), key=f"kofn.figure.{name}")
    download_figure(figure, name)


def pick(figure: go.Figure, description: Text, name: str, *shown: Hashable) -> list[int]:
    """Show a figure as `draw` does, and return the custom data of the points that are clicked.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Its custom data are places in a sequence.
    description : Text
    name : str
        Of this figure among those of the page.
    *shown : hashable
        What it shows; with something else a click is forgotten.
    """
    chosen = st.plotly_chart(
        figure,
        config=_TOOLBAR,
        alt=plain(description),
        key=f"kofn.{name}.{hash(shown)}",
        on_select="rerun",
        selection_mode="points",
    )
    download_figure(figure, name)
    return [point["customdata"] for point in chosen.selection.points if "customdata" in point]
