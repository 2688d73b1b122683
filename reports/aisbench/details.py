"""The details of a results file, whatever their shape, as flat columns of one value a sample.

==================================  ===========================================================
n = 1                               a dict of numbered entries, each field a list of one; in
                                    older versions a scalar
nothing kept by the evaluator       a dict of numbered entries, one a sample, question by
                                    question; texts only, no verdict
n > 1                               a list of questions, each field a list of n
multiple choice of one's own        the same, also for n = 1
==================================  ===========================================================
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.words import Text
from reports.aisbench.stored_scores import SCORES, Scores, scores_of
from reports.errors import LoadError
from reports.interned import LONGEST, Interned, label

VERDICTS = ("correct", "is_correct", "cascade_correct", "passed", "accuracy")
ANSWERS = ("parsed", "parsed_pred", "extracted_answer", "pred", "predictions", "prediction")
REFERENCES = ("answer", "refr", "references", "reference", "ref", "gold", "org_uuid")
PROMPTS = ("prompt",)
RESULTS = ("result",)
"""Keys of a field, the most telling first."""

NO_ANSWER = ("", "NULL", "[]")
"""What extractors write where they find nothing, besides null."""

REPLY = "prediction"
"""Key of what a judge said."""
_LETTER = re.compile("[AB]")
_FORMULA = re.compile(r"""\[(.+), (?:'.*'|".*")\]""", re.DOTALL)
_AGAIN = Text("Evaluate again with --dump-eval-details, or copy the file again in full.")


@dataclass(frozen=True, eq=False, slots=True)
class Details:
    """What an evaluator kept of every sample, in the order of the file.

    Attributes
    ----------
    size : int
        Samples, T.
    n : int or None
        Samples of each entry, where an entry is a question; None where it is one sample.
    verdicts : int8 array of 0 and 1, shape (T,), or None
    scores : Scores or None
    answers, references : T values, or None
    prompts : callable or None
        Returns T values, or None, if asked; None where an entry is a question.
    names : list of T str, or None
        What the evaluator calls the question of each sample.
    by_letter : bool
        Whether the verdicts are the letters of a judge, as OpenCompass keeps them.
    file, place : str
        Where it comes from, for messages.
    """

    size: int
    n: int | None
    verdicts: NDArray[np.int8] | None
    scores: Scores | None
    answers: Interned | None
    references: Interned | None
    prompts: Callable[[], Interned | None] | None
    names: list[str] | None
    by_letter: bool
    file: str
    place: str


def read_details(details: Any, file: str, place: str) -> Details:
    """Flatten details of any shape.

    Parameters
    ----------
    details : Table or object
        The value of the key ``details``.
    file, place : str
        Where it comes from, for messages.

    Raises
    ------
    LoadError
        If it is no list or dict of entries, if a field has not as many values in every entry, or
        if a verdict is neither true nor false.

    Examples
    --------
    >>> rows = [{"pred": ["7", "8"], "answer": ["7", "9"], "correct": [True, False]}]
    >>> read_details(rows, "gsm8k.json", "details").verdicts.tolist()
    [1, 0]
    """
    table = table_of(details, file, place)
    width = table.width()
    by_question = not table.named or (width or 1) > 1
    return Details(
        len(table) * (width or 1),
        width or 1 if by_question else None,
        table.verdicts(width),
        table.scores(width),
        table.column(table.answers, width),
        table.column(table.key(REFERENCES), width),
        None if by_question else table.prompts,
        table.names(width),
        table.by_letter,
        file,
        place,
    )


def table_of(details: Any, file: str, place: str) -> Table:
    """Return details as a table; see `read_details`."""
    return details if isinstance(details, Table) else _Objects(details, file, place)


def codes(values: Sequence[Any], no_answer: Sequence[str] = ()) -> NDArray[np.signedinteger]:
    """Return a number for each distinct value, in few bytes; null, and what is no answer, are -1.

    Examples
    --------
    >>> codes(["a", "b", "a", None, "NULL"], no_answer=["NULL"]).tolist()
    [0, 1, 0, -1, -1]
    """
    return coded(values, no_answer)[0]


def coded(
    values: Sequence[Any], no_answer: Sequence[str] = ()
) -> tuple[NDArray[np.signedinteger], list[str]]:
    """Return the numbers of `codes` and the label of each.

    Formulas are told apart by their values, where each stands before its way of writing.

    Examples
    --------
    >>> numbers, labels = coded(["[23, '23']", "[23, '46/2']", "[1/2, '.5']"])
    >>> numbers.tolist(), labels
    ([0, 0, 1], ['23', '1/2'])
    """
    values = values if isinstance(values, Interned) else Interned(values)
    numbers: dict[str, int] = {}
    texts = [None if value is None else as_text(value) for value in values.distinct]
    given = [text for text in texts if text is not None and text not in no_answer]
    if all(map(_FORMULA.fullmatch, given)):
        texts = [text and _FORMULA.sub(r"\1", text) for text in texts]
    of_distinct = [
        -1 if text is None or text in no_answer else numbers.setdefault(text, len(numbers))
        for text in texts
    ]
    spread = values.spread(np.array(of_distinct, np.min_scalar_type(-len(numbers) - 1)))
    return spread, list(map(label, numbers))


def letter(reply: Any) -> str:
    """Return the first A, which finds an answer right, or B, wrong, in what a judge said."""
    found = _LETTER.search(str(reply))
    return found[0] if found else ""


def as_text(value: Any) -> str:
    """Return a text that is equal for equal values; that of a string is itself."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


