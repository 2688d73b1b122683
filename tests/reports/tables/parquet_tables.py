"""What columns give that are loaded as a Parquet file."""

from reports import load
from tests.reports.tables import written_tables
from tests.reports.tables.written_tables import parquet


def loaded(columns):
    return load(("t.parquet", parquet(columns)))


def only(columns):
    return written_tables.only("t.parquet", parquet(columns))


def refusal(columns):
    return written_tables.refusal("t.parquet", parquet(columns))
