"""Columns of lists, stored as lists or as text."""

from __future__ import annotations

import ast
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.tables.bounds import require_measure
from reports.tables.source import Source

_LONGEST = 1 << 16
_DECODER = msgspec.json.Decoder(list[Any])
_NUMBER = r"(?:true|false|null|none|nan|[+-]?[0-9]{1,20}(?:\.[0-9]{0,20})?(?:e[+-]?[0-9]{1,3})?)"
_LIST = rf"(?i)^\s*(?:\[\s*(?:{_NUMBER}(?:\s*,\s*{_NUMBER})*)?\s*\]\s*)?$"


def spell_lists(texts: pa.Array | pa.ChunkedArray) -> bool:
    """Whether texts spell lists of numbers."""
    all_lists = pc.all(pc.match_substring_regex(texts, _LIST)).as_py()
    return bool(all_lists and pc.any(pc.match_substring(texts, "[")).as_py())


def parse_lists(source: Source, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return the lists that a column of text spells.

    Raises LoadError for a text that is not such a list.
    """
    texts = column.cast(pa.large_string())
    require_measure(source, pc.sum(pc.count_substring(texts, ","), min_count=0).as_py())
    is_list = pc.fill_null(pc.match_substring_regex(texts, _LIST), True).to_numpy()
    if not is_list.all():
        raise source.error(
            Text("row {row} is not a list such as [1, 0, 1]", row=int(np.argmin(is_list)) + 1),
            Text("Write every value of this column as a list of numbers or booleans."),
            name,
        )
    bare = pc.replace_substring_regex(pc.utf8_lower(texts), r"[\s\[\]]", "")
    items = pc.split_pattern(bare, ",")
    lists = pc.if_else(pc.equal(bare, ""), pa.scalar([], items.type), items)
    lists = pc.if_else(pc.match_substring(texts, "["), lists, None)
    return pa.chunked_array(
        [_numbers(chunk) for chunk in lists.chunks], pa.large_list(pa.float64())
    )


def _numbers(lists: pa.Array) -> pa.Array:
    words = lists.flatten()
    words = pc.if_else(pc.is_in(words, pa.array(["null", "none", "nan"])), None, words)
    for word, number in (("true", "1"), ("false", "0")):
        words = pc.if_else(pc.equal(words, word), number, words)
    words = pc.replace_substring_regex(words, r"^\+", "")
    lengths = pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    mask = lists.is_null() if lists.null_count else None
    return pa.LargeListArray.from_arrays(offsets, words.cast(pa.float64()), mask=mask)


def lengths(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return the length of every list, 0 for none."""
    counts = pc.fill_null(pc.list_value_length(column), 0)
    return np.asarray(counts.to_numpy(), dtype=np.int64)


def flat_values(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values of all lists, one after the other."""
    return pc.list_flatten(pc.cast(column, pa.large_list(column.type.value_type)))


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
