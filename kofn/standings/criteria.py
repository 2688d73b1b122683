"""Who wins by a criterion, over all datasets or on the only one, as every page says it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from kofn.card import attempt
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.standings.field import names_of
from kofn.standings.lines import whole_lines
from kofn.standings.pairs import Matching, match_by_texts, stand_by
from kofn.standings.sentences import by, open_still
from kofn.standings.suite import find_standing
from kofn.standings.suite import in_words as suite_in_words
from kofn.writing.estimates import percent, points
from kofn.writing.joining import some
from metrics import Standing
from metrics.data.names import MetricName
from metrics.data.words import Text
from metrics.scoring.registry import METRICS
from reports.run.report import Run

FindWinner = Callable[[Mapping[str, Run], View, MetricName], Sequence[Text]]


def find_winner(
    runs: Mapping[str, Run], view: View, metric: MetricName, matching: Matching = match_by_texts
) -> Sequence[Text]:
    """Say who wins by a metric, at the most tries that all have; nothing where nobody is beside.

    Parameters
    ----------
    runs : mapping of str to Run
    view : View
        Segment, level, target and treatment of failed requests count.
    metric : str
    matching : callable
    """
    judged = {key: run for key, run in runs.items() if run.known is not None}
    plain, whole = replace(view, runs=(), metric=None, k=()), whole_lines(judged)
    group = judged if whole is None else whole.runs(judged)
    takes_k = METRICS[metric].takes_k
    k = shared_k(group.values(), view.missing, view.segment) if takes_k else None
    if k == 1:
        return ()
    if whole is not None:
        suite, leaders = find_standing(judged, plain, matching, metric, k)
        told = suite is not None and suite.standing.paired
        return tuple(suite_in_words(suite, leaders)) if suite is not None and told else ()
    if len({run.dataset for run in group.values()}) != 1:
        return ()
    found, _reason = attempt(stand_by, group, metric, k, plain, matching)
    if found is None or not found.paired:
        return ()
    dataset = next(iter(group.values())).dataset
    return tuple(in_words(found, names_of({key: run.model for key, run in group.items()}, dataset)))


def in_words(found: Standing, names: Mapping[str, str]) -> Iterator[Text]:
    """Say who wins on a dataset, with what and by how much."""
    estimate = found.estimates[found.first]
    value = percent(estimate.value, *(estimate.interval or ()))
    if len(found.leaders) > 1:
        yield Text(
            "{names} lead {by}, the first with {value}.",
            names=some(names[key] for key in found.leaders),
            by=by(found.metric, found.k),
            value=value,
        )
        yield from open_still(found, names)
        return
    second, ahead = next(iter(found.paired.items()))
    yield Text(
        "{name} is the best {by}: {value}, {gain} ahead of {second}.",
        name=names[found.first],
        by=by(found.metric, found.k),
        value=value,
        gain=points(ahead.value, *(ahead.interval or ())),
        second=names[second],
    )
