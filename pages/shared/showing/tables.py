"""Tables described by their columns, on a page and as downloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from kofn.card import Card
from kofn.choices.view import View
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Columns, Line, ShownColumn, shown_columns
from kofn.writing.estimates import NA
from kofn.writing.kinds import COUNT
from pages.shared.showing.downloads import download_table

MOST, HEIGHT = 10, 390
"""A table of more rows is so many pixels high."""


def show_table(
    columns: Columns[Line],
    lines: Sequence[Line],
    alt: str,
    **selecting: Any,
) -> Any:
    """Show lines as they are read on a page, and return what is selected of them.

    Amounts and whole numbers can be sorted.
    """
    found = shown_columns(columns, lines, "page")
    return st.dataframe(
        pd.DataFrame({each.head: _cells(each) for each in found}),
        hide_index=True,
        height=HEIGHT if len(lines) > MOST else "auto",
        placeholder=str(NA),
        alt=alt,
        column_config={each.head: _configured(each) for each in found},
        **selecting,
    )


def _counts(column: ShownColumn) -> bool:
    return column.column.kind is COUNT


def _cells(column: ShownColumn) -> Any:
    if _counts(column):
        return pd.array(column.values, dtype="Int64")
    if column.column.kind.format:
        amounts = pd.Series(column.values, dtype="Float64")
        return amounts.round() if column.column.kind.format == "localized" else amounts
    return column.cells


def _configured(column: ShownColumn) -> Any:
    about, side = column.column.help, column.column.kind.align
    described = None if about is None else str(about)
    if _counts(column):
        return st.column_config.NumberColumn(help=described, alignment=side, format="localized")
    if column.column.kind.format:
        spelling = column.column.kind.format
        return st.column_config.NumberColumn(help=described, alignment=side, format=spelling)
    return st.column_config.Column(help=described, alignment=side)


def take_away(listing: Listing[Any], cards: Sequence[Card[Any, Any]], name: str) -> None:
    """Offer what was found of runs as CSV and Parquet, and as a subcommand has it for a paper."""
    take_away_later(listing, lambda: cards, cards[0].view, name)


def take_away_found(listing: Listing[Any], cards: Sequence[Card[Any, Any]], name: str) -> None:
    """Offer the same unless nothing was found of any run."""
    if any(card.found for card in cards):
        take_away(listing, cards, name)


def take_away_later(
    listing: Listing[Any], find: Callable[[], Sequence[Card[Any, Any]]], view: View, name: str
) -> None:
    """Offer the same of what is found when it is asked for."""
    download_table(lambda: listing.as_frame(find()), name, lambda: listing.cited(find(), view))
