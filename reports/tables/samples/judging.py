"""Verdicts by kofn for tables that have none: whether an answer equals the reference."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT
from metrics.data.packed_texts import PackedTexts
from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.readings.judging import RULES, Taken, taker
from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.schema.equal_answers import AnswerColumns, bare, kind_of
from reports.tables.source import Source


class JudgedRows(NamedTuple):
    """What was found."""

    verdict: NDArray[np.int8]
    rule: Text
    answers: CodedLabels  # What was taken from each row, its codes as (R, 1).


def judge(source: Source, answers: AnswerColumns, data: pa.Table, notes: list[Note]) -> JudgedRows:
    """Judge each row of a table: 1 where its answer is the right one, `ABSENT` without a right one.

    An answer that could not be extracted is wrong.
    """
    given, right = (labels(data[name]) for name in answers)
    if source.judge in RULES[1:]:
        return _judge(source, source.judge, answers, (given, right), notes)
    of_given, of_right = _compared(given, right)
    extracted, reference = answers
    notes.append(
        Note(
            Text(
                "The table states no verdict. kofn judged it: an answer is right where "
                "{extracted} equals {reference}. No number in the file confirms this.",
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
            "{extracted} is empty in {count} row, which counts as wrong.",
            "{extracted} is empty in {count} rows, which count as wrong.",
            count=count,
            extracted=extracted,
        )
        notes.append(Note(what, source.place, count))
    unknown = (right.codes < 0) | (of_right == _EMPTY)
    if count := int(unknown.sum()):
        what = Text(
            "{reference} is empty in {count} row, which is not judged.",
            "{reference} is empty in {count} rows, which are not judged.",
            count=count,
            reference=reference,
        )
        notes.append(Note(what, source.place, count, severity="warning"))
    notes += _odd(source, given, right, answers)
    verdict = ((of_given == of_right) & ~nothing).astype(np.int8)
    verdict[unknown] = ABSENT
    rule = Text("{extracted} equal to {reference}", extracted=extracted, reference=reference)
    return JudgedRows(verdict[:, None], rule, CodedLabels(given.codes[:, None], given.values))


def _judge(
    source: Source,
    rule: str,
    answers: AnswerColumns,
    held: tuple[CodedLabels, CodedLabels],
    notes: list[Note],
) -> JudgedRows:
    """Judge each row by the last answer that its text states; one that states none is wrong."""
    given, right = held
    references, texts = [*right.values], [*given.values]
    take = taker(rule, references)
    pairs, of_row = np.unique(
        np.column_stack([given.codes, right.codes]), axis=0, return_inverse=True
    )
    taken = [
        Taken(None, None if r < 0 else False) if g < 0 or r < 0 else take(texts[g], references[r])
        for g, r in pairs.tolist()
    ]
    distinct = dict.fromkeys(each.answer for each in taken if each.answer is not None)
    names = {name: place for place, name in enumerate(distinct)}
    codes = np.array([names.get(each.answer or "", -1) for each in taken], np.int32)
    verdicts = [ABSENT if each.right is None else each.right for each in taken]
    verdict = np.array(verdicts, np.int8)[of_row.ravel()]
    if (verdict == ABSENT).all():
        raise source.error(
            Text(
                "{reference} never holds a {rule} to judge by",
                reference=answers.reference,
                rule=rule,
            ),
            Text("Choose another rule."),
        )
    rule_in_words = Text(
        "{rule} stated last in {extracted}", rule=rule, extracted=answers.extracted
    )
    notes.append(
        Note(
            Text(
                "The table states no verdict. kofn judged it, as you chose: a text is right "
                "where the last {rule} that {extracted} states is {reference}. No number in the "
                "file confirms this.",
                rule=rule,
                extracted=answers.extracted,
                reference=answers.reference,
            ),
            source.place,
            severity="warning",
        )
    )
    if silent := int(((codes[of_row.ravel()] < 0) & (verdict == 0)).sum()):
        what = Text(
            "{count} text states no {rule}, or several at once, and counts as wrong.",
            "{count} texts state no {rule}, or several at once, and count as wrong.",
            count=silent,
            rule=rule,
        )
        notes.append(Note(what, source.place, silent))
    if unknown := int((verdict == ABSENT).sum()):
        what = Text(
            "{reference} is no {rule} in {count} row, which is not judged.",
            "{reference} is no {rule} in {count} rows, which are not judged.",
            count=unknown,
            reference=answers.reference,
            rule=rule,
        )
        notes.append(Note(what, source.place, unknown, severity="warning"))
    kept = CodedLabels(codes[of_row.ravel()][:, None], PackedTexts(names))
    return JudgedRows(verdict[:, None], rule_in_words, kept)


_EMPTY = -1
_FEW = 1_000
_SHOWN = 3


def _odd(
    source: Source, given: CodedLabels, right: CodedLabels, answers: AnswerColumns
) -> Iterator[Note]:
    """Say which answers are of another kind than the right ones, such as (C) among letters."""
    first = right.codes[:_FEW]
    kind = kind_of([*right.values.take(first[first >= 0])])
    if kind is None:
        return
    odd = [text.strip() and not kind(text.strip()) for text in given.values]
    if count := int(np.array([*odd, False], bool)[given.codes].sum()):
        odd_texts = (text for text, is_odd in zip(given.values, odd, strict=True) if is_odd)
        what = Text(
            "{extracted} is not of the kind of {reference} in {count} row ({answers}), which "
            "counts as wrong.",
            "{extracted} is not of the kind of {reference} in {count} rows ({answers}), which "
            "count as wrong.",
            count=count,
            extracted=answers.extracted,
            reference=answers.reference,
            answers=some_of((f"{text:.40}" for text in odd_texts), _SHOWN),
        )
        yield Note(what, source.place, count, severity="warning")


def _compared(*columns: CodedLabels) -> list[NDArray[np.int64]]:
    """Return columns as codes, equal where their texts are as they are compared."""
    known: dict[str | Decimal, int] = {"": _EMPTY}
    found = []
    for column in columns:
        codes = [known.setdefault(bare(text), len(known)) for text in column.values]
        found.append(np.array([*codes, _EMPTY])[column.codes])
    return found