class Table:
    """Entries with named fields.

    Attributes
    ----------
    keys : sequence of str
        Of the fields of the first entry.
    named : bool
        Whether the entries are those of an object, by their number, rather than of a list.
    file, place : str
        Where it comes from, for messages.
    """

    keys: Sequence[str]
    named: bool
    file: str
    place: str

    def __len__(self) -> int:
        """Return how many entries there are."""
        raise NotImplementedError

    def first(self, key: str) -> Any:
        """Return a field of the first entry."""
        raise NotImplementedError

    def column(self, key: str | None, width: int | None) -> Interned | None:
        """Return one value a sample of a field, or None if there is no such field.

        A field is asked for once.
        """
        raise NotImplementedError

    def prompts(self) -> Interned | None:
        """Return something of each entry's prompt that is equal for equal prompts."""
        return self.column(self.key(PROMPTS), None)

    def key(self, names: Sequence[str]) -> str | None:
        """Return the first of some names that is a field."""
        return next((name for name in names if name in self.keys), None)

    def where(self, entry: int) -> str:
        """Return the place of an entry."""
        return f"{self.place}[{(str(entry) if self.named else entry)!r}]"

    @property
    def by_letter(self) -> bool:
        """Whether entries are what a judge was asked and replied."""
        return self.key(VERDICTS) is None and {"origin_prompt", REPLY} <= {*self.keys}

    @property
    def annotated(self) -> bool:
        """Whether the references are what annotators said."""
        key = self.key(REFERENCES)
        first = self.first(key) if key else None
        return are_annotations(first[:1] if isinstance(first, list) else [])

    @property
    def answers(self) -> str | None:
        """The field of the answers; none if it holds long texts and verdicts make do without."""
        key = self.key(ANSWERS)
        if key is None or self.by_letter:
            return None
        first = self.first(key)
        texts = [text for text in first if isinstance(text, str)] if isinstance(first, list) else []
        long = sum(map(len, texts)) > LONGEST * len(texts)
        return None if long and self.key(VERDICTS) and not self.annotated else key

    def width(self) -> int | None:
        """Return how many samples an entry lists; None where its fields are scalars."""
        key = self.key(VERDICTS) or self.key(ANSWERS) or self.key(tuple(SCORES))
        if key is None or (first := self.first(key)) == []:
            problem = Text("holds neither verdict nor answer")
            raise LoadError(self.file, problem, _AGAIN, self.where(0))
        return len(first) if isinstance(first, list) else None

    def verdicts(self, width: int | None) -> NDArray[np.int8] | None:
        """Return the verdicts as 0 and 1."""
        if self.by_letter:
            replies: Sequence[Any] = self.column(REPLY, width) or ()
            return np.array([letter(reply) == "A" for reply in replies], np.int8)
        key = self.key(VERDICTS)
        values = self.column(key, width)
        if values is None:
            return None
        for code, value in enumerate(values.distinct):
            if not isinstance(value, bool | int | float) or value not in (0, 1):
                sample = int(np.argmax(values.codes == code))
                raise LoadError(
                    self.file,
                    Text("{got} where true or false was expected", got=_named(value)),
                    _AGAIN,
                    f"{self.where(sample // (width or 1))}.{key}",
                )
        return values.spread(np.array(values.distinct, dtype=np.int8))

    def scores(self, width: int | None) -> Scores | None:
        """Return the scores, where there are any."""
        key = self.key(tuple(SCORES))
        values = self.column(key, width)
        return None if key is None or values is None else scores_of(key, list(values))

    def names(self, width: int | None) -> list[str] | None:
        """Return what the evaluator calls the question of each sample."""
        results = self.column(self.key(RESULTS), width) or ()
        names = [one.get("task_id") for one in results if isinstance(one, Mapping)]
        known = [name for name in names if isinstance(name, str)]
        return known if known and len(known) == len(results) else None


