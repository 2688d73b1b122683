"""Two ways to answer from the same candidates, question by question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.candidates.selected import PICKED_LAST
from metrics.analyses.candidates.signals import unknown_signal_caveats
from metrics.analyses.candidates.ways import Way, way_of
from metrics.analyses.compare.compare import compare_scores
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.sides import Sides, with_row_ids
from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.threads import one_thread
from metrics.data.words import Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats, subset_caveats
from metrics.scoring.scores import difference


@one_thread()
def compare_ways(
    data: Any,
    a: Any,
    b: Any,
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    rng: int = 0,
) -> Difference:
    """Say how much better one selector is than another, or than a vote, on the same candidates.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    a, b : Way, or a signal to pick by
        Signals as in `Way`; ``Way(None)`` is a plain vote. A way with the verdict as its signal is
        an oracle; one with equal signals picks a random sample.
    k : int, optional
        Candidates; by default the fewest samples of any question.
    target, confidence_level, missing, segment
        As in `estimate`. For these questions the limits of both are combined as if the two were
        independent, which is cautious: ways that pick from the same candidates mostly err together.
    answers, rng
        As in `weighted_vote`.

    Returns
    -------
    Difference
        b - a, paired question by question.

    Raises
    ------
    MetricError
        As `selected` and `weighted_vote`.

    Examples
    --------
    >>> right = [[1, 0], [0, 1], [1, 0], [1, 1]]
    >>> long, sure = [[3, 9], [2, 8], [4, 7], [1, 1]], [[0.9, 0.2], [0.1, 0.7], [0.8, 0.3], [0, 1]]
    >>> found = compare_ways(right, long, sure)
    >>> found.value, found.wins, found.ties, found.losses
    (0.5, 2, 2, 0)
    """
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(with_row_ids(data), answers)
    ways = way_of(a), way_of(b)
    for way in ways:
        require_supported(way.metric(data), evidence, k, question)
    k = evidence.n_min if k is None else k
    again = target == "benchmark"
    first, second = (
        way.scores(data, evidence, np.array([k]), again=again, rng=rng)[0].once() for way in ways
    )
    gained = difference(first, second)
    caveats = (
        *design_caveats(gained, target),
        *subset_caveats(gained),
        *dict.fromkeys(text for way in ways for text in _unknown_caveats(way, data, evidence)),
        *copy_caveats(evidence),
    )
    compared = compare_scores(Sides(evidence, evidence, paired=True), (first, second), question)
    return replace(compared, caveats=caveats)


def _unknown_caveats(way: Way, data: Any, evidence: Evidence) -> Iterator[Text]:
    if way.by is not None:
        yield from unknown_signal_caveats(way.candidates(data, evidence), PICKED_LAST)
