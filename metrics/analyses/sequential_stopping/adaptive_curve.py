"""Votes that end early beside votes of all, for each most samples that they may take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.analyses.sequential_stopping.adaptive_vote import AdaptiveVote, replay_each
from metrics.analyses.sequential_stopping.stopping import Stopping
from metrics.data.arrays import Integers, Vector
from metrics.data.frames import Rows
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.estimating.applicability import require_arguments
from metrics.scoring.registry import METRICS

ROUNDING = 1e-9
"""A smaller difference of accuracies is none."""


@result
class AdaptiveCurve(Rows):
    """A vote that ends early, for each cap on its samples; arrays have shape (K,).

    Attributes
    ----------
    rule : Decided, Confidence or Windows
    cap : int array
        The most samples of a question that it takes, ascending.
    samples, cost : float array
        Samples that it takes per question on average, and what they cost.
    value, low, high : float array
        How often its answer is right, with the interval.
    voted : float array
        How often a vote of all ``cap`` samples is right.
    as_accurate : int array
        The smallest of ``cap`` whose full vote is right as often; 0 if there is none.
    each : tuple of AdaptiveVote
        The same with all intervals.
    """

    rule: Stopping
    cap: Integers
    samples: Vector
    cost: Vector
    value: Vector
    low: Vector
    high: Vector
    voted: Vector
    as_accurate: Integers
    each: tuple[AdaptiveVote, ...]

    def at(self, cap: int) -> AdaptiveVote:
        """Return the vote with this cap."""
        return self.each[int(np.searchsorted(self.cap, cap))]

    def fewest(self, cap: int) -> int | None:
        """Return the fewest samples whose full vote is right as often; None if there are none."""
        return int(self.as_accurate[np.searchsorted(self.cap, cap)]) or None


@one_thread()
def adaptive_curve(
    data: Any,
    rule: Stopping | None = None,
    caps: Sequence[int] | None = None,
    *,
    cost_per_sample: Any = 1.0,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    rng: int = 0,
) -> AdaptiveCurve:
    """Estimate the cost and accuracy of a vote that ends early, for each cap on its samples.

    Parameters
    ----------
    data, rule, cost_per_sample, target, confidence_level, missing, segment, answers, rng
        As in `adaptive_vote`.
    caps : sequence of int, optional
        By default every odd number up to the samples of a question, since an even one votes no
        better than the odd one before it.

    Returns
    -------
    AdaptiveCurve

    Raises
    ------
    MetricError
        As `adaptive_vote` does.

    Examples
    --------
    >>> found = adaptive_curve([[1, 1, 1, 0, 1]] * 40, answers=[[7, 7, 7, 8, 7]] * 40)
    >>> found.cap.tolist(), found.samples.round(1).tolist(), found.as_accurate.tolist()
    ([1, 3, 5], [1.0, 3.0, 4.8], [1, 3, 3])
    """
    question = Question(target, confidence_level, missing, segment)
    require_arguments(METRICS["plurality@k"], None, question, {})
    evidence = question.evidence(data, answers)
    caps = range(1, evidence.n_min + 1, 2) if caps is None else caps
    replayed = replay_each(evidence, rule, caps, cost_per_sample, target, rng)
    stops = tuple(
        replayed.vote_at(place, evidence, question) for place in range(len(replayed.caps))
    )
    value = np.array([one.value.value for one in stops])
    low, high = np.array([one.value.interval for one in stops]).T
    voted = replayed.replay.voted.mean(axis=1)
    as_good = voted >= value[:, None] - ROUNDING
    return AdaptiveCurve(
        replayed.rule,
        replayed.caps,
        np.array([one.samples.value for one in stops]),
        np.array([one.cost.value for one in stops]),
        value,
        low,
        high,
        voted,
        np.where(as_good.any(axis=1), replayed.caps[as_good.argmax(axis=1)], 0),
        stops,
    )
