"""Columns of text that spell what is of use: lists of numbers, or verdicts in words."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.words import Text
from reports.tables.kinds import is_text
from reports.tables.lists import spell_lists
from reports.tables.names import (
    CORRECT,
    EXTRACTED,
    LISTS_OF_SCORES,
    MEASURED,
    NUMBERED,
    WIDE_SCORES,
    WIDE_VERDICTS,
    key,
)
from reports.tables.source import Source

_LOOKED_AT = 10_000
_RIGHT = ("true", "t", "yes", "y", "pass", "passed", "correct", "right", "1", "1.0", "✓", "✔")
_WRONG = ("false", "f", "no", "n", "fail", "failed", "incorrect", "wrong", "0", "0.0", "✗", "✘")

_WORDS = pa.array([*_RIGHT, *_WRONG])
_LISTS = {
    *(*CORRECT, *LISTS_OF_SCORES, *EXTRACTED),
    *(name for names in MEASURED.values() for name in names),
}


def may_spell(source: Source, schema: pa.Schema) -> list[str]:
    """Return the columns of text that would be of use if they spelled lists or verdicts."""
    words = _may_be_verdicts(source, schema)
    return [
        column.name
        for column in schema
        if is_text(column.type)
        and (key(column.name) in _LISTS or column.name in words)
        and schema.names.count(column.name) == 1
    ]


def recognise(source: Source, schema: pa.Schema, first: pa.Table | pa.RecordBatch) -> pa.Schema:
    """Return the schema in which text that spells lists or verdicts is of their type.

    Parameters
    ----------
    source : Source
    schema : pyarrow.Schema
    first : pyarrow.Table or RecordBatch
        Some rows with the columns of `may_spell`.
    """
    words = _may_be_verdicts(source, schema)
    for name in may_spell(source, schema):
        texts = first[name].cast(pa.string())
        if spell_lists(texts):
            kind = pa.large_list(pa.float64())
        elif name in words and _are_verdicts(texts):
            kind = pa.bool_()
        else:
            continue
        schema = schema.set(schema.get_field_index(name), pa.field(name, kind))
    return schema


def verdicts(source: Source, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return a column of words as 1, 0 and null.

    Raises
    ------
    LoadError
        For a word that is no verdict.
    """
    words = _bare(column.cast(pa.string()))
    valid = pc.or_(pc.is_in(words, _WORDS), pc.is_null(words)).to_numpy()
    if not valid.all():
        row = int(np.argmin(valid))
        raise source.error(
            Text(
                "row {row:,} holds {word:.40}, and the others words such as yes and no",
                row=row + 1,
                word=repr(column[row].as_py()),
            ),
            Text("Write 1 for right, 0 for wrong, and nothing where a request failed."),
            name,
        )
    right = pc.is_in(words, pa.array(_RIGHT))
    return pc.if_else(pc.is_null(words), None, right.cast(pa.float64()))


def odd_value(source: Source, name: str) -> tuple[int, str] | None:
    """Return the first row of a column of text, and what it holds, that is no outcome."""
    assert source.values is not None
    known = {*_RIGHT, *_WRONG, ""}
    for row, (value,) in enumerate(islice(source.values(source, [name]), _LOOKED_AT), start=1):
        if isinstance(value, str) and value.strip().lower() not in known and not _is_number(value):
            return row, value
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _may_be_verdicts(source: Source, schema: pa.Schema) -> set[str]:
    """Return the columns that are verdicts by their names: those that are so called, if any."""
    chosen = {source.chosen[role] for role in ("correct", "score") if role in source.chosen}
    for names, stems in (
        (chosen, {*map(key, chosen)}),
        ({*CORRECT}, {*WIDE_VERDICTS}),
        (set[str](), {*WIDE_SCORES}),
    ):
        found = {name for name in schema.names if {name, key(name)} & names or _stem(name) in stems}
        if found:
            return found
    return set()


def _stem(name: str) -> str | None:
    """Return what a column has in common with those of other numbers."""
    match = NUMBERED.fullmatch(key(name))
    return match[1] if match else None


def _are_verdicts(texts: pa.Array | pa.ChunkedArray) -> bool:
    words = _bare(texts)
    known = pc.or_(pc.is_in(words, _WORDS), pc.is_null(words))
    return bool(pc.all(known).as_py() and pc.any(pc.is_valid(words)).as_py())


def _bare(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return words in lower case without blanks, null for none."""
    words = pc.utf8_lower(pc.utf8_trim_whitespace(texts))
    return pc.if_else(pc.equal(words, ""), None, words)
