"""Limits on how much a table may hold, in total and for the size of its file."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.words import Text
from reports.files.packed.inflating import MAX_RATIO, most_inflated
from reports.tables.source import Source

MAX_VALUES = 500_000_000
"""Values that one table may hold in the columns that are read."""
MAX_BYTES = 2 << 30
"""Bytes that these columns may take when unpacked."""
ANY_SAMPLES = 4_000_000
"""Samples that a file of any size may hold."""
MOST_SAMPLES = 128
"""Samples for each byte of a file; real ones hold one in several bytes, or up to ten if they are
nearly all wrong."""

_NOT_REAL = Text("If it is a real table, load it as CSV that is not packed.")


def require_room(source: Source, values: int, size: int = 0) -> None:
    """Refuse a table that is beyond the bounds."""
    if values > MAX_VALUES or size > MAX_BYTES:
        raise source.error(
            Text(
                "holds more than {values} values or {size} GiB in the columns that kofn reads",
                values=MAX_VALUES,
                size=MAX_BYTES >> 30,
            ),
            Text("Write one file for each model and load them one by one."),
        )


def most_samples(source: Source) -> int:
    """Return how many samples, or entries of lists, a file of this size may hold."""
    return max(ANY_SAMPLES, MOST_SAMPLES * source.given)


def require_measure(source: Source, samples: int, size: int = 0) -> None:
    """Refuse a small file that unpacks to more samples or bytes than any real one."""
    if samples > most_samples(source):
        raise source.error(
            Text(
                "holds {samples} samples in {given} bytes, more than {most} in each",
                samples=samples,
                given=source.given,
                most=MOST_SAMPLES,
            ),
            _NOT_REAL,
        )
    if size > most_inflated(source.given):
        raise source.error(
            Text(
                "would unpack to {size:,.0f} MiB, more than {most} times its {given} bytes",
                size=size / 2**20,
                most=MAX_RATIO,
                given=source.given,
            ),
            _NOT_REAL,
        )


def category_values(source: Source, column: pa.DictionaryArray) -> pa.Array:
    """Return a column of texts with each text in every row that has it, if there is room."""
    sizes = pc.binary_length(column.dictionary).take(column.indices)
    require_measure(source, 0, pc.sum(sizes.cast(pa.int64()), min_count=0).as_py())
    return column.cast(column.type.value_type)
