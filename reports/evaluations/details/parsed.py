"""Details that were read as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics.data.words import Text
from reports.evaluations.details.table import NAME, DetailTable, ends_of, shown
from reports.json_files.interned import Interned


def table_of(details: Any, file: str, place: str) -> DetailTable:
    """Return details as a table; see `read_details`."""
    return details if isinstance(details, DetailTable) else _Objects(details, file, place)


class _Objects(DetailTable):
    def __init__(self, details: Any, file: str, place: str) -> None:
        self.file, self.place, self.named = file, place, isinstance(details, Mapping)
        keys: list[Any] = []
        if isinstance(details, list):
            keys = list(range(len(details)))
        elif isinstance(details, Mapping):
            keys = sorted((key for key in details if key.isascii() and key.isdigit()), key=_number)
        if not keys or [_number(key) for key in keys] != list(range(len(keys))):
            problem = Text(
                "found {got} where entries numbered from 0 were expected", got=shown(details)
            )
            raise self.refused(problem, place)
        self._entries = [details[key] for key in keys]
        for i, entry in enumerate(self._entries):
            if not isinstance(entry, Mapping):
                problem = Text("found {got} where an entry was expected", got=shown(entry))
                raise self.refused(problem, self.where(i))
        in_order = ends_of([entry.get(NAME) for entry in self._entries])
        if sorted(in_order) == keys and in_order != keys:
            self.moved = True
            self._entries = [self._entries[i] for i in np.argsort(in_order)]
        self.keys = tuple(self._entries[0])

    def __len__(self) -> int:
        return len(self._entries)

    def first(self, key: str) -> Any:
        return self._entries[0][key]

    def column(self, key: str | None, width: int | None) -> Interned | None:
        if key is None:
            return None
        column = []
        for i, entry in enumerate(self._entries):
            if key not in entry:
                raise self.refused(Text("has no {key}", key=key), self.where(i))
            values = [entry[key]] if width is None else entry[key]
            if not isinstance(values, list) or len(values) != (width or 1):
                problem = Text(
                    "found {got} where the first entry has a list of {width}",
                    got=shown(values),
                    width=width,
                )
                raise self.refused(problem, f"{self.where(i)}.{key}")
            column += values
        return Interned(column)


def _number(key: Any) -> int:
    return int(key) if len(str(key)) < 10 else -1
