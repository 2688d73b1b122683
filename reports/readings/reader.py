"""How the texts of a run are read: which kind of answer, and when two answers are equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from reports.readings import formulas, numbers, options, words
from reports.readings.statements import Parse, Statement, Weak, final, statements
from reports.rescoring import maths
from reports.rescoring.rule import Prediction

Answers = Literal["option", "number", "formula", "text"]
"""What the references of a run may be, so that texts can be read for it."""
_LOOKED_AT = 200
_NEARLY_ALL = 0.95
_BY_VALUE = ("MATHEvaluator", "MATHVerifyEvaluator")
_ASKS_FOR_WRONG = re.compile(
    r"不正确|错误|不属于|不包括|不是|不能|没有|\bNOT\b|\bEXCEPT\b|\b(?:incorrect|false|least|except|not)\b",
)


@dataclass(frozen=True)
class Reader:
    """How the texts of a run are read."""

    answers: Answers  # What they are read for.
    allowed: str

    @classmethod
    def of(cls, answers: Answers, references: Iterable[str]) -> Reader:
        """Return what reads the answers to questions with these references."""
        letters = {options.reference(each) for each in references}
        last = max({"D", *filter(None, letters)})
        return cls(answers, options.LETTERS[: options.LETTERS.index(last) + 1])

    def rules(self, prompt: str) -> tuple[Parse, Weak | None]:
        """Return what reads an answer to a prompt, and what a text without a statement says."""
        match self.answers:
            case "option":
                negative = _ASKS_FOR_WRONG.search(prompt)
                weak = None if negative else options.called_right(self.allowed)
                return options.letter(self.allowed, options.contents(prompt, self.allowed)), weak
            case "number":
                return numbers.number, numbers.last_number
            case "formula":
                return formulas.formula, formulas.last_formula
            case "text":
                return words.words, words.last_words

    def reference(self, text: str) -> str | None:
        """Return a reference as it is compared."""
        match self.answers:
            case "option":
                return options.reference(text)
            case "number":
                return _number(text)
            case "text":
                return words.reference(text)
            case "formula":
                text = _only_spelling(text)
                stated = statements(text, *self.rules(""))
                return stated[-1].value if stated else formulas.written(text)

    def places(self, text: str, prompt: str) -> tuple[Statement, ...]:
        """Return what a text states, and where."""
        held, start = final(text)
        found = statements(held, *self.rules(prompt))
        return tuple(
            each._replace(start=each.start + start, end=each.end + start) for each in found
        )

    def names(self, right: str, is_right: bool = False) -> Callable[[str], bool]:
        """Return what tells whether a value is the reference.

        is_right: The verdict that is held against it; see `words.names`.
        """
        if self.answers == "text":
            return words.names(right, is_right)
        if self.answers != "formula" or not maths.available:
            return right.__eq__

        def names(value: str) -> bool:
            if value == right:
                return True
            if numbers.canonical(value) is not None and numbers.canonical(right) is not None:
                return False
            (mark,) = maths.mark_by_value([Prediction(rf"\boxed{{{value}}}", right)], delimit=True)
            return mark is not None and mark.credit == 1

        return names


def asked_for(references: Sequence[str | None], evaluator: str | None) -> Answers | None:
    """Return what the references are, None where that is nothing that texts are read for."""
    some = [text for text in islice(filter(None, references), _LOOKED_AT)]
    if not some:
        return None

    def nearly_all(known: Callable[[str], object]) -> bool:
        return sum(known(text) is not None for text in some) >= _NEARLY_ALL * len(some)

    if nearly_all(options.reference):
        return "option"
    if evaluator in _BY_VALUE:
        return "formula"
    if nearly_all(_number):
        return "number"
    if nearly_all(lambda text: formulas.written(_only_spelling(text))):
        return "formula"
    return "text" if nearly_all(words.reference) else None


def _only_spelling(text: str) -> str:
    """Return the only spelling that a reference lists."""
    listed = words.spellings(text)
    return listed[0] if len(listed) == 1 else text


def _number(text: str) -> str | None:
    return numbers.canonical(_only_spelling(text).rpartition("####")[2].strip())
