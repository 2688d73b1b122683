"""A number beside each sample, such as a reward, and the samples of a question in its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.aligned_numbers import aligned_numbers
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_finite, require_range
from metrics.data.tally import equal_runs, row_counts
from metrics.data.words import MetricError, Text
from metrics.scoring.soft import NO_SCORES

_BLOCK = 1 << 18
_HEAD = 1000
_SEVERAL = 10
"""With fewer right or wrong samples a signal may split them by chance."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Samples of questions, what each pays and what speaks for it."""

    payoff: Vector  # Verdicts or soft scores. Shape (M, N).
    # The higher, the rather is a sample picked; -inf where the signal is missing. Shape (M, N).
    signal: Vector
    held: Flags  # Where there is a sample. Shape (M, N).
    unknown: int  # Samples without a signal.

    @property
    def samples(self) -> Integers:
        """The number of samples of each question, shape (M,)."""
        return row_counts(self.held)

    def oracle(self) -> Candidates:
        """Return them with what they pay as the signal."""
        return Candidates(self.payoff, self.payoff, self.held, 0)

    def known(self) -> Candidates:
        """Return those alone that have a signal."""
        return Candidates(self.payoff, self.signal, self.held & (self.signal > -np.inf), 0)

    def blocks(self) -> Iterator[tuple[NDArray[np.intp], Vector, Vector]]:
        """Yield questions with equally many samples: their rows, what is paid, the signal."""
        samples = self.samples
        for n in np.flatnonzero(np.bincount(samples)).tolist():
            rows = np.flatnonzero(samples == n)
            size = max(1, _BLOCK // max(n, 1))
            for start in range(0, len(rows) if n else 0, size):
                here = rows[start : start + size]
                whole = len(rows) == len(samples)
                block: Any = slice(start, start + size) if whole else here
                payoff, signal, held = self.payoff[block], self.signal[block], self.held[block]
                if n < held.shape[1]:
                    payoff, signal = payoff[held].reshape(-1, n), signal[held].reshape(-1, n)
                yield here, payoff, signal

    def ordered(self) -> Iterator[tuple[NDArray[np.intp], Ordered]]:
        """Yield questions with equally many samples, by their rows, in blocks."""
        for rows, payoff, signal in self.blocks():
            yield rows, sorted_by_signal(payoff, signal)


@dataclass(frozen=True, eq=False)
class Ordered:
    """What samples pay, in the order of their signal, the least first."""

    payoff: Vector  # Samples with the same signal share what they pay equally. Shape (R, n).
    # Places of samples with the same signal: where they begin in a row, and how many they are.
    # Shape (T,).
    start: Integers
    size: Integers
    spread: Vector  # The variance of what these pay. Shape (T,).

    def products(self) -> Vector:
        """Return the sum over questions of what any two places pay, multiplied, shape (n, n).

        Two samples with the same signal stand in either order, each as often; only places that
        differ are meant.
        """
        n = self.payoff.shape[1]
        total = self.payoff.T @ self.payoff
        shared = np.bincount(self.start * (n + 1) + self.size, self.spread / self.size)
        for tie in np.flatnonzero(shared).tolist():
            start, size = divmod(tie, n + 1)
            total[start : start + size, start : start + size] -= shared[tie]
        return total


def sorted_by_signal(payoff: Vector, signal: Vector) -> Ordered:
    """Return what samples pay in the order of a signal, shape (R, n).

    Examples
    --------
    >>> sorted_by_signal(np.array([[1.0, 0.0, 0.0]]), np.array([[0.7, 0.2, 0.7]])).payoff.tolist()
    [[0.0, 0.5, 0.5]]
    """
    order = np.argsort(signal, axis=1)
    paid, ranked = (np.take_along_axis(each, order, axis=1) for each in (payoff, signal))
    none = np.zeros(0, dtype=np.int64)
    (rows,) = (ranked[:, 1:] == ranked[:, :-1]).any(axis=1).nonzero()
    if not len(rows):
        return Ordered(paid, none, none, np.zeros(0))
    n = signal.shape[1]
    starts, size = equal_runs(ranked[rows])
    values = paid[rows].ravel()
    mean = np.add.reduceat(values, starts) / size
    each = np.repeat(mean, size)
    squares = np.add.reduceat((values - each) ** 2, starts)
    paid[rows] = each.reshape(-1, n)
    several = size > 1
    spread = squares[several] / (size[several] - 1)
    return Ordered(paid, starts[several] % n, size[several], spread)


def candidates(data: Any, evidence: Evidence, by: Any, soft: bool) -> Candidates:
    """Return the gradable samples of data with what they pay and a signal.

    `by` is as in `metrics.Way`; with `soft` the soft scores are paid, and not the verdicts.
    """
    matrix = evidence.matrix
    signal = evidence.of_rows(_signal(data, by, evidence.shape))
    held = matrix >= 0
    if soft:
        if evidence.soft is None:
            raise MetricError(NO_SCORES)
        payoff = np.where(held, evidence.soft, 0.0)
    else:
        payoff = np.maximum(matrix, 0)
        require_range(payoff, 1, "data")
        payoff = payoff.astype(np.float64)
    missing = ~(signal > -np.inf)
    unknown = int(np.count_nonzero(missing & held))
    if unknown == np.count_nonzero(held):
        raise MetricError(Text("No sample has a signal to pick by."))
    return Candidates(payoff, np.where(missing, -np.inf, signal), held, unknown)


def unknown_signal_caveats(candidates: Candidates, treatment: Text) -> Iterator[Text]:
    """Yield how many samples have no signal, and what became of them."""
    if candidates.unknown:
        yield Text(
            "{count} of {all} samples has no signal: {treatment}.",
            "{count} of {all} samples have no signal: {treatment}.",
            count=candidates.unknown,
            all=int(candidates.held.sum()),
            treatment=treatment,
        )


def double_use_caveats(candidates: Candidates) -> Iterator[Text]:
    """Yield that what a pick pays is made from the very signal that picks."""
    if _is_made_of(candidates, slice(_HEAD)) and _is_made_of(candidates, slice(None)):
        yield Text(
            "The value of a pick follows from the signal that makes the pick. The signal judges "
            "its own picks, so the number is too good. Judge them by another signal."
        )


def _is_made_of(candidates: Candidates, rows: slice) -> bool:
    """Say whether some samples pay their signal, or pay 1 from some signal on and 0 below."""
    payoff, signal = candidates.payoff[rows], candidates.signal[rows]
    known = candidates.held[rows] & (signal > -np.inf)
    if np.count_nonzero(known) >= 2 * _SEVERAL and np.array_equal(payoff[known], signal[known]):
        return True
    right, wrong = known & (payoff == 1), known & (payoff == 0)
    if min(np.count_nonzero(right), np.count_nonzero(wrong)) < _SEVERAL:
        return False
    split = signal.min(where=right, initial=np.inf) > signal.max(where=wrong, initial=-np.inf)
    return bool(split and (right | wrong)[known].all())


def _signal(data: Any, by: Any, shape: tuple[int, ...]) -> Vector:
    """Return a signal, or columns added by their weights, NaN where it is missing."""
    if not isinstance(by, Mapping):
        return aligned_numbers(data, by, shape)
    weights = {name: require_finite(weight, "weight") for name, weight in by.items()}
    if not any(weights.values()):
        raise MetricError(Text("No column has a weight other than 0."))
    added = np.zeros(shape)
    for name, weight in weights.items():
        if weight:
            added += weight * aligned_numbers(data, name, shape)
    return added
