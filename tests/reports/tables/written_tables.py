"""Tables written in every format, and what loading one gives."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv, feather, ipc

from reports import LoadError, load


def parquet(columns, **options):
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    pq.write_table(table, buffer := io.BytesIO(), **options)
    return buffer.getvalue()


def feathered(table):
    feather.write_feather(table, buffer := io.BytesIO())
    return buffer.getvalue()


def streamed(table):
    with ipc.new_stream(buffer := io.BytesIO(), table.schema) as writer:
        writer.write_table(table)
    return buffer.getvalue()


def delimited(delimiter, encoding="utf-8", ends=b"\n"):
    def write(table):
        csv.write_csv(table, buffer := io.BytesIO(), csv.WriteOptions(delimiter=delimiter))
        return buffer.getvalue().decode().replace("\n", ends.decode()).encode(encoding)

    return write


def lines(table):
    return "\n".join(json.dumps(row) for row in table.to_pylist()).encode() + b"\n"


def utf16_lines(table):
    return lines(table).decode().encode("utf-16")


def json_list(table):
    return json.dumps(table.to_pylist(), indent=1).encode()


def only(name, data, **options):
    (run,) = load((name, data), **options).runs
    return run


def refusal(name, data, **options):
    with pytest.raises(LoadError) as caught:
        load((name, data), **options)
    assert len(str(caught.value)) < 500
    return str(caught.value)


def npz(**arrays):
    np.savez_compressed(buffer := io.BytesIO(), **arrays)
    return buffer.getvalue()
