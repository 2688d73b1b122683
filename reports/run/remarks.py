"""What is said of the samples and segments of a file, however it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.notes import Note

MAX_LABEL = 200
"""Characters of a segment's label."""
MAX_LETTERS = 1 << 27
"""Characters of the labels of all questions, each of which takes the room of the longest."""


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
        "{count} sample was answered and not scored; it counts as a failed request does.",
        "{count} samples were answered and not scored; they count as failed requests do.",
        count=count,
    )
    return Note(what, place, count)


def cut_short(place: str, held: int, stated: int | None, things: Text) -> Iterator[Note]:
    """Say that there is less than the tool counted itself.

    Parameters
    ----------
    place : str
        The file, within its report.
    held : int
    stated : int or None
        None where the tool says no number.
    things : Text
        What is counted.

    Examples
    --------
    >>> [str(note.what).partition(":")[0] for note in cut_short("a", 3, 4, Text("questions"))]
    ['3 of 4 questions that the tool counted are here']
    >>> list(cut_short("a.jsonl", 4, 4, Text("questions")))
    []
    """
    if stated is not None and held < stated:
        yield Note(_cut(held, stated, things), place, stated - held, "warning")


def ended_early(place: str, status: str, held: int, planned: int) -> Note:
    """Say that a run ended before it had all its samples."""
    return Note(_early(status, held, planned), place, planned - held, "warning")


def lacking(notes: Iterable[Note]) -> Text | None:
    """Return what `cut_short` or `ended_early` said of a run, if one did.

    Examples
    --------
    >>> str(lacking([ended_early("a.eval", "started", 3, 9)]))
    'Its status is started: it ended early, with 3 of 9 samples; only these count.'
    """
    kinds = (_cut(0, 0, Text("")).template, _early("", 0, 0).template)
    return next((note.what for note in notes if note.what.template in kinds), None)


def _cut(held: int, stated: int, things: Text) -> Text:
    return Text(
        "{held:,} of {stated:,} {things} that the tool counted are here: the file was cut short, "
        "or a part is missing.",
        held=held,
        stated=stated,
        things=things,
    )


def _early(status: str, held: int, planned: int) -> Text:
    return Text(
        "Its status is {status}: it ended early, with {held:,} of {planned:,} samples; only these "
        "count.",
        status=status,
        held=held,
        planned=planned,
    )


def missing(place: str, n: NDArray[np.integer[Any]], numbers: int) -> Note | None:
    """Say that questions have fewer samples than there are.

    Parameters
    ----------
    place : str
        The file, within its report.
    n : int array (M,)
        Samples of each question.
    numbers : int
        How many samples have a number of their own. Where these are many more than any question
        has, they tell all samples apart.
    """
    most = int(n.max())
    expected = numbers if numbers <= 2 * most else most
    if not (count := len(n) * expected - int(n.sum())):
        return None
    what = Text(
        "{count} sample is missing: questions have {least} to {most} of {expected}. What is "
        "missing counts neither as right nor as wrong.",
        "{count} samples are missing: questions have {least} to {most} of {expected}. What is "
        "missing counts neither as right nor as wrong.",
        count=count,
        least=int(n.min()),
        most=most,
        expected=expected,
    )
    return Note(what, place, count, "warning")


def segment(
    place: str,
    name: str,
    codes: NDArray[np.integer[Any]],
    labels: Sequence[str],
    differs: int,
) -> NDArray[np.str_] | Note:
    """Return the label of each question, or why the column cannot divide them.

    Parameters
    ----------
    place : str
        The file, within its report.
    name : str
        Of the column.
    codes : int array (M,)
        Of the label of each question, -1 where it has none.
    labels : sequence of str
    differs : int
        In how many questions the column has several labels.
    """
    longest = max(map(len, labels), default=0)
    if longest > MAX_LABEL or longest * len(codes) > MAX_LETTERS:
        what = Text("No segments from {column}: its labels are too long.", column=name)
        return Note(what, place)
    if differs:
        what = Text(
            "No segments from {column}: it differs between the samples of {count} question.",
            "No segments from {column}: it differs between the samples of {count} questions.",
            column=name,
            count=differs,
        )
        return Note(what, place, differs)
    return np.asarray(np.array([*labels, "(none)"])[codes])
