"""A metric for all k at once: unbiased, posterior, and by resampling questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence, scores_as_outcomes
from metrics.data.inputs import require_ascending, require_count, require_level
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Curve, Target
from metrics.data.tally import Tally
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments, require_supported, why_undefined
from metrics.estimating.estimation import estimate_entry, mean_score
from metrics.estimating.limits import means_and_limits
from metrics.intervals.binomial import mid_p
from metrics.intervals.korn_graubard import sampled_size, variance_of_mean
from metrics.intervals.limits import population_limits
from metrics.intervals.within_questions import within_variance
from metrics.posteriors.moments import moments_of_each_k
from metrics.posteriors.posterior import Bounds, normal_interval, rates
from metrics.scoring.draws import (
    expected_payoff,
    expected_product,
    none_of_each_k,
    payoff_tables,
    product_tables,
)
from metrics.scoring.payoffs import all_correct, any_correct
from metrics.scoring.registry import Metric, find_metric
from metrics.scoring.scores import vote_scores_of_each_k

_TABLED = 1024


def curve(
    data: Any,
    metric: MetricName,
    ks: Sequence[int] | None = None,
    *,
    target: Target = "population",
    confidence_level: float | None = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    **options: Any,
) -> Curve:
    """Estimate a metric at every k, each with its own interval.

    Parameters
    ----------
    data, metric, target, missing, segment, answers, **options
        As in `estimate`; the metric is one that takes k.
    ks : sequence of int, optional
        Ascending; by default every k from 1 to the fewest samples of any question.
    confidence_level : float or None
        Level of each interval by itself; None for points only.

    Returns
    -------
    Curve
        The same numbers as `estimate` gives k by k.

    Raises
    ------
    MetricError
        As `estimate`, and for a metric without k.

    Examples
    --------
    >>> passed = curve([[1, 0, 1], [0, 0, 0]], "pass@k", confidence_level=None)
    >>> passed.k.tolist(), passed.value.round(3).tolist()
    ([1, 2, 3], [0.333, 0.5, 0.5])
    """
    entry = find_metric(metric)
    given = scores_as_outcomes(data) if entry.needs == "soft" else data
    evidence, question = Evidence(given, missing, segment, answers), None
    chosen = _chosen(entry, evidence, ks, target, options)
    if confidence_level is not None:
        question = Question(target, require_level(confidence_level), missing, segment)
    return curve_entry(entry, evidence, chosen, question, options)


def curve_entry(
    metric: Metric,
    evidence: Evidence,
    ks: NDArray[np.int64],
    question: Question | None,
    options: Mapping[str, Any],
) -> Curve:
    """Estimate a metric that is defined at every k; without a question points only."""
    if metric.needs == "answers":
        return _vote_curve(evidence, ks, question, options)
    if metric.payoff is None or evidence.clusters is not None:
        return _curve_one_by_one(metric, evidence, ks, question, options)
    return _count_curve(metric, evidence.tally, ks, question, options)


def posterior_curve(
    R: Any,
    metric: MetricName,
    ks: Sequence[int] | None = None,
    *,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
    **options: Any,
) -> Curve:
    """Return the posterior of a count metric at every k.

    Parameters
    ----------
    R : array_like of 0/1, shape (M, N) or (N,), or Tally
        Outcomes.
    metric : str
        A metric with a payoff and a k: "pass@k", "pass^k", "maj@k", "g-pass@k" ….
    ks : sequence of int, optional
        Ascending; by default 1 … N.
    confidence, bounds, alpha0, beta0
        As in `pass_at_k_ci`.

    Returns
    -------
    Curve
        The same numbers as the ``_ci`` function gives k by k; ``value`` is the posterior mean.

    Examples
    --------
    >>> passed = posterior_curve([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], "pass@k", [1, 2])
    >>> passed.value.round(6).tolist(), passed.low.round(4).tolist()
    ([0.642857, 0.839286], [0.4107, 0.6487])
    """
    entry = find_metric(metric)
    if entry.payoff is None or not entry.takes_k:
        raise MetricError(Text("{name} has no posterior for each k.", name=metric))
    tally = Tally.of(R)
    chosen = _chosen(entry, Evidence(tally), ks, "benchmark", options)
    a, b = rates(tally, alpha0, beta0)
    mean, variance = moments_of_each_k(a, b, entry.payoff, chosen, options)
    m = tally.n_questions
    value, sd = mean @ tally.questions / m, np.sqrt(variance @ tally.questions) / m
    low, high = normal_interval(value, sd, confidence, bounds)
    return Curve(chosen, value, low, high)


@one_thread()
def bootstrap_curve(
    data: Any,
    metric: MetricName,
    ks: Sequence[int] | None = None,
    *,
    resamples: int = 2000,
    rng: int | np.random.Generator = 0,
    confidence_level: float = 0.95,
    **options: Any,
) -> Curve:
    """Return a count metric at every k with percentile intervals from resampled questions.

    The plain question bootstrap has zero width where all questions score alike; prefer `curve`.

    Parameters
    ----------
    data, metric, ks, **options
        As in `curve`, for a metric with a payoff.
    resamples : int
        How often M questions are drawn with replacement: a multinomial over the tally.
    rng : int or Generator
        Seed.
    confidence_level : float
        In (0, 1).

    Examples
    --------
    >>> boot = bootstrap_curve([[1, 0, 1], [0, 0, 0]], "pass@k", [3], rng=1)
    >>> boot.value.tolist(), boot.low.tolist(), boot.high.tolist()
    ([0.5], [0.0], [1.0])
    """
    entry = find_metric(metric)
    evidence = Evidence(data)
    chosen = _chosen(entry, evidence, ks, "population", options)
    if entry.payoff is None:
        raise MetricError(Text("{name} cannot be resampled by counts.", name=metric))
    tally = evidence.tally
    table, m = tally.scores(partial(scores_of_each_k, entry, chosen, options)), tally.n_questions
    size, tail = require_count(resamples, "resamples"), (1 - require_level(confidence_level)) / 2
    drawn = np.random.default_rng(rng).multinomial(m, tally.questions / m, size=size)
    low, high = np.quantile(drawn @ table.T / m, [tail, 1 - tail], axis=0)
    return Curve(chosen, table @ tally.questions / m, low, high)


def _chosen(
    metric: Metric,
    evidence: Evidence,
    ks: Sequence[int] | None,
    target: Target,
    options: Mapping[str, Any],
) -> NDArray[np.int64]:
    if not metric.takes_k:
        raise MetricError(Text("{name} takes no k, so it has no curve.", name=metric.name))
    question = Question(target)
    require_arguments(metric, None, question, options)
    if ks is None:
        largest = evidence.n_min
        skipped = largest > 1 and why_undefined(metric, evidence, 1, target, options)
        chosen, ends = np.arange(2 if skipped else 1, largest + 1), [largest]
    else:
        chosen = require_ascending(ks)
        ends = [int(chosen[-1]), int(chosen[0])]
    for k in ends:
        require_supported(metric, evidence, k, question, options)
    return chosen


def _count_curve(
    metric: Metric,
    tally: Tally,
    ks: NDArray[np.int64],
    question: Question | None,
    options: Mapping[str, Any],
) -> Curve:
    score = partial(scores_of_each_k, metric, ks, options)
    scores, m = tally.scores(score), tally.n_questions
    value = scores @ tally.questions / m
    if question is None:
        return _points(ks, value)
    low, high = score(tally.n_min, np.array([0, tally.n_min])).T
    width = high - low
    mean = (value - low) / width
    variance = variance_of_mean(scores, tally.questions) / width**2
    level = question.confidence_level
    if question.target == "population":
        ends = population_limits(mean, variance, m, level)
    else:
        draws = np.maximum(1, tally.n_min // ks)

        def within() -> Any:
            tables = {n: score(n, np.arange(n + 1)) for n in tally.each_n}
            products = {n: products_of_each_k(metric, ks, options, n) for n in tally.each_n}
            with one_thread():
                return within_variance(tally, tables, products) / width**2

        size = sampled_size(mean, within, variance, m, tally.n_max, draws, level)
        ends = mid_p(mean, size, level)
    return Curve(ks, value, low + width * ends[0], low + width * ends[1])


def scores_of_each_k(
    metric: Metric,
    ks: NDArray[np.int64],
    options: Mapping[str, Any],
    n: int,
    c: NDArray[np.int64],
) -> Vector:
    """Return the scores of c of n for each k, shape (K, U)."""
    assert metric.payoff is not None
    if n > _TABLED and metric.payoff in (any_correct, all_correct) and len(c) <= len(ks):
        if metric.payoff is any_correct:
            return np.asarray(1 - none_of_each_k(ks, n, c))
        return none_of_each_k(ks, n, n - c)
    if n > _TABLED or "weights" in options:
        earned = (metric.payoff(int(k), **options) for k in ks)
        return np.stack([expected_payoff(each, n, c) for each in earned])
    table = payoff_tables(metric.payoff, n, tuple(sorted(options.items())))
    run = ks[-1] - ks[0] + 1 == len(ks)
    chosen = table[ks[0] - 1 : ks[-1]] if run else table[ks - 1]
    return chosen if len(c) == n + 1 and (c == np.arange(n + 1)).all() else chosen[:, c]


def products_of_each_k(
    metric: Metric, ks: NDArray[np.int64], options: Mapping[str, Any], n: int
) -> Vector:
    """Return what two disjoint draws of each k of n earn, multiplied, shape (K, n + 1).

    NaN where n does not hold two of them.
    """
    assert metric.payoff is not None
    if n <= _TABLED and "weights" not in options:
        return product_tables(metric.payoff, n, tuple(sorted(options.items())))[ks - 1]
    return np.stack([expected_product(metric.payoff(int(k), **options), n) for k in ks])


@one_thread()
def _vote_curve(
    evidence: Evidence,
    ks: NDArray[np.int64],
    question: Question | None,
    options: Mapping[str, Any],
) -> Curve:
    scores = vote_scores_of_each_k(evidence, ks, **options)
    if question is None:
        return _points(ks, np.array([each.mean for each in scores]))
    return Curve(ks, *means_and_limits(scores, evidence, question))


def _curve_one_by_one(
    metric: Metric,
    evidence: Evidence,
    ks: NDArray[np.int64],
    question: Question | None,
    options: Mapping[str, Any],
) -> Curve:
    if question is None:
        return _points(ks, np.array([mean_score(metric, evidence, int(k), options) for k in ks]))
    estimates = [estimate_entry(metric, evidence, int(k), question, options) for k in ks]
    rows = [(each.value, *(each.interval or (np.nan, np.nan))) for each in estimates]
    return Curve(ks, *np.array(rows).T.copy())


def _points(ks: NDArray[np.int64], value: NDArray[np.float64]) -> Curve:
    unknown = np.full(len(ks), np.nan)
    return Curve(ks, value, unknown, unknown)
