"""A weighted mean over the candidates of a question, where the whole list is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from metrics.analyses.candidates.signals import Candidates, candidates
from metrics.analyses.ranking_metrics.places import Worth, candidates_in_lists, questions_of
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import number_vector
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import bound_caveats, copy_caveats, design_caveats
from metrics.estimating.estimation import mean_of_groups, missing_caveats_of
from metrics.scoring.registry import ON_AVERAGE, Metric
from metrics.scoring.scores import QuestionScores


def weighted_mean(
    data: Any,
    weights: Any,
    *,
    position: Any = None,
    by: Any = None,
    soft: bool = False,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Estimate:
    r"""Estimate the weighted mean of the candidates of a question.

    .. math:: \frac{1}{M} \sum_i \frac{\sum_j w_{ij} s_{ij}}{\sum_j w_{ij}}

    Equal weights give avg@n.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    weights : str, or array_like of float, shape (M, N) or (N,)
        At least 0: for each candidate, or the name of a column of a run; or for each place of a
        list, from the first on. A candidate without a weight (NaN) does not count. A question whose
        weights are all 0 is left out, and counted.
    position, by
        As in `dcg`; only for weights of places.
    soft : bool, default: False
        Whether soft scores are averaged, and not verdicts.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Estimate

    Raises
    ------
    MetricError
        If weights are not numbers of at least 0, or nothing tells in which order candidates are
        listed.

    Examples
    --------
    >>> right = [[1, 0], [1, 1]]
    >>> weighted_mean(right, [[3, 1], [0, 0]]).value
    0.75
    >>> weighted_mean(right, [0.6, 0.4], by=[[0.1, 0.9], [0.5, 0.5]]).value
    0.7
    """
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(data)

    def worth(evidence: Evidence) -> Worth:
        if isinstance(weights, str) or np.ndim(weights) != 1:
            return _by_weight(data, evidence, weights, soft)
        return _by_place(data, evidence, weights, position, by, soft)

    def sample(evidence: Evidence, k: int) -> QuestionScores:
        return worth(evidence).scores(0)

    metric = Metric(
        "weighted mean",
        ON_AVERAGE,
        Text("The weighted mean of the candidates of a question."),
        r"\frac{1}{M}\sum_i \sum_j w_{ij} s_{ij} / \sum_j w_{ij}",
        "",
        draws="all",
        needs="soft" if soft else "",
        sample=sample,
    )
    require_supported(metric, evidence, None, question)
    worths = worth(evidence)
    if not worths.defined.any():
        raise MetricError(Text("Every weight is 0."))
    part = questions_of(evidence, worths.defined)
    scores = worths.scores(0)
    caveats = (
        *design_caveats(scores, target),
        *bound_caveats(scores),
        *_of_unweighted(worths.defined),
        *worths.remarks,
        *copy_caveats(evidence),
        *missing_caveats_of(metric, evidence, evidence.n_min, {}),
    )
    return mean_of_groups(scores, part, question, caveats)


def _by_weight(data: Any, evidence: Evidence, weights: Any, soft: bool) -> Worth:
    found = candidates(data, evidence, weights, soft)
    weight = np.where(found.held & (found.signal > -np.inf), found.signal, 0.0)
    return _averaged(
        weight * found.payoff, _weights(weight), found.samples, _unweighted_caveats(found)
    )


def _by_place(
    data: Any, evidence: Evidence, weights: Any, position: Any, by: Any, soft: bool
) -> Worth:
    listed, remarks = candidates_in_lists(data, evidence, position, by, soft)
    n, each = listed.samples, _weights(number_vector(weights, "weights"))
    if len(each) < n.max():
        raise MetricError(
            Text(
                "There are {got} weights for lists of up to {most} candidates.",
                got=len(each),
                most=int(n.max()),
            )
        )
    paid, counted = (np.zeros((len(n), 1)) for _ in range(2))
    for rows, block in listed.ordered():
        here = each[: block.payoff.shape[1]]
        paid[rows, 0], counted[rows, 0] = block.payoff[:, ::-1] @ here, here.sum()
    return _averaged(paid, counted, n, remarks)


def _weights(given: Vector) -> Vector:
    if np.any(given < 0) or not np.all(np.isfinite(given)):
        raise MetricError(Text("Weights must be finite and at least 0."))
    return given


def _averaged(paid: Vector, weights: Vector, samples: Integers, remarks: Iterable[Text]) -> Worth:
    """Return the weighted mean of each question whose weights are not all 0."""
    total = weights.sum(axis=1)
    some = total > 0
    values = np.clip(paid.sum(axis=1)[some] / total[some], 0, 1)
    return Worth(values[None], some, np.ones(1), samples, tuple(remarks))


def _unweighted_caveats(candidates: Candidates) -> Iterator[Text]:
    if candidates.unknown:
        yield Text(
            "{count} of {all} candidates has no weight and is left out.",
            "{count} of {all} candidates have no weight and are left out.",
            count=candidates.unknown,
            all=int(candidates.held.sum()),
        )


def _of_unweighted(defined: Flags) -> Iterator[Text]:
    if not defined.all():
        yield Text(
            "{count} question has no weight above 0 and is left out.",
            "{count} questions have no weight above 0 and are left out.",
            count=int((~defined).sum()),
        )
