"""Results as tables of pandas, which is imported when one is asked for and not before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.data.shown import fields_of

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame


def frame(columns: Mapping[str, Any]) -> DataFrame:
    """Return columns of one length as a table."""
    import pandas as pd

    return pd.DataFrame(dict(columns))


def rows_frame(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """Return rows with the same names as a table."""
    return frame({name: [row[name] for row in rows] for name in rows[0]} if rows else {})


def vectors(result: Any) -> dict[str, Any]:
    """Return the vectors among the fields of a dataclass or named tuple, by name."""
    fields = fields_of(result).items()
    return {name: each for name, each in fields if isinstance(each, np.ndarray)}


class Rows:
    """A base for dataclasses with vectors of one length."""

    __slots__ = ()

    def to_frame(self) -> DataFrame:
        """Return the vectors as the columns of a table; needs pandas."""
        return frame(vectors(self))
