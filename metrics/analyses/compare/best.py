"""How often each of several runs would be the best, by joint draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Target
from metrics.estimating.limits import limits
from metrics.scoring.registry import Metric

DRAWS = 4000
_PSEUDO = 0.5
"""The weight of a question that only one run solves, added for each, so that ties stay open."""
_MANY = 1000
"""Beyond so many questions sums are drawn as normal ones."""
_SEED = 0


def chances_of_best(
    sides: Sequence[Evidence],
    metric: Metric,
    k: int,
    options: Mapping[str, Any],
    target: Target,
    paired: bool,
) -> tuple[float, ...]:
    """Return the share of joint draws in which each run is the best; ties are shared.

    For questions like these, the weights of the questions that all runs answered are drawn, the
    same for all runs (a Bayesian bootstrap). For these questions, and where runs are not paired,
    each mean is drawn by itself, from the Beta distribution of its effective number of questions.
    """
    rng = np.random.default_rng(_SEED)
    together = paired and target == "population"
    shared = _shared(sides) if together else sides
    scores = [metric.scores(side, k, options) for side in shared]
    if together and shared:
        columns = [
            each.each_question(side).values for each, side in zip(scores, shared, strict=True)
        ]
        span = max(each.high for each in scores) - min(each.low for each in scores)
        drawn = _sums(np.stack(columns, axis=1), shared[0].clusters, span, rng)
    else:
        drawn = np.empty((DRAWS, len(sides)))
        for place, (each, side) in enumerate(zip(scores, shared, strict=True)):
            size = limits(each, side, target, 0.95)[1]
            share = (each.mean - each.low) / (each.high - each.low)
            beta = rng.beta(size * share + 0.5, size * (1 - share) + 0.5, DRAWS)
            drawn[:, place] = each.low + (each.high - each.low) * beta
    best = drawn == drawn.max(axis=1, keepdims=True)
    return tuple((best / best.sum(axis=1, keepdims=True)).mean(axis=0).tolist())


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


def _sums(
    scores: Vector, clusters: NDArray[np.intp] | None, span: float, rng: np.random.Generator
) -> Vector:
    """Draw sums of scores, weighed by draws of how often each question would come."""
    usual = 1.0
    if clusters is not None:
        usual = len(scores) / (int(clusters.max()) + 1)
        scores = np.stack([np.bincount(clusters, column) for column in scores.T], axis=1)
    rows, runs = scores.shape
    if rows <= _MANY:
        drawn = rng.standard_exponential((DRAWS, rows)) @ scores
    else:
        centred = scores - scores.mean(axis=0)
        sums, products = scores.sum(axis=0), centred.T @ centred
        drawn = rng.multivariate_normal(sums, products, DRAWS, method="eigh")
    return np.asarray(drawn + span * usual * rng.standard_gamma(_PSEUDO, (DRAWS, runs)))
