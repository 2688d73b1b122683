"""Soft and hard accuracy: the gap, its parts, and every threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from charts.levels import levels
from charts.thresholds import thresholds
from kofn.card import make_one_each, names
from kofn.choices.runs import has_scores, shown_runs
from kofn.choices.view import View
from kofn.run_columns import name_of_run
from kofn.soft_vs_hard.analysis import Cutoff, SoftHardCard, compare, mean_gaps
from kofn.soft_vs_hard.columns import BY_RUN
from kofn.soft_vs_hard.figures import spectra, steps, thresholds_of
from kofn.soft_vs_hard.words import (
    FEATURES,
    describe_levels,
    describe_thresholds,
    explain,
    levels_words,
    rule_of,
    thresholds_words,
)
from kofn.writing.layout import short_name
from metrics.analyses.soft_vs_hard.thresholds import NO_SCORES
from metrics.data.words import Text, some_of
from pages.behaviour.soft_vs_hard.details import show_gap_makers, show_ranking, show_replicas
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.controls.datasets import choose_suite
from pages.shared.memory import session
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.charts import draw
from pages.shared.showing.folds import fold
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, escape_name, say
from reports.run.report import Run

DRAWN = 8
"""The most runs of a dataset that are drawn."""
NAMED = 3
"""The most runs that are named, or warned of, at once."""
_WIDTH = 260
"""Of a control, in pixels."""


def choose_cutoff(runs: Mapping[str, Run]) -> Cutoff:
    """Show the controls of the threshold of scores and return what is chosen."""
    cutoff = current_choices(Cutoff)
    if not any(map(has_scores, runs.values())):
        return cutoff
    rules = {
        "own": _("The evaluator's own rule"),
        "above": _("A right score exceeds it, >"),
        "reach": _("A right score reaches it, ≥"),
    }
    st.number_input(
        _("Threshold between wrong and right"),
        min_value=0.0,
        max_value=1.0,
        value=None,
        step=0.05,
        format="%.4g",
        placeholder=_("The evaluator's own"),
        width=_WIDTH,
        **tie_widget(Cutoff, "threshold", cutoff.threshold),
    )
    st.selectbox(
        _("A score that equals it"),
        **options(rules),
        width=_WIDTH,
        **tie_widget(
            Cutoff, "rule", cutoff.rule or "own", lambda rule: None if rule == "own" else rule
        ),
    )
    return cutoff


def choose_scored(runs: Mapping[str, Run], view: View) -> dict[str, Run]:
    """Let the visitor choose all datasets with soft scores, where models share several, or one.

    Return its runs, and all without scores.

    Those without take no time, and say why they are not compared.
    """
    shown = shown_runs(runs, view.runs)
    if not any(map(has_scores, shown.values())):
        return shown
    chosen = choose_suite(runs, view, has_scores)
    return {key: run for key, run in shown.items() if key in chosen or not has_scores(run)}


def compare_soft_hard(
    runs: Mapping[str, Run], view: View, cutoff: Cutoff
) -> tuple[SoftHardCard, ...]:
    """Compare some runs; those compared before come from a cache."""
    settings = view.plain
    with st.spinner(_("Estimating"), show_time=True):
        return make_one_each(remember_findings(compare), runs, settings, cutoff)


def show_scores(cards: Sequence[SoftHardCard]) -> None:
    """Draw the scores of each run, and say of the others why there is nothing."""
    scored = found_of(cards)
    _warn(
        [
            f"**{escape_name(name)}** {say(card.found.contrary)}"
            for name, card in zip(names(scored), scored, strict=True)
            if card.found and card.found.contrary
        ]
    )
    scores = spectra(scored, session.numbers(), DRAWN)
    if scores:
        figure = levels(scores, thresholds_of(scored), words=levels_words())
        caption = _("Solid where a score counts as right, pale where it counts as wrong.")
        draw(figure, describe_levels(scores), "levels", caption)
    left_out = len(mean_gaps(scored) or scored) - len(scores)
    if left_out:
        more = Text(
            "{count} more run is not drawn; choose runs on the left.",
            "{count} more runs are not drawn; choose runs on the left.",
            count=left_out,
        )
        st.info(say(more))
    _show_others([card for card in cards if not card.found], bool(scored))


def _warn(contrary: Sequence[str]) -> None:
    """Say of which runs the file has other verdicts, and fold many sentences away."""
    if len(contrary) <= NAMED:
        for sentence in contrary:
            st.warning(sentence)
        return
    count = Text("{count} thing to know", "{count} things to know", count=len(contrary))
    bullets = "\n".join(f"- {sentence}" for sentence in contrary)
    fold(st.expander, f":orange[**{say(count)}**]", "contrary", partial(st.markdown, bullets))


def found_of(cards: Sequence[SoftHardCard]) -> list[SoftHardCard]:
    """Return the runs that have soft scores."""
    return [card for card in cards if card.found]


def details_of(cards: Sequence[SoftHardCard]) -> dict[str, Part]:
    """Return what there is to see of the runs of one dataset that are drawn, as parts of a page."""
    drawn = [] if mean_gaps(cards) else cards[:DRAWN]
    if not drawn:
        return {}
    return {
        "thresholds": (_("Every threshold"), partial(show_thresholds, drawn)),
        "gap": (_("Where the gap comes from"), partial(explain_gaps, drawn)),
        "gap-makers": (_("Which questions make it"), partial(show_gap_makers, drawn)),
        "replicas": (_("Replica by replica"), partial(show_replicas, drawn)),
    }


def show_thresholds(cards: Sequence[SoftHardCard]) -> None:
    """Draw hard accuracy for every threshold, and say whether the order of runs depends on it."""
    drawn = steps(cards, session.numbers())
    figure = thresholds(drawn, thresholds_of(cards), cards[0].view.level, words=thresholds_words())
    caption = _(
        "Hard accuracy depends on the threshold. Where scores equal it, a filled and an open "
        "marker show what ≥ and > make of them; the larger their distance, the more the rule "
        "decides."
    )
    draw(figure, describe_thresholds(drawn), "thresholds", caption)
    show_ranking(cards)


def list_scored(cards: Sequence[SoftHardCard]) -> None:
    """List soft and hard accuracy of each run."""
    runs = name_of_run(dict(zip((card.key for card in cards), names(cards), strict=True)))
    show_table([runs, *BY_RUN], cards, _("Soft and hard accuracy of each run"))


def explain_gaps(cards: Sequence[SoftHardCard]) -> None:
    """Say of each run where its gap comes from."""
    for name, card in zip(names(cards), cards, strict=True):
        _explain(name, card)


def _explain(name: str, card: SoftHardCard) -> None:
    assert card.found is not None
    found = card.found.accuracies
    st.markdown(f"**{escape_name(name)}**, {say(rule_of(card))}. {say(explain(found))}")
    estimates = (found.accuracy, found.avg, found.gap)
    for caveat in dict.fromkeys(text for estimate in estimates for text in estimate.caveats):
        st.caption(say(caveat))


def _show_others(cards: Sequence[SoftHardCard], some: bool) -> None:
    """Say why runs have nothing to compare, and what to load where no run has."""
    if not some:
        st.info(
            _(
                "Load results of textvqa, docvqa, infovqa, refcoco, livecodebench or a judge, or a "
                "table with a column of scores from 0 to 1. The bundled sample has a textvqa."
            )
        )
    reasons: dict[Text | None, list[str]] = {}
    for card in cards:
        reasons.setdefault(card.reason, []).append(card.key)
    if not some:
        reasons.pop(NO_SCORES, None)  # which is the answer
    for reason, keys in reasons.items():
        left = Text(
            "{count} run is not compared ({runs}): {why}",
            "{count} runs are not compared ({runs}): {why}",
            count=len(keys),
            runs=some_of(map(short_name, keys), NAMED),
            why=reason,
        )
        st.caption(say(left))


def explain_soft_hard() -> None:
    """Say what both numbers are, feature by feature, and that neither is wrong."""
    st.markdown(
        _(
            "Some evaluators give partial credit: a score between 0 and 1. **Soft accuracy**, "
            "AISBench's *accuracy (n runs average)*, is the mean of the scores. **Hard accuracy**, "
            "*avg@n*, calls a sample right if its score exceeds a threshold. Neither is wrong: "
            "they answer different questions."
        )
    )
    heads = ["", _("Soft: accuracy (n runs average)"), _("Hard: avg@n")]
    rows = [list(map(say, feature)) for feature in FEATURES]
    st.table(pd.DataFrame(rows, columns=heads), border="horizontal")
