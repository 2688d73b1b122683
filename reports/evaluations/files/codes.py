"""Codes for answers and references: equal codes mean equal values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.json_files.interned import Interned, label

NO_ANSWER = ("", "NULL", "[]", "[0.0, 0.0, 0.0, 0.0]")
"""What extractors write where they find nothing, besides null."""

_FORMULA = re.compile(r"""\[(.+), (?:'.*'|".*")\]""", re.DOTALL)


def codes(values: Sequence[Any], no_answer: Sequence[str] = ()) -> NDArray[np.signedinteger]:
    """Return a number for each distinct value, in few bytes; null, and what is no answer, are -1.

    Examples
    --------
    >>> codes(["a", "b", "a", None, "NULL"], no_answer=["NULL"]).tolist()
    [0, 1, 0, -1, -1]
    """
    return labelled_codes(values, no_answer)[0]


def labelled_codes(
    values: Sequence[Any], no_answer: Sequence[str] = ()
) -> tuple[NDArray[np.signedinteger], list[str]]:
    """Return the numbers of `codes` and the label of each.

    Formulas are told apart by their values, where each stands before its way of writing.

    Examples
    --------
    >>> numbers, labels = labelled_codes(["[23, '23']", "[23, '46/2']", "[1/2, '.5']"])
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


def as_text(value: Any) -> str:
    """Return a text that is equal for equal values; that of a string is itself."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
