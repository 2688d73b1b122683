"""Tables without verdicts whose extracted answers are right if they equal the reference.

That holds of answers that can be spelled in one way only: a letter, a word of a few, a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice, zip_longest
from typing import Any, NamedTuple

import pyarrow as pa

from metrics.data.words import Text, some_of
from reports.files.errors import Example, LoadError, Rules
from reports.readings.judging import tried
from reports.tables.schema.choosing import Chooser
from reports.tables.schema.data_types import is_label, is_number, is_text
from reports.tables.schema.names import ALIASES, CORRECT, SCORE
from reports.tables.schema.spelled import FEW, verdict_columns

_EXTRACTED = (*ALIASES["extracted"], "pred", "prediction", "预测")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")
_LOOKED_AT = 1_000
_LETTERS = 40
_TRIED = 200
"""Texts on which rules are tried before one is chosen."""
_END = 600
"""Letters of an example, its last ones."""
EXAMPLES = 10
_OF_ONE_KIND = 0.9
"""The least share of extracted answers that are spelled as the right ones are."""


class AnswerColumns(NamedTuple):
    """The columns of the extracted answers and of the right ones."""

    extracted: str
    reference: str


def find_answers(chooser: Chooser) -> AnswerColumns | None:
    """Return the columns whose comparison gives the verdicts that a table does not state.

    None where a column may hold verdicts after all, and where answers may be spelled in several
    ways, unless the user named both columns.
    """
    if chooser.source.judge:
        return _told_to_be_judged(chooser)
    answers = _with_reference(chooser, chooser.find("extracted", is_label, _EXTRACTED))
    if answers is None:
        return None
    if answers == (chooser.chosen.get("extracted"), chooser.chosen.get("reference")):
        return answers
    return answers if not _may_state(chooser, answers) and _are_alike(chooser, answers) else None


def unjudged_error(chooser: Chooser, asked: LoadError) -> LoadError:
    """Ask by which rule texts are to be judged that stand beside references, if there are some.

    asked: That there is no column of verdicts.
    """
    texts = _texts_beside(chooser)
    source = chooser.source
    if texts is None or source.judge or _may_state(chooser, texts) or source.values is None:
        return asked
    rows = islice(source.rows(texts), _LOOKED_AT)
    pairs = [(str(text), str(right)) for text, right in rows if text and right is not None]
    if not pairs:
        return asked
    problem = Text(
        "states no verdicts, but has texts ({extracted}) beside references ({reference})",
        extracted=texts.extracted,
        reference=texts.reference,
    )
    return source.ask_rule(problem, asked, _tried(pairs))


def _told_to_be_judged(chooser: Chooser) -> AnswerColumns:
    found = _texts_beside(chooser)
    if found is None:
        raise chooser.source.error(
            Text("has no texts beside references that could be judged"),
            Text("Say which they are: --column prediction=NAME --column reference=NAME."),
        )
    return found


def require_unjudged(chooser: Chooser, outcomes: Sequence[str]) -> None:
    """Refuse to judge a table that states verdicts.

    Raises LoadError if the user chose a rule all the same.
    """
    if chooser.source.judge:
        raise chooser.source.error(
            Text("states verdicts already ({names})", names=some_of(outcomes, 3)),
            Text("Leave out the rule by which to judge."),
        )


def _tried(pairs: Sequence[tuple[str, str]]) -> Rules:
    """Return what each rule gives of some texts, with examples of where they differ."""
    some = pairs[:_TRIED]
    rules = [*tried(some, lambda text, right: bare(text) == bare(right))]
    gives: dict[str, Text] = {
        each.rule: Text(
            "{share:.1%} of the first {count} right",
            share=each.right / len(some),
            count=len(some),
        )
        for each in rules
    }
    by_pattern: dict[tuple[bool, ...], list[Example]] = {}
    for (text, right), *verdicts in zip(some, *(each.verdicts for each in rules), strict=True):
        example = Example(text[-_END:], right[-_END:], tuple(verdicts))
        by_pattern.setdefault(example.verdicts, []).append(example)
    turns = zip_longest(*by_pattern.values())
    mixed = dict.fromkeys(each for turn in turns for each in turn if each is not None)
    return Rules(gives, tuple(islice(mixed, EXAMPLES)))


def _with_reference(chooser: Chooser, texts: Sequence[str]) -> AnswerColumns | None:
    """Return the first of some columns, and that of the references."""
    extracted = next(iter(texts), None)
    reference = next(iter(chooser.find("reference", is_label)), None)
    if extracted is None or reference is None or extracted == reference:
        return None
    return AnswerColumns(extracted, reference)


def _texts_beside(chooser: Chooser) -> AnswerColumns | None:
    """Return the column of what models wrote, or else of extracted answers, and references."""
    predictions = chooser.find("prediction", is_text) if "extracted" not in chooser.chosen else []
    return _with_reference(
        chooser, [*predictions, *chooser.find("extracted", is_label, _EXTRACTED)]
    )


def bare(text: str) -> str | Decimal:
    """Return an answer as it is compared: a number by its value, else without blanks around it.

    Examples
    --------
    >>> bare(" C "), bare("18.0") == bare("18"), bare("1,234") == bare("1234"), bare("nan")
    ('C', True, True, 'nan')
    """
    text = text.strip()
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _may_state(chooser: Chooser, answers: AnswerColumns) -> bool:
    """Whether another column is called a verdict or a score, or holds what may be verdicts."""
    mapped = {"correct", "score", "rate", "c"} & chooser.chosen.keys()
    if mapped or {*CORRECT, *SCORE} & chooser.fields.keys() or chooser.rates():
        return True
    ids = {*ALIASES["question_id"], *ALIASES["sample"]}
    others = [
        column.name
        for name, column in chooser.fields.items()
        if name not in ids
        and column.name not in answers
        and (is_text(column.type) or is_number(column.type))
        and not pa.types.is_null(column.type)
    ]
    return bool(verdict_columns(chooser.source, others))


def _are_alike(chooser: Chooser, answers: AnswerColumns) -> bool:
    """Whether the first extracted answers are spelled as the right ones are."""
    source = chooser.source
    given, right = ([*_texts(column)] for column in source.first(answers, _LOOKED_AT))
    if not given or not right or max(map(len, (*given, *right))) > _LETTERS:
        return False
    kind = kind_of(right)
    return kind is not None and sum(map(kind, given)) >= _OF_ONE_KIND * len(given)


def _texts(values: Collection[Any]) -> Iterator[str]:
    return (text for value in values if value is not None and (text := str(value).strip()))


def kind_of(right: Collection[str]) -> Callable[[str], bool] | None:
    """Return what tells whether an answer is of the kind of the right ones; None of free texts.

    right: The right answer of each row.
    """
    if all(_number(text) is not None for text in right):
        return lambda text: _number(text) is not None
    if all(len(text) == 1 and text.isalpha() for text in right):
        return lambda text: len(text) == 1 and text.isalpha()
    known = {*right}
    return known.__contains__ if len(known) <= min(FEW, len(right) // 2) else None
