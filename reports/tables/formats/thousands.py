"""Numbers with commas as thousands separators, such as 1,234.5."""

from __future__ import annotations

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from metrics.data.words import Text
from reports.tables.source import Source

_GROUPED = r"^\s*(?:[+-]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,3})(?:\.[0-9]+)?\s*)?$"


def grouped_columns(first: pa.RecordBatch) -> list[str]:
    """Return the columns all of whose values are such numbers; others may mean decimal commas.

    Examples
    --------
    >>> columns = {"tokens": ["1,234", "87"], "score": ["0,125", "1"], "id": ["a", "1,234"]}
    >>> grouped_columns(pa.RecordBatch.from_pydict(columns))
    ['tokens']
    """
    return [
        name
        for name, column in zip(first.schema.names, first.columns, strict=True)
        if types.is_string(column.type) and _are_grouped(column)
    ]


def ungrouped(source: Source, batch: pa.RecordBatch, names: Collection[str]) -> pa.RecordBatch:
    """Return a batch with such columns as numbers.

    Raises LoadError if a value further down is none.
    """
    for position, name in enumerate(batch.schema.names):
        if name in names:
            texts = batch.column(position)
            valid = pc.fill_null(pc.match_substring_regex(texts, _GROUPED), True)
            if not pc.all(valid, min_count=0).as_py():
                value = pc.filter(texts, pc.invert(valid))[0].as_py()
                raise source.error(
                    Text(
                        "holds {value:.40}, and above it numbers such as 1,234",
                        value=repr(value),
                    ),
                    Text("Write all its numbers without commas between thousands."),
                    name,
                )
            bare = pc.replace_substring(pc.utf8_trim_whitespace(texts), ",", "")
            bare = pc.replace_substring_regex(bare, r"^\+", "")
            numbers = pc.if_else(pc.equal(bare, ""), None, bare).cast(pa.float64())
            batch = batch.set_column(position, name, numbers)
    return batch


def _are_grouped(texts: pa.Array) -> bool:
    any_comma = pc.any(pc.match_substring(texts, ",")).as_py()
    return bool(any_comma and pc.all(pc.match_substring_regex(texts, _GROUPED)).as_py())
