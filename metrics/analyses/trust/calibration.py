"""Whether a signal that states probabilities is calibrated."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.ranking import LEFT_OUT, pooled_share
from metrics.analyses.candidates.signals import Candidates, unknown_signal_caveats
from metrics.analyses.candidates.ways import Way
from metrics.data.arrays import Flags, Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows
from metrics.data.inputs import require_count
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, widen
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import difference_of, mean_of
from metrics.intervals.korn_graubard import worth
from metrics.scoring.scores import DIFFERENCE, question_scores

_METHOD = Text(
    "Samples by their signal, in bins of equal width; Korn-Graubard interval of the share that is "
    "right, with the samples of a question as a cluster."
)


@result
class SignalCalibration(Rows):
    """How often samples are right, by the probability that a signal gives them.

    Attributes
    ----------
    least, most : float array, shape (B,)
        Ends of the bins that hold samples.
    signal : float array, shape (B,)
        The mean signal of their samples.
    value, low, high : float array, shape (B,)
        The share of them that is right, with its interval for questions like these.
    samples : int array, shape (B,)
        How many they are.
    error : float
        The expected calibration error: the mean distance of signal and share, by samples. It is
        above 0 even for a calibrated signal, and hides what cancels within a bin.
    error_by_chance : float
        About what it would be for a calibrated signal with as many samples.
    brier : Estimate
        The mean squared distance of signal and verdict: 0 is best, a constant one half gives .25.
    excess : Estimate
        The mean signal minus the share that is right; above 0, the signal is overconfident.
    confidence_level : float
    n_questions : int
    method : Text
        How the intervals of the bins were made.
    caveats : tuple of Text
    """

    least: Vector
    most: Vector
    signal: Vector
    value: Vector
    low: Vector
    high: Vector
    samples: NDArray[np.int64]
    error: float
    error_by_chance: float
    brier: Estimate
    excess: Estimate
    confidence_level: float
    n_questions: int
    method: Text
    caveats: tuple[Text, ...]

    def __post_init__(self) -> None:
        widen(self, ("low", "high"))
        for array in (self.signal, self.value, self.low, self.high, self.samples):
            array.flags.writeable = False


def signal_calibration(
    data: Any,
    by: Any,
    *,
    bins: int = 10,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> SignalCalibration:
    """Compare a signal that is a probability with how often it comes true.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    by : str, array_like of float, shape (M, N), or mapping of str to float
        The signal, as in `Way`, in [0, 1]; samples without one are left out.
    bins : int, default: 10
        Bins of equal width; only the last includes its upper end.
    confidence_level, missing, segment
        As in `estimate`; intervals are about questions like these.

    Returns
    -------
    SignalCalibration

    Raises
    ------
    MetricError
        As `selected`, and where the signal leaves [0, 1].

    Examples
    --------
    Of samples that it gives 90 % half are right:

    >>> found = signal_calibration([[1, 0], [1, 0], [0, 0]], [[0.9, 0.1], [0.9, 0.9], [0.9, 0.2]])
    >>> found.signal.round(2).tolist(), found.value.tolist(), found.samples.tolist()
    ([0.1, 0.2, 0.9], [0.0, 0.0, 0.5], [1, 1, 4])
    >>> round(found.error, 3), round(found.brier.value, 3), round(found.excess.value, 3)
    (0.317, 0.282, 0.317)
    """
    count = require_count(bins, "bins")
    question = Question("population", confidence_level, missing, segment)
    evidence, way = question.evidence(data), Way(by)
    require_supported(way.metric(data), evidence, 1, question)
    pool = way.candidates(data, evidence)
    known = pool.held & (pool.signal > -np.inf)
    least, most = float(pool.signal[known].min()), float(pool.signal[known].max())
    if least < 0 or most > 1:
        raise MetricError(
            Text(
                "Only a probability can be calibrated, from 0 to 1; this signal goes from "
                "{least:g} to {most:g}.",
                least=least,
                most=most,
            )
        )
    clusters = evidence.clusters
    filled, rows = _bins(pool, known, count, clusters, confidence_level)
    signal, value, low, high, samples, chance = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    weights = samples / samples.sum()
    error = float(weights @ np.abs(value - signal))
    by_chance = float(weights @ chance)
    asked = np.asarray(known.any(axis=1))
    part = _part(evidence, asked)
    verdict, predicted = (_means(each[asked], known[asked]) for each in (pool.payoff, pool.signal))
    squares = _means(((pool.signal - pool.payoff) ** 2)[asked], known[asked])
    brier, excess = question_scores(squares), question_scores(predicted - verdict, *DIFFERENCE)
    return SignalCalibration(
        filled / count,
        (filled + 1) / count,
        signal,
        value,
        low,
        high,
        samples.astype(np.int64),
        error,
        by_chance,
        mean_of(brier, part, question),
        difference_of(excess, part, question),
        confidence_level,
        len(squares),
        _METHOD,
        (
            _of_error(error, by_chance),
            *design_caveats(brier, "population"),
            *unknown_signal_caveats(pool, LEFT_OUT),
            *copy_caveats(evidence),
        ),
    )


def _bins(
    candidates: Candidates,
    known: Flags,
    bins: int,
    clusters: NDArray[np.intp] | None,
    level: float,
) -> tuple[NDArray[np.intp], list[tuple[float, ...]]]:
    """Return which bins hold samples, and what `_bin` says of each."""
    m = len(known)
    question = np.nonzero(known)[0]
    signal, payoff = candidates.signal[known], candidates.payoff[known]
    place = np.minimum(signal * bins, bins - 1).astype(np.intp) * m + question

    def summed(each: Vector) -> Vector:
        return np.asarray(np.bincount(place, each, bins * m).reshape(bins, m), dtype=np.float64)

    counts = summed(np.ones(len(place)))
    filled = np.flatnonzero(counts.any(axis=1))
    right, predicted = summed(payoff), summed(signal)
    alone = summed(signal * (1 - signal)).sum(axis=1)
    return filled, [
        _bin(right[one], predicted[one], counts[one], alone[one], clusters, level) for one in filled
    ]


def _bin(
    right: Vector,
    signal: Vector,
    counts: Vector,
    alone: float,
    clusters: NDArray[np.intp] | None,
    level: float,
) -> tuple[float, ...]:
    """Return of a bin: mean signal, share right, its ends, samples, and the distance by chance.

    The last is the mean of the absolute value of a normal deviate with the standard error of signal
    less share: that between questions, or if it is larger that of a calibrated signal whose samples
    are independent.
    """
    total = counts.sum()
    value, (low, high), _ = pooled_share(right, counts, clusters, level)
    mean = signal.sum() / total
    groups = np.arange(len(counts)) if clusters is None else clusters
    deviations = np.bincount(groups, right - signal - (value - mean) * counts)
    sizes = np.bincount(groups, counts)
    between = worth(sizes[sizes > 0]).unbiased * float(deviations @ deviations)
    chance = np.sqrt(2 / np.pi * max(between, alone)) / total
    return mean, value, low, high, total, chance


def _means(matrix: Vector, known: Flags) -> Vector:
    return np.asarray(np.where(known, matrix, 0.0).sum(axis=1) / known.sum(axis=1))


def _part(evidence: Evidence, asked: Flags) -> Evidence:
    if evidence.outcomes is None or asked.all():
        return evidence
    return evidence.only(evidence.rows[asked])


def _of_error(error: float, by_chance: float) -> Text:
    return Text(
        "The calibration error of {error:.1%} is more likely too large than too small, because "
        "it cannot be below 0: for a calibrated signal it would be about {chance:.1%} here. It "
        "hides what cancels out within a bin.",
        error=error,
        chance=by_chance,
    )
