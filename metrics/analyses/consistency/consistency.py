"""Consensus against average: what a vote of a run's samples gains over a single one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from metrics.analyses.consistency.feasible_region import Polygon, clipped, feasible_region
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import frame, vectors
from metrics.data.inputs import require_k, require_share
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval, Target
from metrics.data.shown import result
from metrics.data.tally import Tally
from metrics.data.words import Text
from metrics.estimating.caveats import design_caveats
from metrics.estimating.estimation import difference_of, estimate_entry
from metrics.estimating.pooling import mean_apart, pool
from metrics.scoring.counts import aisbench_share
from metrics.scoring.draws import binomial, expected_payoff
from metrics.scoring.payoffs import majority
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import gain_scores

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

MARGIN = 0.02
"""A difference of less than this is said to be about none."""


class Scenario(NamedTuple):
    """Which of AISBench's three scenarios a run shows, or that its data cannot tell."""

    name: Literal["above", "below", "about equal", "cannot tell"]
    text: Text


@result
class Consistency:
    """A majority vote compared with the average, for one run.

    Attributes
    ----------
    k : int or None
        Number of votes; None where all samples vote.
    label : str
        The vote with its number: "maj@3", or "cons@5" where all samples vote.
    cons, avg : Estimate
        The share of questions that the vote gets right, and avg@n.
    difference : Estimate
        cons - avg, paired on the same questions, in [-1, 1].
    region : float array, shape (V, 2)
        Corners of the pairs (avg, cons) that are possible and that the intervals of avg, of cons
        and of their difference allow, each at a third of the error rate: the true pair lies within
        them with at least the confidence level.
    tied : float
        The share of votes that are ties, which count as wrong; 0 for odd numbers of votes.
    tally : Tally
        The questions by (n, c).
    chance : float array, shape (U,)
        The chance that a vote is right, for each row of the tally.
    """

    k: int | None
    label: str
    cons: Estimate
    avg: Estimate
    difference: Estimate
    region: Polygon
    tied: float
    tally: Tally
    chance: Vector

    def to_frame(self) -> DataFrame:
        """Return the tally with the chance of a right vote beside each row; needs pandas."""
        return frame({**vectors(self.tally), "chance": self.chance})

    def scenario(self, margin: float = MARGIN) -> Scenario:
        """Say whether the vote is above the average, below it, or about equal.

        Parameters
        ----------
        margin : float, default: 0.02
            The two are about equal when the interval of their difference lies within it.
        """
        low, high = self.difference.interval or (-1.0, 1.0)
        margin = require_share(margin, "margin")
        if low > 0:
            return Scenario("above", _ABOVE)
        if high < 0:
            return Scenario("below", _BELOW)
        if low == high:
            return Scenario("about equal", _SAME)
        if -margin <= low and high <= margin:
            return Scenario("about equal", _EQUAL)
        return Scenario("cannot tell", _UNKNOWN)

    @property
    def with_half_ties(self) -> float:
        """The share of questions that the vote gets right if half of the ties count."""
        return self.cons.value + self.tied / 2

    @property
    def by_aisbench(self) -> float | None:
        """AISBench's cons@k where fewer than all samples vote, which is then no majority of k."""
        if self.k is None or self.k == self.tally.n_max:
            return None
        return aisbench_share(self.tally, self.k)

    def remarks(self) -> Iterator[Text]:
        """Yield what the reader must know of the votes, besides the caveats of the estimates."""
        if self.tied > 0:
            yield Text(
                "A vote of an even number can tie, and a tie counts as wrong: {tied:.1%} of the "
                "votes are ties. With half of them counted as right, {label} would be {half:.1%}.",
                tied=self.tied,
                label=self.label,
                half=self.with_half_ties,
            )
        if self.by_aisbench is not None:
            yield Text(
                "AISBench's formula for cons@{k} asks for more than {k}/2 right among all "
                "samples, which is not a majority of {k}. It gives {value:.1%}. {label} is the "
                "vote of {k}.",
                k=self.k,
                value=self.by_aisbench,
                label=self.label,
            )


_ABOVE = Text(
    "Above: the right answer mostly has the majority, so a vote hides occasional mistakes."
)
_BELOW = Text(
    "Below: right answers are there, but mostly without a majority, so a vote loses them."
)
_EQUAL = Text(
    "About equal: questions are nearly always right or nearly always wrong, or a vote gains on "
    "some what it loses on others."
)
_SAME = Text("Equal by construction: a vote of one sample is that sample.")
_UNKNOWN = Text(
    "Cannot tell: the interval of the difference includes 0 and more than the margin. More "
    "questions or samples would narrow it."
)


