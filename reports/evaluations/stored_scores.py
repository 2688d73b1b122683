"""Soft scores that a results file holds: those of its details, and the outcomes of code's tests."""

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
class Scores:
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


def scores_of(key: str, values: Sequence[Any]) -> Scores | None:
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
    return Scores(array, *SCORES[key], absent if absent.any() else None) if inside else None


def passed_tests(results: Any) -> NDArray[np.float64] | None:
    """Return the share of tests that each piece of code passes, shape (D, n).

    Parameters
    ----------
    results : object
        What LiveCodeBench's evaluator writes as ``eval_results``: for each of the n samples, or as
        the only one, a dict of D numbered questions, each with the outcomes of its tests in a list
        of one list. A test is passed if its outcome is above 0, and code is right if it passes all.

    Returns
    -------
    float array, shape (D, n), or None
        None if it is nothing of the kind.

    Examples
    --------
    >>> passed_tests([{"0": [[True, False]], "1": [[1, 1]]}, {"0": [[-2]], "1": [[-1]]}]).tolist()
    [[0.5, 0.0], [1.0, 0.0]]
    """
    replicas = results if isinstance(results, list) else [results]
    columns = [_shares(replica) for replica in replicas]
    if not columns or len({column and len(column) for column in columns}) > 1 or not columns[0]:
        return None
    return np.array(columns, dtype=np.float64).T


def _shares(replica: Any) -> list[float] | None:
    if not isinstance(replica, Mapping) or not replica:
        return None
    shares = []
    for i in range(len(replica)):
        match replica.get(str(i)):
            case [[*outcomes]] if outcomes and all(isinstance(o, int | float) for o in outcomes):
                shares.append(sum(outcome > 0 for outcome in outcomes) / len(outcomes))
            case _:
                return None
    return shares