class _Objects(Table):
    def __init__(self, details: Any, file: str, place: str) -> None:
        self.file, self.place, self.named = file, place, isinstance(details, Mapping)
        keys: list[Any] = []
        if isinstance(details, list):
            keys = list(range(len(details)))
        elif isinstance(details, Mapping):
            keys = sorted((key for key in details if key.isascii() and key.isdigit()), key=_number)
        if not keys or [_number(key) for key in keys] != list(range(len(keys))):
            raise LoadError(
                file,
                Text("{got} where entries numbered from 0 were expected", got=_named(details)),
                _AGAIN,
                place,
            )
        self._entries = [details[key] for key in keys]
        for i, entry in enumerate(self._entries):
            if not isinstance(entry, Mapping):
                problem = Text("{got} where an entry was expected", got=_named(entry))
                raise LoadError(file, problem, _AGAIN, self.where(i))
        self.keys = tuple(self._entries[0])

    def __len__(self) -> int:
        return len(self._entries)

    def first(self, key: str) -> Any:
        return self._entries[0][key]

    def column(self, key: str | None, width: int | None) -> Interned | None:
        if key is None:
            return None
        column = []
        for i, entry in enumerate(self._entries):
            if key not in entry:
                raise LoadError(self.file, Text("has no {key}", key=key), _AGAIN, self.where(i))
            values = [entry[key]] if width is None else entry[key]
            if not isinstance(values, list) or len(values) != (width or 1):
                raise LoadError(
                    self.file,
                    Text(
                        "{got} where the first entry has a list of {width}",
                        got=_named(values),
                        width=width,
                    ),
                    _AGAIN,
                    f"{self.where(i)}.{key}",
                )
            column += values
        return Interned(column)


def are_annotations(references: Sequence[Any]) -> bool:
    """Return whether there are references, and each is a list of what annotators said."""
    return bool(references) and all(
        isinstance(reference, list)
        and reference
        and all(isinstance(said, Mapping) and "answer" in said for said in reference)
        for reference in references
    )


def _number(key: Any) -> int:
    return int(key) if len(str(key)) < 10 else -1


def _named(value: Any) -> Text | str:
    match value:
        case list():
            return Text("a list of {length}", length=len(value))
        case Mapping():
            return Text("an object")
    return json.dumps(value)[:40]
