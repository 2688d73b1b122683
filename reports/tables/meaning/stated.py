"""Columns that say how a run was made: those with a setting's name and one value in the run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pyarrow as pa

from reports.run.fingerprint import Setting
from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.schema.columns import Columns, names_setting
from reports.tables.schema.names import CALLED, key
from reports.tables.schema.spelled import FEW

_LOOKED_AT = 10_000


def stated(columns: Columns, data: pa.Table) -> dict[str, CodedLabels]:
    """Return the columns of few values that tell how runs were made, by the name of the setting."""
    first = {name: labels(data[name][:_LOOKED_AT]) for name in names_setting(columns)}
    few = {name: labels(data[name]) for name, found in first.items() if len(found.values) <= FEW}
    return {called(name): found for name, found in few.items() if 0 < len(found.values) <= FEW}


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
