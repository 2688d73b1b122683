"""The files that hold a long table, written in batches; importing this loads nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from reports.tables.writing.formulas import guarded, with_texts

ALWAYS = ("run", "model", "dataset", "question_id", "sample", "correct", "status")
"""What every line of JSON begins with."""
_LINES = 10_000


class _Lines:
    """A JSON object for each row; its texts are ASCII, whatever they hold."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._file = path.open("wb")

    def __enter__(self) -> _Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write_batch(self, rows: pa.RecordBatch) -> None:
        for start in range(0, rows.num_rows, _LINES):
            self._file.write(self._encoded(rows.slice(start, _LINES)))

    def _encoded(self, rows: pa.RecordBatch) -> bytes:
        parts: list[Any] = []
        for name, column in zip(rows.schema.names, rows.columns, strict=True):
            if name in ALWAYS or column.null_count < len(column):
                parts += [f"{',' if parts else '{'}{json.dumps(name)}:", _as_json(column)]
        return b"".join(
            pc.binary_join_element_wise(*parts, "}\n", "").cast(pa.binary()).to_pylist()
        )


def _as_json(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        texts = [json.dumps(text) for text in column.dictionary.to_pylist()]
        indices = pc.fill_null(column.indices, len(texts))
        return pa.array([*texts, "null"], pa.string()).take(indices)
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column.cast(pa.float64()))
    texts = pc.replace_substring_regex(column.cast(pa.string()), "^-?inf$", r'"\0"')
    return pc.fill_null(texts, "null")


def _parquet(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    return pq.ParquetWriter(path, schema, compression="zstd")


class _Cells:
    """CSV of which a spreadsheet runs nothing."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._writer = csv.CSVWriter(path, schema)

    def __enter__(self) -> _Cells:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def write_batch(self, rows: pa.RecordBatch) -> None:
        self._writer.write_batch(with_texts(rows, guarded))


WRITERS: Mapping[str, Callable[..., Any]] = {
    ".parquet": _parquet,
    ".csv": _Cells,
    ".jsonl": _Lines,
}
SUFFIXES = tuple(WRITERS)
"""Of the formats that can be written."""
