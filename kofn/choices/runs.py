"""A unique name for each report, run and suite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from kofn.choices.view import View
from kofn.writing.settings import in_words
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.evidence import Known
from metrics.data.outcomes import Outcomes, no_segment
from metrics.data.words import Enumerated, MetricError, Text, printable, reading_in
from reports.run.differing import unlike_settings
from reports.run.fingerprint import Setting
from reports.run.report import Report, Run, Suite

_SETTINGS = 2
"""Settings that a key has at most."""
TOKENS = "tokens_out"
"""The column that says what an answer takes."""
USUAL_K = Text("the most that all runs of a dataset with several samples have")
"""The k where none is chosen; see `shared_k`."""
NO_VERDICTS = Text("The file does not say which samples were right; its notes say how to get that.")


def index_reports(reports: Sequence[Report]) -> dict[str, Report]:
    """Name every report as the user did; those that share their name are numbered.

    Examples
    --------
    >>> report = Report("t.csv", Text("table"), ())
    >>> list(index_reports([report, report]))
    ['t.csv', 't.csv #2']
    """
    return dict(zip(_numbered(report.name for report in reports), reports, strict=True))


def place_in(report: Report, where: str, name: str) -> str:
    """Name a place within a report that is called so; a file that stands alone is named once.

    Examples
    --------
    >>> report = Report("t.csv", Text("table"), ())
    >>> place_in(report, "t.csv", "t.csv #2"), place_in(report, "results/x.json", "t.csv")
    ('t.csv #2', 't.csv, results/x.json')
    """
    alone = where in (report.name, PurePath(report.name).name)
    return str(Enumerated(filter(None, (name, "" if alone else where))))


def index_runs(reports: Sequence[Report]) -> dict[str, Run]:
    """Name every run, and keep the order of the reports.

    The key is ``model / dataset``. Runs that share it are told apart by what differs between them
    of report (its last part, then all of its path), of what made them, time and file, by the number
    of a report that is called like another, and by a number of their own where nothing does. Keys
    are `printable`.

    Returns: The same reports give the same keys, whatever else is chosen in a View.

    Examples
    --------
    >>> run = Run("7B", "gsm8k", None)
    >>> reports = Report("a.zip", "", (run, Run("7B", "aime", None))), Report("b.zip", "", (run,))
    >>> list(index_runs(reports))
    ['7B / gsm8k (a.zip)', '7B / aime', '7B / gsm8k (b.zip)']
    >>> runs = [Run("7B", "aime", None, settings={"revision": name}) for name in ("v1", "v2")]
    >>> list(index_runs([Report("a.zip", "", runs)]))
    ['7B / aime (revision v1)', '7B / aime (revision v2)']
    """
    named = index_reports(reports).items()
    listed = [(name, report, run) for name, report in named for run in report.runs]
    of_name: defaultdict[str, list[Run]] = defaultdict(list)
    for _, _, run in listed:
        of_name[f"{run.model} / {run.dataset}"].append(run)
    unlike = {name: _differing(runs) for name, runs in of_name.items()}
    keys = _distinct_keys(
        [
            _Named(
                (called := f"{run.model} / {run.dataset}"),
                report.name,
                _in_english(
                    {name: run.settings[name] for name in unlike[called] if name in run.settings}
                ),
                "" if run.time is None else f"{run.time:%Y-%m-%d %H:%M:%S}",
                run.source,
                name,
            )
            for name, report, run in listed
        ]
    )
    return dict(zip(_numbered(keys), (run for _, _, run in listed), strict=True))


def index_suites(reports: Sequence[Report]) -> dict[str, Suite]:
    """Name every suite as `index_runs` names runs, and unlike any of them.

    Examples
    --------
    >>> run = Run("7B", "aime", None)
    >>> a, b = (
    ...     Report(name, Text("x"), (run,), suites=(Suite("maths", (run,), (1.0,), {}),))
    ...     for name in ("a.zip", "b.zip")
    ... )
    >>> list(index_suites([a])), list(index_suites([a, b]))
    (['7B / maths'], ['7B / maths (a.zip)', '7B / maths (b.zip)'])
    """
    named = index_reports(reports).items()
    listed = [(name, report, suite) for name, report in named for suite in report.suites]
    keys = _distinct_keys(
        [
            _Named(f"{suite.model} / {suite.name}", report.name, "", "", suite.source, name)
            for name, report, suite in listed
        ]
    )
    taken = index_runs(reports)
    return dict(zip(_numbered(keys, taken), (suite for _, _, suite in listed), strict=True))


FEWEST = 8
"""Samples a question to ask for where there is one."""


def known_of(run: Run) -> Known:
    """Return the outcomes or counts of a run, or raise MetricError where it has no verdicts."""
    if run.known is None:
        raise MetricError(NO_VERDICTS)
    return run.known


def outcomes_of(run: Run) -> Outcomes:
    """Return the outcomes of a run; raise MetricError where there are none, or counts alone."""
    known = known_of(run)
    if not isinstance(known, Outcomes):
        raise MetricError(NEEDS_SAMPLES)
    return known


def shared_k(runs: Iterable[Run], view: View) -> int:
    """Return the most samples that every run has of each question, so that k may be compared.

    Runs with a single sample of a question are passed over: they say nothing of several.

    Examples
    --------
    >>> runs = [Run("7B", "aime", Outcomes([[1] * n])) for n in (1, 4, 16)]
    >>> shared_k(runs, View())
    4
    """
    fewest = (_fewest(run.known, view) for run in runs if run.known is not None)
    return min((n for n in fewest if n > 1), default=1)


def _fewest(known: Known, view: View) -> int:
    try:
        sizes, _ = known.sizes(view.missing, view.segment)
    except MetricError:
        return 1
    return int(sizes.min()) if len(sizes) else 1


def shown_runs(runs: Mapping[str, Run], names: Collection[str]) -> dict[str, Run]:
    """Return the runs of these names, in the order of `runs`; without names, all."""
    return {key: run for key, run in runs.items() if not names or key in names}


def meant_by(names: Iterable[str], runs: Mapping[str, Run]) -> tuple[str, ...]:
    """Return the names of runs, where the name of a model means all its runs.

    Examples
    --------
    >>> runs = {"7B / aime": Run("7B", "aime", None), "7B / gsm8k": Run("7B", "gsm8k", None)}
    >>> meant_by(["7B"], runs), meant_by(["7B / aime", "8B"], runs)
    (('7B / aime', '7B / gsm8k'), ('7B / aime', '8B'))
    """
    meant: dict[str, None] = {}
    for name in names:
        of_model = [key for key, run in runs.items() if printable(run.model) == name]
        meant |= dict.fromkeys([name] if name in runs else of_model or [name])
    return tuple(meant)


def unknown_runs(runs: Mapping[str, Run], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that no run has, such as those of a link to other data."""
    return tuple(name for name in names if name not in runs)


