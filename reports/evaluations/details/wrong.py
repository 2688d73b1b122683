"""Details of the wrong samples only, read block by block for which samples these are."""

from __future__ import annotations

from typing import Any

from reports.evaluations.details.streamed import Unlike
from reports.json_files.entries import Entries
from reports.json_files.fields import FieldReader, reduced
from reports.json_files.strict import NOT_FINITE

KEYS = ("id", "correct")
"""Of the name of a sample's question, and of its verdict."""


def read_wrong(entries: Entries, limit: int, file: str, place: str) -> list[dict[str, Any]]:
    """Read the names and verdicts of a list of entries, which may have different fields otherwise.

    Parameters
    ----------
    limit : int
        Samples of the dataset, T.
    """
    rows: list[dict[str, Any]] = []
    samples, reader = 0, FieldReader(file, place, NOT_FINITE)
    for block in entries:
        fields = reader.read(block)
        found = list(reduced(fields, KEYS))
        verdicts = [row.get("correct") for row in found]
        samples += sum(len(each) if isinstance(each, list) else 1 for each in verdicts)
        if fields.names is not None or not fields.objects or samples >= limit:
            raise Unlike
        rows += found
    return rows
