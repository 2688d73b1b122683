"""What to do with each run: advice, its place among the others, and the distance to its targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from charts.matrix import matrix
from charts.places import places
from kofn.card import cards_found
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.guidance.analysis import (
    Goals,
    GuidanceCard,
    best_first,
    guide,
    guide_means,
    guide_runs,
)
from kofn.guidance.choices import InDetail
from kofn.guidance.columns import MATRIX
from kofn.guidance.command import GUIDANCE
from kofn.guidance.figures import board, field
from kofn.guidance.words import (
    IN_SHORT,
    RULE_OF_THUMB,
    STATUS_NAMES,
    advice,
    describe_matrix,
    describe_places,
    distance_in_words,
    gap_of,
    is_judged,
    matrix_words,
    pitfalls,
    place_in_words,
    remedy,
    row_in_short,
    scenario_in_short,
)
from kofn.leaderboard.lines import numbers_of_cards
from kofn.questions.filters import QuestionFilter
from kofn.writing.estimates import percent, percent_of, points_of
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import DIMENSIONS, Dimension
from metrics.analyses.guidance.targets import Status, Verdict
from metrics.data.words import Text, plain
from pages.behaviour.guidance.targets import METRICS, names_of_found
from pages.shared.choices import current_choices, tie_widget
from pages.shared.memory import session
from pages.shared.memory.cached import remember, remember_findings
from pages.shared.showing.answers import link_to_questions
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, escape_name, run_on, say
from reports.run.report import Run

TOLD = 3
"""The most runs whose advice is told in sentences at once."""
_COLOURS: Mapping[Status, str] = {"met": "green", "not met": "red", "undecided": "orange"}


def guide_all(runs: Mapping[str, Run], view: View, targets: Goals) -> tuple[GuidanceCard, ...]:
    """Place the runs of a View, and models over all datasets, in the matrix, each best first."""
    shown = shown_runs(runs, view.runs)
    settings = replace(view, runs=(), metric=None, target="population")
    with st.spinner(_("Estimating"), show_time=True):
        found = best_first(guide_runs(shown, settings, targets, remember_findings(guide)))
        return (*found, *best_first(_means(shown, settings, targets)))


_means = remember(50)(guide_means)


def show_places(cards: Sequence[GuidanceCard]) -> None:
    """Draw every run in its likeliest cell of one matrix."""
    drawn = field(cards, numbers_of_cards(cards, session.numbers()))
    if not drawn.runs:
        return
    caption = _(
        "Each run is in its likeliest cell; within a cell the surer are larger. "
        "Thick: a row of AISBench's table. Dotted: impossible."
    )
    draw(places(drawn), describe_places(drawn), "places", caption)


def tell_unplaced(cards: Sequence[GuidanceCard]) -> None:
    """Say why runs have no place."""
    for card in cards:
        if card.reason is not None:
            st.caption(f"**{escape_name(card.key)}** {say(card.reason)}")


def show_targets(cards: Sequence[GuidanceCard]) -> None:
    """Show how far the targets of each scenario are for each run."""
    table = [
        {_("Run"): name, **dict(_scenario_cells(each)), **dict(_value_cells(each))}
        for name, (_card, each) in judged_runs(cards).items()
    ]
    st.dataframe(
        pd.DataFrame(table), hide_index=True, alt=_("Targets of each scenario, run by run")
    )
    st.caption(_("✓ met, ✗ not met, ? not to be said for certain."))


def show_advice(cards: Sequence[GuidanceCard]) -> None:
    """Show what to do with each run: in sentences for a few, in a table for more."""
    found = judged_runs(cards)
    if len(found) <= TOLD:
        for name, (card, each) in found.items():
            st.markdown(f"**{escape_name(name)}**")
            _tell(card, each)
    else:
        table = [{_("Run"): name, **_advised(each)} for name, (_card, each) in found.items()]
        st.dataframe(pd.DataFrame(table), hide_index=True, alt=_("What to do with each run"))


def judged_runs(cards: Sequence[GuidanceCard]) -> dict[str, tuple[GuidanceCard, Guidance]]:
    """Return the runs of which more than a single try is looked at, by their names."""
    found = zip(names_of_found(cards), cards_found(cards), strict=True)
    return {name: each for name, each in found if is_judged(each[1])}


def _tell(card: GuidanceCard, found: Guidance) -> None:
    st.markdown("\n".join(f"- {say(text)}" for text in advice(found)))
    if found.gaps.wrong:
        chosen = QuestionFilter(a=card.key, kind="confidently-wrong")
        link_to_questions(_("See its agreed wrong answers"), chosen, card.view)


def _advised(found: Guidance) -> dict[str, str]:
    gaps, unknown = found.gaps, _("no answers")
    return {
        _("What to do"): plain(IN_SHORT[gap_of(found)]),
        _("Checking gains"): plain(points_of(gaps.checked)),
        _("A vote gains"): unknown if gaps.voted is None else plain(points_of(gaps.voted)),
        _("Agreed wrong answers"): unknown if gaps.wrong is None else str(gaps.wrong),
        _("AISBench's row"): _row(found),
    }


def _row(found: Guidance) -> str:
    row = row_in_short(found)
    return plain(Text("nearest: {row}", row=row) if found.row()[1] else row)


def _scenario_cells(found: Guidance) -> Iterator[tuple[str, str]]:
    for verdict in found.verdicts:
        yield plain(verdict.scenario.name), plain(scenario_in_short(found, verdict))


def _value_cells(found: Guidance) -> Iterator[tuple[str, str]]:
    for dimension in DIMENSIONS:
        yield METRICS[dimension], plain(percent(found.estimates[dimension].value))


def _badge(verdict: Verdict) -> str:
    return f":{_COLOURS[verdict.status]}-badge[{say(STATUS_NAMES[verdict.status])}]"


def show_one(cards: Sequence[GuidanceCard]) -> None:
    """Show one run in detail: its matrix, what would meet each target, and pitfalls."""
    found = judged_runs(cards)
    asked = current_choices(InDetail).detail
    name = asked if asked in found else next(iter(found))
    if len(found) > 1:
        st.selectbox(_("Run in detail"), list(found), **tie_widget(InDetail, "detail", name))
    card, each = found[name]
    if len(found) > TOLD:
        _tell(card, each)
    st.markdown(_values(each))
    drawn = board(each, numbers_of_cards(cards, session.numbers())[card.key])
    caption = _(
        "How likely each combination of levels is, from joint draws over the questions: see "
        "the bar at the left of a cell. A dot marks the estimates."
    )
    called = f"{card.key}.{each.k}.{each.voted}"
    draw(matrix(drawn, words=matrix_words()), describe_matrix(drawn), called, caption)
    st.markdown(run_on(map(say, place_in_words(each))))
    for verdict in each.verdicts:
        st.markdown("\n".join(_scenario_lines(each, verdict)))
    for pitfall in pitfalls(each):
        st.markdown(f":material/warning: {say(pitfall)}")
    caveats = (text for estimate in each.estimates.values() for text in estimate.caveats)
    for caveat in dict.fromkeys(caveats):
        st.caption(say(caveat))
    st.caption(say(RULE_OF_THUMB))
    download_table(
        lambda: MATRIX.frame(cards),
        "guidance-matrix",
        lambda: GUIDANCE.cited(cards, cards[0].view, [MATRIX.written(cards)]),
    )


def _scenario_lines(found: Guidance, verdict: Verdict) -> list[str]:
    lines = [f"**{say(verdict.scenario.name)}** {_badge(verdict)}", ""]
    for goal in verdict.targets:
        way = remedy(found, goal)
        lines.append(f"- {say(distance_in_words(found, goal))}. {say(way) if way else ''}")
    return lines


def _values(found: Guidance) -> str:
    def value(dimension: Dimension) -> Text:
        return Text(
            "{metric} {value}",
            metric=found.label(dimension),
            value=percent_of(found.estimates[dimension]),
        )

    return ", ".join(say(value(dimension)) for dimension in DIMENSIONS)
