"""A metric of one run, estimated without bias and with the interval that belongs to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

import numpy as np

from metrics.data.evidence import Evidence, scores_as_outcomes
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import UNIT, Estimate, Interval, Target
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import OF_THESE_ONLY, require_supported
from metrics.estimating.caveats import (
    bound_caveats,
    cluster_caveats,
    copy_caveats,
    design_caveats,
    missing_caveats,
    too_few_clusters,
)
from metrics.estimating.limits import difference_limits, limits, limits_of_whole_groups
from metrics.posteriors.posterior import posterior
from metrics.posteriors.rewards import bayes_ci
from metrics.scoring.blends import Part, power_blend
from metrics.scoring.payoffs import gains
from metrics.scoring.registry import Metric, find_metric
from metrics.scoring.rewards import bayes
from metrics.scoring.scores import QuestionScores, count_scores

METHODS: dict[str, Text] = {
    "population": Text(
        "Unbiased mean over questions; Student's t with a question at each end of the range added, "
        "cut to exact binomial limits at the effective number of questions (Korn and Graubard)."
    ),
    "clustered": Text(
        "Unbiased mean over questions; Korn-Graubard interval (exact binomial limits at the "
        "effective number of questions), with what the clusters are worth."
    ),
    "benchmark": Text(
        "Unbiased mean over questions; mid-P limits at Korn and Graubard's effective number of "
        "questions, with the variance between samples of a question."
    ),
    "pooled": Text(
        "Unbiased mean over questions; mid-P limits at the number of disjoint draws of k, which is "
        "cautious."
    ),
    "whole group": Text(
        "Mean over questions; all samples of a question are one draw, which does not show how "
        "much another would differ. Draws differ no more than questions do, so the interval is "
        "the cautious one for questions like these."
    ),
    "blend": Text(
        "Blend of two unbiased means over questions; the interval blends the limits of both, each "
        "at half the error."
    ),
    "shrunken": Text(
        "Shrunken score: posterior mean with one pseudo-outcome a category, and its normal "
        "interval. It is biased towards the middle; avg@n is not."
    ),
    "posterior": Text(
        "Posterior mean, each question's success rate having a Beta distribution before, and its "
        "normal interval. It is biased towards that distribution; the estimate without it is not."
    ),
}


PAIRED = Text(
    "Mean difference on the same questions, with the limits of its empirical likelihood, to which "
    "a little is added for what was not seen."
)


@overload
def estimate(
    data: Any,
    metric: MetricName,
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    prior: tuple[float, float] | None = None,
    **options: Any,
) -> Estimate: ...


@overload
def estimate(
    data: Any,
    metric: MetricName,
    k: Sequence[int],
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    prior: tuple[float, float] | None = None,
    **options: Any,
) -> list[Estimate]: ...


def estimate(
    data: Any,
    metric: MetricName,
    k: int | Sequence[int] | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    prior: tuple[float, float] | None = None,
    **options: Any,
) -> Estimate | list[Estimate]:
    """Estimate a metric without bias, with its interval.

    Parameters
    ----------
    data : Run, Outcomes, Counts, Tally, array_like of 0/1, shape (M, N), or table
        What was observed; for soft and soft-max@k also an array_like of soft scores in [0, 1]. A
        table of pandas, polars or Arrow has a row for each sample of a run, in columns question_id,
        correct (empty where a request failed) and sample.
    metric : str
        A name of `METRICS`.
    k : int or sequence of int, optional
        Samples drawn of each question; by default the fewest that any question has. Metrics of all
        samples (avg@n, cons@n, cover@tau, soft, bayes@n) take none.
    target : {"population", "benchmark"}
        What the interval is about: questions like these, or these questions with other samples.
    confidence_level : float, default: 0.95
        In (0, 1).
    missing : {"wrong", "omit", "right"}
        What failed requests count as; only Outcomes and Counts can hold any.
    segment : tuple of str, optional
        (attribute, label) of a subset of the questions of Outcomes or Counts.
    answers : int array, shape (M, N), optional
        Codes of the extracted answers, for plurality@k.
    prior : tuple of two floats, optional
        Positive parameters of the Beta prior of each question's success rate, such as (1, 1), for
        the posterior mean of a count metric in place of the unbiased estimate. It is about these
        questions, so the target has to be "benchmark".
    **options
        What the metric's entry lists: ``tau``, ``ties``, ``weights``, ``w`` ….

    Returns
    -------
    Estimate, or list of Estimate for several k
        Value and interval in the range of the metric, [0, 1] except for rewards w.

    Raises
    ------
    MetricError
        If the metric is unknown, k exceeds the samples of a question, or an argument is out of
        range.

    Examples
    --------
    The worked example of AISBench's documentation, 2, 2, 1 and 0 right of 3:

    >>> from kofn.metrics import Tally
    >>> tally = Tally.of_questions([3, 3, 3, 3], [2, 2, 1, 0])
    >>> [round(estimate(tally, name).value, 4) for name in ("pass@k", "avg@n", "cons@n")]
    [0.75, 0.4167, 0.5]
    >>> low, high = estimate(tally, "avg@n", target="benchmark").interval
    >>> round(low, 2), round(high, 2)
    (0.17, 0.7)
    >>> [round(found.value, 4) for found in estimate(tally, "pass@k", [1, 2, 3])]
    [0.4167, 0.6667, 0.75]
    >>> round(estimate([[0.6, 0.4, 0.6]], "soft").value, 4)
    0.5333

    The posterior of Hariri et al. 2026 (arXiv:2510.04265), each rate uniform before:

    >>> found = estimate([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], "pass@k", 2, target="benchmark",
    ...                  prior=(1, 1))
    >>> round(found.value, 6), round(found.interval.low, 4)
    (0.839286, 0.6487)
    """
    entry = find_metric(metric)
    given = scores_as_outcomes(data) if entry.needs == "soft" else data
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(given, answers)
    if isinstance(k, Sequence | np.ndarray) and not isinstance(k, str):
        return [estimate_entry(entry, evidence, each, question, options, prior) for each in k]
    return estimate_entry(entry, evidence, k, question, options, prior)


def estimate_entry(
    entry: Metric,
    evidence: Evidence,
    k: int | None,
    question: Question,
    options: Mapping[str, Any],
    prior: tuple[float, float] | None = None,
) -> Estimate:
    """Estimate a metric that may have no name in `METRICS`; see `estimate`."""
    require_supported(entry, evidence, k, question, options)
    target = question.target
    k = evidence.n_min if k is None else k
    if prior is not None:
        return _posterior(entry, evidence, k, question, options, prior)
    if entry.needs == "posterior":
        return _shrunken(entry, evidence, k, question.confidence_level, options)
    if entry.parts is not None:
        return _blend(entry, evidence, k, question, options)
    scores = entry.scores(evidence, k, options)
    interval = size = None
    if scores.bounded:
        interval, size = limits(scores, evidence, question)
    untold = target == "population" and too_few_clusters(scores, evidence, interval)
    if untold:
        interval = None
    caveats = (
        *(cluster_caveats(evidence) if untold else design_caveats(scores, target)),
        *bound_caveats(scores),
        *copy_caveats(evidence),
        *missing_caveats_of(entry, evidence, k, options),
    )
    method = METHODS[method_of(scores, evidence, target)]
    return mean_of_scores(scores, question, interval, method, caveats, size)


def mean_of_scores(
    scores: QuestionScores,
    question: Question,
    interval: Interval | None,
    method: Text,
    caveats: Iterable[Text],
    size: float | None = None,
) -> Estimate:
    """Return the mean of scores as an estimate, within their range."""
    return Estimate(
        scores.mean,
        interval,
        question.confidence_level,
        question.target,
        scores.n_questions,
        method,
        tuple(caveats),
        size,
        Interval(scores.low, scores.high),
    )


def mean_of(
    scores: QuestionScores, evidence: Evidence, question: Question, caveats: Iterable[Text] = ()
) -> Estimate:
    """Estimate a mean over questions."""
    method = METHODS[method_of(scores, evidence, question.target)]
    ends, size = limits(scores, evidence, question)
    return mean_of_scores(scores, question, ends, method, caveats, size)


def mean_of_groups(
    scores: QuestionScores, evidence: Evidence, question: Question, caveats: Iterable[Text] = ()
) -> Estimate:
    """Estimate a mean over questions whose scores each take all samples together."""
    method = method_of_groups(evidence, question.target)
    ends, size = limits_of_whole_groups(scores, evidence, question)
    return mean_of_scores(scores, question, ends, method, caveats, size)


def difference_of(
    scores: QuestionScores, evidence: Evidence, question: Question, caveats: Iterable[Text] = ()
) -> Estimate:
    """Estimate a mean of paired differences, which 0 lies in the range of."""
    population = question.target == "population"
    method = PAIRED if population else METHODS[method_of(scores, evidence, question.target)]
    ends = difference_limits(scores, evidence, question)
    return mean_of_scores(scores, question, ends, method, caveats)


def method_of(scores: QuestionScores, evidence: Evidence, target: Target) -> str:
    """Return by which of `METHODS` the limits of a mean of scores are made."""
    if target == "benchmark":
        return "pooled" if scores.within is None else "benchmark"
    return "population" if evidence.clusters is None else "clustered"


def method_of_groups(evidence: Evidence, target: Target) -> Text:
    """Say how the limits of scores are made each of which takes all samples of a question."""
    if target == "benchmark":
        return METHODS["whole group"]
    return METHODS["population" if evidence.clusters is None else "clustered"]


def mean_score(metric: Metric, evidence: Evidence, k: int, options: Mapping[str, Any]) -> float:
    """Return the point estimate alone."""
    if metric.needs == "posterior":
        return bayes(_counts_or_matrix(evidence, options), **options)[0]
    if metric.parts is None:
        return metric.scores(evidence, k, options).mean
    first, second, *powers = metric.parts(**options)
    return float(power_blend(*(_part(p, evidence, k).mean for p in (first, second)), *powers))


def _blend(
    metric: Metric,
    evidence: Evidence,
    k: int,
    question: Question,
    options: Mapping[str, Any],
) -> Estimate:
    """Blend two dataset means, and their limits, each at half the error."""
    assert metric.parts is not None
    first, second, x_power, y_power = metric.parts(**options)
    half = question.at((1 + question.confidence_level) / 2)
    parts = [_part(p, evidence, k) for p in (first, second)]
    ends = [limits(part, evidence, half)[0] for part in parts]
    blended = [
        float(power_blend(x, y, x_power, y_power))
        for x, y in ([p.mean for p in parts], [e.low for e in ends], [e.high for e in ends])
    ]
    return Estimate(
        blended[0],
        None if min(x_power, y_power) < 0 else Interval(blended[1], blended[2]),
        question.confidence_level,
        question.target,
        parts[0].n_questions,
        METHODS["blend"],
        (
            *design_caveats(parts[0], question.target),
            *copy_caveats(evidence),
            *missing_caveats_of(metric, evidence, k, options),
        ),
    )


def _part(part: Part, evidence: Evidence, k: int) -> QuestionScores:
    payoff, options = part
    return count_scores(evidence, payoff, lambda n: k, options)


def _shrunken(
    metric: Metric,
    evidence: Evidence,
    k: int,
    confidence_level: float,
    options: Mapping[str, Any],
) -> Estimate:
    rewards = options.get("w")
    mean, _, low, high = bayes_ci(
        _counts_or_matrix(evidence, options), **options, confidence=confidence_level
    )
    bounds = UNIT if rewards is None else Interval(float(min(rewards)), float(max(rewards)))
    return Estimate(
        mean,
        Interval(max(low, bounds.low), min(high, bounds.high)),
        confidence_level,
        "benchmark",
        int(evidence.sizes[1].sum()),
        METHODS["shrunken"],
        missing_caveats_of(metric, evidence, k, options),
        bounds=bounds,
    )


def _posterior(
    metric: Metric,
    evidence: Evidence,
    k: int,
    question: Question,
    options: Mapping[str, Any],
    prior: tuple[float, float],
) -> Estimate:
    if question.target != "benchmark":
        raise MetricError(OF_THESE_ONLY)
    if metric.payoff is None or metric.draws == "all":
        raise MetricError(Text("{name} has no posterior by a Beta prior.", name=metric.name))
    tally = evidence.tally
    added = gains(metric.payoff, k if metric.takes_k else 1, **options)
    mean, _, low, high = posterior(tally, added, question.confidence_level, UNIT, *prior)
    return Estimate(
        mean,
        Interval(low, high),
        question.confidence_level,
        "benchmark",
        tally.n_questions,
        METHODS["posterior"],
        missing_caveats_of(metric, evidence, k, options),
    )


def _counts_or_matrix(evidence: Evidence, options: Mapping[str, Any]) -> Any:
    """Return the counts of right samples, or each outcome where rewards or a prior need them."""
    return evidence.matrix if options else evidence.tally


def missing_caveats_of(
    metric: Metric, evidence: Evidence, k: int, options: Mapping[str, Any]
) -> tuple[Text, ...]:
    """Say what failed requests and ungradable questions did to a metric."""
    data = evidence.known
    if data is None or data.complete:
        return ()
    asked = data.n_samples("wrong", evidence.segment)
    failed = asked - data.n_samples("omit", evidence.segment)
    left_out = data.n_questions(evidence.segment) - int(evidence.sizes[1].sum())

    def bounds() -> list[float]:
        extremes: tuple[Missing, ...] = () if metric.needs == "answers" else ("wrong", "right")
        each = (Evidence(data, missing, evidence.segment) for missing in extremes)
        return [mean_score(metric, extreme, k, options) for extreme in each]

    return tuple(missing_caveats(failed, asked, left_out, evidence.missing, bounds))
