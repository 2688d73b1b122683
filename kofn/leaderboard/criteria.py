"""Who wins by a criterion, over all datasets or on the only one, worded alike on every page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kofn.card import attempt
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.leaderboard.field import names_of
from kofn.leaderboard.lines import whole_lines
from kofn.leaderboard.pairs import Matching, find_order, match_by_texts
from kofn.leaderboard.suite import find_standing
from kofn.leaderboard.words import suite_in_words, winner_in_words
from metrics.data.names import MetricName
from metrics.data.words import Text
from metrics.scoring.registry import METRICS
from reports.run.report import Run

FindWinner = Callable[[Mapping[str, Run], View, MetricName], Sequence[Text]]


def find_winner(
    runs: Mapping[str, Run], view: View, metric: MetricName, matching: Matching = match_by_texts
) -> tuple[Text, ...]:
    """Say who wins by a metric, at the most tries that all have; nothing where nobody is beside.

    view: Segment, level, target and treatment of failed requests count.
    """
    judged = {key: run for key, run in runs.items() if run.known is not None}
    plain, whole = view.plain, whole_lines(judged)
    group = judged if whole is None else whole.runs(judged)
    takes_k = METRICS[metric].takes_k
    k = shared_k(group.values(), view) if takes_k else None
    if k == 1:
        return ()
    if whole is not None:
        suite, leaders = find_standing(judged, plain, matching, metric, k)
        paired = suite is not None and suite.standing.paired
        return tuple(suite_in_words(suite, leaders)) if suite is not None and paired else ()
    if len({run.dataset for run in group.values()}) != 1:
        return ()
    found, _reason = attempt(find_order, group, metric, k, plain, matching)
    if found is None or not found.paired:
        return ()
    dataset = next(iter(group.values())).dataset
    return tuple(
        winner_in_words(found, names_of({key: run.model for key, run in group.items()}, dataset))
    )