def require_segment(runs: Iterable[Run], attribute: str, label: str | None = None) -> None:
    """Raise `MetricError`, with the names that there are, unless some run that is known has it.

    attribute, label: Without a label any segment of the attribute.
    """
    held = [run.known for run in runs if run.known is not None]
    labels: dict[str, dict[str, None]] = {}
    for known in held:
        labels |= {name: labels.get(name, {}) for name in known.segments}
        if attribute in known.segments:
            labels[attribute] |= dict.fromkeys(known.labels(attribute))
    if held and (attribute not in labels or label not in (None, *labels[attribute])):
        raise no_segment(attribute, label, labels, labels.get(attribute, ()))


class _Named(NamedTuple):
    """A name, and what tells it from the same name elsewhere: of two reports first the paths."""

    name: str
    report: str
    made: str
    time: str
    source: str
    numbered: str


def _distinct_keys(found: Sequence[_Named]) -> Iterator[str]:
    keys = [each.name for each in found]
    files = [PurePath(each.report).name for each in found]
    for details in (files, *zip(*(each[1:] for each in found), strict=True)):
        alike = defaultdict(set)
        for key, detail in zip(keys, details, strict=True):
            alike[key].add(detail)
        keys = [
            f"{key} ({detail})" if detail and len(alike[key]) > 1 else key
            for key, detail in zip(keys, details, strict=True)
        ]
    return map(printable, keys)


def _in_english(settings: Mapping[str, Setting]) -> str:
    """Return settings as part of a key, which is the same in every language."""
    with reading_in(None):
        return str(in_words(settings))


def _differing(runs: Sequence[Run]) -> list[str]:
    """Return the first settings that are known to keep runs apart, of which one tells."""
    first, *others = runs
    names = dict.fromkeys(each.name for other in others for each in unlike_settings(first, other))
    return [*names][:_SETTINGS]


def _numbered(keys: Iterable[str], taken: Iterable[str] = ()) -> Iterator[str]:
    before = set(taken)
    for key in keys:
        name, number = key, 1
        while name in before:
            number += 1
            name = f"{key} #{number}"
        before.add(name)
        yield name


def has_tokens(run: Run) -> bool:
    """Say whether it is known what the answers of a run take."""
    return run.outcomes is not None and TOKENS in run.columns


def has_scores(run: Run) -> bool:
    """Say whether the samples of a run have soft scores."""
    return run.outcomes is not None and run.outcomes.scores is not None
