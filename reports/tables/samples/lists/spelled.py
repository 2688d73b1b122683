"""Lists in table cells, including text in the notation of JSON or Python."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import msgspec

from reports.tables.schema.columns import Columns

_LONGEST = 1 << 16
_DECODER = msgspec.json.Decoder(list[Any])


def as_list(value: Any) -> list[Any] | None:
    """Return the entries of a list, None of what is none.

    Examples
    --------
    >>> as_list('["a", "b"]'), as_list("['a', 'b']"), as_list("a, b"), as_list([1])
    (['a', 'b'], ['a', 'b'], None, [1])
    """
    if not isinstance(value, str):
        return list(value) if hasattr(value, "__len__") and not isinstance(value, dict) else None
    try:
        return _DECODER.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    if not value.lstrip().startswith("[") or len(value) > _LONGEST:
        return None
    try:
        found = ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def of_samples(columns: Columns, values: Sequence[Any], width: int) -> Sequence[Any] | None:
    """Return what a row holds for each of its samples; None where it is no such list."""
    if columns.shape != "list":
        return values
    listed = as_list(values[0])
    return listed if listed is None or len(listed) <= width else None
