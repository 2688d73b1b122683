"""The notes of a page, behind one quiet button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kofn.choices.view import View
from metrics.data.words import Text
from pages.shared.controls.settings import explain_intervals
from pages.shared.showing.folds import fold
from pages.shared.showing.remarks import tell_remarks
from pages.shared.translating import _
from reports.run.report import Run


def tell_notes(
    view: View,
    runs: Mapping[str, Run],
    remarks: Mapping[Text, Sequence[str]] | None = None,
    names: Sequence[str] = (),
) -> None:
    """Offer what must be known of the numbers on a page, and what their intervals cover.

    remarks, names: As for `tell_remarks`.
    """

    def show() -> None:
        tell_remarks(remarks or {}, names)
        explain_intervals(view, runs)

    fold(st.popover, _("Notes"), "notes", show, type="tertiary")
