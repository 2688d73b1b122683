"""Soft and hard accuracy of several runs under one View."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from kofn.card import Card, finder, make_one_each
from kofn.choices.codec import Choices
from kofn.choices.runs import outcomes_of
from kofn.choices.settings import Setting, number, one_of
from kofn.choices.view import View
from kofn.leaderboard.lines import whole_lines
from metrics.analyses.soft_vs_hard.comparison import Levels, SoftHard, soft_hard
from metrics.analyses.soft_vs_hard.thresholds import Sweep, harden, threshold_sweep
from metrics.data.outcomes import Outcomes
from metrics.data.results import Estimate
from metrics.data.words import Text, printable
from metrics.estimating.pooling import mean_apart, pool
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

USUAL = 0.5
"""The threshold where neither the reader nor the evaluator names one: AISBench's."""
_DIGITS = 9
"""Scores that differ behind these are one, as a mean of equal ones may."""
QUESTIONS = 20
"""The most questions that are named for the gap they make."""

Strictness = Literal["above", "reach"]


@dataclass(frozen=True)
class Cutoff(Choices):
    """From which score on a sample is right."""

    threshold: float | None = None  # In [0, 1]; None for the evaluator's own.
    # Whether a score must exceed it or reach it; None for the evaluator's own rule.
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
    """Soft against hard of one run."""

    accuracies: SoftHard
    sweep: Sweep
    # That verdicts in the file are not those of the evaluator's own threshold, if they are not.
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


class MeanGap(NamedTuple):
    """A model by scores and by verdicts, on average over the datasets that all ran on."""

    over: tuple[str, ...]  # The keys of its runs, one a dataset.
    # As of `metrics.SoftHard`.
    accuracy: Estimate
    avg: Estimate
    gap: Estimate
    levels: Levels  # Of all its samples, datasets counting equally.


def mean_gaps(cards: Sequence[SoftHardCard]) -> dict[str, MeanGap]:
    """Average what was found of every model over the datasets that all ran on; empty without."""
    known = {card.key: card.found.accuracies for card in cards if card.found is not None}
    runs = {card.key: card.run for card in cards if card.key in known}
    whole = whole_lines(runs)
    if whole is None:
        return {}
    return {
        line: _mean_gap(tuple(keys.values()), [known[key] for key in keys.values()])
        for line, keys in whole.keys.items()
    }


def _mean_gap(over: tuple[str, ...], found: Sequence[SoftHard]) -> MeanGap:
    rows = np.concatenate([[each.levels.score, each.levels.right] for each in found], axis=1)
    pairs, places = np.unique(rows.round(_DIGITS), axis=1, return_inverse=True)
    shares = np.concatenate([each.levels.share for each in found]) / len(found)
    together = np.zeros(pairs.shape[1])
    np.add.at(together, places.ravel(), shares)
    levels = Levels(pairs[0], together, pairs[1] == 1)
    return MeanGap(
        over,
        pool([each.accuracy for each in found]),
        pool([each.avg for each in found]),
        mean_apart([each.gap for each in found]),
        levels,
    )


def gap_makers(card: SoftHardCard) -> list[dict[str, Any]]:
    """Return the questions whose soft and hard accuracy differ most, at most `QUESTIONS`.

    Returns: ``question`` (printable), ``scores`` (ascending, None where missing), ``soft, hard,
    gap`` and ``share`` (what it adds to the gap of the run).
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
