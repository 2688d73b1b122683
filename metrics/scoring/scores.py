"""The score of each question under a metric, and what is known of its range and its variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import number_vector, require_finite, require_range
from metrics.data.tally import Tally, row_counts
from metrics.intervals.within_questions import within_variance
from metrics.scoring.draws import expected_payoff, expected_product
from metrics.scoring.payoffs import Payoff, any_correct
from metrics.scoring.rewards import best_rewards
from metrics.scoring.soft import best_scores, mean_scores, samples_of, sampling_variance
from metrics.scoring.votes import plurality_scores


@dataclass(frozen=True, eq=False)
class QuestionScores:
    """What a metric averages."""

    values: Vector  # Scores. Shape (U,).
    questions: NDArray[np.int64]  # How many questions have each. Shape (U,).
    # The fewest and the most samples of a question.
    n_min: int
    n_max: int
    drawn: int  # Samples drawn of a question with the fewest.
    # The range that a score can have.
    low: float = 0.0
    high: float = 1.0
    # Returns the variance of the mean between samples of the same questions, in units of the score;
    # None where no estimate exists.
    within: Callable[[], float] | None = None
    # Scores another tally in the same way; None where the rows are single questions already.
    rescore: Callable[[Tally], QuestionScores] | None = None
    bounded: bool = True  # Whether low and high do bound the score.
    # How many random subsets of a question a score is a mean over; 0 where it is exact.
    subsets: int = 0

    @cached_property
    def mean(self) -> float:
        """The metric: questions count equally."""
        return float(self.questions @ self.values / self.n_questions)

    @property
    def standard(self) -> Vector:
        """The scores as shares of their range."""
        return (self.values - self.low) / (self.high - self.low)

    @property
    def n_questions(self) -> int:
        """Questions behind the mean, M."""
        return int(self.questions.sum())

    def once(self) -> QuestionScores:
        """Return the same, whose variance between samples is computed but once."""
        return self if self.within is None else replace(self, within=cache(self.within))

    def each_question(self, evidence: Evidence) -> QuestionScores:
        """Return the scores with a row for each question, in the order of the evidence."""
        return self if self.rescore is None else self.rescore(evidence.each_question)


DIFFERENCE = -1.0, 1.0
"""The range of a difference of two shares."""


def question_scores(
    values: Vector,
    low: float = 0.0,
    high: float = 1.0,
    *,
    samples: NDArray[np.int64] | None = None,
    drawn: int | None = None,
    within: Callable[[], float] | None = None,
    subsets: int = 0,
) -> QuestionScores:
    """Return scores of single questions, each of all its samples unless so many are drawn."""
    ones = np.ones(len(values), dtype=np.int64)
    fewest, most = (1, 1) if samples is None else (int(samples.min()), int(samples.max()))
    drawn = fewest if drawn is None else drawn
    return QuestionScores(values, ones, fewest, most, drawn, low, high, within, subsets=subsets)


def difference(first: QuestionScores, last: QuestionScores) -> QuestionScores:
    """Return last minus first, question by question."""
    low, high = DIFFERENCE
    drawn = min((each.subsets for each in (first, last) if each.subsets), default=0)
    values = last.values - first.values
    return replace(
        last, values=values, low=low, high=high, within=None, rescore=None, subsets=drawn
    )


def count_scores(
    data: Evidence | Tally,
    payoff: Payoff,
    drawn: Callable[[int], int],
    options: Mapping[str, Any],
) -> QuestionScores:
    """Score counts by the expected payoff of the samples drawn of each n."""
    tally = data.tally if isinstance(data, Evidence) else data
    earned = {n: payoff(drawn(n), **options) for n in tally.each_n}
    return _scores_of_tally(
        tally,
        drawn(tally.n_min),
        lambda n, c: expected_payoff(earned[n], n, c),
        lambda n: expected_payoff(earned[n], n, np.arange(n + 1)),
        lambda other: count_scores(other, payoff, drawn, options),
        lambda n: expected_product(earned[n], n),
        low=min(float(a.min()) for a in earned.values()),
        high=max(float(a.max()) for a in earned.values()),
    )


def gain_scores(
    data: Evidence | Tally, payoff: Payoff, drawn: Callable[[int], int]
) -> QuestionScores:
    """Score counts by how much the expected payoff exceeds the share of correct samples.

    The range is that of any count, so that the mean gain of a model lies within it too.
    """
    tally = data.tally if isinstance(data, Evidence) else data
    earned = {n: payoff(drawn(n)) - np.linspace(0, 1, drawn(n) + 1) for n in tally.each_n}
    tables = {n: expected_payoff(earned[n], n, np.arange(n + 1)) for n in tally.each_n}
    return _scores_of_tally(
        tally,
        drawn(tally.n_min),
        lambda n, c: tables[n][c],
        lambda n: tables[n],
        lambda other: gain_scores(other, payoff, drawn),
        lambda n: expected_product(earned[n], n),
        low=min(float(table.min()) for table in tables.values()),
        high=max(float(table.max()) for table in tables.values()),
    )


def blended_scores(
    data: Evidence | Tally, k: int, blend: Callable[..., Vector], options: Mapping[str, Any]
) -> QuestionScores:
    """Score counts by a blend of n, c and k, question by question."""
    tally = data.tally if isinstance(data, Evidence) else data
    return _scores_of_tally(
        tally,
        k,
        lambda n, c: blend(n, c, k, **options),
        lambda n: blend(n, np.arange(n + 1), k, **options),
        lambda other: blended_scores(other, k, blend, options),
        bounded=all(require_finite(power, name) >= 0 for name, power in options.items()),
    )


def _scores_of_tally(
    tally: Tally,
    drawn: int,
    score: Callable[[int, NDArray[np.int64]], Vector],
    table: Callable[[int], Vector],
    rescore: Callable[[Tally], QuestionScores],
    product: Callable[[int], Vector] | None = None,
    **rest: Any,
) -> QuestionScores:
    def within() -> float:
        products = None if product is None else {n: product(n) for n in tally.each_n}
        return float(within_variance(tally, {n: table(n) for n in tally.each_n}, products))

    return QuestionScores(
        tally.scores(score),
        tally.questions,
        tally.n_min,
        tally.n_max,
        drawn,
        within=within,
        rescore=rescore,
        **rest,
    )


def soft_scores(evidence: Evidence, k: int) -> QuestionScores:
    """Score questions by the mean of their soft scores."""
    matrix = evidence.soft
    assert matrix is not None
    return question_scores(
        mean_scores(matrix),
        samples=samples_of(matrix),
        drawn=1,
        within=lambda: sampling_variance(matrix),
    )


def soft_max_scores(evidence: Evidence, k: int) -> QuestionScores:
    """Score questions by the expected best of k of their soft scores."""
    matrix = evidence.soft
    assert matrix is not None
    return question_scores(best_scores(matrix, k), samples=samples_of(matrix), drawn=k)


def reward_scores(evidence: Evidence, k: int, w: Any = None) -> QuestionScores:
    """Score questions by the expected best reward of k samples; without rewards, by pass@k."""
    if w is None:
        return count_scores(evidence, any_correct, lambda n: k, {})
    matrix, rewards = evidence.matrix, number_vector(w, "w")
    require_range(np.maximum(matrix, 0), len(rewards) - 1)
    best = best_rewards(matrix, k, rewards)
    bounds = float(rewards.min()), float(rewards.max())
    return question_scores(best, *bounds, samples=row_counts(matrix >= 0), drawn=k)


def vote_scores(evidence: Evidence, k: int, rng: int = 0) -> QuestionScores:
    """Score questions by the chance that the most common of k answers is right."""
    (scores,) = vote_scores_of_each_k(evidence, np.array([k]), rng)
    return scores


def vote_scores_of_each_k(
    evidence: Evidence, ks: NDArray[np.int64], rng: int = 0
) -> list[QuestionScores]:
    """Score questions by a vote of each k, ascending."""
    codes, matrix = evidence.votes, evidence.matrix
    assert codes is not None
    samples = row_counts(matrix >= 0)
    return [
        question_scores(values, samples=samples, drawn=int(k), subsets=int(subsets))
        for k, values, subsets in zip(ks, *plurality_scores(codes, matrix, ks, rng), strict=True)
    ]
