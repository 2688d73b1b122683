"""Turn the samples of any kind of log into a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT
from metrics.data.words import Enumerated, Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.inspect.header import Header
from reports.harnesses.inspect.reducers import reasons, stated_names, unmatched
from reports.run.report import Run
from reports.run.texts import Store
from reports.samples.asking import Asking
from reports.samples.gathering import Gathered
from reports.samples.reading import not_scored

Known = set[tuple[str, ...]]
"""Evaluations that were read: the id of one whose log was, that and its outcomes of a frame's."""


def choose(tree: Tree, path: str, names: Sequence[str], asking: Asking) -> str:
    """Return the scorer whose values are the outcomes."""
    if not names:
        raise not_scored(tree, path)
    problem = Text("there are {count} scorers, and each could give the verdicts", count=len(names))
    return asking.choose(tree, path, names, problem)


def run_of(
    found: Gathered,
    header: Header,
    scorer: str,
    place: str,
    store: Store | None,
    notes: Sequence[Note] = (),
) -> Run:
    """Return the run of gathered samples, with the numbers stated of its scorer checked."""
    stated, values = header.stated(scorer), _values(found)
    broken = unmatched(stated, values)
    held = int(np.count_nonzero(found.outcomes.correct != ABSENT))
    run = found.run(
        header.model,
        header.task,
        source=place,
        store=store,
        reported=stated_names(stated, values),
        explanations=reasons(stated, values),
        notes=(*header.notes(place, held), *_not_given(broken, place), *notes),
        time=header.time,
        settings=header.settings(scorer),
    )
    return replace(run, verified=False) if broken else run


def _values(found: Gathered) -> NDArray[np.float64]:
    """Return what the scorer says of each sample, NaN where it says nothing."""
    outcomes = found.outcomes
    if (beyond := found.columns.get("score")) is not None:
        return beyond
    soft = outcomes.correct.astype(float) if outcomes.scores is None else outcomes.scores
    return np.where(outcomes.correct < 0, np.nan, soft)


def _not_given(names: list[str], place: str) -> Iterator[Note]:
    if names:
        what = Text(
            "The samples do not give the numbers that the log states for {names}: it was scored "
            "again or changed since, or samples are missing.",
            names=Enumerated(names),
        )
        yield Note(what, place, severity="warning")
