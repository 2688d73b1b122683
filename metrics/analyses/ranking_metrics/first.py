"""Whether any candidate is right: of the first k as ranked, or of all there are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.ranking_metrics.places import (
    Listed,
    Worth,
    candidates_in_lists,
    worth_of_places,
)
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.tally import equal_runs, row_counts
from metrics.data.words import Text
from metrics.estimating.estimation import estimate_entry
from metrics.scoring.payoffs import any_correct
from metrics.scoring.registry import SOLVES, Metric
from metrics.scoring.scores import QuestionScores, question_scores

_FIRST = Metric(
    "first@k",
    SOLVES,
    Text("The chance that one of the first k candidates of a list is right."),
    r"\frac{1}{M}\sum_i \max_{j \le k} y_{i(j)}",
    "",
)
_ANY = Metric(
    "any-pass",
    SOLVES,
    Text("The share of questions with a right candidate among all that they have."),
    r"\frac{1}{M}\sum_i \mathbb{1}[c_i > 0]",
    "",
    any_correct,
    draws="all",
)


def _best(evidence: Evidence, k: int) -> QuestionScores:
    scores = evidence.soft
    assert scores is not None
    return question_scores(np.nanmax(scores, axis=1), samples=row_counts(scores == scores))


_BEST = Metric(
    "best score",
    SOLVES,
    Text("The best soft score among all candidates that a question has."),
    r"\frac{1}{M}\sum_i \max_j s_{ij}",
    "",
    draws="all",
    needs="soft",
    sample=_best,
)


def any_pass(
    data: Any,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Estimate:
    """Estimate how many questions have a right candidate among all that they have.

    Where questions differ in their number of candidates this is not pass@k: runs with more
    candidates solve more. pass@k at a common k compares like with like.

    Parameters
    ----------
    data : Run, Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Estimate

    Examples
    --------
    Of 1, 2 and 4 candidates 0, 1 and 1 are right; of one each, .25 are on average:

    >>> from kofn.metrics import Tally, estimate
    >>> groups = Tally.of_questions([1, 2, 4], [0, 1, 1])
    >>> round(any_pass(groups).value, 3), round(estimate(groups, "pass@k").value, 3)
    (0.667, 0.25)
    """
    return _all_candidates(_ANY, data, Question(target, confidence_level, missing, segment))


def best_score(
    data: Any,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Estimate:
    """Estimate the best soft score among all candidates that a question has.

    It is what a perfect selector would pick; soft-max@k at a common k compares like with like. It
    has another scale than `any_pass`, which counts right candidates: neither bounds the other.

    Parameters
    ----------
    data : Run or Outcomes
        With soft scores.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Estimate

    Raises
    ------
    MetricError
        If there are no soft scores.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> groups = Outcomes([[1, 0], [0, -2]], scores=[[0.9, 0.2], [0.4, float("nan")]])
    >>> round(best_score(groups).value, 2), any_pass(groups).value
    (0.65, 0.5)
    """
    return _all_candidates(_BEST, data, Question(target, confidence_level, missing, segment))


def _all_candidates(metric: Metric, data: Any, question: Question) -> Estimate:
    """Estimate what all candidates of a question give, with a caveat where some have more."""
    evidence = question.evidence(data)
    estimate = estimate_entry(metric, evidence, None, question, {})
    n, questions = evidence.sizes
    if n.min() == n.max():
        return estimate
    unequal = Text(
        "Questions have {fewest} to {most} candidates, {mean:.1f} on average, and those with more "
        "have more chances.",
        fewest=int(n.min()),
        most=int(n.max()),
        mean=float(n @ questions / questions.sum()),
    )
    return replace(estimate, caveats=(unequal, *estimate.caveats))


def first_pass(
    data: Any,
    k: Any = None,
    *,
    position: Any = None,
    by: Any = None,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Listed:
    """Estimate how often one of the first k candidates of a list is right.

    It is the success rate for a user who looks at the first k. pass@k is that for any k, drawn at
    random; in a random order the two are the same.

    Parameters
    ----------
    data, k, position, by, target, confidence_level, missing, segment
        As in `dcg`; candidates in one place are equally likely to come first.

    Returns
    -------
    Listed
        From 0 to 1.

    Raises
    ------
    MetricError
        As `dcg`.

    Examples
    --------
    >>> right = [[0, 0, 1], [1, 0, 0], [0, 0, 0]]
    >>> first_pass(right, by=[[0.1, 0.2, 0.9], [0.5, 0.7, 0.4], [1, 2, 3]]).value.round(3).tolist()
    [0.333, 0.667, 0.667]
    """

    def worth(evidence: Evidence, ks: Integers) -> Worth:
        listed, remarks = candidates_in_lists(data, evidence, position, by, False)
        values = np.empty((len(ks), len(listed.held)))
        for rows, payoff, signal in listed.blocks():
            values[:, rows] = 1 - none_right(payoff, signal)[:, ks - 1].T
        defined = np.ones(values.shape[1], dtype=bool)
        return Worth(values, defined, np.ones(len(ks)), listed.samples, remarks)

    question = Question(target, confidence_level, missing, segment)
    return worth_of_places(_FIRST, worth, data, k, question)


def none_right(right: Vector, signal: Vector) -> Vector:
    """Return the chance that none of the first places of a list is right, shape (R, n).

    Of g candidates with the same signal, c of them right, the one that comes i-th (from 0) is wrong
    after i wrong ones with the chance (g - c - i) / (g - i).

    Examples
    --------
    >>> none_right(np.array([[1.0, 0.0, 0.0]]), np.array([[0.7, 0.9, 0.7]])).tolist()
    [[1.0, 0.5, 0.0]]
    """
    order = np.argsort(-signal, axis=1)
    ranked, hits = (np.take_along_axis(each, order, axis=1) for each in (signal, right))
    first, size = equal_runs(ranked)
    c = np.repeat(np.add.reduceat(hits.ravel(), first), size)
    g = np.repeat(size, size)
    i = np.arange(ranked.size) - np.repeat(first, size)
    wrong = np.maximum(g - c - i, 0) / (g - i)
    return np.asarray(np.multiply.accumulate(wrong.reshape(ranked.shape), axis=1))
