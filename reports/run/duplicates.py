"""Duplicate questions, which are found by their texts and counted as one cluster."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Doubled, Note
from reports.files.progress import Progress
from reports.files.tree import Tree
from reports.run.digests import UNKNOWN, Codes, digests, may_have
from reports.run.report import Report, Run

Integers = NDArray[np.intp]


MOST_BYTES, MOST_QUESTIONS = 32 << 20, 10_000
"""Of the files of a report, in which doubles are looked for when it is loaded."""


def without_doubles(report: Report, tree: Tree) -> Report:
    """Return a report whose questions count once each, unless looking for doubles takes long."""
    questions = sum(len(run.outcomes.questions) for run in report.runs if run.outcomes)
    if tree.placed or sum(tree.files.values()) > MOST_BYTES or questions > MOST_QUESTIONS:
        return report
    looked_at = [run for run in report.runs if run.outcomes is not None and may_have(run)]
    # at once, so that what runs share is read once; and copies, so that nothing read is kept
    stores = dict(zip(looked_at, deepcopy([run.store for run in looked_at]), strict=True))

    def without(run: Run) -> Run:
        if run not in stores:
            return run
        found = digests(replace(run, store=stores[run]))
        if found is not None:
            run.digests.get(lambda: found)
        return find_doubles(run)

    with suppress(LoadError):  # texts that cannot be read are complained of where they are shown
        return report.with_runs(without)
    return report


def find_doubles(run: Run, progress: Progress | None = None) -> Run:
    """Cluster questions that have the same text, so that intervals count them as one.

    Questions are the same if their prompts are, without the parts that all prompts of the run
    share, and their references do not differ. Where most equal prompts have different references,
    or most questions without references have equal prompts, prompts do not tell questions apart and
    nothing is done. Prompts and references are read for this. `load` does it where it is quick: for
    up to 32 MiB, unpacked, and 10,000 questions that are not in remote storage.

    Parameters
    ----------
    run : Run
    progress : callable, optional
        Called with the questions read and their total, if that takes more than half a second.

    Returns
    -------
    Run
        The same run if no question occurs twice; else one with clusters and a note.

    Raises
    ------
    LoadError
        If a file was removed or changed since it was loaded.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> run = Run("7B", "gsm8k", Outcomes([[1], [0]]))
    >>> find_doubles(run) is run
    True
    """
    if run.outcomes is None or run.grouping == "unknown":
        return run
    known = digests(run, progress)
    same = None if known is None else _same_questions(known.own, known.reference)
    if same is None:
        return run
    before = run.outcomes.clusters
    clusters = _joined(same, before)
    if before is not None and np.array_equal(clusters, before):
        return run
    outcomes = replace(run.outcomes, clusters=clusters)
    note = _note(same, run.outcomes.questions)
    clustered = replace(run, outcomes=outcomes, notes=(*run.notes, note))
    vars(clustered)["digests"] = run.digests
    return clustered


def _same_questions(asked: Codes, reference: Codes) -> Integers | None:
    """Return which questions are the same, by a number for each, None if none is."""
    known = asked != UNKNOWN
    known_answers = np.where(known, asked, 0)
    _, prompts, sizes = np.unique(known_answers, return_inverse=True, return_counts=True)
    several = known & (sizes[prompts] > 1)
    if not several.any():
        return None
    pairs = np.stack([prompts, np.unique(reference, return_inverse=True)[1]], axis=1)
    _, of_each, within = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    groups = of_each.ravel()  # numpy 2.0 gives a column
    if (reference[several] == UNKNOWN).any():
        if len(np.unique(asked[known])) < known.sum() / 2:
            return None
    elif (within[groups[several]] < sizes[prompts[several]]).mean() >= 0.5:
        return None
    doubled = several & (within[groups] > 1)
    if not doubled.any():
        return None
    return np.unique(
        np.where(doubled, groups, len(groups) + np.arange(len(groups))), return_inverse=True
    )[1]


def _joined(same: Integers, clusters: Integers | None) -> Integers:
    """Return clusters in which questions are together that are the same, or were before."""
    if clusters is None:
        return same
    joined = clusters.copy()
    for group in np.flatnonzero(np.bincount(same) > 1):
        joined[np.isin(joined, joined[same == group])] = joined[same == group].min()
    return joined


def _note(same: Integers, ids: Sequence[str]) -> Note:
    sizes = np.bincount(same)
    rows = np.flatnonzero(same == same[np.argmax(sizes[same] > 1)])
    again = np.setdiff1d(np.arange(len(same)), np.unique(same, return_index=True)[1])
    return Doubled(
        Text(
            "{count} question repeats another one under a different name ({one:.40} and "
            "{other:.40}); intervals count the two as one.",
            "{count} questions repeat others under different names (such as {one:.40} and "
            "{other:.40}); intervals count each set as one.",
            count=int((sizes - 1).sum()),
            one=ids[int(rows[0])],
            other=ids[int(rows[1])],
        ),
        count=int((sizes - 1).sum()),
        severity="warning",
        again=tuple(again.tolist()),
    )
