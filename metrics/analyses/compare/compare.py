"""Compare two runs, on the questions that both answered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.difference import Difference, Gains
from metrics.data.evidence import Evidence, observed
from metrics.data.inputs import outcome_matrix
from metrics.data.outcomes import Missing, Outcomes, Segment
from metrics.data.results import Interval, Target
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments, unsupported
from metrics.estimating.caveats import of_copies, of_design
from metrics.estimating.estimation import PAIRED
from metrics.estimating.limits import limits
from metrics.intervals.paired import independent_limits, paired_limits
from metrics.scoring.registry import Metric, find_metric
from metrics.scoring.scores import QuestionScores

SAMPLED = Text(
    "Difference on the same questions; the limits of both over other samples, combined as those of "
    "independent numbers (MOVER)."
)
UNPAIRED = Text(
    "Not paired: the two are not known to have answered the same questions. The limits of both are "
    "combined as those of independent numbers (MOVER)."
)
_DIGITS = 12


def compare(
    a: Any,
    b: Any,
    metric: str = "avg@n",
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: bool = True,
    **options: Any,
) -> Difference:
    """Say how much better b is than a, paired on the questions that both answered.

    Parameters
    ----------
    a, b : Outcomes, Tally, array_like of 0/1, shape (M, N), or what has outcomes
        Questions are the same where their ids are; of two arrays where their rows are. A Tally does
        not tell which question is which, and is not paired.
    metric : str
        A name of `METRICS` that has a score of each question.
    k : int, optional
        As in `estimate`; by default the fewest samples that any question has in either.
    target, confidence_level, missing, segment, **options
        As in `estimate`. The two may differ in their numbers of samples.
    same_questions : bool, default: True
        Whether equal ids are the same question. If not, the two are not paired.

    Returns
    -------
    Difference

    Raises
    ------
    MetricError
        Where the metric is undefined for one of them, or has no score of a question.

    Examples
    --------
    Of 100 questions b solves 12 that a does not, and a 3 that b does not:

    >>> a = [[0]] * 12 + [[1]] * 3 + [[1]] * 85
    >>> b = [[1]] * 12 + [[0]] * 3 + [[1]] * 85
    >>> found = compare(a, b)
    >>> round(found.value, 4), [round(end, 4) for end in found.interval]
    (0.09, [0.0153, 0.1701])
    >>> found.wins, found.ties, found.losses
    (12, 85, 3)
    """
    entry = find_metric(metric)
    require_arguments(entry, k, target, confidence_level, options)
    if entry.parts is not None or entry.needs == "posterior":
        raise MetricError(
            Text(
                "{metric} has no score of a single question, so it cannot be compared question by "
                "question.",
                metric=entry.name,
            )
        )
    sides = [Evidence(_identified(each), missing, segment) for each in (a, b)]
    _require_like_rows(a, b, sides)
    pairs, dropped = _pairs(*sides) if same_questions else (None, 0)
    both = sides if pairs is None else pairs
    drawn = min(side.n_min for side in both) if k is None else k
    for side in both:
        reason = unsupported(entry, side, drawn if entry.takes_k else None, target, options)
        if reason is not None:
            raise MetricError(reason)
    scores = [entry.scores(side, drawn, options) for side in both]
    if pairs is not None and target == "population":
        return _paired(entry, pairs, scores, confidence_level, dropped)

    def ends(level: float) -> tuple[float, float]:
        each = (
            (part.mean, *limits(part, side, target, level)[0])
            for side, part in zip(both, scores, strict=True)
        )
        low, high = independent_limits(*each)
        return float(low), float(high)

    gained = None if pairs is None else _gained(pairs, scores)
    return Difference(
        scores[1].mean - scores[0].mean,
        Interval(*ends(confidence_level)) if all(part.bounded for part in scores) else None,
        confidence_level,
        target,
        pairs is not None,
        *_counts(gained),
        sum(part.n_questions for part in scores) // (1 if pairs is None else 2),
        dropped,
        UNPAIRED if pairs is None else SAMPLED,
        tuple(dict.fromkeys(_caveats(both, scores, target, dropped))),
        ends if all(part.bounded for part in scores) else None,
    )


def _identified(data: Any) -> Any:
    """Return arrays as Outcomes, whose questions are called by their rows."""
    given = observed(data)
    if isinstance(given, Outcomes | Tally):
        return data
    return Outcomes(outcome_matrix(given, "data"))


def _require_like_rows(a: Any, b: Any, sides: list[Evidence]) -> None:
    rows = [side.outcomes.shape[0] for side in sides if side.outcomes is not None]
    named = [isinstance(observed(each), Outcomes) for each in (a, b)]
    if len(set(rows)) > 1 and not all(named):
        raise MetricError(
            Text(
                "One has {a} questions, the other {b}: nothing tells which are the same. Give "
                "Outcomes with ids of the questions.",
                a=rows[0],
                b=rows[1],
            )
        )


def _pairs(a: Evidence, b: Evidence) -> tuple[list[Evidence] | None, int]:
    """Return both on the questions that they share, in one order, and how many are left out."""
    if a.outcomes is None or b.outcomes is None:
        return None, 0
    if not (a.outcomes.grouped and b.outcomes.grouped):
        return None, 0
    ids, others = a.outcomes.questions, b.outcomes.questions
    places = np.arange(len(ids)) if ids == others else others.places(ids)
    rows, graded = a.rows, np.zeros(len(others) + 1, dtype=bool)
    graded[b.rows] = True
    shared = rows[graded[places[rows]]]
    if not len(shared):
        return None, 0
    dropped = len(rows) + len(b.rows) - 2 * len(shared)
    if not dropped and ids == others:
        return [a, b], 0
    return [a.only(shared), b.only(places[shared])], dropped


def _paired(
    metric: Metric,
    sides: list[Evidence],
    scores: list[QuestionScores],
    confidence_level: float,
    dropped: int,
) -> Difference:
    gained = _gained(sides, scores)
    clusters = next((c for side in sides if (c := side.clusters) is not None), None)
    values, questions = gained, np.ones(len(gained), dtype=np.int64)
    if clusters is None:
        values, questions = np.unique(gained, return_counts=True)
    reach = max(part.high for part in scores) - min(part.low for part in scores)
    gains = Gains(values, questions, -reach, reach)
    bounded = all(part.bounded for part in scores)
    ends = gains.limits if clusters is None else partial(_clustered, gains, clusters)
    return Difference(
        scores[1].mean - scores[0].mean,
        Interval(*ends(confidence_level)) if bounded else None,
        confidence_level,
        "population",
        True,
        *_counts(gained),
        len(gained),
        dropped,
        PAIRED,
        tuple(dict.fromkeys(_caveats(sides, scores, "population", dropped))),
        ends if bounded else None,
        gains if bounded and clusters is None else None,
    )


def _clustered(
    gains: Gains, clusters: NDArray[np.intp], confidence_level: float
) -> tuple[float, float]:
    return paired_limits(
        gains.values,
        gains.questions,
        confidence_level,
        clusters=clusters,
        low=gains.low,
        high=gains.high,
    )


def _gained(sides: list[Evidence], scores: list[QuestionScores]) -> NDArray[np.float64]:
    first, second = (
        part.each_question(side).values for side, part in zip(sides, scores, strict=True)
    )
    return np.asarray(np.round(second - first, _DIGITS))


def _counts(gained: NDArray[np.float64] | None) -> tuple[int | None, int | None, int | None]:
    if gained is None:
        return None, None, None
    wins, losses = int((gained > 0).sum()), int((gained < 0).sum())
    return wins, len(gained) - wins - losses, losses


def _caveats(
    sides: list[Evidence], scores: list[QuestionScores], target: Target, dropped: int
) -> Iterator[Text]:
    for side, part in zip(sides, scores, strict=True):
        yield from of_design(part, target)
        yield from of_copies(side)
    if dropped:
        yield Text(
            "{count} question that only one of them has is left out.",
            "{count} questions that only one of them has are left out.",
            count=dropped,
        )
