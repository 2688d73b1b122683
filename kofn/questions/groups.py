"""The samples of one question, grouped by the answer they give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from kofn.questions.analysis import RunQuestions
from metrics.data.outcomes import ABSENT, FAILED


class Group(NamedTuple):
    """Samples that give one answer."""

    # One answer; no answer found in any; answers are not known, so those of one verdict; failed
    # requests.
    kind: Literal["answer", "none", "verdict", "failed"]
    answer: str | None  # Where it is known; untrusted.
    samples: tuple[int, ...]  # Counted from 0.
    right: int  # How many of them were judged right.


def group_samples(
    questions: RunQuestions, place: int, answers: Sequence[str | None] = ()
) -> tuple[Group, ...]:
    """Group the samples of a question by answer, the most common first.

    place: Of the question among them.
    answers: The answer of each sample.
    """
    row = int(questions.known.rows[place])
    verdicts = questions.outcomes.correct[row]
    codes = verdicts if questions.run.answers is None else questions.run.answers[row]
    keys = np.where(verdicts == FAILED, FAILED - 1, codes).tolist()
    members: dict[int, list[int]] = {}
    for sample in np.flatnonzero(verdicts != ABSENT).tolist():
        members.setdefault(keys[sample], []).append(sample)

    def make(key: int, samples: list[int]) -> Group:
        right = int(np.count_nonzero(verdicts[samples] == 1))
        if key == FAILED - 1:
            return Group("failed", None, tuple(samples), 0)
        if questions.run.answers is None:
            return Group("verdict", None, tuple(samples), right)
        answer = answers[samples[0]] if answers else None
        return Group("answer" if key >= 0 else "none", answer, tuple(samples), right)

    groups = [make(key, samples) for key, samples in members.items()]
    order = ("answer", "verdict", "none", "failed")
    return tuple(sorted(groups, key=lambda group: (order.index(group.kind), -len(group.samples))))
