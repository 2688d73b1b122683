"""Texts in CSV that a spreadsheet would run as formulas, and how this is prevented."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

MARKS = ("=", "+", "-", "@", "\t", "\r")
"""What a formula begins with."""
_RUN = r"^'*[=+\-@\t\r]"
_NUMBER = r"^'*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def guarded(texts: pa.Array) -> pa.Array:
    """Return texts of which a spreadsheet runs none: an apostrophe comes before a formula.

    A number is no formula. So that `unguarded` gives every text back, one that is guarded already
    gets another apostrophe.

    Examples
    --------
    >>> guarded(pa.array(["=1+1", "'=1+1", "-5", "7B", None])).to_pylist()
    ["'=1+1", "''=1+1", '-5', '7B', None]
    """
    return pc.if_else(_is_run(texts), pc.binary_join_element_wise("'", texts, ""), texts)


def unguarded(texts: pa.Array) -> pa.Array:
    """Return the texts that `guarded` was given.

    Examples
    --------
    >>> unguarded(pa.array(["'=1+1", "''=1+1", "'-5", None])).to_pylist()
    ['=1+1', "'=1+1", "'-5", None]
    """
    is_guarded = pc.and_(_is_run(texts), pc.starts_with(texts, "'"))
    return pc.if_else(is_guarded, pc.utf8_slice_codeunits(texts, 1), texts)


def _is_run(texts: pa.Array) -> Any:
    return pc.and_not(
        pc.match_substring_regex(texts, _RUN), pc.match_substring_regex(texts, _NUMBER)
    )


def with_texts(batch: pa.RecordBatch, change: Any) -> pa.RecordBatch:
    """Return a batch whose columns of text are changed, by their distinct values.

    change: From texts to as many.
    """
    columns = [
        pa.DictionaryArray.from_arrays(column.indices, change(column.dictionary))
        if pa.types.is_dictionary(column.type)
        else column
        for column in batch.columns
    ]
    return pa.record_batch(columns, schema=batch.schema)
