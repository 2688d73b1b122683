"""Numbers beside the samples or the questions, such as a signal, a judge's score or a label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.inputs import as_numbers, require_shape
from metrics.data.words import Enumerated, MetricError, Text

SIGNAL = Text("A signal")


def aligned_numbers(
    data: Any,
    by: Any,
    shape: tuple[int, ...],
    what: Text = SIGNAL,
    held: str = "columns",
) -> Vector:
    """Return numbers that stand beside the samples or the questions, NaN where one is missing.

    data: What they stand beside; of a run also its columns by name.
    shape: What they must have: of the outcomes, or of the questions.
    what: What to call them in errors.
    held: One of "columns", "question_columns". Where a run has those that have a name.
    """
    if isinstance(by, str):
        columns = getattr(data, held, None)
        known = columns if isinstance(columns, Mapping) else {}
        if by not in known:
            raise MetricError(
                Text(
                    "There is no column {name}; known: {known}.",
                    name=by,
                    known=Enumerated(known) or Text("none"),
                )
            )
        by = known[by]
    try:
        array = as_numbers(np.asarray(by), missing=np.nan)
    except ValueError as error:
        raise MetricError(Text("{what} must have rows of one length.", what=what)) from error
    if array.dtype.kind not in "biuf" or np.ma.is_masked(by):
        raise MetricError(
            Text(
                "{what} must be numbers, NaN where none; got {dtype}.",
                what=what,
                dtype=str(array.dtype),
            )
        )
    require_shape(what, array.shape, shape)
    return array.astype(np.float64)
