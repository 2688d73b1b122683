"""Choices made on one half of the questions and judged on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.ways import Way, way_of
from metrics.data.arrays import Flags, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_ascending, require_count
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import difference_of, mean_of
from metrics.scoring.scores import DIFFERENCE, question_scores


@result
class Nested:
    """How good a choice among ways to answer is, on questions that had no part in it.

    Attributes
    ----------
    way, k : Way, int
        The best on all questions, on average; of equal ones the first, at the smallest k.
    place : int
        The position of that way among those given.
    value : Estimate
        What the choice of one half scores on the other half, averaged over splits.
    seen : Estimate
        What the way chosen on all questions scores on these same questions: too high.
    optimism : Estimate
        ``seen`` minus ``value``, paired.
    k_values : int array, shape (K,)
    scores : float array, shape (W, K)
        What each way scores at each k, on all questions.
    shares : float array, shape (W, K)
        The share of the halves that choose it.
    confidence_level : float
    n_questions : int
    caveats : tuple of Text
    """

    way: Way
    k: int
    place: int
    value: Estimate
    seen: Estimate
    optimism: Estimate
    k_values: NDArray[np.int64]
    scores: Vector
    shares: Vector
    confidence_level: float
    n_questions: int
    caveats: tuple[Text, ...]


@one_thread()
def nested_choice(
    data: Any,
    ways: Sequence[Any],
    k: Any = None,
    *,
    splits: int = 20,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    rng: int = 0,
) -> Nested:
    """Choose a way and k on half of the questions, and judge the choice on the other half.

    The best of several selectors, thresholds, weights or k on some questions owes a part of its
    lead to these questions. Halves are drawn at random, each chooses for the other, and the scores
    of the choices are averaged over both halves and over all splits. Questions of a cluster stay
    together.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed; at least 4 questions, or clusters.
    ways : sequence of Way, or of signals to pick by
        The ways to choose from; thresholds and weights of signals are ways too.
    k : int or sequence of int, optional
        Candidates, ascending, chosen from as well; by default the fewest samples of any question.
    splits : int, default: 20
        How often the questions are halved.
    confidence_level, missing, segment
        As in `estimate`; intervals are about questions like these.
    answers, rng
        As in `weighted_vote`; ``rng`` seeds the halves too.

    Returns
    -------
    Nested

    Raises
    ------
    MetricError
        As `selected` and `weighted_vote`, and where there are too few questions to halve.

    Examples
    --------
    Of nine signals that say nothing, one is best on these 40 questions:

    >>> generator = np.random.default_rng(4)
    >>> right = (generator.random((40, 4)) < 0.5).astype(int)
    >>> found = nested_choice(right, [generator.random((40, 4)) for _ in range(9)])
    >>> round(found.seen.value, 2), round(found.value.value, 2), round(float(right.mean()), 2)
    (0.55, 0.44, 0.44)
    """
    splits = require_count(splits, "splits")
    question = Question("population", confidence_level, missing, segment)
    evidence = question.evidence(data, answers)
    known = [way_of(way) for way in ways]
    if not known:
        raise MetricError(Text("There is no way to choose."))
    ks = require_ascending([evidence.n_min] if k is None else np.atleast_1d(k).tolist())
    for way in known:
        require_supported(way.metric(data), evidence, int(ks[-1]), question)
    scores = [part for way in known for part in way.scores(data, evidence, ks, rng=rng)]
    each = np.array([part.values for part in scores])
    halves = _halves(evidence, each.shape[1], splits, np.random.default_rng(rng))
    chosen = np.array([_best(each, half) for half in halves])
    judged = each[chosen].reshape(2 * splits, -1)
    value = np.where(halves, 0.0, judged).sum(axis=0) / (~halves).sum(axis=0)
    best = _best(each, np.ones(each.shape[1], dtype=bool))
    seen = question_scores(each[best])
    nested = question_scores(value)
    lost = question_scores(seen.values - value, *DIFFERENCE)
    place, at = divmod(best, len(ks))
    shares = np.bincount(chosen, minlength=len(each)) / len(chosen)
    shape = len(known), len(ks)
    return Nested(
        known[place],
        int(ks[at]),
        place,
        mean_of(nested, evidence, question),
        mean_of(seen, evidence, question),
        difference_of(lost, evidence, question),
        ks,
        each.mean(axis=1).reshape(shape),
        shares.reshape(shape),
        confidence_level,
        each.shape[1],
        (
            *design_caveats(nested, "population"),
            *_of_shares(float(shares[best])),
            *copy_caveats(evidence),
        ),
    )


def _halves(evidence: Evidence, m: int, splits: int, rng: np.random.Generator) -> Flags:
    """Return which questions each half holds, shape (2 splits, M)."""
    clusters = evidence.clusters
    groups = np.arange(m) if clusters is None else clusters
    count = int(groups.max()) + 1
    if count < 4:
        raise MetricError(
            Text(
                "Halving takes at least 4 questions, or groups of them; got {got}.",
                got=count,
            )
        )
    order = rng.permuted(np.broadcast_to(np.arange(count), (splits, count)), axis=1)
    first = (order < count // 2)[:, groups]
    return np.concatenate([first, ~first])


def _best(each: Vector, half: Flags) -> int:
    """Return the first row with the greatest mean; what rounding keeps apart is equal."""
    return int(np.argmax(np.round(each[:, half].mean(axis=1), 12)))


def _of_shares(share: float) -> Iterator[Text]:
    if share < 0.5:
        yield Text(
            "Only {share:.0%} of the halves choose what all questions choose: there are too few "
            "questions to know which is best.",
            share=share,
        )
