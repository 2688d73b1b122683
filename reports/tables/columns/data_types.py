"""Which types of column can hold what."""

from __future__ import annotations

import pyarrow as pa
from pyarrow import types


def plain(schema: pa.Schema) -> pa.Schema:
    """Return a schema in which categories of numbers are numbers."""
    return pa.schema(
        [
            column.with_type(column.type.value_type)
            if types.is_dictionary(column.type) and is_number(column.type.value_type)
            else column
            for column in schema
        ]
    )


def is_number(kind: pa.DataType) -> bool:
    """Whether a column holds numbers, booleans, or nothing at all."""
    return bool(
        types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
        or types.is_null(kind)
    )


def is_list_of_numbers(kind: pa.DataType) -> bool:
    """Whether each value is a list of numbers."""
    return is_list(kind) and is_number(kind.value_type)


def is_list_of_labels(kind: pa.DataType) -> bool:
    """Whether each value is a list of single values."""
    return is_list(kind) and is_label(kind.value_type)


def is_list_of_texts(kind: pa.DataType) -> bool:
    """Whether each value is a list of texts."""
    return is_list(kind) and is_text(kind.value_type)


def is_prompt(kind: pa.DataType) -> bool:
    """Whether a column may hold texts or messages."""
    return is_text(kind) or bool(types.is_nested(kind))


def holds_objects(kind: pa.DataType) -> bool:
    """Whether a column holds objects or lists of them."""
    inner = kind.value_type if is_list(kind) else kind
    return bool(types.is_nested(inner))


def is_anything(kind: pa.DataType) -> bool:
    """Whether a column holds anything at all."""
    return not types.is_null(kind)


def is_label(kind: pa.DataType) -> bool:
    """Whether a column holds single values, which can be told apart as text."""
    value = kind.value_type if types.is_dictionary(kind) else kind
    return not types.is_nested(value)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds text."""
    value = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(value) or types.is_large_string(value))


def is_list(kind: pa.DataType) -> bool:
    """Whether each value is a list."""
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))