def consistency(
    data: Any,
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Consistency:
    r"""Compare a majority vote with the average, by their paired difference.

    The difference is a mean over questions of :math:`h(c) - c/n`, where h(c) is the chance that
    more than half of k of the n samples are right. Its interval for questions like these is that of
    ``metrics.intervals.paired.paired_limits``, on the range that h(c) - c/n can have.

    Parameters
    ----------
    data : Run, Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed. Only verdicts are used, not soft scores.
    k : int, optional
        Votes, drawn from the samples of each question: maj@k, without bias. By default all samples
        of each question vote: cons@n.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Consistency

    Raises
    ------
    MetricError
        If k exceeds the samples of a question, outcomes have categories, or an argument is out of
        range.

    Examples
    --------
    AISBench's first scenario, two of three right in both questions:

    >>> found = consistency([[1, 1, 0], [0, 1, 1]])
    >>> round(found.avg.value, 3), found.cons.value, round(found.difference.value, 3)
    (0.667, 1.0, 0.333)
    >>> found.scenario().name
    'cannot tell'
    >>> consistency([[1, 1, 0], [0, 1, 1]] * 20).scenario().name
    'above'
    """
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(data)
    vote = METRICS["cons@n" if k is None else "maj@k"]

    def estimates(level: float) -> tuple[Estimate, Estimate, Estimate]:
        asked = question.at(level)
        cons = estimate_entry(vote, evidence, k, asked, {})
        avg = estimate_entry(METRICS["avg@n"], evidence, None, asked, {})
        return cons, avg, _difference(evidence, k, asked)

    cons, avg, difference = estimates(confidence_level)
    tally = evidence.tally
    third = estimates((2 + confidence_level) / 3)
    strips = [
        (direction, part.interval or part.bounds)
        for direction, part in zip(((0, 1), (1, 0), (-1, 1)), third, strict=True)
    ]
    return Consistency(
        k,
        _label(tally, k),
        cons,
        avg,
        difference,
        clipped(feasible_region(tally.each_n, k), strips),
        tally.mean(lambda n, c: expected_payoff(_ties(k or n), n, c)),
        tally,
        tally.scores(lambda n, c: expected_payoff(majority(k or n), n, c)),
    )


def mean_consistency(consistencies: Sequence[Consistency]) -> Consistency:
    """Average votes against averages over datasets, which count equally.

    consistencies: Of one model, with one k, target and level.
    Returns: With the questions of all datasets in its tally, and without a region.

    Examples
    --------
    >>> easy, hard = consistency([[1, 1, 0]] * 20), consistency([[1, 0, 0]] * 20)
    >>> found = mean_consistency([easy, hard])
    >>> round(found.avg.value, 3), found.cons.value, round(found.difference.value, 3)
    (0.5, 0.5, 0.0)
    """
    first, labels = consistencies[0], {each.label for each in consistencies}
    rows = np.concatenate([[each.tally.n, each.tally.c] for each in consistencies], axis=1)
    pairs, places = np.unique(rows, axis=1, return_inverse=True)
    questions = np.zeros(pairs.shape[1], dtype=np.int64)
    np.add.at(
        questions, places.ravel(), np.concatenate([each.tally.questions for each in consistencies])
    )
    chance = np.zeros(pairs.shape[1])
    chance[places.ravel()] = np.concatenate([each.chance for each in consistencies])
    return replace(
        first,
        label=first.label if len(labels) == 1 else METRICS["cons@n"].name,
        cons=pool([each.cons for each in consistencies]),
        avg=pool([each.avg for each in consistencies]),
        difference=mean_apart([each.difference for each in consistencies]),
        region=np.empty((0, 2)),
        tied=fmean(each.tied for each in consistencies),
        tally=Tally(pairs[0], pairs[1], questions),
        chance=chance,
    )


def vote_curve(k: int, points: int = 201) -> tuple[Vector, Vector]:
    """Return success rates from 0 to 1, and the chance that a vote of k tries at each is right.

    Examples
    --------
    >>> rates, chances = vote_curve(3, 5)
    >>> chances.round(4).tolist()
    [0.0, 0.1562, 0.5, 0.8438, 1.0]
    """
    rates = np.linspace(0, 1, points)
    inner = rates[1:-1]
    chances = binomial(require_k(k), inner, 1 - inner) @ majority(k)
    return rates, np.concatenate([[0.0], chances, [1.0]])


def _difference(evidence: Evidence, k: int | None, question: Question) -> Estimate:
    scores = gain_scores(evidence, majority, lambda n: k or n)
    if (k or evidence.tally.n_max) == 1:
        same = Interval(0.0, 0.0)
        level, target, m = question.confidence_level, question.target, scores.n_questions
        return Estimate(0.0, same, level, target, m, _SAME, (), bounds=same)
    return difference_of(scores, evidence, question, design_caveats(scores, question.target))


def _ties(k: int) -> Vector:
    return majority(k, "pass") - majority(k)


def _label(tally: Tally, k: int | None) -> str:
    if k is not None:
        return METRICS["maj@k"].label(k)
    entry = METRICS["cons@n"]
    return entry.label(tally.n_min) if tally.n_min == tally.n_max else entry.name
