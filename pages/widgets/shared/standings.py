"""Who leads a dataset: found out once for the same settings."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.choices.view import View
from kofn.overview import standings
from kofn.overview.standings import Standing
from pages.widgets.shared import session
from reports.run.report import Run


def remembered_stand(
    runs: Mapping[str, Run], metric: str, k: int | None, view: View
) -> Standing | None:
    """Return what `kofn.overview.standings.stand` does, from a cache if it is known."""
    identity = "\n".join(session.identity(key, run) for key, run in runs.items())
    return _standing(identity, metric, k, view, runs)


@st.cache_resource(scope="session", max_entries=500, show_spinner=False)
def _standing(
    identity: str, metric: str, k: int | None, view: View, _runs: Mapping[str, Run]
) -> Standing | None:
    return standings.stand(_runs, metric, k, view)
