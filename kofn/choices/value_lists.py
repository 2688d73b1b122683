"""Lists in files for a command: a value for each of some names."""

from __future__ import annotations

import csv

from metrics.data.words import MetricError, Text

LONGEST = 1 << 24
"""Bytes of a list that are read."""


def read_list(path: str, name: str, value: str, unfit: Text) -> dict[str, str]:
    """Read a CSV with a column of names, each once, and one of values.

    unfit: What the list has to be.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(LONGEST + 1)
        rows = [*csv.DictReader(data.decode("utf-8-sig").splitlines())]
        found = {row[name]: row[value] for row in rows}
    except OSError as error:
        reason = error.strerror or str(error)
        raise MetricError(
            Text("{file} cannot be read: {reason}.", file=path, reason=reason)
        ) from error
    except (UnicodeDecodeError, csv.Error, KeyError) as error:
        raise MetricError(unfit) from error
    if not found or len(data) > LONGEST or len(found) < len(rows) or None in found.values():
        raise MetricError(unfit)
    return found
