"""The scores in a log as numbers; which scorer decides is up to the user."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from reports.harnesses.inspect.records import SampleRecord, SampleScore

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "correct": 1.0, "no": 0.0, "false": 0.0, "incorrect": 0.0}
UNNAMED = "score"
"""What the one scorer of a very old log is called."""


def values_of(record: SampleRecord) -> dict[str, float | None]:
    """Return what each scorer says of a sample, a scorer of several values as one for each.

    None where it is not scored.

    Examples
    --------
    >>> several = SampleScore({"exact": True, "near": float("nan")})
    >>> scores = {"match": SampleScore("C"), "multi": several}
    >>> values_of(SampleRecord("a", scores=scores))
    {'match': 1.0, 'multi.exact': 1.0, 'multi.near': None}
    """
    return {name: number(value) for name, value in _values(scores_of(record))}


def scores_of(record: SampleRecord) -> Mapping[str, SampleScore]:
    """Return the scores of a sample by their scorers."""
    if record.scores is None and record.score is not None:
        return {UNNAMED: record.score}
    return record.scores or {}


def _values(scores: Mapping[str, SampleScore]) -> Iterator[tuple[str, Any]]:
    for name, score in scores.items():
        if isinstance(score.value, Mapping):
            yield from ((f"{name}.{key}", value) for key, value in score.value.items())
        else:
            yield name, score.value


def number(value: Any) -> float | None:
    """Return a value as Inspect's ``value_to_float`` counts it; None where it is no score.

    Examples
    --------
    >>> [number(value) for value in ("C", "P", True, 0.3, "no", float("nan"), "maybe")]
    [1.0, 0.5, 1.0, 0.3, 0.0, None, None]
    """
    if isinstance(value, str):
        found = _LETTERS.get(value, _WORDS.get(value.lower()))
        return _float(value) if found is None else found
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
