"""Columns of lists, whether they are lists or text that spells them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.words import Text
from reports.tables.kinds import is_text
from reports.tables.names import CORRECT, EXTRACTED, LISTS_OF_SCORES, MEASURED, key
from reports.tables.source import Source

_NUMBER = r"(?:true|false|null|none|nan|[+-]?[0-9]{1,20}(?:\.[0-9]{0,20})?(?:e[+-]?[0-9]{1,3})?)"
_LIST = rf"(?i)^\s*(?:\[\s*(?:{_NUMBER}(?:\s*,\s*{_NUMBER})*)?\s*\]\s*)?$"
_MAY_BE_LISTS = {
    *(*CORRECT, *LISTS_OF_SCORES, *EXTRACTED),
    *(name for names in MEASURED.values() for name in names),
}


def may_be_lists(source: Source, schema: pa.Schema) -> list[str]:
    """Return the columns of text that would be of use if they spelled lists."""
    chosen = source.chosen.values()
    return [
        column.name
        for column in schema
        if is_text(column.type)
        and (column.name in chosen or key(column.name) in _MAY_BE_LISTS)
        and schema.names.count(column.name) == 1
    ]


def recognise(source: Source, schema: pa.Schema, first: pa.Table | pa.RecordBatch) -> pa.Schema:
    """Return the schema in which text that spells lists of numbers is a list of numbers.

    Parameters
    ----------
    source : Source
    schema : pyarrow.Schema
    first : pyarrow.Table or RecordBatch
        Some rows with the columns of `may_be_lists`.
    """
    for name in may_be_lists(source, schema):
        texts = first[name].cast(pa.string())
        all_lists = pc.all(pc.match_substring_regex(texts, _LIST)).as_py()
        if all_lists and pc.any(pc.match_substring(texts, "[")).as_py():
            position = schema.get_field_index(name)
            schema = schema.set(position, pa.field(name, pa.large_list(pa.float64())))
    return schema


def parsed(source: Source, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return a column of lists; text that spells lists becomes them.

    Raises
    ------
    LoadError
        For a text that is not such a list.
    """
    if not is_text(column.type):
        return column
    texts = column.cast(pa.large_string())
    is_list = pc.fill_null(pc.match_substring_regex(texts, _LIST), True).to_numpy()
    if not is_list.all():
        raise source.error(
            Text("row {row:,} is not a list such as [1, 0, 1]", row=int(np.argmin(is_list)) + 1),
            Text("Write every value of this column as a list of numbers or booleans."),
            name,
        )
    bare = pc.replace_substring_regex(pc.utf8_lower(texts), r"[\s\[\]]", "")
    items = pc.split_pattern(bare, ",")
    kept = pc.if_else(pc.equal(bare, ""), pa.scalar([], items.type), items)
    kept = pc.if_else(pc.match_substring(texts, "["), kept, None)
    return pa.chunked_array([_numbers(chunk) for chunk in kept.chunks], pa.large_list(pa.float64()))


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


def flat(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values of all lists, one after the other."""
    return pc.list_flatten(pc.cast(column, pa.large_list(column.type.value_type)))
