"""In which order candidates are listed, and what the places of a list are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.analyses.candidates.signals import Candidates, candidates
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import every_k
from metrics.data.question import Question
from metrics.data.results import Curve, Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.caveats import bound_caveats, copy_caveats, design_caveats
from metrics.estimating.estimation import method_of_groups, missing_caveats_of
from metrics.estimating.limits import limits_of_whole_groups
from metrics.scoring.registry import Metric
from metrics.scoring.scores import QuestionScores, question_scores

POSITION = "position"
"""The column of a run that says where a candidate stands, unless something else is asked for."""
_NO_ORDER = Text(
    "The order of the candidates is unknown. Give their positions, or a signal to order them by."
)


@result
class Listed(Curve):
    """What the first k places of lists are worth, for several k.

    Attributes
    ----------
    k : int array, shape (K,)
        Places.
    value : float array, shape (K,)
        The mean over questions.
    low, high : float array, shape (K,)
        Ends of the pointwise intervals.
    most : float array, shape (K,)
        What a list of right candidates alone is worth.
    confidence_level : float
    target : {"population", "benchmark"}
    n_questions : int
        Questions behind the values.
    undefined : int
        Questions left out, since no order of their candidates is worth anything.
    method : Text
        How the intervals were made.
    caveats : tuple of Text
        What the reader must know before using the last k.
    """

    most: Vector
    confidence_level: float
    target: Target
    n_questions: int
    undefined: int
    method: Text
    caveats: tuple[Text, ...]


@dataclass(frozen=True, eq=False)
class Worth:
    """What the first k places are worth, question by question."""

    values: Vector  # Of the questions that are defined. Shape (K, M').
    defined: Flags  # Which these are. Shape (M,).
    most: Vector  # Shape (K,).
    samples: Integers  # Candidates of each question. Shape (M,).
    remarks: tuple[Text, ...] = ()  # What the reader must know of the order.

    def scores(self, at: int) -> QuestionScores:
        """Return what questions score at the k in some place; a list is one draw."""
        n, most = self.samples[self.defined], float(self.most[at])
        return question_scores(self.values[at], high=most, samples=n)


def candidates_in_lists(
    data: Any, evidence: Evidence, position: Any, by: Any, soft: bool
) -> tuple[Candidates, tuple[Text, ...]]:
    """Return candidates whose signal is the order of the list, and what is to be said of it.

    Of positions the smallest is first, of a signal the largest; without either the column
    `POSITION` of a run says.
    """
    if position is not None and by is not None:
        raise MetricError(
            Text("Candidates are listed by their positions or by a signal, not both.")
        )
    if by is None and position is None:
        columns = getattr(data, "columns", None)
        if not isinstance(columns, Mapping) or POSITION not in columns:
            raise MetricError(_NO_ORDER)
        position = POSITION
    listed = candidates(data, evidence, position if by is None else by, soft)
    if by is None:
        unknown = listed.signal == -np.inf
        listed = replace(listed, signal=np.where(unknown, -np.inf, -listed.signal))
    return listed, tuple(_of_order(listed))


def _of_order(candidates: Candidates) -> Iterator[Text]:
    if candidates.unknown:
        yield Text(
            "{count} of {all} candidates has no place in the list and is last.",
            "{count} of {all} candidates have no place in the list and are last.",
            count=candidates.unknown,
            all=int(candidates.held.sum()),
        )


def worth_of_places(
    metric: Metric,
    worth: Callable[[Evidence, Integers], Worth],
    data: Any,
    k: Any,
    question: Question,
) -> Listed:
    """Return what the first k places of lists are worth, with intervals.

    `worth` tells from evidence and several k what the places of the questions are worth.
    """

    def sample(evidence: Evidence, k: int) -> QuestionScores:
        return worth(evidence, np.array([k])).scores(0)

    metric = replace(metric, sample=sample)
    evidence = question.evidence(data)
    ks = every_k(k, evidence.n_min)
    last = int(ks[-1])
    require_supported(metric, evidence, last, question)
    worths = worth(evidence, ks)
    if not worths.defined.any():
        raise MetricError(Text("No question has a candidate of any worth."))
    part = questions_of(evidence, worths.defined)
    scores = [worths.scores(at) for at in range(len(ks))]
    ends = [limits_of_whole_groups(one, part, question)[0] for one in scores]
    low, high = np.array(ends).T
    return Listed(
        ks,
        np.array([one.mean for one in scores]),
        low,
        high,
        worths.most,
        question.confidence_level,
        question.target,
        scores[-1].n_questions,
        int((~worths.defined).sum()),
        method_of_groups(part, question.target),
        (
            *design_caveats(scores[-1], question.target),
            *bound_caveats(scores[-1]),
            *undefined_caveats(worths.defined),
            *worths.remarks,
            *copy_caveats(evidence),
            *missing_caveats_of(metric, evidence, last, {}),
        ),
    )


def questions_of(evidence: Evidence, defined: Flags) -> Evidence:
    """Return the evidence of some questions, as far as intervals ask for it."""
    if evidence.clusters is None or defined.all():
        return evidence
    return evidence.only(evidence.rows[defined])


def undefined_caveats(defined: Flags) -> Iterator[Text]:
    """Yield how many questions are left out, for want of anything to find."""
    if not defined.all():
        yield Text(
            "{count} question has no candidate of any worth and is left out: every order is "
            "equally good.",
            "{count} questions have no candidate of any worth and are left out: every order is "
            "equally good.",
            count=int((~defined).sum()),
        )
