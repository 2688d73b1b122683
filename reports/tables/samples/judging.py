"""Verdicts that kofn finds where a table states none: an answer that equals the right one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT
from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.tables.meaning.codes import Labels, labels
from reports.tables.schema.equal_answers import Answers, bare, kind_of
from reports.tables.source import Source


class Judged(NamedTuple):
    """What was found.

    Attributes
    ----------
    verdict : int8 array (R, 1)
    rule : Text
    """

    verdict: NDArray[np.int8]
    rule: Text


def judge(source: Source, answers: Answers, data: pa.Table, notes: list[Note]) -> Judged:
    """Judge each row of a table: 1 where its answer is the right one, `ABSENT` without a right one.

    An answer that could not be extracted is wrong.
    """
    given, right = (labels(data[name]) for name in answers)
    of_given, of_right = _compared(given, right)
    extracted, reference = answers
    notes.append(
        Note(
            Text(
                "The table states no verdict. kofn judged it: an answer is right where "
                "{extracted} equals {reference}. No number in the file proves that.",
                extracted=extracted,
                reference=reference,
            ),
            source.place,
            severity="warning",
        )
    )
    nothing = (given.codes < 0) | (of_given == _EMPTY)
    if count := int(nothing.sum()):
        what = Text(
            "{extracted} is empty in {count:,} row, which counts as wrong.",
            "{extracted} is empty in {count:,} rows, which count as wrong.",
            count=count,
            extracted=extracted,
        )
        notes.append(Note(what, source.place, count))
    unknown = (right.codes < 0) | (of_right == _EMPTY)
    if count := int(unknown.sum()):
        what = Text(
            "{reference} is empty in {count:,} row, which is not judged.",
            "{reference} is empty in {count:,} rows, which are not judged.",
            count=count,
            reference=reference,
        )
        notes.append(Note(what, source.place, count, severity="warning"))
    notes += _odd(source, given, right, answers)
    verdict = ((of_given == of_right) & ~nothing).astype(np.int8)
    verdict[unknown] = ABSENT
    rule = Text("{extracted} equal to {reference}", extracted=extracted, reference=reference)
    return Judged(verdict[:, None], rule)


_EMPTY = -1
_FEW = 1_000
_SHOWN = 3


def _odd(source: Source, given: Labels, right: Labels, answers: Answers) -> Iterator[Note]:
    """Say which answers are of another kind than the right ones, such as (C) among letters."""
    first = right.codes[:_FEW]
    kind = kind_of([*right.values.take(first[first >= 0])])
    if kind is None:
        return
    odd = [text.strip() and not kind(text.strip()) for text in given.values]
    if count := int(np.array([*odd, False], bool)[given.codes].sum()):
        told = (text for text, is_odd in zip(given.values, odd, strict=True) if is_odd)
        what = Text(
            "{extracted} is not of the kind of {reference} in {count:,} row ({answers}), which "
            "counts as wrong.",
            "{extracted} is not of the kind of {reference} in {count:,} rows ({answers}), which "
            "count as wrong.",
            count=count,
            extracted=answers.extracted,
            reference=answers.reference,
            answers=some_of((f"{text:.40}" for text in told), _SHOWN),
        )
        yield Note(what, source.place, count, severity="warning")


def _compared(*columns: Labels) -> list[NDArray[np.int64]]:
    """Return columns as codes, equal where their texts are as they are compared."""
    known: dict[str | Decimal, int] = {"": _EMPTY}
    found = []
    for column in columns:
        codes = [known.setdefault(bare(text), len(known)) for text in column.values]
        found.append(np.array([*codes, _EMPTY])[column.codes])
    return found
