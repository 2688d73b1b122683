"""In-memory tables of pandas, polars or Arrow, as files of Arrow."""

from __future__ import annotations

import io
from typing import Any, Protocol, runtime_checkable

import pyarrow as pa
from pyarrow import ipc

from metrics.data.words import Text
from reports.files.errors import LoadError

NAME = "table"
"""What such a table is called, and its model and dataset where no column names them."""


@runtime_checkable
class Frame(Protocol):
    """A table that gives its columns to Arrow: of pandas, polars, Arrow itself, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


def as_file(frame: Frame) -> tuple[str, bytes]:
    """Write a table as a stream of Arrow, under the name that messages give it.

    Raises LoadError if a column of it is none of Arrow, as where its values are of several types.

    Examples
    --------
    >>> name, data = as_file(pa.table({"question_id": ["a"], "correct": [1]}))
    >>> name, ipc.open_stream(data).schema.names
    ('table', ['question_id', 'correct'])
    """
    buffer = io.BytesIO()
    try:
        table = pa.table(frame)
        with ipc.new_stream(buffer, table.schema) as writer:
            writer.write_table(table)
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = "; ".join(map(str, error.args)) or type(error).__name__
        raise LoadError(
            NAME,
            Text("cannot be converted to columns of Arrow ({reason:.200})", reason=reason),
            Text("Give each column a name of its own and values of one type."),
        ) from error
    return NAME, buffer.getvalue()
