"""A table of an engine, by its address."""

from __future__ import annotations

from typing import Any

from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.run.report import Report


def read(address: Address, **options: Any) -> Report:
    """Read the table of an engine.

    Raises
    ------
    LoadError
        If it cannot be read.
    """
    raise LoadError(
        address.shown,
        Text("is the address of an engine that kofn does not know"),
        Text("Write the table as Parquet, and give that."),
    )
