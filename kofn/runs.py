"""A name for each report and each run among several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath

from kofn.rendering import printable
from metrics.words import Text
from reports.report import Report, Run

NO_VERDICTS = Text("The file does not say which samples were right; its notes say how to get it.")


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
    return ", ".join(filter(None, (name, "" if alone else where)))


def index_runs(reports: Sequence[Report]) -> dict[str, Run]:
    """Name every run, and keep the order of the reports.

    The key is ``model / dataset``. Runs that share it are told apart by what differs between them
    of report (its last part, then all of its path), time and file, by the number of a report that
    is called like another, and by a number of their own where nothing does. Keys are `printable`.

    Parameters
    ----------
    reports : sequence of Report

    Returns
    -------
    dict of str to Run
        The same reports give the same keys, whatever else is chosen in a View.

    Examples
    --------
    >>> run = Run("7B", "gsm8k", None)
    >>> reports = Report("a.zip", "", (run, Run("7B", "aime", None))), Report("b.zip", "", (run,))
    >>> list(index_runs(reports))
    ['7B / gsm8k (a.zip)', '7B / aime', '7B / gsm8k (b.zip)']
    """
    named = index_reports(reports).items()
    found = [(name, report, run) for name, report in named for run in report.runs]
    keys = [f"{run.model} / {run.dataset}" for _, _, run in found]
    for details in (
        [PurePath(report.name).name for _, report, _ in found],
        [report.name for _, report, _ in found],
        ["" if run.time is None else f"{run.time:%Y-%m-%d %H:%M:%S}" for _, _, run in found],
        [run.source for _, _, run in found],
        [name for name, _, _ in found],
    ):
        alike = defaultdict(set)
        for key, detail in zip(keys, details, strict=True):
            alike[key].add(detail)
        keys = [
            f"{key} ({detail})" if detail and len(alike[key]) > 1 else key
            for key, detail in zip(keys, details, strict=True)
        ]
    return dict(zip(_numbered(map(printable, keys)), (run for _, _, run in found), strict=True))


def shown_runs(runs: Mapping[str, Run], names: Collection[str]) -> dict[str, Run]:
    """Return the runs of these names, in the order of `runs`; without names, all."""
    return {key: run for key, run in runs.items() if not names or key in names}


def unknown_runs(runs: Mapping[str, Run], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that no run has, such as those of a link to other data."""
    return tuple(name for name in names if name not in runs)


def _numbered(keys: Iterable[str]) -> Iterator[str]:
    taken: set[str] = set()
    for key in keys:
        name, number = key, 1
        while name in taken:
            number += 1
            name = f"{key} #{number}"
        taken.add(name)
        yield name
