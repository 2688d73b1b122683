"""What a sample costs: one price, or a price of each, with right and wrong samples kept apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.evidence import Evidence
from metrics.data.inputs import as_numbers, is_number, require_shape
from metrics.data.tally import row_counts
from metrics.data.words import MetricError, Text

CHEAPEST, DEAREST = 1e-30, 1e12
"""The least and the most that a sample may cost, in whatever unit."""


@dataclass(frozen=True, eq=False)
class SampleCosts:
    """Mean costs of the wrong and of the right samples."""

    # Of all questions alike, or of each question. Shape (M,).
    wrong: Any
    right: Any
    mean_wrong: float  # Of all wrong samples; of all samples where none is wrong.
    # Samples looked at, and those of them whose cost is not known.
    samples: int = 0
    unknown: int = 0

    @property
    def each(self) -> bool:
        """Whether questions have costs of their own."""
        return isinstance(self.wrong, np.ndarray)


def sample_costs(evidence: Evidence, cost_per_sample: Any) -> SampleCosts:
    """Read a price, or average the prices of each question's wrong and right samples.

    Where no wrong (right) sample of a question has a known cost, the mean of all wrong (right)
    samples stands in. Costs lie between `CHEAPEST`, on average, and `DEAREST`; NaN is not known.
    """
    if is_number(cost_per_sample):
        if not CHEAPEST <= cost_per_sample <= DEAREST:
            raise MetricError(
                Text(
                    "A sample must cost from {least:g} to {most:g}; got {got!r}.",
                    least=CHEAPEST,
                    most=DEAREST,
                    got=cost_per_sample,
                )
            )
        price = float(cost_per_sample)
        return SampleCosts(price, price, price)
    verdicts = evidence.matrix
    costs = cost_matrix(evidence, cost_per_sample)
    known = np.isfinite(costs)
    filled = np.where(known, costs, 0.0)
    held = [(verdicts == verdict) & known for verdict in (0, 1)]
    counts = [row_counts(each) for each in held]
    sums = [np.einsum("ij,ij->i", filled, each) for each in held]
    number = sum(int(each.sum()) for each in counts)
    total = sum(float(each.sum()) for each in sums)
    if total < CHEAPEST * max(number, 1):
        raise MetricError(
            Text("No costs are known, or they are below {least:g} on average.", least=CHEAPEST)
        )
    means = [
        float(paid.sum() / count.sum()) if count.any() else total / number
        for count, paid in zip(counts, sums, strict=True)
    ]
    wrong, right = (
        np.divide(paid, count, out=np.full(len(count), mean), where=count > 0)
        for count, paid, mean in zip(counts, sums, means, strict=True)
    )
    samples = int((verdicts >= 0).sum())
    return SampleCosts(wrong, right, means[0], samples, samples - number)


def cost_matrix(evidence: Evidence, cost_per_sample: Any) -> NDArray[np.float64]:
    """Return the costs of the samples of `Evidence.matrix`, NaN where they are not known."""
    return _aligned(evidence, _cost_matrix(cost_per_sample))


def _cost_matrix(costs: Any) -> NDArray[np.float64]:
    try:
        array = as_numbers(np.asarray(costs), missing=np.nan)
    except ValueError:
        array = np.empty(0)
    if array.ndim != 2 or array.dtype.kind not in "iuf" or np.ma.is_masked(costs):
        raise MetricError(
            Text(
                "cost_per_sample must be a number or a matrix of numbers, questions by samples, "
                "NaN where a cost is not known."
            )
        )
    low, high = (float(end(array, initial=0.0)) for end in (np.nanmin, np.nanmax))
    if low < 0:
        raise MetricError(Text("A cost cannot be negative; got {got:g}.", got=low))
    if high > DEAREST:
        raise MetricError(
            Text("A sample must cost at most {most:g}; got {got:g}.", most=DEAREST, got=high)
        )
    return array.astype(np.float64, copy=False)


def _aligned(evidence: Evidence, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the costs of the questions of `Evidence.matrix`."""
    require_shape("cost_per_sample", costs.shape, evidence.shape)
    return evidence.of_rows(costs)
