"""The dataset that a page shows, if it shows one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import word
from metrics.data.words import MetricError, Text, instead_of
from reports.run.report import Run


@dataclass(frozen=True)
class Focus(Choices):
    """One dataset.

    Examples
    --------
    >>> Focus("gsm8k").to_query()
    {'dataset': ['gsm8k']}
    """

    dataset: str = ""  # As the files name it; empty for all of them, or the largest.

    SETTINGS: ClassVar = (word("dataset", "DATASET", Text("the dataset that is shown")),)


def runs_by_dataset(runs: Mapping[str, Run]) -> dict[str, dict[str, Run]]:
    """Group runs by their dataset: those with several runs first, then by samples of a question."""
    groups: dict[str, dict[str, Run]] = {}
    for key, run in runs.items():
        groups.setdefault(run.dataset, {})[key] = run
    return dict(sorted(groups.items(), key=lambda group: _size(group[1]), reverse=True))


def runs_in_focus(runs: Mapping[str, Run], focus: Focus) -> Mapping[str, Run]:
    """Return the runs of the dataset that was asked for, else all; refuse one that no run is of."""
    datasets = dict.fromkeys(run.dataset for run in runs.values())
    if focus.dataset and focus.dataset not in datasets:
        known = instead_of(focus.dataset, datasets)
        raise MetricError(
            Text("No dataset is called {name}. {known}", name=focus.dataset, known=known)
        )
    return {key: run for key, run in runs.items() if focus.dataset in ("", run.dataset)}


def largest(groups: Mapping[str, Mapping[str, Run]]) -> str:
    """Return the largest of some datasets: several runs before one, then most samples a question.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> groups = {
    ...     name: {name: Run("7B", name, Outcomes([[1, 0]] * questions))}
    ...     for name, questions in (("aime", 30), ("maths", 500))
    ... }
    >>> largest(groups)
    'maths'
    """
    return max(groups, key=lambda name: (*_size(groups[name]), _samples(groups[name])))


def groups_in_focus(runs: Mapping[str, Run], focus: Focus | None) -> dict[str, dict[str, Run]]:
    """Group runs by their dataset, the one in focus first."""
    groups = runs_by_dataset(runs).items()
    return dict(sorted(groups, key=lambda group: focus is None or group[0] != focus.dataset))


def _size(runs: Mapping[str, Run]) -> tuple[bool, int]:
    """Return whether runs can be compared, and the most samples of a question."""
    return len(runs) > 1, max((n for _m, n in _shapes(runs)), default=0)


def _samples(runs: Mapping[str, Run]) -> int:
    return sum(m * n for m, n in _shapes(runs))


def _shapes(runs: Mapping[str, Run]) -> list[tuple[int, int]]:
    return [run.known.shape for run in runs.values() if run.known is not None]


def datasets_that_fit(sizes: Mapping[str, int], most: int) -> list[str]:
    """Return the first datasets whose runs are together at most so many; always one.

    Examples
    --------
    >>> datasets_that_fit({"aime": 20, "maths": 20, "gsm8k": 5}, 40)
    ['aime', 'maths']
    >>> datasets_that_fit({"aime": 90}, 40)
    ['aime']
    """
    ends = zip(sizes, accumulate(sizes.values()), strict=True)
    return [name for place, (name, end) in enumerate(ends) if end <= most or not place]
