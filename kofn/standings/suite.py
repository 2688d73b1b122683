"""Who leads over all datasets together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from kofn.card import attempt
from kofn.choices.view import View
from kofn.standings.field import Field, called, usual_metric
from kofn.standings.pairs import Matching, match_by_texts
from kofn.standings.sentences import by, deciding, likely_best
from kofn.writing.estimates import percent, points
from kofn.writing.joining import listed, some
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


def lines_of(runs: Mapping[str, Run]) -> dict[str, dict[str, str]]:
    """Return the lines of a table: a model, and again for each further run of it on a dataset.

    Returns
    -------
    dict
        By line, the key of the run on each dataset.
    """
    seen: Counter[tuple[str, str]] = Counter()
    lines: dict[tuple[str, int], dict[str, str]] = {}
    for key, run in runs.items():
        place = run.model, run.dataset
        seen[place] += 1
        lines.setdefault((run.model, seen[place]), {})[run.dataset] = key
    found = {}
    for (model, number), keys in lines.items():
        dataset, key = next(iter(keys.items()))
        found[called(key, model, dataset) if number > 1 else printable(model)] = keys
    return found


def shared_datasets(runs: Mapping[str, Run]) -> tuple[str, ...]:
    """Return the datasets that every model has a run on."""
    ran: dict[str, set[str]] = {}
    for run in runs.values():
        ran.setdefault(run.model, set()).add(run.dataset)
    names = dict.fromkeys(run.dataset for run in runs.values())
    return tuple(name for name in names if all(name in each for each in ran.values()))


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
    judged = {key: run for key, run in runs.items() if run.known is not None}
    shared = shared_datasets(judged)
    lines = lines_of(judged)
    whole = {line: keys for line, keys in lines.items() if all(name in keys for name in shared)}
    if len(shared) < 2 or len(whole) < 2:
        return None
    suites = {line: {name: judged[keys[name]] for name in shared} for line, keys in whole.items()}
    matched = cache(matching)

    def same(run: Run, best: Run) -> bool:
        beside = [each[run.dataset] for each in suites.values()]
        join([(each, best) for each in beside if each is not best], None, view.segment)
        return bool(matched(run, best))

    by_what = metric or usual_metric(judged.values())
    found, _reason = attempt(stand_suite, suites, by_what, k, same_questions=same, **view.asked)
    if found is None:
        return None
    ahead = {line: replace(each, ends=None) for line, each in found.ahead.items()}
    return Suite(
        replace(found, ahead=ahead),
        shared,
        tuple({run.dataset: None for run in judged.values() if run.dataset not in shared}),
    )


def in_words(suite: Suite, fields: Sequence[Field]) -> Iterator[Text]:
    """Say who leads over all datasets, and on which ones it is otherwise.

    Parameters
    ----------
    suite : Suite
    fields : sequence of Field
        Of its datasets, and of others, which are passed over.
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
        yield from _exceptions(suite, fields)
    else:
        yield Text(
            "{names} lead {by}, the first with {value} on average over {count} datasets.",
            by=by(found.metric, found.k),
            names=some(named(line) for line in found.leaders),
            value=value,
            count=count,
        )
        yield deciding(found)
        if found.best is not None:
            names = [named(line) for line in (found.first, *found.paired)]
            yield from likely_best(names, *found.best)
    if found.paired and found.unpaired:
        yield Text(
            "{names} is not known to have the same questions.",
            "{names} are not known to have the same questions.",
            names=some(named(line) for line in found.unpaired),
            count=len(found.unpaired),
        )


def left_out(suite: Suite) -> Iterator[Text]:
    """Say which datasets do not count."""
    if suite.left_out:
        yield Text(
            "Not all models ran on {names}, which the average leaves out.",
            names=some(named(printable(name)) for name in suite.left_out),
        )


def _exceptions(suite: Suite, fields: Sequence[Field]) -> Iterator[Text]:
    """Say on how many datasets the first leads, on which another does, and what is open."""
    within = [field for field in fields if field.dataset in suite.datasets and field.one_try]
    leaders = [_leader(field) for field in within]
    first = suite.standing.first
    won, count = leaders.count(first), len(within)
    if won == count:
        yield Text("It leads on both.") if count == 2 else Text("It leads on each.")
        return
    parts = [Text("It leads on {won} of them", won=won)]
    others = Counter(line for line in leaders if line not in (first, None))
    parts += [
        Text("{name} leads on {won}", name=named(line), won=won)
        for line, won in others.most_common()
    ]
    open_still = leaders.count(None)
    if open_still:
        parts.append(Text("on {count} it is too close to call", count=open_still))
    yield Text("{parts}.", parts=listed(parts))


def _leader(field: Field) -> str | None:
    found = field.one_try
    return printable(field.models[found.leader]) if found and found.leader is not None else None
