"""The metric of a page that shows one, and its k."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import streamlit as st

from kofn.choices.view import View
from metrics.data.names import MetricName
from metrics.scoring.registry import METRICS
from pages.shared.choices import tied
from pages.shared.memory.facts import run_facts
from pages.shared.translating import _, say
from reports.run.report import Run

WIDTH = 190


def choose_metric(
    metric: MetricName, offered: Collection[str], view: View, runs: Mapping[str, Run]
) -> None:
    """Let the visitor choose a metric and, if it takes one, its k; without one it is what all have.

    Parameters
    ----------
    metric : str
        The one in view, which is among those to choose from.
    offered : collection of str
    view : View
    runs : mapping of str to Run
        Whose samples are enough for the largest k.
    """
    st.selectbox(
        _("Metric"),
        list(dict.fromkeys([*offered, metric])),
        help=say(METRICS[metric].sentence),
        width=WIDTH,
        **tied(View, "metric", metric),
    )
    if not METRICS[metric].takes_k:
        return
    facts = [fact for key, run in runs.items() if (fact := run_facts(key, run))]
    largest = max((fact.n_min for fact in facts), default=1)
    powers = {1 << exponent for exponent in range(largest.bit_length())}
    chosen = max(view.k, default=0)
    st.selectbox(
        _("k, samples drawn"),
        [0, *sorted({*powers, chosen} - {0})],
        format_func=lambda k: str(k) if k else _("As many as all have"),
        width=WIDTH,
        **tied(View, "k", chosen, lambda k: (k,) if k else ()),
    )
