"""Notes on the samples and segments of a file, for all readers, and on runs that go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.notes import Note, Unfinished
from reports.files.tree import Tree
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


SO_FAR = Text("The first samples may differ from the rest.")
"""Datasets are often in order of subject or difficulty."""
MAX_LABEL = 200
"""Characters of a segment's label."""
MAX_LETTERS = 1 << 27
"""Characters of the labels of all questions, each of which takes the room of the longest."""
_SPARSE = 10_000_000


def without_verdict(place: str, count: int) -> Note:
    """Say that samples have no verdict."""
    what = Text(
        "{count} sample has no verdict and counts as a failed request.",
        "{count} samples have no verdict and count as failed requests.",
        count=count,
    )
    return Note(what, place, count)


def not_scored(place: str, count: int) -> Note:
    """Say that samples were answered, and have no verdict."""
    what = Text(
        "{count} sample was answered but not scored; it counts as a failed request.",
        "{count} samples were answered but not scored; they count as failed requests.",
        count=count,
    )
    return Note(what, place, count)


def cut_short(place: str, held: int, stated: int | None, things: Text) -> Iterator[Note]:
    """Say that there is less than the tool counted itself, or set out to do.

    stated: None where the tool says no number.

    Examples
    --------
    >>> [str(note.what).partition(":")[0] for note in cut_short("a", 3, 4, Text("questions"))]
    ['3 of 4 questions that the tool counted are here']
    >>> list(cut_short("a.jsonl", 4, 4, Text("questions")))
    []
    """
    if stated is not None and held < stated:
        what = Text(
            "{held} of {stated} {things} that the tool counted are here: it had not ended, the "
            "file was cut short, or a part is missing. {caution}",
            held=held,
            stated=stated,
            things=things,
            caution=SO_FAR,
        )
        yield Unfinished(what, place, stated - held, "warning", held, stated, things)


def ended_early(place: str, status: str, held: int, planned: int | None) -> Note:
    """Say that a run that had not ended, or ended early, has not all its samples.

    status: As the tool calls it.
    planned: None where the tool says no number.

    Examples
    --------
    >>> print(str(ended_early("a.eval", "started", 3, 9).what).partition(".")[0])
    Its status is started, with 3 of 9 samples; only these count
    """
    samples = Text("samples")
    if planned is None:
        what = Text(
            "Its status is {status}, with {held} samples; only these count. {caution}",
            status=status,
            held=held,
            caution=SO_FAR,
        )
        return Unfinished(what, place, None, "warning", held, None, samples)
    what = Text(
        "Its status is {status}, with {held} of {planned} samples; only these count. {caution}",
        status=status,
        held=held,
        planned=planned,
        caution=SO_FAR,
    )
    return Unfinished(what, place, planned - held, "warning", held, planned, samples)


def without_report(place: str, held: int, things: Text) -> Note:
    """Say that a tool has not written yet what it writes at the end."""
    what = Text(
        "It had not ended: the report that the tool writes at the end is not there yet. {held} "
        "{things} are here; only these count. {caution}",
        held=held,
        things=things,
        caution=SO_FAR,
    )
    return Unfinished(what, place, None, "warning", held, None, things)


def torn(place: str) -> Note:
    """Say that the last line of a file is cut in the middle."""
    what = Text(
        "The last line is incomplete and left out: the file was still being written, or was not "
        "copied in full. {caution}",
        caution=SO_FAR,
    )
    return Unfinished(what, place, 1, "warning")


def with_error(place: str, count: int) -> Note:
    """Say that samples have an error."""
    what = Text(
        "{count} sample has an error and counts as a failed request.",
        "{count} samples have an error and count as failed requests.",
        count=count,
    )
    return Note(what, place, count)


def missing(
    place: str,
    n: NDArray[np.integer[Any]],
    numbers: int,
    questions: NDArray[np.integer[Any]] | None = None,
) -> Note | None:
    """Say that questions have fewer samples than there are.

    n: Samples of each question. Shape (M,).
    numbers: How many samples have a number of their own. Where these are many more than any
        question has, they tell all samples apart.
    questions: How many questions have each; without it, one. Shape (M,).
    """
    most = int(n.max())
    expected = numbers if numbers <= 2 * most else most
    each = np.ones_like(n) if questions is None else questions
    if not (count := int((expected - n) @ each)):
        return None
    what = Text(
        "{count} sample is missing: questions have {least} to {most} of {expected}. Missing "
        "samples count neither as right nor as wrong.",
        "{count} samples are missing: questions have {least} to {most} of {expected}. Missing "
        "samples count neither as right nor as wrong.",
        count=count,
        least=int(n.min()),
        most=most,
        expected=expected,
    )
    return Note(what, place, count, "warning")


def uneven(counts: NDArray[np.integer[Any]], width: int) -> tuple[Text, Text] | None:
    """Return why questions have no matrix of this width, which would be mostly empty, and a fix."""
    if len(counts) * width <= max(_SPARSE, 4 * int(counts.sum())):
        return None
    problem = Text(
        "one question has {most} samples, the median question {median:,.0f}",
        most=int(counts.max()),
        median=float(np.median(counts)),
    )
    return problem, Text("Check that each question has a name of its own.")


def segment(
    place: str,
    name: str,
    codes: NDArray[np.integer[Any]],
    labels: Sequence[str],
    differs: int,
) -> NDArray[np.str_] | Note:
    """Return the label of each question, or why the column cannot divide them.

    name: Of the column.
    codes: Of the label of each question, -1 where it has none. Shape (M,).
    differs: In how many questions the column has several labels.
    """
    longest = max(map(len, labels), default=0)
    if longest > MAX_LABEL or longest * len(codes) > MAX_LETTERS:
        what = Text("{column} is not used for segments: its labels are too long.", column=name)
        return Note(what, place)
    if differs:
        return differing(place, name, differs)
    return np.asarray(np.array([*labels, "(none)"])[codes])


def differing(place: str, name: str, count: int) -> Note:
    """Say that a column divides no questions, since it differs between the samples of some."""
    what = Text(
        "{column} is not used for segments: it differs between the samples of {count} question.",
        "{column} is not used for segments: it differs between the samples of {count} questions.",
        column=name,
        count=count,
    )
    return Note(what, place, count)
