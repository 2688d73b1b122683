"""What the files state against what their samples give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from charts.dumbbell import describe_dumbbell, dumbbell
from kofn.scorecard.figures import dumbbell_pairs
from kofn.writing.estimates import percent, told_apart
from kofn.writing.rendering import printable
from metrics.data.words import Text
from pages.widgets.shared import session
from pages.widgets.shared.charts import draw
from pages.widgets.shared.translating import _, plain, say
from reports import reconcile, reconcile_suite
from reports.run.reconcile import Comparison
from reports.run.report import Run, Suite

DRAWN = 6
"""The most runs that are drawn: those that differ most."""

Compared = Mapping[str, Sequence[Comparison]]


def show_reconciliation(runs: Mapping[str, Run]) -> None:
    """Say which stated metrics the samples do not reproduce and why, and offer all of them."""
    compared = {key: _compare(session.identity(key, run), run) for key, run in runs.items()}
    digests = tuple(session.reports())
    for key, suite in session.loaded_suites().items():
        compared[key] = _compare_suite(key, digests, suite)
    lines = [line for lines in compared.values() for line in lines]
    if not lines:
        return
    st.subheader(_("Reported against recomputed"), anchor=False)
    summary = Text(
        "{same} of the {count} metric that the files state follows from their samples.",
        "{same} of the {count} metrics that the files state follow from their samples.",
        same=sum(line.agrees for line in lines),
        count=len(lines),
    )
    st.write(say(summary))
    _explain(lines)
    _draw(compared)
    with st.expander(_("All stated metrics")):
        st.dataframe(_table(compared), hide_index=True, alt=_("Reported against recomputed"))


@st.cache_resource(scope="session", max_entries=1000, show_spinner=False)
def _compare(identity: str, _run: Run) -> tuple[Comparison, ...]:
    return reconcile(_run)


@st.cache_resource(scope="session", max_entries=1000, show_spinner=False)
def _compare_suite(key: str, digests: tuple[str, ...], _suite: Suite) -> tuple[Comparison, ...]:
    return reconcile_suite(_suite)


def _gap(line: Comparison) -> float:
    return -1.0 if line.recomputed is None else abs(line.recomputed - line.reported)


def _explain(lines: Sequence[Comparison]) -> None:
    """Give each reason once, the one behind the largest gap first."""
    reasons: dict[Text, list[Comparison]] = {}
    for line in sorted(lines, key=_gap, reverse=True):
        if line.reason is not None:
            reasons.setdefault(line.reason, []).append(line)
    items = []
    for reason, found in reasons.items():
        differ = Text("{count} differs:", "{count} differ:", count=len(found))
        unknown = Text("{count} stays unchecked:", "{count} stay unchecked:", count=len(found))
        lead = unknown if found[0].recomputed is None else differ
        items.append(f"- **{say(lead)}** {say(reason)}")
    st.markdown("\n".join(items))


def _draw(compared: Compared) -> None:
    differing = {
        key: [line for line in lines if line.recomputed is not None and not line.agrees]
        for key, lines in compared.items()
    }
    ranked = sorted(
        (key for key, lines in differing.items() if lines),
        key=lambda key: max(map(_gap, differing[key])),
        reverse=True,
    )
    pairs = dumbbell_pairs({key: differing[key] for key in ranked[:DRAWN]})
    if pairs:
        draw(dumbbell(pairs, plain), describe_dumbbell(pairs), "reported and recomputed")
    if len(ranked) > DRAWN:
        st.caption(
            say(
                Text(
                    "These are the {shown} of {all} runs that differ most.",
                    shown=DRAWN,
                    all=len(ranked),
                )
            )
        )


def _table(compared: Compared) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                _("Run"): key,
                _("Metric"): printable(line.metric),
                **dict(zip((_("Stated"), _("Recomputed")), _both(line), strict=True)),
                _("Why they differ"): "" if line.reason is None else plain(line.reason),
            }
            for key, lines in compared.items()
            for line in lines
        ]
    )


def _both(line: Comparison) -> tuple[str, ...]:
    if line.recomputed is None:
        return plain(percent(line.reported)), _("N/A")
    return told_apart(line.reported, line.recomputed)
