"""Runs without a dataset name, treated as one dataset if they answered the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, islice

from reports.run.matching import match
from reports.run.report import Report, Run

NAME = "unnamed dataset"


def as_one_dataset(runs: Mapping[str, Run]) -> dict[str, Run]:
    """Give runs one dataset whose files name none, if most of their questions have the same ids.

    Whoever compares them is told so, by `reports.Match.unnamed`. Their keys stay.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> runs = {
    ...     name: Run(name, name, Outcomes([[1], [0]], questions=ids), names_dataset=False)
    ...     for name, ids in (("before", ["a", "b"]), ("after", ["b", "a"]), ("other", ["x", "y"]))
    ... }
    >>> [run.dataset for run in as_one_dataset(runs).values()]
    ['unnamed dataset', 'unnamed dataset', 'other']
    """
    groups: list[list[str]] = []
    for key, run in runs.items():
        if run.names_dataset or run.outcomes is None:
            continue
        alike = (group for group in groups if _are_alike(runs[group[0]], run))
        if (group := next(alike, None)) is not None:
            group.append(key)
        else:
            groups.append([key])
    taken = {run.dataset for run in runs.values()}
    names = (name for n in count(1) if (name := NAME if n == 1 else f"{NAME} {n}") not in taken)
    named = dict(runs)
    for group in groups:
        if len({runs[key].dataset for key in group}) > 1:
            name = next(names)
            named |= {key: replace(runs[key], dataset=name) for key in group}
    return named


def comparable_runs(
    runs: Mapping[str, Run], reports: Sequence[Report]
) -> tuple[dict[str, Run], list[Report]]:
    """Return runs of some reports as `as_one_dataset` has them, and the reports with these."""
    found = as_one_dataset(runs)
    taken = iter(found.values())
    return found, [replace(each, runs=(*islice(taken, len(each.runs)),)) for each in reports]


def _are_alike(one: Run, other: Run) -> bool:
    """Whether two answered the same questions for the most part, as far as ids can say."""
    if one.dataset == other.dataset:
        return True
    found = match(one, other, read=False)
    return bool(found) and found.shared >= found.dropped
