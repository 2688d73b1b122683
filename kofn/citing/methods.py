"""Sentences on how the numbers of a table were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from kofn.choices.focus import runs_by_dataset
from kofn.choices.view import View, coverage_in_words, failed_requests
from kofn.citing.sources import ESTIMATORS, KOFN, MILLER, CitedWork, source_of
from kofn.citing.used import CALLED, MethodNote, Used, sources_of
from kofn.writing.joining import listed, some
from kofn.writing.layout import short_name
from metrics.data.words import Enumerated, ListedApart, Text
from metrics.scoring.registry import METRICS, Metric
from reports.run.reasons import RIGHT_NONE_THE_LESS
from reports.run.reconcile import reconcile
from reports.run.report import Run

KS = 4
"""Of more numbers of tries a metric is named once, with k."""
DATASETS = 8
"""More datasets than these are counted."""


class Methods(NamedTuple):
    """The sentences, and the works that they name."""

    sentences: tuple[Text, ...]
    sources: tuple[CitedWork, ...]


def methods_of(
    runs: Sequence[Run],
    view: View,
    used: Iterable[Used | MethodNote],
    *,
    has_intervals: bool = True,
) -> Methods:
    """Say of which data, metrics, intervals and repairs numbers are made.

    view: Its segment, treatment of failed requests, level and target count.
    has_intervals: Whether the level and the target of the View are those of intervals in the table.
    """
    every = list(dict.fromkeys(used))
    numbers = [each for each in every if isinstance(each, Used)]
    view = _of_targets(view, numbers)
    statements = [each for each in every if isinstance(each, MethodNote)]
    sentences = [
        *_data(runs, view),
        *(text for text, _ in _metrics(numbers)),
        *_failed(runs, view),
        *(_intervals(view, numbers) if has_intervals else ()),
        *(_clusters(runs) if has_intervals else ()),
        *(each.text for each in statements),
        *_repairs(runs),
        Text("Computed with {source}.", source=KOFN.short),
    ]
    sources = [KOFN, *(source for _, source in _metrics(numbers))]
    made = [each.method for each in numbers if each.method is not None]
    if made and has_intervals:
        sources += [MILLER] if view.target == "population" else []
        sources += [source for method in made for source in sources_of(method)]
    sources += [source for each in statements for source in each.sources]
    return Methods(tuple(sentences), tuple(dict.fromkeys(sources)))


def _of_targets(view: View, used: Sequence[Used]) -> View:
    """Return a View with the target of the numbers, where all of them have another."""
    targets = {each.target or view.target for each in used if each.method is not None}
    return replace(view, target=targets.pop()) if len(targets) == 1 else view


def _name(name: str) -> str:
    return short_name(name)


def _data(runs: Sequence[Run], view: View) -> Iterator[Text]:
    """Yield how many questions and samples there are, and of which segment."""
    groups = runs_by_dataset({str(place): run for place, run in enumerate(runs)})
    known = {name: _size(list(group.values()), view) for name, group in groups.items()}
    sizes = {name: size for name, size in known.items() if size is not None}
    if not sizes:
        return
    if len(sizes) > DATASETS:
        questions, samples = zip(*sizes.values(), strict=True)
        size = _size_in_words(np.concatenate(questions), np.concatenate(samples))
        yield Text("{count} datasets, each of {size}.", count=len(sizes), size=size)
    else:
        each = (
            Text("{dataset}, {size}", dataset=_name(name), size=_size_in_words(*size))
            for name, size in sizes.items()
        )
        yield Text("Data: {datasets}.", datasets=listed(each))
    if view.segment is not None:
        attribute, label = map(_name, view.segment)
        yield Text("Only questions with {attribute} = {label}.", attribute=attribute, label=label)


def _size(runs: Sequence[Run], view: View) -> tuple[Any, Any] | None:
    """Return the numbers of gradable questions, and of samples, of runs of one dataset."""
    questions, samples = [], []
    for run in runs:
        if run.known is None:
            continue
        n, count = run.known.sizes("wrong", view.segment)
        questions.append(int(count.sum()))
        samples += [int(n.min()), int(n.max())] if len(n) else []
    return (np.array(questions), np.array(samples)) if samples else None


def _size_in_words(questions: Any, samples: Any) -> Text:
    fewest, most = int(questions.min()), int(questions.max())
    least, largest = int(samples.min()), int(samples.max())
    n = f"{least}" if least == largest else f"{least} to {largest}"
    if fewest == most:
        return Text("{count} question, n = {n}", "{count} questions, n = {n}", count=most, n=n)
    return Text("{fewest} to {most} questions, n = {n}", fewest=fewest, most=most, n=n)


def _metrics(used: Sequence[Used]) -> Iterator[tuple[Text, CitedWork]]:
    """Yield what each metric is, and whose."""
    for name in dict.fromkeys(each.name for each in used if each.name in METRICS):
        metric = METRICS[name]
        of_it = [each for each in used if each.name == name]
        source = source_of(metric)
        labels = _labels(name, of_it)
        if source in ESTIMATORS:
            whose = Text(
                "{labels} is the unbiased estimator of {source}:",
                "{labels} are the unbiased estimates of {source}:",
                count=len(labels),
                labels=_all_names(labels),
                source=source.short,
            )
        else:
            whose = Text("{labels} ({source}):", labels=_all_names(labels), source=source.short)
        yield Text("{whose} {what}", whose=whose, what=_definition(metric, of_it)), source


def _labels(name: str, used: Sequence[Used]) -> list[str]:
    labels = list(dict.fromkeys(each.label for each in used))
    return [name] if len(labels) > KS else labels


def _all_names(names: Sequence[str]) -> Text | str:
    *before, last = names
    return Text("{names} and {last}", names=Enumerated(before), last=last) if before else last


def _definition(metric: Metric, used: Sequence[Used]) -> Text:
    """Say what a metric is, with the options that were chosen."""
    options = dict(pair for each in used for pair in each.options)
    if not options or metric.name == "plurality@k":
        return metric.sentence
    chosen = ", ".join(f"{name} = {value}" for name, value in sorted(options.items()))
    return Text("{what} Here with {options}.", what=metric.sentence, options=chosen)


def _failed(runs: Sequence[Run], view: View) -> Iterator[Text]:
    """Yield what failed requests count as, where there are some."""
    known = [run.known for run in runs if run.known is not None]
    asked = sum(each.n_samples("wrong", view.segment) for each in known)
    failed = asked - sum(each.n_samples("omit", view.segment) for each in known)
    if failed:
        yield failed_requests(failed, asked, view.missing)


def _intervals(view: View, used: Sequence[Used]) -> Iterator[Text]:
    """Yield what intervals cover, and how those of which numbers were made."""
    methods: dict[tuple[Text, bool], list[Used]] = {}
    for each in used:
        if each.method is not None:
            other = each.target not in (None, view.target)
            methods.setdefault((each.method, other), []).append(each)
    if not methods:
        return
    miller = Text(" ({source})", source=MILLER.short) if view.target == "population" else Text("")
    yield Text("{covers}{by}", covers=coverage_in_words(view), by=miller)
    for (method, other), of_it in methods.items():
        cited = sources_of(method)
        by = (
            Text(" ({sources})", sources=ListedApart(s.short for s in cited)) if cited else Text("")
        )
        names = some(dict.fromkeys(str(CALLED.get(each.label, each.label)) for each in of_it))
        if other:
            lead = Text("For {names}, of these questions with other samples: ", names=names)
        else:
            lead = Text("For {names}: ", names=names) if len(methods) > 1 else Text("")
        yield Text("{lead}{method}{by}", lead=lead, method=method, by=by)


def _clusters(runs: Sequence[Run]) -> Iterator[Text]:
    counts = {
        _name(run.dataset): len(np.unique(run.outcomes.clusters))
        for run in runs
        if run.outcomes is not None and run.outcomes.clusters is not None
    }
    for dataset, count in counts.items():
        yield Text(
            "Questions of {dataset} form {count} clusters; the intervals treat clusters, not "
            "questions, as the unit of sampling.",
            dataset=dataset,
            count=count,
        )


def _repairs(runs: Sequence[Run]) -> Iterator[Text]:
    """Yield which numbers that files state were replaced, of how many runs and why."""
    repairs: dict[Text, tuple[dict[str, None], set[int]]] = {}
    for place, run in enumerate(runs):
        for line in reconcile(run):
            wrong = not line.agrees and line.recomputed is not None
            if wrong and line.reason is not None and line.reason not in RIGHT_NONE_THE_LESS:
                names, where = repairs.setdefault(line.reason, ({}, set()))
                names[_name(line.metric)] = None
                where.add(place)
    for reason, (names, where) in repairs.items():
        yield Text(
            "For {count} run, kofn recomputed these stated numbers from the samples: {metrics}. "
            "{reason}",
            "For {count} runs, kofn recomputed these stated numbers from the samples: {metrics}. "
            "{reason}",
            metrics=_all_names(list(names)),
            count=len(where),
            reason=reason,
        )
