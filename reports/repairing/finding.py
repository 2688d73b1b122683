"""Which numbers of a report are corrected, and which are left unchanged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from os import PathLike

from metrics.data.words import Text
from reports import aisbench
from reports.evaluations.files.layout import Folder
from reports.evaluations.files.tool import AISBENCH, tool_of
from reports.evaluations.reader import folders
from reports.evaluations.verdicts.results import read_results
from reports.evaluations.verdicts.stated import (
    DROPPED,
    FAILED_RIGHT,
    LAST_SAMPLE,
    OF_ALL_SAMPLES,
    PADDED,
    SCRAMBLED,
    WRONG_ONLY,
)
from reports.files.addresses import Address
from reports.files.archive import Given, Source, open_tree
from reports.files.errors import LoadError
from reports.files.progress import Progress
from reports.files.tree import Tree, watched
from reports.json_files.entries import Entries
from reports.run.reconcile import Comparison, agree, reconcile, reconcile_suite
from reports.run.report import Report, Run, Suite

FAULTS = (SCRAMBLED, OF_ALL_SAMPLES, LAST_SAMPLE, DROPPED, WRONG_ONLY, FAILED_RIGHT, PADDED)
"""What may be wrong with a number so that the one of the samples takes its place.

Not among them is what makes both numbers right, each of something else, or neither sure.
"""


@dataclass(frozen=True)
class Number:
    """A number that a report states, beside that of its samples."""

    # model, dataset: A suite stands for its dataset.
    model: str
    dataset: str
    line: Comparison
    path: str

    @property
    def is_faulty(self) -> bool:
        """Whether that of the samples is to take its place."""
        return self.line.differs and self.line.reason in FAULTS


@dataclass(frozen=True, eq=False)
class Repair:
    """What of a report is put right, and what is left as it is."""

    source: Given
    tree: Tree
    report: Report
    folders: tuple[Folder, ...]  # Those that AISBench wrote.
    runs: tuple[Run, ...]  # Those in them that have results.
    # Those whose details hold, as is proven, samples of several questions in an entry.
    mixed: tuple[Run, ...]
    found: tuple[Number, ...]  # All that is stated of them.
    unread: tuple[LoadError, ...]  # Why results that state nothing cannot be read.

    @property
    def changes(self) -> tuple[Number, ...]:
        """Numbers that are put right."""
        return tuple(each for each in self.found if each.is_faulty)

    @property
    def left(self) -> tuple[Number, ...]:
        """Numbers that differ and stay, as it is not known that they are wrong."""
        return tuple(each for each in self.found if each.line.differs and not each.is_faulty)

    def stated(self, run: Run) -> dict[str, Number]:
        """Return what the results of a run state, by their own key."""
        return {each.line.metric: each for each in self.found if each.path == run.source}

    def __bool__(self) -> bool:
        return bool(self.changes or self.mixed)


def can_repair(report: Report) -> bool:
    """Say whether any number of a report can be put right."""
    own = [run for run in report.runs if run.settings.get("tool", AISBENCH.name) == AISBENCH.name]
    return any(each.is_faulty for each in (*_of_runs(own), *_of_suites(report.suites, own)))


def examine(source: Source, progress: Progress | None = None) -> Repair:
    """Find out what of a report is to be put right.

    Raises LoadError if it cannot be read, or is of another tool.
    """
    if isinstance(source, (str, PathLike)):
        source = Address.read(source)
    if isinstance(source, Address) and source.kind != "path":
        raise LoadError(
            source.shown,
            Text("cannot be repaired where it is"),
            Text("Give the path of a copy on this machine."),
        )
    tree = open_tree(source)
    if progress:
        tree = watched(tree, progress)
    known_folders = folders(tree) if aisbench.sniff(tree) else ()
    written = tuple(each for each in known_folders if tool_of(tree, each) is AISBENCH)
    if not written:
        raise _of_another(tree)
    report = aisbench.read(tree)
    own = {pair.results for each in written for pair in each.pairs if pair.results}
    runs = tuple(run for run in report.runs if run.source in own)
    found = (*_of_runs(runs), *_of_suites(report.suites, runs))
    mixed = tuple(run for run in runs if _is_mixed(tree, run))
    stating = {run.source for run in runs if run.reported}
    unread = tuple(_unread(tree, sorted(own - stating)))
    return Repair(source, tree, report, written, runs, mixed, found, unread)


def _unread(tree: Tree, paths: Sequence[str]) -> Iterator[LoadError]:
    for path in paths:
        try:
            read_results(tree, path)
        except LoadError as error:
            yield error.kept()


def _of_another(tree: Tree) -> LoadError:
    return tree.error(
        Text("is not a report of AISBench, the only kind that kofn repairs"),
        Text("kofn inventory says what its numbers should be."),
    )


def _is_mixed(tree: Tree, run: Run) -> bool:
    """Whether it is proven that entries of its details hold samples of several questions.

    Where the verdicts are those of programs, which stand beside the details, nothing tells in which
    order these are but a number that is wrong.
    """
    if SCRAMBLED not in run.explanations.values() or run.rule or run.grouping != "proven":
        return False
    with closing(tree.open(run.source)) as stream:
        follows_results = "eval_results" in Entries(stream, "details", tree.name, run.source).before
    return not follows_results or any(
        line.differs and line.reason == SCRAMBLED for line in reconcile(run)
    )


def _of_runs(runs: Sequence[Run]) -> Iterator[Number]:
    for run in runs:
        for line in reconcile(run):
            yield Number(run.model, run.dataset, line, run.source)


def _of_suites(suites: Sequence[Suite], runs: Sequence[Run]) -> Iterator[Number]:
    """Give what is stated of suites that are the means of what is stated of their runs."""
    for suite in suites:
        if all(run in runs for run in suite.runs):
            for line in reconcile_suite(suite):
                if line.agrees or _is_mean(suite, line):
                    yield Number(suite.model, suite.name, line, suite.source)


def _is_mean(suite: Suite, line: Comparison) -> bool:
    """Whether what is stated of a suite is the mean of what is stated of its runs."""
    total = 0.0
    for run, weight in zip(suite.runs, suite.weights, strict=True):
        first = next(iter(run.reported.values()), math.nan)
        total += weight * run.reported.get(line.metric, first)
    return agree(line.reported, total / sum(suite.weights))
