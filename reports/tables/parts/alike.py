"""Which files of a folder may be parts of one table by their contents, whatever their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.report import Run
from reports.tables.parted import SHOWN, Parts
from reports.tables.parts.finding import FORMATS, path_of


def alike(tree: Tree, runs: Sequence[Run]) -> Iterator[Parts]:
    """Yield files that name the same models and datasets, and have no question in common."""
    held: dict[tuple[PurePosixPath, str], dict[tuple[str, str], list[Run]]]
    held = defaultdict(lambda: defaultdict(list))
    for run in runs:
        place = PurePosixPath(run.source)
        end = FORMATS.get(place.suffix.lower())
        if run.outcomes is not None and end and run.source in tree.files:
            held[place.parent, end][run.model, run.dataset].append(run)
    for (folder, end), by_name in held.items():
        several = [of for of in by_name.values() if len(of) > 1]
        files = dict.fromkeys(run.source for of in several for run in of)
        if files and all(map(_are_apart, several)):
            path = path_of(tree, folder, "", end)
            yield Parts(path, {each: {} for each in sorted(files)}, alike=True)


def asked(parts: Parts) -> Note:
    """Ask whether files that differ in columns are parts of one table."""
    what = Text(
        "{files} have the same models and datasets and no question in common: each is read as "
        "runs of its own. If they are parts of one table, give them the same columns.",
        files=some_of(parts.values, SHOWN),
    )
    return Note(what, severity="warning")


def _are_apart(runs: Sequence[Run]) -> bool:
    questions = [name for run in runs if run.outcomes for name in run.outcomes.questions]
    return len({*questions}) == len(questions) and len({run.source for run in runs}) == len(runs)
