"""What the overview shows: computed once for a View, and kept until the reports change."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.choices.view import View
from kofn.overview import standings
from kofn.overview.analysis import GlanceCard, look_over
from kofn.overview.averages import averages
from kofn.overview.standings import Standing
from pages.widgets.shared import session
from pages.widgets.shared.findings import remembered
from pages.widgets.shared.translating import _
from reports.run.report import Run


def look_at_all(runs: Mapping[str, Run], view: View) -> tuple[GlanceCard, ...]:
    """Look at the runs of a View, and at the averages of their suites and models."""
    with st.spinner(_("Estimating"), show_time=True):
        cards = look_over(runs, view, remembered, _stand)
        return (*cards, *averages(list(session.reports().values()), cards))


def _stand(runs: Mapping[str, Run], metric: str, k: int | None, view: View) -> Standing | None:
    identities = tuple(session.identity(key, run) for key, run in runs.items())
    return _kept(identities, metric, k, view, runs)


@st.cache_resource(scope="session", max_entries=500, show_spinner=False)
def _kept(
    identities: tuple[str, ...],
    metric: str,
    k: int | None,
    view: View,
    _runs: Mapping[str, Run],
) -> Standing | None:
    return standings.stand(_runs, metric, k, view)
