"""Results as tables of pandas, which is imported when one is asked for and not before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame


def frame(columns: Mapping[str, Any]) -> DataFrame:
    """Return columns of one length as a table."""
    import pandas as pd

    return pd.DataFrame(dict(columns))


class Rows:
    """A base for dataclasses with vectors of one length."""

    __slots__ = ()

    def to_frame(self) -> DataFrame:
        """Return the vectors as the columns of a table; needs pandas."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return frame({name: each for name, each in values.items() if isinstance(each, np.ndarray)})
