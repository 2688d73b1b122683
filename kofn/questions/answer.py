"""The sentence that questions open with: what is lost to a vote, and what is to be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.questions.losses import Counted, Losses
from kofn.writing.layout import named
from metrics import AGREED
from metrics.data.words import Text


def answer(runs: Sequence[Counted]) -> Text:
    """Say what questions of a run are lost and how; of several, of the one that loses most."""
    most = max(runs, key=lambda run: run.losses.share)
    samples = max(run.losses.most for run in runs)
    if len(runs) == 1 or not samples:
        return _of_one(most.losses)
    if samples == 1:
        return Text(
            "{count} runs have one sample of each question, which does not tell luck from skill.",
            count=len(runs),
        )
    if not most.losses.share:
        return Text("None of {count} runs loses a question by a vote.", count=len(runs))
    return Text(
        "Of {count} runs {run} loses most: {lost}",
        count=len(runs),
        run=named(most.key),
        lost=_of_one(most.losses),
    )


def _of_one(found: Losses) -> Text:
    asked = found.asked
    if not asked:
        return Text("No question has a sample that can be graded.")
    if found.most == 1 == asked:
        return Text(
            "The only question is {verdict}. One sample does not tell luck from skill.",
            verdict=Text("right") if found.right else Text("wrong"),
        )
    if found.most == 1:
        return Text(
            "{count} of {all:,} questions is right. One sample does not tell luck from skill.",
            "{count:,} of {all:,} questions are right. One sample does not tell luck from skill.",
            count=found.right,
            all=asked,
        )
    said = Text(
        "{lost}, {never}.",
        lost=Text(
            "{count} of {all:,} questions is solvable but lost by a vote",
            "{count:,} of {all:,} questions are solvable but lost by a vote",
            count=found.majority_wrong,
            all=asked,
        ),
        never=Text("{count} is never solved", "{count:,} are never solved", count=found.never),
    )
    if not found.confidently_wrong:
        return said
    return Text(
        "{said} On {count:,} at least {share:.0%} of the samples agree on one wrong answer, as if "
        "the reference were wrong.",
        said=said,
        count=found.confidently_wrong,
        share=AGREED,
    )
