"""A metric over k: choose what is drawn, compute it once, and show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any, Final

import streamlit as st

from charts.saturation import saturation
from kofn.card import Card, Finding, attempt, make_one_each, name_of
from kofn.choices.runs import has_scores, shared_k
from kofn.choices.view import K_MAX, View
from kofn.leaderboard.lines import numbers_of_cards
from kofn.leaderboard.pairs import find_order, match_so_far
from kofn.saturation.analysis import (
    CurveCard,
    CurveSpan,
    Traced,
    known_points,
    metric_for,
    metric_of,
    reasons_of,
    trace_means,
    trace_run,
)
from kofn.saturation.columns import COLUMNS, EVERY_POINT, lines_to_read
from kofn.saturation.command import SATURATION
from kofn.saturation.figures import axis_title, growths
from kofn.saturation.words import (
    TRUST,
    answer,
    backtest_in_words,
    best_first,
    describe_saturation,
    difference_in_words,
    highest_curve,
    saturation_words,
)
from metrics.analyses.saturation.extrapolation import (
    Foretold,
    Models,
    fit_models,
    foretell,
)
from metrics.analyses.saturation.thinning import FractionalTally
from metrics.data.names import MetricName
from metrics.data.results import Extrapolation
from metrics.data.words import Text, printable
from metrics.scoring.registry import METRICS
from pages.shared.choices import choose, current_choices, options, tie_widget
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.showing.answers import show_leaders
from pages.shared.showing.charts import pick
from pages.shared.showing.downloads import download_table
from pages.shared.showing.folds import fold
from pages.shared.showing.leaderboard import remembered_standing
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, escape_name, say
from reports.run.report import Run

LEADING: Final = ("pass@k", "pass^k", "maj@k", "plurality@k", "soft-max@k")
"""The metrics that are offered first."""
CURVES = 24
"""The most runs that are drawn: so many names have room at the ends of lines."""
_PATIENCE = 0.3
"""Seconds after which progress is shown."""


def choose_curve(runs: Mapping[str, Run], view: View) -> tuple[View, CurveSpan]:
    """Let the visitor choose the metric, the largest k and the scale; return both choices."""
    span = current_choices(CurveSpan)
    metric = metric_for(runs, view)
    st.selectbox(
        _("Metric"),
        list(dict.fromkeys([*_offered(runs), metric])),
        width=170,
        help=say(METRICS[metric].sentence),
        **tie_widget(View, "metric", metric),
    )
    fold(st.popover, _("More"), "span", partial(_choose_span, span))
    return replace(view, metric=metric), span


def _choose_span(span: CurveSpan) -> None:
    scales = {"log": _("Doubling"), "linear": _("Linear")}
    st.number_input(
        _("Up to k"),
        min_value=2,
        max_value=K_MAX,
        value=None,
        placeholder=_("16 × n"),
        help=_("Up to 16 times the samples a model carries the curve on; beyond, nothing."),
        **tie_widget(CurveSpan, "up_to", span.up_to),
    )
    st.radio(
        _("Scale of k"),
        **options(scales),
        horizontal=True,
        **tie_widget(CurveSpan, "scale", span.scale),
    )


def _offered(runs: Mapping[str, Run]) -> list[str]:
    answers = any(run.answers is not None for run in runs.values())
    found = {"": True, "soft": any(map(has_scores, runs.values())), "answers": answers}
    names = [
        name for name, entry in METRICS.items() if entry.takes_k and found.get(entry.needs, False)
    ]
    return sorted(names, key=lambda name: LEADING.index(name) if name in LEADING else len(LEADING))


def trace(runs: Mapping[str, Run], view: View, span: CurveSpan) -> tuple[CurveCard, ...]:
    """Compute the curves; those computed before come from a cache."""
    start, slot = monotonic(), st.empty()

    def find(key: str, run: Run, view: View, span: CurveSpan) -> Finding[Traced]:
        if monotonic() - start > _PATIENCE:
            number = list(runs).index(key)
            doing = Text("{number} of {all} runs done", number=number, all=len(runs))
            slot.progress(number / len(runs), say(doing))
        return _traced(session.identity(key, run), view, span, run)

    with st.spinner(_("Estimating"), show_time=True):
        curves = make_one_each(find, runs, replace(view, runs=(), k=()), CurveSpan(span.up_to))
    slot.empty()
    return curves


def trace_all(runs: Mapping[str, Run], view: View, span: CurveSpan) -> tuple[CurveCard, ...]:
    """Compute the curves of models over all datasets, or of the runs of one.

    Of many models the `CURVES` best are drawn.
    """
    whole = _means(runs, replace(view, runs=(), k=()), CurveSpan(span.up_to))
    if not whole:
        kept = _best(runs, view) if len(runs) > CURVES else runs
        if len(kept) < len(runs):
            sentence = Text(
                "Here are the {shown} best of {all} runs; choose runs on the left to see others.",
                shown=CURVES,
                all=len(runs),
            )
            st.info(say(sentence))
        return trace(kept, view, span)
    best = best_first(whole)[:CURVES]
    if len(best) < len(whole):
        sentence = Text("Here are the {shown} best of {all} models.", shown=CURVES, all=len(whole))
        st.info(say(sentence))
    return tuple(best)


def _best(runs: Mapping[str, Run], view: View) -> dict[str, Run]:
    """Return the `CURVES` runs of a dataset that are highest with as many tries as all have."""
    k = shared_k(runs.values(), view)
    standing, _reason = attempt(find_order, runs, metric_of(view), k, view, match_so_far)
    ranked = dict.fromkeys([*(standing.estimates if standing else ()), *runs])
    return {key: runs[key] for key in islice(ranked, CURVES)}


@remember(50)
def _means(runs: Mapping[str, Run], view: View, span: CurveSpan) -> tuple[CurveCard, ...]:
    with st.spinner(_("Estimating"), show_time=True):
        return trace_means(runs, view, span)


def answer_curves(curves: Sequence[CurveCard], runs: Mapping[str, Run]) -> None:
    """Say what tries bring."""
    view, span = curves[0].view, curves[0].settings
    drawn = {curve.key for curve in curves}
    beside: list[CurveCard] = [
        Card(key, run, view, span) for key, run in runs.items() if key not in drawn
    ]
    show_leaders(answer([*curves, *beside], match_so_far, remembered_standing), runs)


@remember(500)
def _traced(identity: str, view: View, span: CurveSpan, _run: Run) -> Finding[Traced]:
    usual = View()
    models_of = replace(view, level=usual.level, target=usual.target)

    def fit(counts: FractionalTally, rng: Any) -> Models:
        return _fitted(identity, replace(models_of, metric=None), lambda: fit_models(counts, rng))

    def known(
        counts: FractionalTally,
        metric: MetricName,
        ks: Sequence[int],
        options: Mapping[str, Any],
        rng: Any,
    ) -> Foretold:
        return _foretold(
            identity, models_of, ks, lambda: foretell(counts, metric, ks, options, rng, fit)
        )

    return attempt(trace_run, _run, view, span, known)


@remember(60)
def _fitted(identity: str, models_of: View, _do: Callable[[], Models]) -> Models:
    """Return the models, which take most of the time, and neither a metric nor a level."""
    return _do()


@remember(60)
def _foretold(
    identity: str, models_of: View, ks: Sequence[int], _do: Callable[[], Foretold]
) -> Foretold:
    """Return what models say of a metric, whatever the level."""
    return _do()


def show_curves(curves: Sequence[CurveCard], span: CurveSpan) -> None:
    """Draw the curves, bands of the runs chosen or clicked; say what is missing."""
    banded = _banded(curves, span)
    drawn = growths(curves, numbers_of_cards(curves, session.numbers()), banded)
    if drawn:
        figure = saturation(
            drawn,
            axis_title(curves),
            logarithmic=span.scale == "log",
            words=saturation_words(),
        )
        metric = metric_of(curves[0].view)
        described = describe_saturation(drawn, metric)
        keys = [curve.key for curve in curves if known_points(curve)]
        shown = (*keys, *banded, span, metric)
        gap = difference_in_words([curve for curve in curves if curve.key in banded])
        caption = say(gap) if gap is not None else ""
        picked = pick(figure, described, f"{metric} over k", (), "", *shown, caption=caption)
        if picked is not None:
            choose(CurveSpan, banded=(keys[picked],))
            st.rerun()
    reasons: dict[Text, list[str]] = {}
    for curve in curves:
        for reason in reasons_of(curve):
            reasons.setdefault(reason, []).append(curve.key)
    for reason, keys in reasons.items():
        everyone = len(keys) == len(curves)
        names = "" if everyone else f"**{', '.join(map(escape_name, keys))}:** "
        st.markdown(f"{names}{say(reason)}")


def _banded(curves: Sequence[CurveCard], span: CurveSpan) -> tuple[str, ...]:
    """Return the keys of the runs that are drawn with bands."""
    keys = [curve.key for curve in curves]
    chosen = tuple(key for key in span.banded if key in keys)
    best = highest_curve(curves)
    return chosen or (() if best is None else (best.key,))


def choose_bands(curves: Sequence[CurveCard], span: CurveSpan) -> None:
    """Let the visitor choose whose bands are drawn, where there are several runs."""
    if len(curves) > 1:
        by_key = {curve.key: curve for curve in curves}
        st.multiselect(
            _("Bands of"),
            list(by_key),
            format_func=lambda key: printable(name_of(by_key[key])),
            width=430,
            help=_("Or click a line of the figure."),
            **tie_widget(CurveSpan, "banded", list(_banded(curves, span)), tuple),
        )


def trust_of(curves: Sequence[CurveCard]) -> dict[str, Part]:
    """Return how far to trust the dashed curve, where there is one, as a part of a page."""
    beyond = [
        (curve, curve.found.beyond)
        for curve in curves
        if curve.found
        and curve.found.beyond is not None
        and any(point.source == "model" for point in curve.found.points)
    ]
    if not beyond:
        return {}
    return {"forecast": (_("How far to trust the dashed part"), lambda: _show_trust(beyond))}


def _show_trust(beyond: Sequence[tuple[CurveCard, Extrapolation]]) -> None:
    """Say how far to trust what models say of more samples."""
    st.markdown(say(TRUST))
    for curve, found in beyond:
        if found.backtest is not None:
            sentence = say(backtest_in_words(found.backtest, metric_of(curve.view)))
            st.markdown(f"**{escape_name(curve.key)}:** {sentence}")
    for method in dict.fromkeys(found.method for _curve, found in beyond):
        st.markdown(say(method))
    if beyond[0][0].view.target == "benchmark":
        st.markdown(_("Beyond the samples, bands are always for questions like these, and wider."))


def list_curves(curves: Sequence[CurveCard]) -> dict[str, Part]:
    """Return the numbers at k that double, if there are any, as a part of a page."""
    if not (lines := lines_to_read(curves)):
        return {}
    alt = _("The curves as numbers")
    return {"table": (_("As numbers"), lambda: show_table(COLUMNS, lines, alt))}


def take_away_curves(curves: Sequence[CurveCard]) -> None:
    """Offer the numbers of every k."""
    name = f"{metric_of(curves[0].view)} over k"
    view = curves[0].view
    download_table(lambda: EVERY_POINT.frame(curves), name, lambda: SATURATION.cited(curves, view))
