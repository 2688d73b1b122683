"""What sampling until a vote is decided costs, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.choose_n.sample_costs import sample_costs
from metrics.analyses.sequential_stopping.replay import Replay, replay
from metrics.analyses.sequential_stopping.stopping import Confidence, Decided, Stopping
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_k
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import UNIT, Estimate, Interval, Target
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.data.words import Text
from metrics.estimating.applicability import require_arguments, require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import difference_of, mean_of
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import QuestionScores, question_scores

_DIFFERENCE = Interval(-1.0, 1.0)
_SAME = Text("It gives the same answer as a vote of all samples.")


@result
class AdaptiveVote:
    """A vote that ends early, compared with the vote of all samples it might have taken.

    Attributes
    ----------
    rule : Decided, Confidence or Windows
    cap : int
        The most samples of a question that it takes.
    samples : Estimate
        Samples that it takes per question on average, in [0, cap].
    saved : Estimate
        The share of ``cap`` that it does not take.
    cost : Estimate
        Their cost, on average over questions; their number where no cost is given.
    value : Estimate
        How often its answer is right.
    gain : Estimate
        ``value`` minus that of a vote of ``cap`` samples, paired; below 0 where it loses. Always 0
        for `Decided`.
    orders : int
        How many random orders of a question's samples it was replayed in; 0 where all are counted.
    """

    rule: Stopping
    cap: int
    samples: Estimate
    saved: Estimate
    cost: Estimate
    value: Estimate
    gain: Estimate
    orders: int


@one_thread()
def adaptive_vote(
    data: Any,
    rule: Stopping | None = None,
    cap: int | None = None,
    *,
    cost_per_sample: Any = 1.0,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    rng: int = 0,
) -> AdaptiveVote:
    """Estimate the cost and accuracy of a vote that ends early, from samples already taken.

    The stored samples are replayed as if they came one by one, in all orders where these can be
    counted, so that the numbers are unbiased for fresh samples. `Decided` is counted wherever that
    takes seconds; so are `Windows` of up to 128 samples, 32 windows at most, and `Confidence` up to
    16 samples while questions fall into few patterns of answers. Otherwise each question's samples
    are put in random orders. `Decided` answers as a vote of all does, which is counted as
    plurality@k is.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed; as many samples of every question.
    rule : Decided, Confidence or Windows, optional
        By default `Confidence`, with 0.95.
    cap : int, optional
        By default the samples of a question.
    cost_per_sample : float, or float array_like, shape (M, N)
        As in `choose_n`. What a sample costs is not known before it is taken, so by Wald's identity
        a question costs the mean cost of its samples times the expected number drawn.
    target, confidence_level, missing, segment
        As in `estimate`.
    answers : int array_like, shape (M, N), optional
        Codes of the extracted answers where the data have none of their own: equal codes mean equal
        answers; negative where there is none. Such a sample is paid for, but does not vote.
    rng : int
        Seed of the orders.

    Returns
    -------
    AdaptiveVote

    Raises
    ------
    MetricError
        If there are no answers, questions differ in their numbers of samples, or cap exceeds them.

    Examples
    --------
    Three of four answers agree: a quarter of all orders have them first, and then end with three.

    >>> from metrics.analyses.sequential_stopping.stopping import Decided
    >>> found = adaptive_vote([[1, 1, 1, 0]] * 40, Decided(), answers=[[7, 7, 7, 8]] * 40)
    >>> round(found.samples.value, 2), found.value.value, round(found.saved.value, 3)
    (3.75, 1.0, 0.062)
    """
    question = Question(target, confidence_level, missing, segment)
    require_arguments(METRICS["plurality@k"], cap, question, {})
    evidence = question.evidence(data, answers)
    caps = None if cap is None else [cap]
    replayed = replay_each(evidence, rule, caps, cost_per_sample, target, rng)
    return replayed.vote_at(0, evidence, question)


class Replayed(NamedTuple):
    """A rule on the questions of some evidence, for each most samples it may take."""

    rule: Stopping
    caps: NDArray[np.int64]
    n: int
    replay: Replay
    price: Vector

    def vote_at(self, place: int, evidence: Evidence, question: Question) -> AdaptiveVote:
        """Estimate what it takes and answers, for one of `caps`."""
        cap, orders = int(self.caps[place]), int(self.replay.orders[place])
        subsets = int(self.replay.subsets[place])
        samples, right = self.replay.samples[place], self.replay.right[place]
        drawn = subsets if isinstance(self.rule, Decided) else orders

        def estimate(
            values: Vector, subsets: int, bounds: Interval, paired: bool = False
        ) -> Estimate:
            n = np.array([self.n])
            scores = question_scores(values, *bounds, samples=n, drawn=cap, subsets=subsets)
            caveats = _caveats(scores, evidence, question.target)
            return (difference_of if paired else mean_of)(scores, evidence, question, caveats)

        gain = estimate(
            right - self.replay.voted[place], drawn or subsets, _DIFFERENCE, paired=True
        )
        if isinstance(self.rule, Decided):
            gain = replace(gain, interval=Interval(0.0, 0.0), method=_SAME, caveats=())
        return AdaptiveVote(
            self.rule,
            cap,
            estimate(samples, orders, Interval(0.0, cap)),
            estimate(1 - samples / cap, orders, UNIT),
            estimate(samples * self.price, orders, Interval(0.0, cap * float(self.price.max()))),
            estimate(right, drawn, UNIT),
            gain,
            orders,
        )


def replay_each(
    evidence: Evidence,
    rule: Stopping | None,
    caps: Sequence[int] | None,
    cost_per_sample: Any,
    target: Target,
    rng: int,
) -> Replayed:
    """Replay a rule on some evidence, for each of some caps."""
    most = None if caps is None else max(caps)
    require_supported(METRICS["plurality@k"], evidence, most, Question(target))
    codes, matrix = evidence.votes, evidence.matrix
    assert codes is not None
    held = matrix >= 0
    costs, share = sample_costs(evidence, cost_per_sample), (matrix == 1).sum(1) / held.sum(1)
    price = np.asarray(costs.wrong * (1 - share) + costs.right * share)
    if not held.all():
        codes, matrix = (each[held].reshape(len(held), -1) for each in (codes, matrix))
    n = matrix.shape[1]
    rule = Confidence() if rule is None else rule
    each = np.unique([n] if caps is None else [require_k(cap, n) for cap in caps])
    return Replayed(rule, each, n, replay(codes, matrix, rule, each, rng), price)


def _caveats(scores: QuestionScores, evidence: Evidence, target: Target) -> Iterator[Text]:
    yield from design_caveats(scores, target)
    yield from copy_caveats(evidence)
    if scores.subsets:
        yield Text(
            "There are too many orders to count them all: {count} was drawn at random for each "
            "question. Another draw moves the value by at most {error:.2g} (standard error).",
            "There are too many orders to count them all: {count} were drawn at random for each "
            "question. Another draw moves the value by at most {error:.2g} (standard error).",
            count=scores.subsets,
            error=(scores.high - scores.low) / 2 / np.sqrt(scores.subsets * scores.n_questions),
        )
