"""Verdicts by kofn itself, from the final answers that texts state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from reports.readings import options
from reports.readings.reader import Answers, Reader
from reports.readings.statements import SEVERAL

Rule = Literal["exact", "letter", "number", "formula"]
RULES: tuple[Rule, ...] = get_args(Rule)
"""Which of the last statements of a text counts, or that it counts as a whole."""
_ANSWERS: Mapping[str, Answers] = {"letter": "option", "number": "number", "formula": "formula"}
_NEARLY_ALL = 0.95


class Taken(NamedTuple):
    """What a rule takes from a text."""

    answer: str | None  # None where the text states none, or several at once.
    right: bool | None  # None where the reference is nothing that the rule compares.


class Tried(NamedTuple):
    """What a rule gives."""

    rule: Rule
    verdicts: tuple[bool, ...]  # Of each text.

    @property
    def right(self) -> int:
        """How many it calls right."""
        return sum(self.verdicts)


def taker(rule: str, references: Iterable[str]) -> Callable[[str, str], Taken]:
    """Return what judges a text by its reference.

    rule: One of "letter", "number", "formula".
    references: Of all questions.

    Examples
    --------
    >>> judge = taker("letter", ["B", "D"])
    >>> judge("I think it is (B).", "B"), judge("The answer is (C).", "B")
    (Taken(answer=None, right=False), Taken(answer='C', right=False))
    >>> taker("number", ["1042"])("So the answer is $1,042.00.", "1042")
    Taken(answer='1042', right=True)
    """
    reader = Reader.of(_ANSWERS[rule], references)

    def take(text: str, reference: str) -> Taken:
        expected = reader.reference(reference)
        stated = reader.places(text, "")
        answer = stated[-1].value if stated and stated[-1].value != SEVERAL else None
        if expected is None:
            return Taken(answer, None)
        return Taken(answer, answer is not None and reader.names(expected)(answer))

    return take


def tried(pairs: Sequence[tuple[str, str]], equal: Callable[[str, str], bool]) -> Iterator[Tried]:
    """Yield what each rule gives that fits nearly all references, for texts and their references.

    Letters are read as nothing else.

    equal: Whether a text as a whole is a reference.
    """
    yield Tried("exact", tuple(equal(*pair) for pair in pairs))
    letters = sum(options.reference(reference) is not None for _, reference in pairs)
    rules: tuple[Rule, ...] = ("number", "formula")
    for rule in ("letter",) if letters >= _NEARLY_ALL * len(pairs) else rules:
        take = taker(rule, (reference for _, reference in pairs))
        verdicts = [take(*pair).right for pair in pairs]
        if sum(right is not None for right in verdicts) >= _NEARLY_ALL * len(verdicts):
            yield Tried(rule, tuple(map(bool, verdicts)))
