"""The sentence that questions open with: what is lost to a vote, and what is to be looked at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kofn.questions.analysis import RunQuestions
from kofn.writing.layout import named
from metrics import AGREED
from metrics.data.words import Text


def answer(runs: Sequence[RunQuestions]) -> Text:
    """Say what questions of a run are lost and how; of several, of the one that loses most."""
    most = max(runs, key=_share_lost)
    samples = max(int(run.known.statistics.n.max(initial=0)) for run in runs)
    if len(runs) == 1 or not samples:
        return _of_one(most)
    if samples == 1:
        return Text(
            "{count} runs have one sample of each question, which does not tell luck from skill.",
            count=len(runs),
        )
    if not _share_lost(most):
        return Text("None of {count} runs loses a question by a vote.", count=len(runs))
    return Text(
        "Of {count} runs {run} loses most: {lost}",
        count=len(runs),
        run=named(most.key),
        lost=_of_one(most),
    )


def _of_one(questions: RunQuestions) -> Text:
    found = questions.known.statistics
    asked = int(np.count_nonzero(found.n))
    never, lost = int(found.never_right.sum()), int(found.majority_wrong.sum())
    if not asked:
        return Text("No question has a sample that can be graded.")
    if found.n.max() == 1 == asked:
        return Text(
            "The only question is {verdict}. One sample does not tell luck from skill.",
            verdict=Text("right") if found.c.any() else Text("wrong"),
        )
    if found.n.max() == 1:
        return Text(
            "{count} of {all:,} questions is right. One sample does not tell luck from skill.",
            "{count:,} of {all:,} questions are right. One sample does not tell luck from skill.",
            count=int(found.c.sum()),
            all=asked,
        )
    said = Text(
        "{lost}, {never}.",
        lost=Text(
            "{count} of {all:,} questions is solvable but lost by a vote",
            "{count:,} of {all:,} questions are solvable but lost by a vote",
            count=lost,
            all=asked,
        ),
        never=Text("{count} is never solved", "{count:,} are never solved", count=never),
    )
    wrong = int(found.confidently_wrong().sum())
    if not wrong:
        return said
    return Text(
        "{said} On {count:,} at least {share:.0%} of the samples agree on one wrong answer, as if "
        "the reference were wrong.",
        said=said,
        count=wrong,
        share=AGREED,
    )


def _share_lost(questions: RunQuestions) -> float:
    found = questions.known.statistics
    asked = np.count_nonzero(found.n)
    return float(found.majority_wrong.sum() / asked) if asked else 0.0
