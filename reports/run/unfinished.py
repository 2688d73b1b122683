"""Notes on unfinished runs: incomplete lines, and when the files were read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from reports.files.notes import Note, Unfinished
from reports.files.tree import Tree
from reports.run.remarks import torn
from reports.run.report import Report, Run


def dated(report: Report, tree: Tree) -> Report:
    """Return a report that says which files were still being written, and as of when."""
    added: dict[str, Note] = {path: torn(path) for path in sorted(tree.torn)}
    alone = len(tree.files) == 1 and bool(report.runs)
    of_runs = {run.source for run in report.runs}

    def of(run: Run) -> Run:
        mine = added.values() if alone else filter(None, [added.get(run.source)])
        notes = _dated([*run.notes, *mine], tree.written)
        return run if notes == run.notes else replace(run, notes=notes)

    left = [note for path, note in added.items() if not alone and path not in of_runs]
    return replace(report.with_runs(of), notes=_dated([*report.notes, *left], tree.written))


def _dated(notes: Iterable[Note], when: datetime | None) -> tuple[Note, ...]:
    return tuple(
        replace(note, as_of=when) if isinstance(note, Unfinished) and note.as_of is None else note
        for note in notes
    )
