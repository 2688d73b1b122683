"""Details as flat columns with one value per sample, in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.details.table import (
    NAME,
    REFERENCES,
    DetailTable,
    SoftScores,
    ends_of,
    value_in_words,
)
from reports.json_files.interned import Interned


def table_of(details: Any, file: str, place: str) -> DetailTable:
    """Return details as a table; see `read_details`."""
    return details if isinstance(details, DetailTable) else _Objects(details, file, place)


class _Objects(DetailTable):
    def __init__(self, details: Any, file: str, place: str) -> None:
        self.file, self.place, self.named = file, place, isinstance(details, Mapping)
        keys: list[Any] = []
        if isinstance(details, list):
            keys = list(range(len(details)))
        elif isinstance(details, Mapping):
            keys = sorted((key for key in details if key.isascii() and key.isdigit()), key=_number)
        if not keys or [_number(key) for key in keys] != list(range(len(keys))):
            problem = Text(
                "found {got} where entries numbered from 0 were expected",
                got=value_in_words(details),
            )
            raise self.refused(problem, place)
        self._entries = [details[key] for key in keys]
        for i, entry in enumerate(self._entries):
            if not isinstance(entry, Mapping):
                problem = Text("found {got} where an entry was expected", got=value_in_words(entry))
                raise self.refused(problem, self.where(i))
        in_order = ends_of([entry.get(NAME) for entry in self._entries])
        if sorted(in_order) == keys and in_order != keys:
            self.moved = True
            self._entries = [self._entries[i] for i in np.argsort(in_order)]
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
                raise self.refused(Text("has no {key}", key=key), self.where(i))
            values = [entry[key]] if width is None else entry[key]
            if not isinstance(values, list) or len(values) != (width or 1):
                problem = Text(
                    "found {got} where the first entry has a list of {width}",
                    got=value_in_words(values),
                    width=width,
                )
                raise self.refused(problem, f"{self.where(i)}.{key}")
            column += values
        return Interned(column)


def _number(key: Any) -> int:
    return int(key) if len(str(key)) < 10 else -1


@dataclass(frozen=True, eq=False, slots=True)
class Details:
    """What an evaluator kept of every sample, in the order of the file."""

    size: int  # Samples, T.
    # Samples of each entry, where an entry is a question; None where it is one sample.
    n: int | None
    verdicts: NDArray[np.int8] | None  # Shape (T,).
    scores: SoftScores | None
    answers: Interned | None
    references: Interned | None
    # Returns T values, or None, if asked; None where an entry is a question.
    prompts: Callable[[], Interned | None] | None
    # Which predictions are empty texts, where they stand beside the answers found in them. Shape
    # (T,).
    silent: NDArray[np.bool_] | None
    # Verdicts beside those that count, by their fields. Shape (T,).
    further: Mapping[str, NDArray[np.float64]]
    by_letter: bool  # Whether the verdicts are the letters of a judge, as OpenCompass keeps them.
    file: str
    place: str


def read_details(details: Any, file: str, place: str) -> Details:
    """Flatten details of any shape.

    details: The value of the key ``details``.
    Raises LoadError if it is no list or dict of entries, if a field has not as many values in every
    entry, or if a verdict is neither true nor false.

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
        table.silent(width),
        table.further(width),
        table.by_letter,
        file,
        place,
    )
