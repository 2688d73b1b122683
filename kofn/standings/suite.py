"""Who leads over all datasets together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from kofn.card import attempt
from kofn.choices.view import View
from kofn.standings.field import Field, usual_metric
from kofn.standings.lines import whole_lines
from kofn.standings.pairs import Matching, match_by_texts, stand_by
from kofn.standings.sentences import by, open_still
from kofn.writing.estimates import percent, points
from kofn.writing.joining import NAMED, listed, some
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics import Standing, stand_suite
from metrics.data.names import MetricName
from metrics.data.words import Text
from reports.run.report import Run, join


@dataclass(frozen=True, eq=False)
class Suite:
    """Models over the datasets that all of them ran on, which count equally.

    Attributes
    ----------
    standing : Standing
        Of lines as `lines_of` names them.
    datasets : tuple of str
    left_out : tuple of str
        Datasets that not all models ran on.
    """

    standing: Standing
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]


FindSuite = Callable[[Mapping[str, Run], View], Suite | None]


def find_suite(
    runs: Mapping[str, Run],
    view: View,
    matching: Matching = match_by_texts,
    metric: MetricName | None = None,
    k: int | None = None,
) -> Suite | None:
    """Find out who leads over the datasets that all models ran on; None unless there are several.

    What it returns holds no run, so that it can be kept. A further run of a model on a dataset is
    a line of its own where the model ran on all of them again.

    Parameters
    ----------
    runs : mapping of str to Run
    view : View
        Level, target, segment and treatment of failed requests count.
    matching : callable
    metric : str, optional
        Without one, `usual_metric`.
    k : int, optional
        As in `stand_suite`.
    """
    whole = whole_lines(runs)
    if whole is None or len(whole.keys) < 2:
        return None
    suites = {
        line: {name: runs[key] for name, key in keys.items()} for line, keys in whole.keys.items()
    }
    matched = cache(matching)

    def same(run: Run, best: Run) -> bool:
        beside = [each[run.dataset] for each in suites.values()]
        join([(each, best) for each in beside if each is not best], None, view.segment)
        return bool(matched(run, best))

    by_what = metric or usual_metric(runs.values())
    found, _reason = attempt(stand_suite, suites, by_what, k, same_questions=same, **view.asked)
    if found is None:
        return None
    ahead = {line: replace(each, ends=None) for line, each in found.ahead.items()}
    return Suite(replace(found, ahead=ahead), whole.datasets, whole.left_out)


def find_leaders(
    suite: Suite, runs: Mapping[str, Run], view: View, matching: Matching = match_by_texts
) -> dict[str, str | None]:
    """Find out which line of a suite leads on each of its datasets, by the same metric and k.

    None where it is too close to call. What it returns holds no run, so that it can be kept.
    """
    whole, by_what, k = whole_lines(runs), suite.standing.metric, suite.standing.k
    found: dict[str, str | None] = {}
    for name in suite.datasets if whole else ():
        group = {line: runs[keys[name]] for line, keys in whole.keys.items()} if whole else {}
        standing, _reason = attempt(stand_by, group, by_what, k, view, matching)
        found[name] = standing.leader if standing else None
    return found


FindStanding = Callable[
    [Mapping[str, Run], View, Matching, MetricName | None, int | None],
    tuple[Suite | None, dict[str, str | None]],
]


def find_standing(
    runs: Mapping[str, Run],
    view: View,
    matching: Matching = match_by_texts,
    metric: MetricName | None = None,
    k: int | None = None,
) -> tuple[Suite | None, dict[str, str | None]]:
    """Return who leads over all datasets, and who leads on each of them."""
    suite = find_suite(runs, view, matching, metric, k)
    return suite, {} if suite is None else find_leaders(suite, runs, view, matching)


def leaders_of(fields: Sequence[Field]) -> dict[str, str | None]:
    """Return the model that leads on one try on each of some datasets; None where it is open."""
    return {field.dataset: _leader(field) for field in fields if field.one_try}


def in_words(suite: Suite, leaders: Mapping[str, str | None]) -> Iterator[Text]:
    """Say who leads over all datasets, and on which ones it is otherwise.

    Parameters
    ----------
    suite : Suite
    leaders : mapping of str to str or None
        Who leads on each of its datasets; others are passed over.
    """
    found, count = suite.standing, len(suite.datasets)
    name = named(found.first)
    estimate = found.estimates[found.first]
    value = percent(estimate.value, *(estimate.interval or ()))
    if not found.paired:
        yield Text(
            "{name} is the highest {by}, {value} on average over {count} datasets, but no "
            "other model is known to have the same questions.",
            name=name,
            by=by(found.metric, found.k),
            value=value,
            count=count,
        )
    elif len(found.leaders) == 1:
        second, ahead = next(iter(found.paired.items()))
        yield Text(
            "{name} is the best {by}: {value} on average over {count} datasets, {gain} ahead of "
            "{second}.",
            name=name,
            by=by(found.metric, found.k),
            value=value,
            count=count,
            gain=points(ahead.value, *(ahead.interval or ())),
            second=named(second),
        )
    else:
        yield Text(
            "{names} lead {by}, the first with {value} on average over {count} datasets.",
            by=by(found.metric, found.k),
            names=some(named(line) for line in found.leaders),
            value=value,
            count=count,
        )
        yield from open_still(found, {line: named(line) for line in found.estimates})
    if found.paired:
        yield from exceptions(suite, leaders)
    if found.paired and found.unpaired:
        yield Text(
            "{names} is not known to have the same questions.",
            "{names} are not known to have the same questions.",
            names=some(named(line) for line in found.unpaired),
            count=len(found.unpaired),
        )


def left_out(suite: Suite) -> Iterator[Text]:
    """Say which datasets do not count."""
    yield from _not_counted(suite.left_out)


def left_out_of(runs: Mapping[str, Run]) -> Iterator[Text]:
    """Say which datasets of some runs do not count in what is said of all together."""
    whole = whole_lines(runs)
    if whole is not None:
        yield from _not_counted(whole.left_out)


def _not_counted(datasets: Sequence[str]) -> Iterator[Text]:
    if datasets:
        yield Text(
            "Not all models ran on {names}, which the average leaves out.",
            names=some(named(printable(name)) for name in datasets),
        )


def exceptions(suite: Suite, leaders: Mapping[str, str | None]) -> Iterator[Text]:
    """Say on how many datasets the first leads, on which another does, and which are open."""
    within = {name: leaders[name] for name in suite.datasets if name in leaders}
    first, count = suite.standing.first, len(within)
    alone = len(suite.standing.leaders) == 1
    won = sum(line == first for line in within.values())
    if not within or (not alone and not any(within.values())):
        return
    if won == count:
        yield Text("It leads on both.") if count == 2 else Text("It leads on each.")
        return
    parts: list[Text] = []
    if alone and not won:
        parts.append(Text("It surely leads on none of them alone"))
    elif alone and won <= NAMED:
        parts.append(Text("It leads on {datasets}", datasets=_on(within, first)))
    elif alone:
        parts.append(Text("It leads on {won} of them", won=won))
    others = [line for line in within.values() if line is not None]
    if alone:
        others = [line for line in others if line != first]
    for line in dict.fromkeys(others):
        parts.append(
            Text("{name} leads on {datasets}", name=named(line), datasets=_on(within, line))
        )
    if alone and None in within.values():
        parts.append(Text("on {datasets} it is too close to call", datasets=_on(within, None)))
    yield Text("{parts}.", parts=listed(parts))


def _on(leaders: Mapping[str, str | None], line: str | None) -> Text:
    return some(named(printable(name)) for name, leader in leaders.items() if leader == line)


def _leader(field: Field) -> str | None:
    found = field.one_try
    return printable(field.models[found.leader]) if found and found.leader is not None else None
