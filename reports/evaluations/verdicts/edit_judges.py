"""Judges of edited images, who score two criteria from 0 to 10; the lower score counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metrics.data.words import Text
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.grouping import Grouping

EVALUATOR = "LMMJudgeImageEditEvaluator"
METRICS = ("SC", "PQ")
"""Keys of the mean score, of semantic consistency and of perceptual quality."""
MOST = 10
HALF = 0.5

_CRITERIA = 2
_LIST = re.compile(r"\[((?:\s*\d+\s*,)*\s*\d+\s*)\]")


def judges_edits(content: Mapping[str, Any] | None, evaluator: str | None) -> bool:
    """Return whether results are those of such a judge; without any the evaluator tells."""
    return evaluator == EVALUATOR if content is None else not content.keys().isdisjoint(METRICS)


def scores_in(reply: str) -> list[float]:
    """Return the first list of whole numbers in a judge's reply.

    Examples
    --------
    >>> scores_in("The edit [1] is faithful: [8, 6]"), scores_in("none")
    ([1.0], [])
    """
    found = _LIST.search(reply)
    return [float(number) for number in found[1].split(",")] if found else []


def grade_edits(judgements: Sequence[Any], references: Sequence[str]) -> Grades:
    """Grade edits by the lower of the two scores of each; those without two are not judged.

    judgements: Sequence of D objects. Scores, in a list or by criterion; anything else is a
        judgement that failed.
    references: What each is about.

    Examples
    --------
    >>> found = grade_edits([{"naturalness": 9, "artifacts": 7}, [5, 8], [3]], ["a", "b", "c"])
    >>> found.scores.ravel().tolist(), found.verdicts.ravel().tolist()
    ([0.7, 0.5, 0.0], [1, 0, 0])
    >>> found.unjudged.ravel().tolist()
    [False, False, True]
    """
    lower = [_lower(judgement) for judgement in judgements]
    scores = np.array([0.0 if score is None else score / MOST for score in lower])[:, None]
    return Grades(
        (scores > HALF).astype(np.int8),
        scores,
        None,
        list(references),
        Grouping((len(lower), 1)),
        judged=True,
        threshold=HALF,
        stored_scores=True,
        unjudged=np.array([score is None for score in lower])[:, None],
        remark=Text(
            "The judge scores an edit from 0 to {most} by two criteria; kofn uses the lower of "
            "the two, divided by {most}. The judge gives no verdict.",
            most=MOST,
        ),
    )


def _lower(judgement: Any) -> float | None:
    scores = list(judgement.values()) if isinstance(judgement, Mapping) else judgement
    if not isinstance(scores, list) or len(scores) != _CRITERIA:
        return None
    usable = all(type(score) in (int, float) and 0 <= score <= MOST for score in scores)
    return float(min(scores)) if usable else None
