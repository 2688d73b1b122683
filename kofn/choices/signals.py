"""The columns of a run that may pick one of its samples."""

from __future__ import annotations

import numpy as np

from kofn.writing.layout import short_name
from metrics.data.arrays import Vector
from metrics.data.words import Enumerated, MetricError, Text
from reports.run.report import Run

MEASURED = {"tokens_in": "tokens", "tokens_out": "tokens", "latency_s": "seconds", "cost": "cost"}
"""Columns that say what a sample costs, and of what."""
RANKS = ("position", "rank")
"""Columns that say in which place a sample was shown, the first with the lowest number."""
OF_PEOPLE = ("human", "human_unsure", "human_probability")
"""Columns that say what people thought of a sample, and how likely they were asked."""
LOWEST = "-"
"""Stands before the name of a column whose lowest value picks."""


def signals_of(run: Run) -> tuple[str, ...]:
    """Return the columns that could pick, those last that are there for something else.

    Examples
    --------
    >>> columns = {"tokens_out": np.ones((1, 2)), "reward": np.ones((1, 2))}
    >>> signals_of(Run("7B", "maths", None, columns=columns))
    ('reward', 'tokens_out')
    """
    names = [name for name in run.columns if name not in OF_PEOPLE]
    return tuple(sorted(names, key=_is_for_something_else))


def made_to_pick(run: Run) -> tuple[str, ...]:
    """Return the columns that are there to pick, and for nothing else.

    Examples
    --------
    >>> columns = {"tokens_out": np.ones((1, 2)), "reward": np.ones((1, 2))}
    >>> made_to_pick(Run("7B", "maths", None, columns=columns))
    ('reward',)
    """
    return tuple(name for name in signals_of(run) if not _is_for_something_else(name))


def default_signal(run: Run) -> str:
    """Return the first column that is there to pick; empty without any."""
    return next(iter(made_to_pick(run)), "")


def column_of(run: Run, signal: str) -> str:
    """Return the column that a signal names, without the mark that its lowest value picks."""
    if signal not in run.columns and signal.startswith(LOWEST):
        return signal.removeprefix(LOWEST)
    return signal


def numbers_of(run: Run, signal: str) -> Vector:
    """Return a signal as numbers: the higher, the rather is a sample picked."""
    column = column_of(run, signal)
    if column not in run.columns:
        raise MetricError(
            Text(
                "There is no column {name} to pick by; known: {known}.",
                name=column,
                known=Enumerated(signals_of(run)) or Text("none"),
            )
        )
    numbers = run.columns[column].astype(np.float64)
    return numbers if column == signal else -numbers


def signal_name(signal: str, column: str) -> Text:
    """Name a signal in a sentence."""
    if signal == column:
        return Text("{name}", name=short_name(column))
    return Text("the lowest {name}", name=short_name(column))


def _is_for_something_else(name: str) -> bool:
    return name in MEASURED or name in RANKS
