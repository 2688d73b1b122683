"""Which column types can hold which data."""

from __future__ import annotations

from uuid import UUID

import pyarrow as pa
from pyarrow import types


def plain(schema: pa.Schema) -> pa.Schema:
    """Return a schema in which categories of numbers are numbers, and UUIDs and views are texts.

    What else extends a type of Arrow is of that type.
    """
    return pa.schema([column.with_type(_plain(column.type)) for column in schema])


def _plain(kind: pa.DataType) -> pa.DataType:
    if types.is_dictionary(kind) and is_number(kind.value_type):
        return kind.value_type
    if isinstance(kind, pa.UuidType):
        return pa.string()
    if types.is_string_view(kind):
        return pa.large_string()
    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


def unextended(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch whose columns are as `plain` says; categories stay as they are."""
    for place, column in enumerate(batch.columns):
        name = batch.schema.names[place]
        if isinstance(column.type, pa.UuidType):
            batch = batch.set_column(place, name, _spelled(column.storage))
        elif isinstance(column.type, pa.BaseExtensionType):
            batch = batch.set_column(place, name, column.storage)
        elif types.is_string_view(column.type):
            batch = batch.set_column(place, name, column.cast(pa.large_string()))
    return batch


def _spelled(uuids: pa.Array) -> pa.Array:
    """Return UUIDs of 16 bytes each as everybody writes them."""
    found = uuids.dictionary_encode()
    texts = [str(UUID(bytes=each)) for each in found.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(found.indices, pa.array(texts, pa.string()))


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
