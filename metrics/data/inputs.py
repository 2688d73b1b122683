"""The arguments of the metric functions, checked once: what is allowed and what was given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.words import MetricError, Text

MOST_TRIES = 100_000
"""The most tries that a payoff is tabled for."""
LARGEST = float(np.finfo(np.float64).max)
_NUMBERS = (int, float, np.number, np.bool_)
_MISSING = ("NoneType", "NAType")
"""None, and the missing entries of pandas."""


def outcome_matrix(R: Any, name: str = "R", *, rows: int | None = None) -> NDArray[Any]:
    """Return R as a matrix of questions by samples; one dimension is one question.

    R: Booleans, integers, or floats that are whole numbers.
    name: What to call it in errors.
    rows: Over how many questions one dimension is spread; there may then be no sample.
    """
    array = whole_numbers(R, name)
    if array.ndim == 1:
        array = array.reshape(rows if rows and array.size % rows == 0 else 1, -1)
    if array.ndim != 2:
        raise MetricError(
            Text(
                "{name} must have one dimension or two (questions, samples); got {ndim}.",
                name=name,
                ndim=array.ndim,
            )
        )
    if len(array) == 0 or (rows is None and array.shape[1] == 0):
        raise MetricError(
            Text(
                "{name} must have at least one question and one sample; got shape {shape}.",
                name=name,
                shape=array.shape,
            )
        )
    return array


def whole_numbers(values: Any, name: str) -> NDArray[Any]:
    """Return an array of booleans or integers; floats must be whole and become integers."""
    if np.ma.is_masked(values):
        raise MetricError(Text("{name} must hold integers; got masked entries.", name=name))
    try:
        array = np.asarray(values)
    except MetricError:
        raise
    except ValueError as error:
        raise MetricError(
            Text("{name} must have rows of one length; got ragged lists.", name=name)
        ) from error
    array = as_numbers(array)
    if array.dtype.kind == "O" and _gaps(array):
        raise MetricError(
            Text(
                "{name} must hold integers; got missing entries. Say in Outcomes which requests "
                "failed (-1) and which were never made (-2).",
                name=name,
            )
        )
    if array.dtype.kind not in "biuf":
        raise MetricError(
            Text("{name} must hold integers; got {dtype}.", name=name, dtype=str(array.dtype))
        )
    if array.dtype.kind != "f":
        return array
    if not np.all(np.isfinite(array)) or np.any(array != np.floor(array)):
        raise MetricError(
            Text("{name} must hold integers; got fractions, NaN or infinity.", name=name)
        )
    if float(np.abs(array).max(initial=0)) >= 2.0**63:
        raise MetricError(Text("{name} must fit into 64-bit integers.", name=name))
    return array.astype(np.int64)


def as_numbers(array: NDArray[Any], *, missing: float | None = None) -> NDArray[Any]:
    """Return objects as numbers if all of them are, as tables of pandas give their numbers.

    array: Of any kind; what are no objects, or not all numbers, stays as it is.
    missing: What stands for a missing entry; without it, such an entry is no number.
    """
    if array.dtype.kind != "O":
        return array
    gaps = _gaps(array) if missing is not None else set()
    values = [missing if type(value) in gaps else value for value in array.ravel().tolist()]
    if not all(isinstance(value, _NUMBERS) for value in values):
        return array
    return np.array(values).reshape(array.shape)


def _gaps(array: NDArray[Any]) -> set[type]:
    """Return the kinds of missing entries, if there is nothing else but numbers."""
    kinds = {kind for kind in map(type, array.ravel().tolist()) if not issubclass(kind, _NUMBERS)}
    return kinds if all(kind.__name__ in _MISSING for kind in kinds) else set()


def require_range(matrix: NDArray[Any], top: int, name: str = "R") -> None:
    """Raise unless every entry is an integer from 0 to top."""
    if matrix.size == 0 or matrix.dtype.kind == "b":
        return
    low = 0 if matrix.dtype.kind == "u" else int(matrix.min())
    high = int(matrix.max())
    if low < 0 or high > top:
        raise MetricError(
            Text(
                "Entries of {name} must be integers in [0, {top}]; got {low} … {high}.",
                name=name,
                top=top,
                low=low,
                high=high,
            )
        )


def require_shape(name: str | Text, got: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Raise unless what stands beside outcomes has their shape."""
    if got != expected:
        raise MetricError(
            Text(
                "{name} must have the shape of the outcomes, {expected}; got {got}.",
                name=name,
                expected=expected,
                got=got,
            )
        )


