"""Write the rows of files, all or some, as one file of the same format."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

import pyarrow as pa
from pyarrow import csv

from reports.tables.formats import delimited
from reports.tables.parted import Values
from reports.tables.source import Source

Choose = Callable[[pa.RecordBatch], pa.RecordBatch]
"""Returns the rows of a batch that count."""


def _all(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch


class PartFile(NamedTuple):
    """A file, and what its folders say."""

    source: Source
    values: Values


class Sink(io.RawIOBase):
    """Takes what is written, to be passed on."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._at

    def write(self, data: object, /) -> int:
        """Take bytes in."""
        held = bytes(cast(bytes, data))
        self.written.append(held)
        self._at += len(held)
        return len(held)

    def taken(self) -> list[bytes]:
        """Return what was written since the last time."""
        taken, self.written = self.written, []
        return taken


def _with(batch: pa.RecordBatch, said: Values, whole: pa.Schema) -> pa.RecordBatch:
    """Add what the folders of a part say."""
    added = [
        pa.repeat(pa.scalar(said[field.name], field.type), len(batch))
        for field in whole
        if field.name in said
    ]
    return pa.RecordBatch.from_arrays([*batch.columns, *added], schema=whole)


def write_text(
    parts: Sequence[PartFile],
    starts: Sequence[delimited.Start],
    shared: Sequence[str],
    choose: Choose = _all,
) -> Iterator[bytes]:
    """Write values as they are, each in quotation marks."""
    whole = pa.schema([(name, pa.string()) for name in (*shared, *parts[0].values)])
    sink, options = Sink(), csv.WriteOptions(delimiter=starts[0].delimiter)
    with csv.CSVWriter(sink, whole, write_options=options) as writer:
        for (source, values), start in zip(parts, starts, strict=True):
            said = {name: None if of is None else str(of) for name, of in values.items()}
            for batch in delimited.texts(source, start, shared):
                writer.write(_with(choose(batch), said, whole))
                yield from sink.taken()
    yield from sink.taken()
