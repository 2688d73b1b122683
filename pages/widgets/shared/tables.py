"""Tables that are described by their columns, on a page and to take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from kofn.card import Card
from kofn.choices.view import View
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Columns, Line, shown
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.translating import translations

MOST, HEIGHT = 10, 390
"""A table of more rows is so many pixels high."""


def show_table(
    columns: Columns[Line],
    lines: Sequence[Line],
    alt: str,
) -> None:
    """Show lines as they are read on a page."""
    found = shown(columns, lines, "page", translations())
    st.dataframe(
        pd.DataFrame({each.head: each.cells for each in found}),
        hide_index=True,
        height=HEIGHT if len(lines) > MOST else "auto",
        alt=alt,
        column_config={
            each.head: st.column_config.Column(
                help=each.column.help or None, alignment=each.column.kind.align
            )
            for each in found
        },
    )


def take_away(listing: Listing[Any], cards: Sequence[Card[Any, Any]], name: str) -> None:
    """Offer what was found of runs as CSV and Parquet, and as a subcommand has it for a paper."""
    take_away_later(listing, lambda: cards, cards[0].view, name)


def take_away_later(
    listing: Listing[Any], find: Callable[[], Sequence[Card[Any, Any]]], view: View, name: str
) -> None:
    """Offer the same of what is found when it is asked for."""
    catalogue = translations()
    download_table(
        lambda: listing.as_frame(find(), catalogue), name, lambda: listing.cited(find(), view)
    )