def require_k(k: Any, n: int | None = None) -> int:
    """Return k as an integer from 1 to n, or to `MOST_TRIES` where the samples set no bound."""
    tries = require_count(k, "k")
    if n is None and tries > MOST_TRIES:
        raise MetricError(Text("k must be at most {most}; got k={k}.", most=MOST_TRIES, k=tries))
    if n is not None and tries > n:
        raise MetricError(Text("k must satisfy 1 <= k <= N (N={n}); got k={k}.", n=n, k=tries))
    return tries


def require_ascending(ks: Any) -> NDArray[np.int64]:
    """Return a sequence of k, shape (K,), each as `require_k` allows it."""
    chosen = np.array([require_k(k) for k in ks] if np.iterable(ks) else [], dtype=np.int64)
    if not len(chosen):
        raise MetricError(Text("ks must be a sequence of at least one k; got {got!r}.", got=ks))
    if np.any(np.diff(chosen) < 1):
        raise MetricError(Text("ks must ascend; got {got!r}.", got=ks))
    return chosen


def every_k(k: Any, most: int) -> NDArray[np.int64]:
    """Return the one k or several that are asked for, by default all up to the most."""
    return require_ascending(range(1, most + 1) if k is None else [k] if np.ndim(k) == 0 else k)


def require_count(value: Any, name: str) -> int:
    """Return an integer of at least 1."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise MetricError(Text("{name} must be an integer; got {got!r}.", name=name, got=value))
    if value < 1:
        raise MetricError(
            Text("{name} must be at least 1; got {name}={got}.", name=name, got=value)
        )
    return int(value)


def require_level(confidence: Any, name: str = "confidence_level") -> float:
    """Return a level strictly between 0 and 1."""
    if not is_number(confidence) or not 0 < confidence < 1:
        raise MetricError(
            Text("{name} must lie between 0 and 1; got {got!r}.", name=name, got=confidence)
        )
    return float(confidence)


def require_share(value: Any, name: str) -> float:
    """Return a number from 0 to 1."""
    if not is_number(value) or not 0 <= value <= 1:
        raise MetricError(Text("{name} must lie in 0 … 1; got {got!r}.", name=name, got=value))
    return float(value)


def require_positive(value: Any, name: str) -> float:
    """Return a finite number above 0."""
    if not is_number(value) or not 0 < value <= LARGEST:
        raise MetricError(
            Text("{name} must be a finite positive scalar; got {got!r}.", name=name, got=value)
        )
    return float(value)


def require_finite(value: Any, name: str) -> float:
    """Return a finite number."""
    if not is_number(value) or not -LARGEST <= value <= LARGEST:
        raise MetricError(
            Text("{name} must be a finite number; got {got!r}.", name=name, got=value)
        )
    return float(value)


def is_number(value: Any) -> bool:
    """Say whether a value is a real number, which True is not."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def number_vector(values: Any, name: str, count: int | None = None) -> Vector:
    """Return finite numbers as floats: as many as `count`, by default at least one."""
    try:
        array = as_numbers(np.asarray(values))
    except ValueError:
        array = np.empty((0, 0))
    allowed = array.ndim == 1 and len(array) == (count or len(array)) and len(array) > 0
    if not allowed or array.dtype.kind not in "biuf":
        expected = Text("at least one number") if count is None else Text("{k} numbers", k=count)
        raise MetricError(
            Text(
                "{name} must be a vector of {expected}; got {got!r}.",
                name=name,
                expected=expected,
                got=values,
            )
        )
    with np.errstate(over="ignore"):
        vector = array.astype(np.float64)
    if not np.all(np.isfinite(vector)):
        raise MetricError(Text("{name} must be finite; got {got!r}.", name=name, got=values))
    return vector
