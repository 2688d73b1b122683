"""Soft scores that the details of a results file hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCORES: Mapping[str, tuple[float | None, bool]] = {
    "iou": (0.5, False),
    "combined_score": (None, True),
    "score": (0.5, True),
}
"""Keys of a sample's score in the details: from what score on it is right, and whether the score
must exceed that. Where nothing judges by the score, more than one half counts, as in tables."""


@dataclass(frozen=True, eq=False, slots=True)
class SoftScores:
    """Scores of samples, in [0, 1], and from what score on a sample is right.

    Attributes
    ----------
    values : float array, shape (T,)
        0 where there is none.
    threshold, strict
        See `SCORES`.
    absent : bool array, shape (T,), or None
        Which samples have no score; None if all have one.
    """

    values: NDArray[np.float64]
    threshold: float | None
    strict: bool
    absent: NDArray[np.bool_] | None = None


def scores_of(key: str, values: Sequence[Any]) -> SoftScores | None:
    """Return the scores under a key of the details, one a sample; percentages as fractions.

    None if they are no such numbers, or none at all.

    Examples
    --------
    >>> scores_of("score", [100, 0, 100.0]).values.tolist()
    [1.0, 0.0, 1.0]
    """
    absent = np.array([value is None for value in values], dtype=bool)
    given = [value for value in values if value is not None]
    if not given or any(type(value) not in (int, float) for value in given):
        return None
    array = np.zeros(len(absent))
    array[~absent] = given
    if array.max() > 1:
        array = array / 100
    inside = bool((array >= 0).all() and (array <= 1).all())
    return SoftScores(array, *SCORES[key], absent if absent.any() else None) if inside else None
