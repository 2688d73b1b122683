"""Details as flat columns with one value per sample, in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.evaluations.details.parsed import table_of
from reports.evaluations.details.stored_scores import SoftScores
from reports.evaluations.details.table import REFERENCES
from reports.json_files.interned import Interned


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
    answers, references : T values, or None
    prompts : callable or None
        Returns T values, or None, if asked; None where an entry is a question.
    silent : bool array, shape (T,), or None
        Which predictions are empty texts, where they stand beside the answers found in them.
    further : mapping of str to float array, shape (T,)
        Verdicts beside those that count, by their fields.
    by_letter : bool
        Whether the verdicts are the letters of a judge, as OpenCompass keeps them.
    """

    size: int
    n: int | None
    verdicts: NDArray[np.int8] | None
    scores: SoftScores | None
    answers: Interned | None
    references: Interned | None
    prompts: Callable[[], Interned | None] | None
    silent: NDArray[np.bool_] | None
    further: Mapping[str, NDArray[np.float64]]
    by_letter: bool
    file: str
    place: str


def read_details(details: Any, file: str, place: str) -> Details:
    """Flatten details of any shape.

    Parameters
    ----------
    details : Table or object
        The value of the key ``details``.

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
        table.silent(width),
        table.further(width),
        table.by_letter,
        file,
        place,
    )
