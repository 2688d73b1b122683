"""AISBench's scenarios and its decision matrix, with the hypothetical numbers it gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from metrics.data.words import Text

Level = Literal["low", "medium", "high"]
Cell = tuple[Level, Level, Level]
Dimension = Literal["pass", "avg", "cons"]

LEVELS: tuple[Level, ...] = ("low", "medium", "high")
DIMENSIONS: tuple[Dimension, ...] = ("pass", "avg", "cons")
CELLS: tuple[Cell, ...] = tuple(product(LEVELS, LEVELS, LEVELS))
"""Levels of the three dimensions, in their order."""
_DECIMALS = 12
HIGH, LOW = 0.8, 0.5
"""A level is high above the one, low below the other, and medium from one to the other."""


@dataclass(frozen=True, slots=True)
class UseCase:
    """What a use asks of a model."""

    key: str  # A short name.
    name: Text
    uses: Text
    # What each metric must exceed; the first is the core metric.
    targets: Mapping[Dimension, float]
    auxiliary: tuple[Dimension, ...] = ()  # What to look at beside it.

    @property
    def core(self) -> Dimension:
        """The metric that matters most."""
        return next(iter(self.targets))


USE_CASES = (
    UseCase(
        "reliability",
        Text("Reliability first"),
        Text("medical diagnosis, financial analysis"),
        {"cons": 0.8, "pass": 0.9},
        ("pass",),
    ),
    UseCase(
        "tolerance",
        Text("Fault tolerance first"),
        Text("code generation, exploration"),
        {"pass": 0.8, "avg": 0.7},
        ("avg",),
    ),
    UseCase(
        "balanced",
        Text("Balanced"),
        Text("general assistants"),
        {"avg": 0.75},
        ("cons", "pass"),
    ),
)
"""AISBench's scenarios with its hypothetical targets."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A row of AISBench's decision matrix."""

    cell: Cell
    # What the model is like, and what to do about it.
    status: Text
    advice: Text


BIAS = Profile(
    ("low", "low", "high"),
    Text("Systematic bias"),
    Text("Look for bias in data, prompts and model."),
)
"""Cannot occur with cons@k of right answers, since cons <= pass; with agreement it can."""
PROFILES = (
    Profile(
        ("high", "medium", "low"),
        Text("High potential, poor stability"),
        Text("Make answers more consistent: sampling temperature, voting."),
    ),
    Profile(
        ("medium", "medium", "medium"),
        Text("Balanced, with room to improve"),
        Text("Improve everything a little: more data, better prompts."),
    ),
    BIAS,
    Profile(
        ("low", "low", "low"),
        Text("Hardly works"),
        Text("Train again, or change the architecture."),
    ),
)
"""AISBench's four rows."""


def level_of(value: float, high: float, low: float) -> Level:
    """Return the level of a value; on a line it is medium.

    Examples
    --------
    >>> level_of(0.8, 0.8, 0.5), level_of(0.1 + 0.7, 0.8, 0.5), level_of(0.49, 0.8, 0.5)
    ('medium', 'medium', 'low')
    """
    value = round(value, _DECIMALS)
    return "high" if value > high else "low" if value < low else "medium"


def distance(cell: Cell, values: Sequence[float], high: float, low: float) -> float:
    """Return how far the farthest of three values is from its level in a cell; 0 if all are there.

    Examples
    --------
    >>> round(distance(("high", "medium", "low"), (0.92, 0.84, 0.3), 0.8, 0.5), 3)
    0.04
    """
    ends = {"low": (0.0, low), "medium": (low, high), "high": (high, 1.0)}
    each = zip(values, (ends[level] for level in cell), strict=True)
    return max(max(least - value, value - most, 0.0) for value, (least, most) in each)
