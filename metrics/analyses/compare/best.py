"""How often each of several runs would be the best, by joint draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Target
from metrics.estimating.limits import limits
from metrics.intervals.joint_means import PSEUDO, joint_sums
from metrics.scoring.registry import Metric

DRAWS = 4000
_SEED = 0


def chances_of_best(
    sides: Sequence[Evidence],
    metric: Metric,
    k: int,
    options: Mapping[str, Any],
    target: Target,
    paired: bool,
    covariance: Vector | None = None,
) -> tuple[float, ...]:
    """Return the share of joint draws in which each run is the best; ties are shared.

    For questions like these, the weights of the questions that all runs answered are drawn, the
    same for all runs (a Bayesian bootstrap), and of a question that only one solves, added for
    each, so that ties stay open. Where only counts are known the means are drawn together from a
    normal distribution of their covariance, if that is known; see `vary_together`. For these
    questions, and where runs are not paired, each mean is drawn by itself, from the Beta
    distribution of its effective number of questions.
    """
    rng = np.random.default_rng(_SEED)
    identified = not any(side.counts_only for side in sides)
    together = paired and identified and target == "population"
    shared = _shared(sides) if together else sides
    scores = [metric.scores(side, k, options) for side in shared]
    if together and shared:
        columns = [
            each.each_question(side).values for each, side in zip(scores, shared, strict=True)
        ]
        span = max(each.high for each in scores) - min(each.low for each in scores)
        clusters = shared[0].clusters
        stacked = np.stack(columns, axis=1)
        drawn, _sizes = joint_sums(stacked, clusters=clusters, resamples=DRAWS, rng=rng)
        usual = 1.0 if clusters is None else len(stacked) / (int(clusters.max()) + 1)
        drawn += span * usual * rng.standard_gamma(PSEUDO, drawn.shape)
    elif covariance is not None:
        means = [each.mean for each in scores]
        drawn = rng.multivariate_normal(means, covariance, DRAWS, check_valid="ignore")
        span = max(each.high for each in scores) - min(each.low for each in scores)
        drawn += span / scores[0].n_questions * rng.standard_gamma(PSEUDO, drawn.shape)
    else:
        drawn = np.empty((DRAWS, len(sides)))
        for place, (each, side) in enumerate(zip(scores, shared, strict=True)):
            size = limits(each, side, target, 0.95)[1]
            share = (each.mean - each.low) / (each.high - each.low)
            beta = rng.beta(size * share + 0.5, size * (1 - share) + 0.5, DRAWS)
            drawn[:, place] = each.low + (each.high - each.low) * beta
    best = drawn == drawn.max(axis=1, keepdims=True)
    return tuple((best / best.sum(axis=1, keepdims=True)).mean(axis=0).tolist())


def vary_together(
    pairs: Mapping[tuple[int, int], Sides],
    metric: Metric,
    k: int,
    options: Mapping[str, Any],
) -> Vector | None:
    """Return the covariance of the means of runs, shape (R, R), by the joint counts of each two.

    Parameters
    ----------
    pairs : mapping of (int, int) to Sides
        Each two, by the places of the runs, with joint counts.

    Returns
    -------
    float array or None
        None where two have not the same questions, or a single one.
    """
    runs = 1 + max(max(places) for places in pairs)
    found = np.empty((runs, runs))
    for places, pair in pairs.items():
        questions = pair.questions
        if pair.dropped or questions.sum() < 2:
            return None
        both = np.stack([metric.scores(side, k, options).values for side in pair.both])
        found[np.ix_(places, places)] = np.cov(both, fweights=questions) / questions.sum()
    return found


def _shared(sides: Sequence[Evidence]) -> list[Evidence]:
    """Return all runs on the questions that each of them answered; none if there is none."""
    outcomes = [side.outcomes for side in sides]
    first = outcomes[0]
    assert first is not None
    alike = all(each is not None and each.questions == first.questions for each in outcomes)
    if alike and all(np.array_equal(side.rows, sides[0].rows) for side in sides):
        return list(sides)
    named = [[side.outcomes.questions[row] for row in side.rows] for side in sides if side.outcomes]
    known = reduce(set.intersection, map(set, named))
    ids = [name for name in named[0] if name in known]
    return [
        side.only(side.outcomes.questions.places(ids)) for side in sides if side.outcomes and ids
    ]
