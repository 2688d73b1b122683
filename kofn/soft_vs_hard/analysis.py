"""Soft against hard accuracy of several runs under one View."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from kofn.card import Card, finder, make_one_each
from kofn.choices.codec import Choices
from kofn.choices.runs import outcomes_of
from kofn.choices.settings import Setting, number, one_of
from kofn.choices.view import View
from kofn.writing.rendering import printable
from metrics.analyses.soft_vs_hard.comparison import SoftHard, soft_hard
from metrics.analyses.soft_vs_hard.thresholds import Sweep, harden, threshold_sweep
from metrics.data.outcomes import Outcomes
from metrics.data.words import Text
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

USUAL = 0.5
"""The threshold where neither the reader nor the evaluator names one: AISBench's."""
QUESTIONS = 20
"""The most questions that are named for the gap they make."""

Strictness = Literal["above", "reach"]


@dataclass(frozen=True)
class Cutoff(Choices):
    """From which score on a sample is right.

    Attributes
    ----------
    threshold : float or None
        In [0, 1]; None for the evaluator's own.
    rule : {"above", "reach"} or None
        Whether a score must exceed it or reach it; None for the evaluator's own rule.
    """

    threshold: float | None = None
    rule: Strictness | None = None

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        number(
            "threshold",
            (0, 1, 0.5),
            Text("the score between wrong and right (default: the evaluator's own, else 0.5)"),
        ),
        one_of(
            "rule",
            ("above", "reach"),
            Text(
                "whether a right score must exceed or only reach it (default: the evaluator's own)"
            ),
        ),
    )

    def of_run(self, run: Run) -> tuple[float, bool]:
        """Return the threshold for a run, and whether it is strict."""
        own = USUAL if run.threshold is None else run.threshold
        threshold = own if self.threshold is None else self.threshold
        return threshold, run.strict if self.rule is None else self.rule == "above"


@dataclass(frozen=True, eq=False)
class Compared:
    """Soft against hard of one run.

    Attributes
    ----------
    accuracies : SoftHard
    sweep : Sweep
    contrary : Text or None
        That verdicts in the file are not those of the evaluator's own threshold, if they are not.
    """

    accuracies: SoftHard
    sweep: Sweep
    contrary: Text | None

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each question."""
        return self.accuracies.to_frame()


SoftHardCard = Card[Compared, Cutoff]


def compare(run: Run, view: View, cutoff: Cutoff) -> Compared:
    """Compare soft with hard accuracy of one run."""
    outcomes = outcomes_of(run)
    threshold, strict = cutoff.of_run(run)
    return Compared(
        soft_hard(outcomes, threshold=threshold, strict=strict, **view.asked),
        threshold_sweep(outcomes, **view.asked),
        _contrary(outcomes, threshold, strict, cutoff),
    )


def _contrary(outcomes: Outcomes, threshold: float, strict: bool, cutoff: Cutoff) -> Text | None:
    if cutoff != Cutoff() or outcomes.correct.max() > 1:
        return None
    verdicts = harden(outcomes, threshold, strict).correct
    count = int(np.count_nonzero(verdicts != outcomes.correct))
    if not count:
        return None
    return Text(
        "The file's own verdict differs on {count} sample, so this number differs from the "
        "file's avg@n and the scorecard's.",
        "The file's own verdict differs on {count} samples, so this number differs from the "
        "file's avg@n and the scorecard's.",
        count=count,
    )


def compare_runs(runs: Mapping[str, Run], view: View, cutoff: Cutoff) -> tuple[SoftHardCard, ...]:
    """Compare soft with hard accuracy of every run that a View names, in their order."""
    return make_one_each(finder(compare), runs, view, cutoff)


def by_dataset(cards: Sequence[SoftHardCard]) -> dict[str, list[SoftHardCard]]:
    """Group runs that may be compared."""
    groups: dict[str, list[SoftHardCard]] = {}
    for card in cards:
        groups.setdefault(printable(card.run.dataset), []).append(card)
    return groups


def gap_makers(card: SoftHardCard) -> list[dict[str, Any]]:
    """Return the questions whose soft and hard accuracy differ most, at most `QUESTIONS`.

    Returns
    -------
    list of dict
        ``question`` (printable), ``scores`` (ascending, None where missing), ``soft, hard, gap``
        and ``share`` (what it adds to the gap of the run).
    """
    outcomes = card.run.outcomes
    if card.found is None or outcomes is None or outcomes.scores is None:
        return []
    found = card.found.accuracies
    soft, hard = found.by_question
    gap = soft - hard
    largest = np.argsort(-np.abs(gap), kind="stable")[:QUESTIONS]
    return [
        {
            "question": printable(outcomes.questions[found.rows[place]]),
            "scores": sorted(
                float(score) for score in outcomes.scores[found.rows[place]] if score == score
            ),
            "soft": float(soft[place]),
            "hard": float(hard[place]),
            "gap": float(gap[place]),
            "share": float(gap[place]) / len(gap),
        }
        for place in largest
        if gap[place]
    ]
