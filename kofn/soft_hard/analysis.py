"""Soft against hard accuracy of several runs under one View."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from kofn.choices.codec import Choices, Setting, number, one_of
from kofn.choices.runs import NO_VERDICTS, shown_runs
from kofn.choices.view import View
from kofn.writing.rendering import printable
from metrics.analyses.soft_hard.soft_hard import SoftHard, soft_hard
from metrics.analyses.soft_hard.thresholds import Sweep, harden, threshold_sweep
from metrics.data.outcomes import Outcomes
from metrics.data.words import MetricError, Text
from reports.run.report import Run

USUAL = 0.5
"""The threshold where neither the reader nor the evaluator names one: AISBench's."""

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
        Setting(
            "threshold",
            "threshold",
            number("threshold", 0, 1, 0.5),
            "FRACTION",
            Text("the score that parts right from wrong (default: the evaluator's own, else 0.5)"),
        ),
        Setting(
            "rule",
            "rule",
            one_of("rule", ("above", "reach")),
            "above|reach",
            Text("whether a right score exceeds or reaches it (default: the evaluator's own)"),
        ),
    )

    def of_run(self, run: Run) -> tuple[float, bool]:
        """Return the threshold for a run, and whether it is strict."""
        own = USUAL if run.threshold is None else run.threshold
        threshold = own if self.threshold is None else self.threshold
        return threshold, run.strict if self.rule is None else self.rule == "above"


@dataclass(frozen=True, eq=False)
class Compared:
    """Soft against hard of one run, or the reason why there is nothing to compare.

    Attributes
    ----------
    found : SoftHard or None
    sweep : Sweep or None
    reason : Text or None
    contrary : Text or None
        That verdicts in the file are not those of the evaluator's own threshold, if they are not.
    """

    found: SoftHard | None = None
    sweep: Sweep | None = None
    reason: Text | None = None
    contrary: Text | None = None


@dataclass(frozen=True, eq=False)
class RunCompared:
    """A run, by its key, and what was found of it under a View."""

    key: str
    run: Run
    view: View
    cutoff: Cutoff
    compared: Compared

    @property
    def found(self) -> SoftHard | None:
        """The comparison, if there is one."""
        return self.compared.found

    @property
    def contrary(self) -> Text | None:
        """What sets these verdicts apart from those of the file."""
        return self.compared.contrary


def compare(run: Run, view: View, cutoff: Cutoff) -> Compared:
    """Compare soft with hard accuracy of one run."""
    outcomes = run.outcomes
    if outcomes is None:
        return Compared(reason=NO_VERDICTS)
    threshold, strict = cutoff.of_run(run)
    settings: dict[str, Any] = {
        "target": view.target,
        "confidence_level": view.level,
        "missing": view.missing,
        "segment": view.segment,
    }
    try:
        found = soft_hard(outcomes, threshold=threshold, strict=strict, **settings)
        sweep = threshold_sweep(outcomes, **settings)
    except MetricError as error:
        return Compared(reason=error.text)
    return Compared(found, sweep, contrary=_contrary(outcomes, threshold, strict, cutoff))


def _contrary(outcomes: Outcomes, threshold: float, strict: bool, cutoff: Cutoff) -> Text | None:
    if cutoff != Cutoff() or outcomes.correct.max() > 1:
        return None
    verdicts = harden(outcomes, threshold, strict).correct
    count = int(np.count_nonzero(verdicts != outcomes.correct))
    if not count:
        return None
    return Text(
        "The file's own verdict on {count} sample is another, so its avg@n and that of the "
        "scorecard differ from this one.",
        "The file's own verdict on {count} samples is another, so its avg@n and that of the "
        "scorecard differ from this one.",
        count=count,
    )


def compare_runs(runs: Mapping[str, Run], view: View, mark: Cutoff) -> tuple[RunCompared, ...]:
    """Compare soft with hard accuracy of every run that a View names, in their order."""
    return tuple(
        RunCompared(key, run, view, mark, compare(run, view, mark))
        for key, run in shown_runs(runs, view.runs).items()
    )


def by_dataset(cards: Sequence[RunCompared]) -> dict[str, list[RunCompared]]:
    """Group runs that may be compared."""
    groups: dict[str, list[RunCompared]] = {}
    for card in cards:
        groups.setdefault(printable(card.run.dataset), []).append(card)
    return groups
