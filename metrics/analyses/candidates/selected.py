"""How good the candidate is that a signal picks, for every number of candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.picking import Picks
from metrics.analyses.candidates.signals import double_use_caveats, unknown_signal_caveats
from metrics.analyses.candidates.ways import Way
from metrics.data.evidence import Evidence
from metrics.data.inputs import every_k
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Curve, Estimate, Target
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.data.words import Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import (
    bound_caveats,
    copy_caveats,
    design_caveats,
    drawing_error,
    subset_caveats,
)
from metrics.estimating.estimation import METHODS, difference_of, method_of, missing_caveats_of
from metrics.estimating.limits import means_and_limits
from metrics.scoring.registry import Metric
from metrics.scoring.scores import QuestionScores, difference

PICKED_LAST = Text("they are picked only where nothing else is drawn")


@result
class Fall:
    """Where more candidates surely made the pick worse.

    Attributes
    ----------
    first, last : int
        The numbers of candidates between which it falls.
    change : Estimate
        selected@last - selected@first, below 0, paired; its level is adjusted for the other changes
        examined.
    """

    first: int
    last: int
    change: Estimate


@result
class Selected(Curve):
    """The best of k candidates by a signal, for several k.

    Attributes
    ----------
    k : int array, shape (K,)
        Candidates.
    value : float array, shape (K,)
        The chance that the picked one is right, or its mean soft score.
    low, high : float array, shape (K,)
        Ends of the pointwise intervals.
    fall : Fall or None
        The largest sure fall from 1, 2, 4, 8 … candidates to the last k; None if none is sure.
    confidence_level : float
    target : {"population", "benchmark"}
    n_questions : int
    method : Text
        How the interval at the last k was made.
    caveats : tuple of Text
        What the reader must know before using the last k, including the fall.
    """

    fall: Fall | None
    confidence_level: float
    target: Target
    n_questions: int
    method: Text
    caveats: tuple[Text, ...]


@one_thread()
def selected(
    data: Any,
    by: Any,
    k: Any = None,
    *,
    soft: bool = False,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Selected:
    r"""Estimate selected@k: how often the best of k candidates by a signal is right.

    It is what a reward model, a judge or a log-probability is worth as a selector. It is exact,
    from all n samples of a question: in ascending order of the signal, the sample in place r is the
    best of k drawn without replacement with probability :math:`\binom{r-1}{k-1} / \binom{n}{k}`.
    Equal signals share their probabilities equally. With the verdict as the signal it is pass@k;
    with k = 1 it is avg@n.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    by : str, or array_like of float, shape (M, N)
        The signal, or the name of a column of a run: the highest is picked. A sample without one
        (NaN, or -inf) ranks below all others.
    k : int or sequence of int, optional
        Candidates, ascending; by default every k from 1 to the fewest samples of any question.
    soft : bool, default: False
        Whether a pick earns its soft score instead of its verdict.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Selected

    Raises
    ------
    MetricError
        If there is no such column, no signal at all, or k exceeds the samples of a question.

    Examples
    --------
    The signal likes a wrong answer best, so that more candidates harm:

    >>> found = selected([[1, 1, 0], [0, 1, 0]], [[0.4, 0.6, 0.9], [0.2, 0.5, 0.5]])
    >>> found.k.tolist(), found.value.round(3).tolist()
    ([1, 2, 3], [0.5, 0.417, 0.25])
    """
    question, way = Question(target, confidence_level, missing, segment), Way(by)
    evidence = question.evidence(data)
    pool = way.candidates(data, evidence, soft)

    def scores_of(ks: NDArray[np.int64]) -> list[QuestionScores]:
        picks = Picks(pool, ks, again=target == "benchmark")
        return [picks.scores(place) for place in range(len(ks))]

    caveats = *double_use_caveats(pool), *unknown_signal_caveats(pool, PICKED_LAST)
    return selected_by_k(scores_of, way.metric(data, soft), evidence, k, question, caveats)


def selected_by_k(
    scores_of: Callable[[NDArray[np.int64]], list[QuestionScores]],
    metric: Metric,
    evidence: Evidence,
    k: Any,
    question: Question,
    caveats: tuple[Text, ...],
) -> Selected:
    """Estimate what picking or voting gives at each k.

    `scores_of` gives the scores of the questions at each of ascending k; `metric` is how other data
    are scored.
    """
    ks = every_k(k, evidence.n_min)
    last = int(ks[-1])
    require_supported(metric, evidence, last, question)
    every = np.union1d(ks, doubling_ks(last)).astype(np.int64)
    each = dict(zip(every.tolist(), scores_of(every), strict=True))
    scores = [each[one] for one in ks.tolist()]
    fall = fall_of(each, last, evidence, question)
    return Selected(
        ks,
        *means_and_limits(scores, evidence, question),
        fall,
        question.confidence_level,
        question.target,
        scores[-1].n_questions,
        METHODS[method_of(scores[-1], evidence, question.target)],
        (
            *fall_caveats(fall),
            *design_caveats(scores[-1], question.target),
            *bound_caveats(scores[-1]),
            *(() if scores[-1].subsets else subset_caveats(max(scores, key=drawing_error))),
            *caveats,
            *copy_caveats(evidence),
            *missing_caveats_of(metric, evidence, last, {}),
        ),
    )


def doubling_ks(last: int) -> list[int]:
    """Return 1, 2, 4, 8 … below a number."""
    return [2**power for power in range((last - 1).bit_length())]


def fall_of(
    each: Mapping[int, QuestionScores],
    last: int,
    evidence: Evidence,
    question: Question,
) -> Fall | None:
    """Return the largest fall to the last k, of those that are sure all together (Bonferroni)."""
    firsts = doubling_ks(last)
    stricter = question.at(1 - (1 - question.confidence_level) / max(len(firsts), 1))
    falls = []
    for first in firsts:
        change = difference_of(difference(each[first], each[last]), evidence, stricter)
        if change.interval is not None and change.interval.high < 0:
            falls.append(Fall(first, last, change))
    return min(falls, key=lambda fall: fall.change.value, default=None)


def fall_caveats(fall: Fall | None) -> Iterator[Text]:
    """Yield by how much more candidates made the pick worse."""
    if fall is not None:
        assert fall.change.interval is not None
        low, high = fall.change.interval
        yield Text(
            "From {first} to {last} candidates it falls by {lost:.1f} points ({least:.1f} to "
            "{most:.1f}): among more candidates, the signal prefers wrong ones.",
            first=fall.first,
            last=fall.last,
            lost=-100 * fall.change.value,
            least=-100 * high,
            most=-100 * low,
        )
