"""Compare two runs, on the questions that both answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.blends import Blends, Drawn
from metrics.analyses.compare.difference import Difference, exact_mcnemar
from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.evidence import scores_as_outcomes
from metrics.data.inputs import require_finite
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Interval, Target
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments, require_supported
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import PAIRED
from metrics.estimating.limits import limits
from metrics.intervals.paired import independent_limits, mean_difference
from metrics.scoring.registry import find_metric
from metrics.scoring.scores import QuestionScores

Ends = Callable[[float], tuple[float, float]]
_Counts = tuple[int | None, int | None, int | None]
SAMPLED = Text(
    "Difference on the same questions; the limits of both over other samples, combined as those of "
    "independent numbers (MOVER)."
)
UNPAIRED = Text(
    "Not paired: it is unknown whether the two answered the same questions. The limits of both "
    "are combined as those of independent numbers (MOVER)."
)
COUNTS_ONLY = Text(
    "Not paired: for at least one of them only counts are known, not which question is which. "
    "The limits of both are combined as those of independent numbers (MOVER)."
)
BLENDED = Text(
    "Difference of two blends of means over the same questions; quantiles of joint draws of all "
    "four means."
)


def compare(
    a: Any,
    b: Any = None,
    metric: MetricName = "avg@n",
    k: int | tuple[int, int] | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: bool = True,
    margin: float | None = None,
    **options: Any,
) -> Difference:
    """Say how much better b is than a, paired on the questions that both answered.

    Parameters
    ----------
    a, b : Outcomes, Counts, Tally, array_like of 0/1, shape (M, N), or what has them, as a Run
        Questions are matched by their ids; those of two arrays by their rows. Counts and a Tally do
        not tell which question is which, and are not paired, unless both are runs whose samples are
        kept in one place, which counts them together; a `JointTally` or `JointCounts` takes the
        place of both. For soft and soft-max@k, array_like of soft scores also works.
    metric : str
        A name of `METRICS` other than bayes@n.
    k : int or tuple of int, optional
        As in `estimate`; by default the fewest samples that any question has in either. If two are
        given, the first is for a: one sample of a against several of b.
    target, confidence_level, missing, segment, **options
        As in `estimate`. The two may differ in their numbers of samples.
    same_questions : bool, default: True
        Whether equal ids are the same question. If not, the two are not paired.
    margin : float, optional
        At least 0, in the units of the metric: the largest difference that does not matter. With it
        the `Difference` has a verdict: b is worse by more, not worse by more, or equivalent.

    Returns
    -------
    Difference

    Raises
    ------
    MetricError
        Where the metric is undefined for one of them, or is a posterior mean.

    Examples
    --------
    Of 100 questions b solves 12 that a does not, and a 3 that b does not:

    >>> from kofn.metrics import JointTally
    >>> found = compare(JointTally([1, 1, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1], [12, 3, 85]))
    >>> round(found.value, 4), [round(end, 4) for end in found.interval]
    (0.09, [0.0161, 0.1679])
    >>> found.wins, found.ties, found.losses, round(found.mcnemar, 4)
    (12, 85, 3, 0.0352)

    A smaller model solves 8 of 1000 questions that a larger one does not, which solves 14 others.
    With 95 % it is at most 2 points worse or better; with a margin of 1 point that is open:

    >>> joint = JointTally([1, 1, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1], [8, 14, 978])
    >>> [compare(joint, margin=margin).verdict for margin in (0.02, 0.01)]
    ['equivalent', 'open']
    """
    if margin is not None and require_finite(margin, "margin") < 0:
        raise MetricError(Text("margin must be at least 0; got {got!r}.", got=margin))
    if b is not None and find_metric(metric).needs == "soft":
        a, b = scores_as_outcomes(a), scores_as_outcomes(b)
    question = Question(target, confidence_level, missing, segment)
    sides = Sides.of(a, b, question, same_questions)
    compared = compare_sides(sides, metric, k, question, options)
    return compared if margin is None else replace(compared, margin=margin)


def compare_sides(
    sides: Sides,
    metric: MetricName,
    k: int | tuple[int, int] | None,
    question: Question,
    options: Mapping[str, Any],
    drawn: Drawn | None = None,
) -> Difference:
    """Compare two runs side by side; what was drawn of both for a blend need not be drawn again."""
    entry = find_metric(metric)
    of_each = k if isinstance(k, tuple) else (k, k)
    for each in of_each:
        require_arguments(entry, each, question, options)
    if entry.needs == "posterior":
        raise MetricError(
            Text(
                "{metric} is a shrunken score that changes with the number of samples, so it is "
                "not compared.",
                metric=entry.name,
            )
        )
    ks = [sides.n_min if each is None else each for each in of_each]
    for side, each in zip(sides.both, ks, strict=True):
        require_supported(entry, side, each if entry.takes_k else None, question, options)
    if entry.parts is not None:
        if ks[0] != ks[1]:
            raise MetricError(Text("{metric} is compared at one k.", metric=entry.name))
        blends = Blends(entry, sides, ks[0], options, drawn)
        return _blended(blends, sides, question)
    first, second = (
        entry.scores(side, each, options).once() for side, each in zip(sides.both, ks, strict=True)
    )
    return compare_scores(sides, (first, second), question)


def compare_scores(
    sides: Sides, scores: tuple[QuestionScores, QuestionScores], question: Question
) -> Difference:
    """Compare two runs by what their questions score."""
    (first, second), target = scores, question.target
    if sides.paired and target == "population":
        return compare_gained(sides, scores, sides.gained(scores), question)
    counts: _Counts = (None, None, None)
    if sides.paired:
        counts = _counts(sides.gained(scores), sides.questions)
    ends = _separate(sides, scores, target) if first.bounded and second.bounded else None
    return _difference(sides, scores, question, ends, _method(sides), counts)


def _method(sides: Sides) -> Text:
    if sides.paired:
        return SAMPLED
    return COUNTS_ONLY if sides.counts_only else UNPAIRED


def _separate(sides: Sides, scores: tuple[QuestionScores, QuestionScores], target: Target) -> Ends:
    def ends(level: float) -> tuple[float, float]:
        first, second = (
            (part.mean, *limits(part, side, Question(target, level))[0])
            for part, side in zip(scores, sides.both, strict=True)
        )
        low, high = independent_limits(first, second)
        return float(low), float(high)

    return ends


def compare_gained(
    sides: Sides,
    scores: tuple[QuestionScores, QuestionScores],
    gained: Vector,
    question: Question,
    interval: Interval | None = None,
) -> Difference:
    """Compare two paired runs for questions like these by what each question gains.

    gained: As `Sides.gained` has it.
    interval: Where it is known.
    """
    questions, clusters = sides.questions, sides.clusters
    reach = max(part.high for part in scores) - min(part.low for part in scores)
    each = mean_difference(gained, questions, clusters=clusters, low=-reach, high=reach)
    bounded = all(part.bounded for part in scores)
    counts = _counts(gained, questions)
    decisive = clusters is None and not sides.mixed_samples and set(gained) <= {-1.0, 0.0, 1.0}
    ends = each.ends if bounded else None
    compared = _difference(sides, scores, question, ends, PAIRED, counts, interval)
    return replace(
        compared,
        each=each if bounded else None,
        mcnemar=exact_mcnemar(counts[0], counts[2]) if decisive else None,
    )


def _difference(
    sides: Sides,
    scores: tuple[QuestionScores, QuestionScores],
    question: Question,
    ends: Ends | None,
    method: Text,
    counts: _Counts = (None, None, None),
    interval: Interval | None = None,
) -> Difference:
    (first, second), level = scores, question.confidence_level
    if interval is None and ends is not None:
        interval = Interval(*ends(level))
    return Difference(
        second.mean - first.mean,
        interval,
        level,
        question.target,
        sides.paired,
        *counts,
        first.n_questions if sides.paired else first.n_questions + second.n_questions,
        sides.dropped,
        method,
        tuple(dict.fromkeys(_caveats(sides, scores, question.target))),
        ends,
    )


def _blended(blends: Blends, sides: Sides, question: Question) -> Difference:
    (a, _), (b, _) = blends.parts
    ends = blends.ends(question.target) if blends.bounded else None
    method = BLENDED if sides.paired and question.target == "population" else _method(sides)
    found = _difference(sides, (a, b), question, ends, method)
    return replace(found, value=blends.values[1] - blends.values[0])


def _counts(gained: Vector, questions: NDArray[np.int64]) -> tuple[int, int, int]:
    return (
        _total(questions, gained > 0),
        _total(questions, gained == 0),
        _total(questions, gained < 0),
    )


def _total(questions: NDArray[np.int64], those: NDArray[np.bool_]) -> int:
    return int(questions[those].sum())


def _caveats(
    sides: Sides, scores: tuple[QuestionScores, QuestionScores], target: Target
) -> Iterator[Text]:
    for side, part in zip(sides.both, scores, strict=True):
        yield from design_caveats(part, target)
        yield from copy_caveats(side)
    if sides.dropped:
        yield Text(
            "{count} question that only one of the two has is left out.",
            "{count} questions that only one of the two has are left out.",
            count=sides.dropped,
        )
