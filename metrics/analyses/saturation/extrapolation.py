"""A metric for more tries than there are samples: a model's line and band, and firm limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.saturation.independent_tries import expected_of_tries
from metrics.analyses.saturation.model import Fits, Scorer, envelope
from metrics.analyses.saturation.refusals import (
    FEWEST_SAMPLES,
    backtest_caveats,
    contradiction,
    group_caveats,
    one_verdict_caveats,
    too_far,
    too_little,
)
from metrics.analyses.saturation.thinning import FractionalTally
from metrics.data.arrays import Vector
from metrics.data.inputs import require_ascending
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Backtest, Extrapolation, Interval
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments
from metrics.estimating.estimation import estimate_entry, mean_score
from metrics.scoring.registry import find_metric

FARTHEST = 16
"""How many times the samples a model is carried."""

MODEL = Text(
    "Beta-binomial fits without and with questions that are never or always solved, averaged by "
    "BIC, and with a fit of any shape by AIC, carried on from the measured value; the band is the "
    "envelope of the posteriors, of a nonparametric fit to resampled questions and of the line."
)
MODEL_AND_BOUNDS = Text(
    "{model} The bounds hold whatever the difficulties, at the Korn-Graubard limits of what was "
    "measured, and the band stays within them.",
    model=MODEL,
)


@dataclass(frozen=True, eq=False)
class Foretold:
    """What the models of a tally say, whatever the confidence level."""

    line: Vector  # At the n samples there are, and at each k. Shape (1 + K,).
    half: Vector | None  # Fitted to half of the samples: at so many, and at n. Shape (2,).
    draws: tuple[Vector, ...]  # For `metrics.analyses.saturation.model.envelope`. Shape (D, K).


class Models(NamedTuple):
    """What is fitted to a tally, whatever the metric."""

    whole: Fits  # To all samples.
    half: Fits | None  # To half of them, where these are enough.


def fit_models(counts: FractionalTally, rng: Any) -> Models:
    """Fit the models to a tally."""
    n = int(counts.n.min())
    enough = n >= 2 * FEWEST_SAMPLES
    return Models(Fits(counts, rng), Fits(counts.thinned(n // 2)) if enough else None)


def foretell(
    counts: FractionalTally,
    metric: MetricName,
    ks: Sequence[int],
    options: Mapping[str, Any],
    rng: Any,
    fit: Callable[[FractionalTally, Any], Models] = fit_models,
) -> Foretold:
    """Carry a metric of a tally to each k by the models that `fit` gives."""
    n, chosen = int(counts.n.min()), np.array(ks, dtype=np.int64)
    payoff, near_one = find_metric(metric).payoff, metric == "pass^k"
    assert payoff is not None

    def line(fits: Fits, at: NDArray[np.int64]) -> Vector:
        return fits.line(scored(at), int(at.max()), near_one)

    def scored(at: NDArray[np.int64]) -> Scorer:
        return lambda p: expected_of_tries(payoff, at, p, options)

    whole, half = fit(counts, rng)
    return Foretold(
        line(whole, np.append(n, chosen)),
        None if half is None else line(half, np.array([n // 2, n])),
        whole.draws(scored(chosen), int(chosen.max()), near_one) if len(chosen) else (),
    )


Foretell = Callable[[FractionalTally, MetricName, Sequence[int], Mapping[str, Any], Any], Foretold]


@one_thread()
def extrapolate(
    data: Any,
    metric: MetricName,
    ks: Sequence[int],
    *,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    rng: int | np.random.Generator = 0,
    foretell: Foretell = foretell,
    **options: Any,
) -> Extrapolation:
    """Estimate a metric for more tries than there are samples, for questions like these.

    Parameters
    ----------
    data, missing, segment
        As in `estimate`.
    metric : {"pass@k", "pass^k", "maj@k"}
        The metric.
    ks : sequence of int
        Ascending, each above the fewest samples n of any question; for smaller ones see `curve`.
        Beyond 16 n there is no model, only the band that always holds.
    confidence_level : float, default: 0.95
        Of both bands at each k by itself, in (0, 1).
    rng : int or Generator
        Seed of the draws behind the band; the line needs none.
    foretell : callable
        A replacement for the function of this name, such as one with a cache.
    **options
        ``ties`` for maj@k.

    Returns
    -------
    Extrapolation

    Raises
    ------
    MetricError
        If the metric has no extrapolation or a k is not above n.

    Examples
    --------
    >>> from kofn.metrics import Tally
    >>> tally = Tally.of_questions(8, np.repeat(np.arange(9), 20))
    >>> ahead = extrapolate(tally, "pass@k", [16, 64, 256])
    >>> ahead.value.round(2).tolist(), len(ahead.refused)
    ([0.94, 0.98, nan], 1)
    """
    entry = find_metric(metric)
    if metric not in ("pass@k", "pass^k", "maj@k"):
        raise MetricError(Text("{name} is not extrapolated beyond the samples.", name=metric))
    question = Question("population", confidence_level, missing, segment)
    require_arguments(entry, None, question, options)
    evidence = question.evidence(data)
    n = evidence.n_min
    chosen = _chosen(ks, n)
    observed = estimate_entry(entry, evidence, n, question, options)
    measured = observed.interval or Interval(np.nan, np.nan)
    bound_low, bound_high = _bounds(metric, measured, chosen / n)
    near, bounded = chosen <= FARTHEST * n, metric != "maj@k"
    value, low, high = np.full((3, len(chosen)), np.nan)
    backtest = None
    refused = list(too_little(observed.n_questions, n))
    if not refused:
        models = foretell(
            FractionalTally.of(evidence.tally), metric, tuple(chosen[near].tolist()), options, rng
        )
        refused += contradiction(entry.label(n), float(models.line[0]), measured)
        if models.half is not None:
            seen = mean_score(entry, evidence, n // 2, options)
            ahead = _carried_on(metric, seen, models.half)
            backtest = Backtest(n // 2, n, float(ahead[0]), observed.value)
    if not refused and near.any():
        line = _carried_on(metric, observed.value, models.line)
        ends = envelope(models.draws, models.line[1:], confidence_level)
        value[near] = line
        low[near] = np.fmax(np.minimum(ends[0], line), bound_low[near])
        high[near] = np.fmin(np.maximum(ends[1], line), bound_high[near])
    if not near.all():
        refused.append(too_far(FARTHEST * n, FARTHEST, bounded))
    return Extrapolation(
        chosen,
        value,
        low,
        high,
        metric,
        n,
        bound_low,
        bound_high,
        backtest,
        tuple(refused),
        confidence_level,
        observed.n_questions,
        MODEL_AND_BOUNDS if bounded else MODEL,
        (
            *observed.caveats,
            *one_verdict_caveats(evidence.tally),
            *group_caveats(evidence, bounded),
            *backtest_caveats(entry.label(n), backtest, measured),
        ),
    )


def _carried_on(metric: MetricName, measured: float, line: Vector) -> Vector:
    """Return a metric at each k, by what a model adds to its value at n, where its line begins.

    Of what is missing at n the metric gains the share that the model gains of its own, and of
    what is there it loses the share that the model loses; so it starts at the measured value
    and never turns back. Votes zigzag between even and odd k, so theirs is the model's own.
    """
    here, ahead = line[0], line[1:]
    if metric == "maj@k":
        return ahead
    missing = np.divide(1 - ahead, 1 - here, out=np.ones(len(ahead)), where=here < 1)
    share_left = np.divide(ahead, here, out=np.ones(len(ahead)), where=here > 0)
    return np.asarray(np.where(ahead >= here, 1 - (1 - measured) * missing, measured * share_left))


def _chosen(ks: Sequence[int], n: int) -> NDArray[np.int64]:
    chosen = require_ascending(ks)
    if chosen[0] <= n:
        raise MetricError(
            Text(
                "k = {k} needs no model: every question has at least {count} sample; use curve.",
                "k = {k} needs no model: every question has at least {count} samples; use curve.",
                k=int(chosen[0]),
                count=n,
            )
        )
    return chosen


def _bounds(metric: MetricName, measured: Interval, times: Vector) -> tuple[Vector, Vector]:
    r"""Return what holds whatever the difficulties, with the limits of the measured value.

    By Jensen's inequality, for k = times n,

    .. math:: pass@n \le pass@k \le 1 - (1 - pass@n)^{k/n}, \qquad
              (pass^n)^{k/n} \le pass^k \le pass^n
    """
    low, high = measured
    if metric == "pass@k":
        return np.full(len(times), low), 1 - (1 - high) ** times
    if metric == "pass^k":
        return low**times, np.full(len(times), high)
    unknown = np.full(len(times), np.nan)
    return unknown, unknown.copy()
