"""Tables that are described by their columns, on a page and to take away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from kofn.card import Card
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Columns, Line, first_capital, shown
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.translating import translations

__all__ = ["first_capital", "show_table", "take_away"]


def show_table(
    columns: Columns[Line],
    lines: Sequence[Line],
    alt: str,
    height: int | Literal["auto"] = "auto",
) -> None:
    """Show lines as they are read on a page."""
    found = shown(columns, lines, "page", translations())
    st.dataframe(
        pd.DataFrame({each.head: each.cells for each in found}),
        hide_index=True,
        height=height,
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
    catalogue = translations()
    download_table(
        lambda: listing.as_frame(cards, catalogue),
        name,
        lambda: listing.cited(cards, cards[0].view),
    )
