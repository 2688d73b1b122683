"""Runs of Inspect from the samples of any log, with its numbers by the tool's own rules.

A reducer makes one value of the epochs of a question, of those alone that were scored; a question
without any is left out. The metric is the mean over questions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT
from metrics.data.words import Enumerated, Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.inspect.header import Header
from reports.run.reasons import BY_ITS_RULE, WITHOUT_FAILED
from reports.run.reconcile import agree
from reports.run.report import Run
from reports.run.texts import Store
from reports.samples.gathering import Gathered
from reports.samples.reading import not_scored
from reports.samples.verdict_choice import VerdictChooser

Known = set[tuple[str, ...]]
"""Evaluations that were read: the id of one whose log was, that and its outcomes of a frame's."""


def choose(tree: Tree, path: str, names: Sequence[str], asking: VerdictChooser) -> str:
    """Return the scorer whose values are the outcomes."""
    if not names:
        raise not_scored(tree, path)
    problem = Text("there are {count} scorers, and each could give the verdicts", count=len(names))
    return asking.choose(tree, path, names, problem)


def run_of(
    gathered: Gathered,
    header: Header,
    scorer: str,
    place: str,
    store: Store | None,
    notes: Sequence[Note] = (),
) -> Run:
    """Return the run of gathered samples, with the numbers stated of its scorer checked."""
    stated, values = header.stated(scorer), _values(gathered)
    broken = unmatched(stated, values)
    held = int(np.count_nonzero(gathered.outcomes.correct != ABSENT))
    run = gathered.run(
        header.model,
        header.task,
        source=place,
        store=store,
        reported=stated_names(stated, values),
        explanations=reasons(stated, values),
        notes=(*header.notes(place, held), *_missing_numbers(broken, place), *notes),
        time=header.time,
        settings=header.settings(scorer),
    )
    return replace(run, verified=False) if broken else run


def _values(gathered: Gathered) -> NDArray[np.float64]:
    """Return what the scorer says of each sample, NaN where it says nothing."""
    outcomes = gathered.outcomes
    if (beyond := gathered.columns.get("score")) is not None:
        return beyond
    soft = outcomes.correct.astype(float) if outcomes.scores is None else outcomes.scores
    return np.where(outcomes.correct < 0, np.nan, soft)


def _missing_numbers(names: list[str], place: str) -> Iterator[Note]:
    if names:
        what = Text(
            "The samples do not give the numbers that the log states for {names}: it was scored "
            "again or changed since, or samples are missing.",
            names=Enumerated(names),
        )
        yield Note(what, place, severity="warning")


_AT = re.compile(r"(pass_at|pass_k|at_least)_(\d{1,4})")
_CALLED = {"pass_at": "pass@", "pass_k": "pass^"}


def stated_names(
    stated: Mapping[tuple[str, str], float], values: NDArray[np.float64]
) -> dict[str, float]:
    """Return stated numbers by the names that `reports.reconcile` knows, where it has their like.

    stated: As `Header.stated` has them.
    values: What the scorer says, NaN where it says nothing. Shape (M, N).

    Examples
    --------
    >>> stated = {("mean", "accuracy"): 0.5, ("pass_at_2", "accuracy"): 0.7}
    >>> list(stated_names(stated, np.array([[1.0, 0.0]])))
    ['accuracy', 'pass@2']
    >>> list(stated_names(stated, np.array([[1.0, 0.3]])))
    ['accuracy', 'pass_at_2 accuracy']
    """
    return {
        _name(reducer, values) or f"{reducer} {metric}": value
        for (reducer, metric), value in stated.items()
    }


def reasons(
    stated: Mapping[tuple[str, str], float], values: NDArray[np.float64]
) -> dict[str, Text]:
    """Return what is known of stated numbers that Inspect's rule gives; see `stated_names`."""
    found: dict[str, Text] = {}
    for (reducer, metric), value in stated.items():
        if _gives(reducer, values, value):
            name = _name(reducer, values)
            found[name or f"{reducer} {metric}"] = WITHOUT_FAILED if name else BY_ITS_RULE
    return found


def unmatched(stated: Mapping[tuple[str, str], float], values: NDArray[np.float64]) -> list[str]:
    """Return the reducers whose stated number the samples do not give; see `reasons`."""
    return [
        reducer
        for (reducer, _), value in stated.items()
        if _rule(reducer) is not None and not _gives(reducer, values, value)
    ]


def _gives(reducer: str, values: NDArray[np.float64], stated: float) -> bool:
    found = reduced(reducer, values)
    return found is not None and agree(stated, found)


def reduced(reducer: str, values: NDArray[np.float64]) -> float | None:
    """Return the mean over questions of what a reducer makes of each; None for one unknown here.

    Examples
    --------
    >>> values = np.array([[1, 0, 1], [0, np.nan, 0.5]])
    >>> [reduced(name, values) for name in ("mean", "pass_at_2", "pass_k_2", "mode", "gini")]
    [0.4583333333333333, 0.5, 0.16666666666666666, 0.5, None]
    """
    rule = _rule(reducer)
    if rule is None:
        return None
    every = [rule(row[~np.isnan(row)]) for row in values if not np.isnan(row).all()]
    defined = [each for each in every if not math.isnan(each)]
    return float(np.mean(defined)) if defined else None


def _name(reducer: str, values: NDArray[np.float64]) -> str | None:
    """Return what kofn calls a reducer, if it would count the same samples."""
    if reducer == "mean":
        return "accuracy"
    if not np.isin(values[~np.isnan(values)], (0, 1)).all():
        return None
    if reducer == "at_least_1":
        return f"pass@{values.shape[1]}"
    at = _AT.fullmatch(reducer)
    return f"{_CALLED[at[1]]}{at[2]}" if at and at[1] in _CALLED else None


def _rule(reducer: str) -> Callable[[NDArray[np.float64]], float] | None:
    if at := _AT.fullmatch(reducer):
        k = int(at[2])
        of_k = {"pass_at": _pass_at, "pass_k": _pass_k, "at_least": _at_least}[at[1]]
        return partial(of_k, k=k)
    rules: Mapping[str, Callable[[Any], float]] = {
        "mean": np.mean,
        "median": median,
        "max": np.max,
        "mode": _mode,
    }
    return rules.get(reducer)


def _pass_at(row: NDArray[np.float64], k: int) -> float:
    n, wrong = len(row), int(np.count_nonzero(row < 1))
    return 1.0 if wrong < k else 1.0 - float(np.prod(1.0 - k / np.arange(wrong + 1, n + 1)))


def _pass_k(row: NDArray[np.float64], k: int) -> float:
    """Return the chance that k of the epochs are all right, NaN of fewer; inspect_ai#3969."""
    right = int(np.count_nonzero(row >= 1))
    return math.comb(right, k) / math.comb(len(row), k) if len(row) >= k else math.nan


def _at_least(row: NDArray[np.float64], k: int) -> float:
    return float(np.count_nonzero(row >= 1) >= k)


def _mode(row: NDArray[np.float64]) -> float:
    values, first, counts = np.unique(row, return_index=True, return_counts=True)
    best = np.lexsort((first, -counts))[0]
    return float(values[best])
