"""The metric of a page that shows one, and how many tries are drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import streamlit as st

from kofn.choices.view import View
from metrics.data.names import MetricName
from metrics.scoring.registry import METRICS
from pages.shared.choices import tie_widget
from pages.shared.memory.known import facts_by_run
from pages.shared.translating import _, say
from reports.run.report import Run

WIDTH = 190


def choose_metric(
    metric: MetricName, offered: Collection[str], view: View, runs: Mapping[str, Run]
) -> None:
    """Let the visitor choose a metric and, if it takes one, its k; without one it is what all have.

    metric: The one in view, which is among those to choose from.
    runs: Whose samples are enough for the largest k.
    """
    st.selectbox(
        _("Metric"),
        list(dict.fromkeys([*offered, metric])),
        help=say(METRICS[metric].sentence),
        width=WIDTH,
        **tie_widget(View, "metric", metric),
    )
    if not METRICS[metric].takes_k:
        return
    largest = max((fact.n_min for fact in facts_by_run(runs).values()), default=1)
    powers = {1 << exponent for exponent in range(largest.bit_length())}
    chosen = max(view.k, default=0)
    st.selectbox(
        _("k, samples drawn"),
        [0, *sorted({*powers, chosen} - {0})],
        format_func=lambda k: str(k) if k else _("As many as all have"),
        width=WIDTH,
        **tie_widget(View, "k", chosen, lambda k: (k,) if k else ()),
    )


def choose_one_k(label: str, runs: Mapping[str, Run], view: View, usual: int) -> int:
    """Ask for k by a slider up to the most samples of any run; without a choice it is the usual."""
    most = max((fact.n_min for fact in facts_by_run(runs).values()), default=1)
    k = min(view.k[0] if view.k else usual, max(most, 1))
    if most > 1:
        st.slider(label, 1, most, width=200, **tie_widget(View, "k", k, lambda k: (k,), most))
    return k
