"""Double-dipping: how much too good a pick looks to the very signal that picked it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.picking import Picks
from metrics.analyses.candidates.signals import Candidates
from metrics.analyses.candidates.ways import Way
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows
from metrics.data.inputs import every_k
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import PAIRED, difference_of, mean_of
from metrics.scoring.scores import difference, question_scores

GROWTH = (-1.0, 2.0)
"""What a gap between two signals can grow by, where the first picks."""


@result
class Optimism(Rows):
    """What a signal says about its own picks, and what another says about them.

    Attributes
    ----------
    k : int array, shape (K,)
        Candidates.
    claimed, claimed_low, claimed_high : float array, shape (K,)
        The signal's own mean score of what it picks, the expected best of k.
    found, found_low, found_high : float array, shape (K,)
        What the verdict, or the second signal, says of the same picks.
    gap, gap_low, gap_high : float array, shape (K,)
        ``claimed`` minus ``found``, paired.
    optimism, optimism_low, optimism_high : float array, shape (K,)
        By how much that gap exceeds the one of a sample that nobody picked: what picking adds.
    confidence_level : float
    n_questions : int
    n_dropped : int
        Questions with too few samples that both know.
    method : Text
        How the paired intervals were made.
    caveats : tuple of Text
    """

    k: NDArray[np.int64]
    claimed: Vector
    claimed_low: Vector
    claimed_high: Vector
    found: Vector
    found_low: Vector
    found_high: Vector
    gap: Vector
    gap_low: Vector
    gap_high: Vector
    optimism: Vector
    optimism_low: Vector
    optimism_high: Vector
    confidence_level: float
    n_questions: int
    n_dropped: int
    method: Text
    caveats: tuple[Text, ...]


def optimism(
    data: Any,
    by: Any,
    against: Any = None,
    k: Any = None,
    *,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Optimism:
    """Estimate by how much a signal overrates its own picks.

    The best of k by a signal is best by its errors too. Its own score of its picks therefore grows
    faster with k than what the verdict, a label or another signal says of them.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    by : str, array_like of float, shape (M, N), or mapping of str to float
        The signal that picks, as in `Way`, in [0, 1].
    against : same, optional
        What evaluates the picks, in [0, 1]; by default the verdict. If only some samples have
        labels (NaN elsewhere), these are the candidates, which is sound where they were drawn at
        random.
    k : int or sequence of int, optional
        Candidates, ascending; by default every k up to what half of the questions have.
    confidence_level, missing, segment
        As in `estimate`; intervals are about questions like these.

    Returns
    -------
    Optimism

    Raises
    ------
    MetricError
        As `selected`, where a signal leaves [0, 1], and where no question has k samples that both
        know.

    Examples
    --------
    A judge that gives .8 and .6 to a right and a wrong one, in every second question the other way:

    >>> found = optimism([[1, 0], [0, 1]], [[0.8, 0.6], [0.8, 0.6]])
    >>> found.claimed.round(2).tolist(), found.found.tolist(), found.optimism.round(2).tolist()
    ([0.7, 0.8], [0.5, 0.5], [0.0, 0.1])
    """
    question = Question("population", confidence_level, missing, segment)
    evidence, way = question.evidence(data), Way(by)
    require_supported(way.metric(data), evidence, 1, question)
    picks = way.candidates(data, evidence)
    other = picks.payoff if against is None else Way(against).candidates(data, evidence).signal
    known = picks.held & (picks.signal > -np.inf) & (other > -np.inf)
    for values in (picks.signal[known], other[known]):
        _require_shares(values)
    counts = known.sum(axis=1)
    asked = counts > 0
    if not asked.any():
        raise MetricError(Text("No sample is rated by both signals."))
    ks = every_k(k, int(np.median(counts[asked])))
    enough = counts >= ks[-1]
    if not enough.any():
        raise MetricError(
            Text("No question has {k} samples that both signals rate.", k=int(ks[-1]))
        )
    part = evidence
    if evidence.outcomes is not None:
        part = evidence.only(evidence.rows[enough])
    every = np.union1d(ks, [1]).astype(np.int64)
    own, others = (
        Picks(
            Candidates(
                np.where(known, values, 0.0)[enough], picks.signal[enough], known[enough], 0
            ),
            every,
        ).values
        for values in (picks.signal, other)
    )
    rows = [
        _row(own[at], others[at], own[0], others[0], part, question)
        for at in np.searchsorted(every, ks).tolist()
    ]
    table: Any = [
        np.array(column)
        for each in zip(*rows, strict=True)
        for column in zip(*map(_numbers, each), strict=True)
    ]
    questions, dropped = int(enough.sum()), int((~enough).sum())
    caveats = (
        *_of_optimism(int(ks[-1]), rows[-1]),
        *design_caveats(question_scores(own[0]), "population"),
        *_of_left_out(int((picks.held & ~known).sum()), int(picks.held.sum()), dropped),
        *copy_caveats(evidence),
    )
    rest: Any = (confidence_level, questions, dropped, PAIRED, caveats)
    return Optimism(ks, *table, *rest)


def _row(
    own: Vector,
    other: Vector,
    own_one: Vector,
    other_one: Vector,
    part: Evidence,
    question: Question,
) -> tuple[Estimate, Estimate, Estimate, Estimate]:
    """Return what is claimed, what is found, their gap, and by how much it grew from one sample."""
    claimed, found = question_scores(own), question_scores(other)
    gap = difference(found, claimed)
    grown = question_scores(gap.values - (own_one - other_one), *GROWTH)
    return (
        mean_of(claimed, part, question),
        mean_of(found, part, question),
        difference_of(gap, part, question),
        difference_of(grown, part, question),
    )


def _numbers(estimate: Estimate) -> tuple[float, float, float]:
    assert estimate.interval is not None
    return estimate.value, *estimate.interval


def _require_shares(values: Vector) -> None:
    least, most = float(values.min(initial=1.0)), float(values.max(initial=0.0))
    if least < 0 or most > 1:
        raise MetricError(
            Text(
                "Only scores from 0 to 1 can be compared; these go from {least:g} to {most:g}.",
                least=least,
                most=most,
            )
        )


def _of_optimism(k: int, row: tuple[Estimate, ...]) -> Iterator[Text]:
    claimed, found, _, grown = row
    assert grown.interval is not None
    low, high = grown.interval
    if low > 0:
        yield Text(
            "The signal rates its own picks of {k} at {claimed:.1%}, but {found:.1%} is found. "
            "Picking by it adds {grown:.1%} ({low:.1%} to {high:.1%}) to that gap.",
            k=k,
            claimed=claimed.value,
            found=found.value,
            grown=grown.value,
            low=low,
            high=high,
        )


def _of_left_out(unknown: int, samples: int, dropped: int) -> Iterator[Text]:
    if unknown:
        yield Text(
            "{count} of {all} samples is not rated by both and is left out. This holds only if "
            "the others were not hand-picked.",
            "{count} of {all} samples are not rated by both and are left out. This holds only "
            "if the others were not hand-picked.",
            count=unknown,
            all=samples,
        )
    if dropped:
        yield Text(
            "{count} question has fewer samples that both rate and is left out.",
            "{count} questions have fewer samples that both rate and are left out.",
            count=dropped,
        )
