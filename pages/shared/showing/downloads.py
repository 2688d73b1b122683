"""Downloads of tables and figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from kofn.citing.papers import Cited
from kofn.provenance import Provenance
from kofn.writing.layout import csv_text
from pages.shared.choices import DATA
from pages.shared.memory.language import in_language
from pages.shared.memory.session import reports
from pages.shared.showing.folds import fold
from pages.shared.translating import _

_CODE = 300
"""How high code is shown, in pixels."""
_UNSAFE = re.compile(r"[^\w@^.=-]+")
"""What has no place in the name of a file."""


def download_table(
    make: Callable[[], pd.DataFrame], name: str, cite: Callable[[], Cited] | None = None
) -> None:
    """Offer a table as CSV, as Parquet and for a paper; it is made when asked for.

    make: Returns the table.
    name: Of the file, without its ending.
    cite: Returns what a paper needs of it.
    """
    make, made = in_language(make), _provenance()

    def csv() -> bytes:
        return csv_text(make()).encode()

    def with_origin() -> bytes:
        return made.beside_csv(make(), name)

    def parquet() -> bytes:
        return made.within_parquet(make())

    def show() -> None:
        st.download_button(_("Download CSV"), csv, f"{name}.csv", "text/csv", on_click="ignore")
        st.download_button(
            _("Download Parquet"),
            parquet,
            f"{name}.parquet",
            "application/vnd.apache.parquet",
            on_click="ignore",
        )
        st.download_button(
            _("Download CSV with its origin"),
            with_origin,
            f"{name}.zip",
            "application/zip",
            help=_("The table, and of which files and by which settings it was made."),
            on_click="ignore",
        )

    fold(st.popover, _("Download"), f"download.{name}", show, type="tertiary")
    if cite is not None:
        shown = partial(_show_cited, cite)
        fold(st.popover, _("LaTeX, cite"), f"cite.{name}", shown, type="tertiary")


def _show_cited(cite: Callable[[], Cited]) -> None:
    """Show tables in LaTeX, how they were made and whom to cite, each to be copied."""
    found = cite()
    table, methods, references = st.tabs([_("Table"), _("Methods"), _("References")])
    table.code(found.latex, language="latex", height=_CODE)
    methods.code(found.methods, language=None, wrap_lines=True, height=_CODE)
    references.code(found.bibtex, language=None, height=_CODE)


def _provenance() -> Provenance:
    """Tell of which reports, and by which settings of the address, this page is made."""
    settings = {key: st.query_params.get_all(key) for key in st.query_params if key != DATA}
    return Provenance.of([*reports().values()], settings)


def file_name(name: str) -> str:
    """Return the name of a figure as one of a file, without its ending.

    Examples
    --------
    >>> file_name("candidates of 7B / maths")
    'candidates of 7B maths'
    """
    return _UNSAFE.sub(" ", name)


def download_figure(figure: go.Figure, name: str) -> None:
    """Offer a figure as a web page that needs no network; it is made when asked for.

    name: Of the file, without its ending; unlike those of the page's other figures.
    """
    made = _provenance()

    def html() -> bytes:
        return made.within_html(figure.to_html()).encode()

    st.download_button(
        _("Download figure"),
        html,
        f"{file_name(name)}.html",
        "text/html",
        key=f"kofn.take.{name}",
        icon=":material/download:",
        on_click="ignore",
        type="tertiary",
    )
