"""Columns that tell how a run was made: those of such a name that hold one value throughout it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from reports.run.fingerprint import Setting
from reports.tables.meaning.codes import labels
from reports.tables.schema.columns import Columns, names_setting
from reports.tables.schema.names import CALLED, key
from reports.tables.schema.spelled import FEW

_LOOKED_AT = 10_000


@dataclass(frozen=True)
class StatedColumn:
    """What a column says of the rows.

    Attributes
    ----------
    values : tuple of str, int, float or bool
    codes : int array (R,) or None
        Which value each row has, -1 for none; None if all have the only one.
    """

    values: tuple[Setting, ...]
    codes: NDArray[np.int32] | None

    def throughout(self, rows: NDArray[np.intp]) -> Setting | None:
        """Return the value that all of these rows have."""
        if self.codes is None:
            return self.values[0]
        first = int(self.codes[rows[0]])
        return self.values[first] if first >= 0 and (self.codes[rows] == first).all() else None


def stated(columns: Columns, data: pa.Table) -> Mapping[str, StatedColumn]:
    """Return what a table says of how its runs were made, by the name of the setting."""
    return {called(name): found for name, found in _found(columns, data)}


def called(name: str) -> str:
    """Return what a setting is called, by the name of its column."""
    return CALLED.get(key(name), key(name))


def setting(value: str) -> Setting:
    """Return the text of a cell as what it spells, unless more is in it than a number.

    What is not finite is NaN, which is no setting.

    Examples
    --------
    >>> setting("0.7"), setting("7"), setting("true"), setting("1.10"), setting("v2")
    (0.7, 7, True, '1.10', 'v2')
    """
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    if value.lower() in ("nan", "inf", "-inf"):
        return math.nan
    try:
        number: int | float = msgspec.json.decode(value, type=int | float)
    except (msgspec.DecodeError, UnicodeError):
        return value
    return number if str(number) == value else value


def throughout(names: Iterable[str], facts: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the settings that hold throughout a run, by the facts of its rows; see `Look`."""
    return {
        called(name): setting(facts[f"least {name}"])
        for name in names
        if facts[f"held {name}"] == facts["rows"]
        and facts[f"least {name}"] == facts[f"most {name}"]
    }


def _found(columns: Columns, data: pa.Table) -> Iterator[tuple[str, StatedColumn]]:
    for name in names_setting(columns):
        column = data[name]
        if len(labels(column[:_LOOKED_AT]).values) > FEW:
            continue
        found = labels(column)
        if len(found.values) <= FEW and found.codes.size and found.codes.max() >= 0:
            values = tuple(map(setting, found.values))
            alone = len(values) == 1 and found.codes.min() >= 0
            yield name, StatedColumn(values, None if alone else found.codes)
