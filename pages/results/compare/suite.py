"""All models over all datasets: the answer, a chart, and a table."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from charts.differences import differences
from charts.lead_over_k import lead_over_k
from charts.ranks import ranks
from kofn.card import Finding, attempt
from kofn.choices.focus import Focus, runs_by_dataset
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.compare.contest import metric_and_k
from kofn.compare.figures import curve_over_k, gaps_of
from kofn.compare.pair import OFFERED
from kofn.compare.suite import (
    COLUMNS,
    gap_title,
    gaps,
    lines,
    pair_suite,
    places_of,
    rank_models,
    two_of,
)
from kofn.compare.words import (
    describe_differences,
    describe_lead_over_k,
    describe_ranks,
    in_words,
    ranks_in_words,
    suite_answer,
)
from kofn.leaderboard.pairs import match_so_far
from kofn.leaderboard.suite import SuiteStanding
from kofn.writing.estimates import K_AXIS, NA
from kofn.writing.layout import short_name
from metrics import Ranking
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.controls.datasets import choose_datasets
from pages.shared.controls.metric import choose_metric
from pages.shared.controls.notes import tell_notes
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.showing.answers import link_to_wins, show_answer
from pages.shared.showing.charts import draw
from pages.shared.showing.leaderboard import remembered_standing, remembered_suite
from pages.shared.showing.parts import show_parts
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, say
from reports.run.report import Run


def find_all(runs: Mapping[str, Run], view: View) -> SuiteStanding | None:
    """Set models against one another over all datasets; None where that cannot be."""
    shown = shown_runs(runs, view.runs)
    if len(runs_by_dataset(shown)) < 2:
        return None
    with st.spinner(_("Comparing"), show_time=True):
        return remembered_suite(shown, view.plain, *metric_and_k(shown, view))


def is_whole(runs: Mapping[str, Run]) -> bool:
    """Return whether no dataset is chosen."""
    return current_choices(Focus).dataset not in runs_by_dataset(runs)


def show_suite(suite: SuiteStanding, runs: Mapping[str, Run], view: View) -> None:
    """Show the answer, what can be chosen, and each model behind the first."""
    container = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = choose_datasets(runs, view)
        metric, k = metric_and_k(shown, view)
        choose_metric(metric, OFFERED, view, shown)
    _same, leaders = remembered_standing(shown, view, match_so_far, metric, k)
    with container:
        show_answer(suite_answer(suite, leaders), shown)
        link_to_wins(shown)
    _show_picture(suite, shown, view)
    table = _("Each model"), lambda: show_table(COLUMNS, lines(suite), _("Each model"))
    show_parts({"table": table}, lambda: tell_notes(view, shown))


def _show_picture(suite: SuiteStanding, runs: Mapping[str, Run], view: View) -> None:
    """Let the visitor choose a picture, and for two models which, and draw it."""
    names = {
        "ranks": _("Ranks"),
        "base": _("Behind the first"),
        "k": _("Along k"),
        "datasets": _("By dataset"),
    }
    choices = current_choices(CompareChoices)
    shown = choices.picture if choices.picture in names else "ranks"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            _("Shown"),
            **options(names),
            required=True,
            label_visibility="collapsed",
            **tie_widget(CompareChoices, "picture", shown),
        )
        two = two_of(suite, choices)
        if shown in ("k", "datasets"):
            _choose_two(suite, two)
    if shown == "ranks":
        _show_ranks(suite, runs, view)
    elif shown == "base":
        _show_gaps(suite, runs, view)
    else:
        _show_two(suite, runs, view, two, shown)


def _choose_two(suite: SuiteStanding, two: tuple[str, str]) -> None:
    lines_ = list(suite.standing.estimates)
    base, other = two
    others = [line for line in lines_ if line != base]
    st.selectbox(_("Baseline"), lines_, width=200, **tie_widget(CompareChoices, "base", base))
    st.selectbox(_("In detail"), others, width=200, **tie_widget(CompareChoices, "other", other))


def _show_ranks(suite: SuiteStanding, runs: Mapping[str, Run], view: View) -> None:
    with st.spinner(_("Comparing"), show_time=True):
        found, reason = _ranked(runs, view.plain, suite)
    if found is None:
        st.info(say(reason or NA))
        return
    drawn = places_of(found, runs, session.numbers())
    title = Text(
        "Rank by {metric}; all bars hold together with {level:.4g}%",
        metric=find_metric(found.metric).label(found.k),
        level=100 * view.level,
    )
    caption = say(ranks_in_words(found))
    draw(ranks(drawn, title), describe_ranks(drawn), "compare.suite.ranks", caption)


def _show_gaps(suite: SuiteStanding, runs: Mapping[str, Run], view: View) -> None:
    rows = gaps(suite, runs, session.numbers())
    if not rows:
        return
    figure = differences(rows, gap_title(suite))
    caption = Text(
        "Filled where the {level:.4g}% interval leaves out 0. Datasets count equally; choose "
        "one above.",
        level=100 * view.level,
    )
    draw(figure, describe_differences(rows), "compare.suite", say(caption))


def _show_two(
    suite: SuiteStanding, runs: Mapping[str, Run], view: View, two: tuple[str, str], shown: str
) -> None:
    """Draw the difference of two models along k, or on each dataset and on all."""
    with st.spinner(_("Comparing"), show_time=True):
        pair = _paired(runs, suite, two, view.plain, match_so_far)
    number, names = session.numbers()[pair.keys[1]], (short_name(pair.base), short_name(pair.other))
    if shown == "datasets" and pair.together is not None:
        rows = gaps_of(pair.together, number, _("All together"))
        title = Text(
            "{run} better than {base} by, in points, {level:.4g}% intervals",
            run=names[1],
            base=names[0],
            level=100 * view.level,
        )
        found, metric, k = pair.together.all, pair.together.metric, pair.together.k
        caption = "" if found is None else say(in_words(found, names, metric, k))
        figure = differences(rows, title)
        draw(figure, describe_differences(rows), "compare.suite.datasets", caption)
    elif pair.along is None:
        st.info(_("One sample a question shows nothing along k."))
    else:
        gap = curve_over_k(pair.along, pair.followed)
        title = Text("Difference in {metric}, in points", metric=pair.followed)
        sides = tuple(Text("{run} better", run=name) for name in reversed(names))
        figure = lead_over_k(gap, number, title, (sides[0], sides[1]), k_axis=K_AXIS)
        draw(figure, describe_lead_over_k(gap, pair.followed), "compare.suite.along")


@remember(50)
def _ranked(runs: Mapping[str, Run], view: View, _suite: SuiteStanding) -> Finding[Ranking]:
    return attempt(rank_models, runs, _suite, view)


_paired = remember(50)(pair_suite)
