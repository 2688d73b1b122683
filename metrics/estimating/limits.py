"""The interval of a mean of scores: how many independent questions it is worth, and its limits."""

from __future__ import annotations

from metrics.data.evidence import Evidence
from metrics.data.results import Interval, Target
from metrics.data.words import MetricError, Text
from metrics.intervals.korn_graubard import (
    clopper_pearson,
    population_size,
    sampled_size,
    variance_of_mean,
)
from metrics.scoring.scores import Scores


def effective_size(
    scores: Scores, evidence: Evidence, target: Target, confidence_level: float
) -> float:
    """Return the effective number of questions of KG2 ("population") or KG1 ("benchmark")."""
    span = scores.high - scores.low
    if span == 0:
        raise MetricError(Text("The score is {value:g} whatever the outcomes.", value=scores.low))
    mean = (scores.mean - scores.low) / span
    m = scores.n_questions
    if target == "benchmark":
        draws, within = max(1, scores.n_min // scores.drawn), scores.within
        if within is None:
            return float(m * draws)
        between = variance_of_mean(scores.standard, scores.questions)
        size = sampled_size(mean, lambda: within() / span**2, between, m, scores.n_max, draws)
        return float(size)
    clusters = evidence.clusters
    each = scores if clusters is None else scores.each_question(evidence)
    variance = float(variance_of_mean(each.standard, each.questions, clusters))
    groups = m if clusters is None else int(clusters.max()) + 1
    return float(population_size(mean, variance, m, confidence_level, groups))


def limits(scores: Scores, size: float, confidence_level: float) -> Interval:
    """Return the limits of a mean of scores, in their units and within their range."""
    span = scores.high - scores.low
    x = size * (scores.mean - scores.low) / span
    low, high = clopper_pearson(x, size, confidence_level)
    return Interval(scores.low + span * float(low), scores.low + span * float(high))
