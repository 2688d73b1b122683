"""How much candidates differ, on average, and whether questions whose candidates do are solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from metrics.analyses.diversity.answers import answer_diversity
from metrics.analyses.diversity.texts import MOST, TextDiversity, text_diversity
from metrics.data.arrays import Flags, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_level, require_range
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import UNIT, Estimate, Interval, Target
from metrics.data.shown import result
from metrics.data.words import Enumerated, MetricError, Text
from metrics.estimating.applicability import require_target
from metrics.estimating.caveats import FEW_QUESTIONS, bound_caveats, copy_caveats, design_caveats
from metrics.estimating.estimation import mean_of_groups
from metrics.intervals.paired import independent_limits
from metrics.scoring.scores import question_scores

ASSOCIATION = Text(
    "Difference of two shares among questions like these; their limits are combined as those of "
    "independent numbers (MOVER). It shows what goes together, not what causes what: easy "
    "questions have similar answers and are solved."
)
_MEANINGS = {
    "distinct-1": Text(
        "Different tokens as a share of all tokens in the candidates of a question."
    ),
    "distinct-2": Text("Different pairs of neighbouring tokens as a share of all."),
    "apart": Text("1 minus the largest overlap of a candidate with any other, by tokens."),
    "clones": Text("The share of candidates with 90% of their tokens in common with another."),
    "answers": Text("Different answers of a question."),
    "entropy": Text("Entropy of the answers of a question, in bits."),
    "effective answers": Text("Equally common answers that would have the same entropy."),
    "distance": Text("Mean cosine distance of the embeddings of a question's candidates."),
}


@result
class Halves:
    """Questions with less and with more of something, and how many of either are solved."""

    cut: float  # Questions with at most this have less.
    # The share of questions with a right candidate.
    less: Estimate
    more: Estimate
    difference: Estimate  # More minus less.


@result
class Measure:
    """One way to say how much the candidates of a question differ.

    Attributes
    ----------
    name : str
    sentence : Text
        What it says.
    each : float array, shape (M,)
        Its value for each question with a gradable sample; NaN where undefined.
    estimate : Estimate or None
        The mean over questions; None where it is undefined for all.
    split : Halves or None
        Success where it is low and high; None where all questions have the same, or for only one.
    undefined : int
        Questions left out.
    """

    name: str
    sentence: Text
    each: Vector
    estimate: Estimate | None
    split: Halves | None
    undefined: int

    def __post_init__(self) -> None:
        self.each.flags.writeable = False


@result
class Diversity:
    """How much the candidates of questions differ.

    Attributes
    ----------
    measures : tuple of Measure
        Those that the data support.
    confidence_level : float
        Of each interval by itself.
    n_questions : int
        With a gradable sample.
    """

    measures: tuple[Measure, ...]
    confidence_level: float
    n_questions: int

    def __getitem__(self, name: str) -> Measure:
        """Return the measure of a name."""
        return {measure.name: measure for measure in self.measures}[name]


def diversity(
    data: Any,
    *,
    texts: Any = None,
    answers: Any = None,
    distance: Any = None,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Diversity:
    """Measure how much the candidates of questions differ, and how that relates to success.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    texts : TextDiversity, or sequence of sequences of str or None, optional
        What `text_diversity` found, or the texts of each question.
    answers : int array_like, shape (M, N), optional
        Codes of the extracted answers; by default those of a run.
    distance : str, or float array_like, shape (M,), optional
        Mean cosine distance of the embeddings of each question, see `mean_cosine_distance`, or the
        name of a column of questions of a run.
    target, confidence_level, missing, segment
        As in `estimate`; success is always that of questions like these.

    Returns
    -------
    Diversity
        Means over questions, and for each the share of questions that are solved where it is at
        most the median, and where it is above. All depend on the number of candidates.

    Raises
    ------
    MetricError
        If there is nothing to compare candidates by.

    Examples
    --------
    >>> right = [[1, 1, 1], [0, 0, 0], [0, 1, 0]]
    >>> found = diversity(right, answers=[[1, 1, 1], [2, 2, 3], [4, 1, 5]])
    >>> [(each.name, round(each.estimate.value, 2)) for each in found.measures]
    [('answers', 2.0), ('entropy', 0.83), ('effective answers', 1.96)]
    """
    require_target(target)
    require_level(confidence_level)
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(data, answers)
    verdicts = np.maximum(evidence.matrix, 0)
    require_range(verdicts, 1, "data")
    solved = verdicts.any(axis=1)
    measures = tuple(
        Measure(
            name,
            _MEANINGS[name],
            each,
            _mean(each, bounds, evidence, question, remarks),
            _split(each, solved, evidence, question._replace(target="population")),
            int(np.isnan(each).sum()),
        )
        for name, each, bounds, remarks in (
            *_of_texts(texts, evidence),
            *_of_answers(evidence),
            *_of_distance(data, distance, evidence),
        )
    )
    if not measures:
        raise MetricError(Text("The run has no texts, answers or embeddings to compare."))
    return Diversity(measures, confidence_level, len(solved))


_Given = tuple[str, Vector, Interval, tuple[Text, ...]]
"""A name, what each question has, the least and the most it can have, and what is to be said."""


def _of_texts(texts: Any, evidence: Evidence) -> Iterator[_Given]:
    if texts is None:
        return
    diversity = texts if isinstance(texts, TextDiversity) else text_diversity(texts)
    many = int((diversity.texts > MOST).sum())
    some = Text(
        "{count} question has more than {most} texts; {most} of them are compared.",
        "{count} questions have more than {most} texts; {most} of each are compared.",
        count=many,
        most=MOST,
    )
    caveats = (some,) if many else ()
    for name, values in (
        ("distinct-1", diversity.distinct_1),
        ("distinct-2", diversity.distinct_2),
        ("apart", diversity.apart),
        ("clones", diversity.clones),
    ):
        yield name, _gradable(values, evidence, name), UNIT, caveats


def _of_answers(evidence: Evidence) -> Iterator[_Given]:
    if evidence.votes is None:
        return
    found, n = answer_diversity(evidence.votes), evidence.votes.shape[1]
    if n > 1:
        yield "answers", found.number.copy(), Interval(1.0, float(n)), ()
        yield "entropy", found.entropy.copy(), Interval(0.0, float(np.log2(n))), ()
        yield "effective answers", found.effective.copy(), Interval(1.0, float(n)), ()


def _of_distance(data: Any, distance: Any, evidence: Evidence) -> Iterator[_Given]:
    if distance is None:
        return
    if isinstance(distance, str):
        known = getattr(data, "question_columns", None) or {}
        if distance not in known:
            raise MetricError(
                Text(
                    "There is no column of questions {name}; known: {known}.",
                    name=distance,
                    known=Enumerated(known) or Text("none"),
                )
            )
        distance = known[distance]
    values = _gradable(np.asarray(distance, dtype=np.float64), evidence, "distance")
    n = max(evidence.n_min, 2)
    most = max(n / (n - 1), float(np.nanmax(values, initial=0.0)))
    yield "distance", values, Interval(0.0, most), ()


def _gradable(values: Vector, evidence: Evidence, name: str) -> Vector:
    """Return what questions with a gradable sample have, of all."""
    given = evidence.shape[0]
    if values.shape != (given,):
        raise MetricError(
            Text(
                "{name} must have one entry for each of the {expected} questions; got {got}.",
                name=name,
                expected=given,
                got=values.size,
            )
        )
    return np.array(evidence.of_rows(values))


def _mean(
    each: Vector,
    bounds: Interval,
    evidence: Evidence,
    question: Question,
    remarks: tuple[Text, ...],
) -> Estimate | None:
    defined = ~np.isnan(each)
    if not defined.any():
        return None
    n = evidence.sizes[0]
    unequal = Text(
        "It depends on the number of candidates, and questions have {fewest} to {most}.",
        fewest=int(n.min()),
        most=int(n.max()),
    )
    left_out = Text(
        "{count} question has fewer than two to compare and is left out.",
        "{count} questions have fewer than two to compare and are left out.",
        count=int((~defined).sum()),
    )
    caveats = (
        *((unequal,) if n.min() < n.max() else ()),
        *((left_out,) if not defined.all() else ()),
        *remarks,
    )
    return _estimate(each, defined, bounds, evidence, question, caveats)


def _split(each: Vector, solved: Flags, evidence: Evidence, question: Question) -> Halves | None:
    """Return how many questions are solved that have at most the median, and more."""
    defined = ~np.isnan(each)
    values = np.unique(each[defined])
    if len(values) < 2:
        return None
    cut = min(float(np.median(each[defined])), float(values[-2]))
    right = solved.astype(np.float64)
    less, more = (
        _estimate(right, defined & part, UNIT, evidence, question, ())
        for part in (each <= cut, each > cut)
    )
    first, second = ((one.value, *(one.interval or UNIT)) for one in (less, more))
    low, high = independent_limits(first, second)
    few = min(less.n_questions, more.n_questions)
    difference = Estimate(
        more.value - less.value,
        Interval(float(low), float(high)),
        question.confidence_level,
        question.target,
        less.n_questions + more.n_questions,
        ASSOCIATION,
        (
            Text(
                "One side has {count} question only.",
                "One side has {count} questions only.",
                count=few,
            ),
        )
        if few < FEW_QUESTIONS
        else (),
        bounds=Interval(-1.0, 1.0),
    )
    return Halves(cut, less, more, difference)


def _estimate(
    each: Vector,
    part: Flags,
    bounds: Interval,
    evidence: Evidence,
    question: Question,
    remarks: tuple[Text, ...],
) -> Estimate:
    """Return the mean of some of the questions."""
    scores = question_scores(each[part], *bounds, samples=evidence.sizes[0])
    here = evidence if evidence.clusters is None else evidence.only(evidence.rows[part])
    caveats = (
        *design_caveats(scores, question.target),
        *bound_caveats(scores),
        *remarks,
        *copy_caveats(evidence),
    )
    return mean_of_groups(scores, here, question, caveats)
