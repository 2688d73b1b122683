"""Write the rows of files, all or some, as one file of the same format."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
from pyarrow import csv

from reports.tables.formats import delimited
from reports.tables.parted import Values
from reports.tables.source import Source

PartFile = tuple[Source, Values]
"""A file, and what its folders say."""
Choose = Callable[[pa.RecordBatch], pa.RecordBatch]
"""Returns the rows of a batch that count."""


def write_text(
    parts: Sequence[PartFile],
    starts: Sequence[delimited.Start],
    shared: Sequence[str],
    choose: Choose = lambda batch: batch,
) -> Iterator[bytes]:
    """Write values as they are, each in quotation marks, with what the folders of parts say."""
    whole = pa.schema([(name, pa.string()) for name in (*shared, *parts[0][1])])
    yield _written(whole.empty_table(), starts[0], header=True)
    for (source, values), start in zip(parts, starts, strict=True):
        said = [
            None if of is None else str(of) for of in map(values.get, whole.names[len(shared) :])
        ]
        for batch in map(choose, delimited.texts(source, start, shared)):
            added = [pa.repeat(pa.scalar(of, pa.string()), len(batch)) for of in said]
            rows = pa.record_batch([*batch.columns, *added], schema=whole)
            yield _written(rows, starts[0], header=False)


def _written(
    rows: pa.RecordBatch | pa.Table, start: delimited.Start, header: bool = False
) -> bytes:
    buffer = io.BytesIO()
    csv.write_csv(rows, buffer, csv.WriteOptions(include_header=header, delimiter=start.delimiter))
    return buffer.getvalue()
