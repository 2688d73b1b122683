"""How often the answer with the greatest weight among k candidates is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.selected import Selected, selected_by_k
from metrics.analyses.candidates.signals import (
    Candidates,
    double_use_caveats,
    unknown_signal_caveats,
)
from metrics.analyses.candidates.ways import Way
from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.scoring.scores import QuestionScores

Weighing = Literal["sum", "mean", "max"]
_WITHOUT_WEIGHT = Text("an answer that only they give wins where no drawn sample has a weight")


@one_thread()
def weighted_vote(
    data: Any,
    by: Any,
    rule: Weighing = "sum",
    k: Any = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    rng: int = 0,
) -> Selected:
    """Estimate how often the answer with the greatest weight among k candidates is right.

    With equal weights, the rule "sum" gives plurality@k. The rule "max" takes the answer of the
    best candidate: exactly selected@k, except that a sample without an answer is never picked. All
    subsets of k are counted for k = 1, for k = n and where they are few (with about a million
    samples in them, over all questions). Otherwise subsets are drawn at random for each question,
    for a second or two; a caveat says how far other draws would move the value, and the interval
    for these questions is wider by that much.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed; equally many samples of each question.
    by : str, array_like of float, shape (M, N), or mapping of str to float
        The signal, as in `Way`. A sample without one adds no weight: an answer that only such
        samples give ranks below all others.
    rule : {"sum", "mean", "max"}
        How the signals of the samples that give an answer are combined. A sum needs signals of at
        least 0.
    k : int or sequence of int, optional
        Candidates, ascending; by default every k from 1 to the samples of a question.
    target, confidence_level, missing, segment
        As in `estimate`.
    answers : int array, shape (M, N), optional
        Codes of the extracted answers, negative where there is none; by default those of the run.
        Samples without an answer do not vote, and a draw without any vote counts as wrong.
    rng : int
        Seed of the subsets that are drawn.

    Returns
    -------
    Selected
        Answers of the same weight share the win equally, as do equal best candidates under "max".

    Raises
    ------
    MetricError
        If there are no answers, no such column, no signal at all, a weight below 0 to sum, or k
        exceeds the samples of a question.

    Examples
    --------
    Two samples that are sure outweigh three that are not:

    >>> right, answers = [[1, 1, 0, 0, 0]], [[4, 4, 7, 7, 7]]
    >>> sure = [[0.9, 0.8, 0.3, 0.2, 0.4]]
    >>> weighted_vote(right, sure, k=[1, 3, 5], answers=answers).value.round(3).tolist()
    [0.4, 0.9, 1.0]
    """
    if rule not in get_args(Weighing):
        raise MetricError(Text("rule must be sum, mean or max; got {got!r}.", got=rule))
    question, way = Question(target, confidence_level, missing, segment), Way(by, rule)
    evidence, metric = question.evidence(data, answers), way.metric(data)
    require_supported(metric, evidence, None, question)
    pool = way.candidates(data, evidence)

    def scores_of(ks: NDArray[np.int64]) -> list[QuestionScores]:
        return way.scores(data, evidence, ks, again=target == "benchmark", rng=rng)

    caveats = tuple(_vote_caveats(pool, evidence, rule))
    return selected_by_k(scores_of, metric, evidence, k, question, caveats)


def _vote_caveats(candidates: Candidates, evidence: Evidence, rule: str) -> Iterator[Text]:
    yield from double_use_caveats(candidates)
    yield from unknown_signal_caveats(candidates, _WITHOUT_WEIGHT)
    codes = evidence.votes
    assert codes is not None
    mute = int(((codes < 0) & candidates.held).sum())
    if mute:
        yield Text(
            "{count} of {all} samples has no answer and does not vote.",
            "{count} of {all} samples have no answer and do not vote.",
            count=mute,
            all=int(candidates.held.sum()),
        )
