"""Soft against hard accuracy of several runs under one View, for the page, the command, files."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from kofn.codec import Choices, Setting, number, one_of
from kofn.rendering import ENGLISH, printable, render
from kofn.scorecard import NO_VERDICTS
from kofn.view import View
from metrics.outcomes import Outcomes
from metrics.partial_credit import SoftHard, soft_hard
from metrics.registry import METRICS
from metrics.results import Estimate
from metrics.thresholds import Sweep, harden, threshold_sweep
from metrics.words import MetricError, Text
from reports.report import Run

USUAL = 0.5
"""The threshold where neither the reader nor the evaluator names one: AISBench's."""
QUESTIONS = 20
"""The most questions that are named for the gap they make."""

Rule = Literal["above", "reach"]


@dataclass(frozen=True)
class Mark(Choices):
    """From which score on a sample is right.

    Attributes
    ----------
    threshold : float or None
        In [0, 1]; None for the evaluator's own.
    rule : {"above", "reach"} or None
        Whether a score must exceed it or reach it; None for the evaluator's own rule.
    """

    threshold: float | None = None
    rule: Rule | None = None

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
    """A run, by its key of `kofn.runs.index_runs`, and what was found of it under a View."""

    key: str
    run: Run
    view: View
    mark: Mark
    compared: Compared

    @property
    def found(self) -> SoftHard | None:
        """The comparison, if there is one."""
        return self.compared.found

    @property
    def contrary(self) -> Text | None:
        """What sets these verdicts apart from those of the file."""
        return self.compared.contrary


def compare(run: Run, view: View, mark: Mark) -> Compared:
    """Compare soft with hard accuracy of one run."""
    outcomes = run.outcomes
    if outcomes is None:
        return Compared(reason=NO_VERDICTS)
    threshold, strict = mark.of_run(run)
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
    return Compared(found, sweep, contrary=_contrary(outcomes, threshold, strict, mark))


def _contrary(outcomes: Outcomes, threshold: float, strict: bool, mark: Mark) -> Text | None:
    verdicts = harden(outcomes, threshold, strict).correct
    count = int(np.count_nonzero(verdicts != outcomes.correct))
    if not count or mark != Mark():
        return None
    return Text(
        "The file's own verdict on {count} sample is another, so its avg@n and that of the "
        "scorecard differ from this one.",
        "The file's own verdict on {count} samples is another, so its avg@n and that of the "
        "scorecard differ from this one.",
        count=count,
    )


def compare_runs(runs: Mapping[str, Run], view: View, mark: Mark) -> tuple[RunCompared, ...]:
    """Compare soft with hard accuracy of every run that a View names, in their order."""
    return tuple(
        RunCompared(key, run, view, mark, compare(run, view, mark))
        for key, run in runs.items()
        if not view.runs or key in view.runs
    )


def by_dataset(cards: Sequence[RunCompared]) -> dict[str, list[RunCompared]]:
    """Group runs that may be compared."""
    groups: dict[str, list[RunCompared]] = {}
    for card in cards:
        groups.setdefault(printable(card.run.dataset), []).append(card)
    return groups


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order of runs by hard accuracy on a stretch of thresholds.

    Attributes
    ----------
    low, high : float
        A score must exceed a threshold of at least `low` and below `high`.
    order : tuple of tuple of str
        Runs from best to worst; those that are equal stand together.
    """

    low: float
    high: float
    order: tuple[tuple[str, ...], ...]


def rankings(cards: Sequence[RunCompared]) -> tuple[Ranking, ...]:
    """Order runs of one dataset by their hard accuracy at every threshold from 0 to 1.

    Where no run has a right sample any more there is nothing to order.

    Returns
    -------
    tuple of Ranking
        Without gaps, the order changing from each to the next; empty for fewer than two runs.
    """
    sweeps = {card.key: card.compared.sweep for card in cards if card.compared.sweep is not None}
    if len(sweeps) < 2:
        return ()
    marks = sorted({0.0, 1.0}.union(*(sweep.threshold.tolist() for sweep in sweeps.values())))
    found: list[Ranking] = []
    for low, high in pairwise(marks):
        order = _order({key: sweep.at(low) for key, sweep in sweeps.items()})
        if found and found[-1].order == order:
            found[-1] = Ranking(found[-1].low, high, order)
        elif any(sweep.at(low) for sweep in sweeps.values()):
            found.append(Ranking(low, high, order))
    return tuple(found)


def soft_order(cards: Sequence[RunCompared]) -> tuple[tuple[str, ...], ...]:
    """Order runs of one dataset by their soft accuracy, as `rankings` does."""
    return _order({card.key: card.found.accuracy.value for card in cards if card.found})


def _order(values: Mapping[str, float]) -> tuple[tuple[str, ...], ...]:
    groups: dict[float, list[str]] = {}
    for key, value in values.items():
        groups.setdefault(round(value, 12), []).append(key)
    return tuple(tuple(groups[value]) for value in sorted(groups, reverse=True))


def gap_makers(card: RunCompared) -> list[dict[str, Any]]:
    """Return the questions whose soft and hard accuracy differ most, at most `QUESTIONS`.

    Returns
    -------
    list of dict
        ``question`` (printable), ``scores`` (ascending, None where missing), ``soft, hard, gap``
        and ``share`` (what it adds to the gap of the run).
    """
    found, outcomes = card.found, card.run.outcomes
    if found is None or outcomes is None or outcomes.scores is None:
        return []
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


def numbers(found: SoftHard) -> Iterator[tuple[str, Estimate | float]]:
    """Yield every number of a comparison with its name."""
    yield "soft", found.accuracy
    yield METRICS["avg@n"].label(found.k), found.avg
    yield "gap", found.gap
    yield "not counted", found.levels.below
    yield "rounded up", found.levels.above
    yield METRICS["pass@k"].label(found.k), found.passed
    yield METRICS["cons@n"].label(found.k), found.voted


DIFFERENCES = ("gap", "not counted", "rounded up")
"""Of these numbers, those in percentage points."""


def rule_of(found: SoftHard) -> Text:
    """Say when a sample is right."""
    if found.strict:
        return Text("right: a score above {threshold:g}", threshold=found.threshold)
    return Text("right: a score of at least {threshold:g}", threshold=found.threshold)


def explain(found: SoftHard) -> Text:
    """Say in words why soft and hard accuracy differ, or why they cannot."""
    if not found.partial:
        return Text(
            "Every score is 0 or 1, so soft and hard accuracy are identical by construction."
        )
    return Text(
        "{partial:.0%} of the samples have partial credit. Where they count as wrong, soft "
        "accuracy gains {below} that hard accuracy does not see; where they count as right, it "
        "loses {above} that hard accuracy rounds up. Together that is the gap of {gap}.",
        partial=found.partial,
        below=points(found.levels.below),
        above=points(-found.levels.above),
        gap=points(found.gap.value),
    )


def points(difference: float) -> Text:
    """Write a difference of two shares in percentage points."""
    return Text("{points:.1f} points", points=100 * difference)


COLUMNS = {
    "run": "string",
    "model": "string",
    "dataset": "string",
    "segment": "string",
    "threshold": "Float64",
    "rule": "string",
    "metric": "string",
    "value": "Float64",
    "low": "Float64",
    "high": "Float64",
    "level": "Float64",
    "target": "string",
    "questions": "Int64",
    "caveats": "string",
    "reason": "string",
}


def rows(
    cards: Sequence[RunCompared], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay comparisons out flat, a row for each run and number.

    Returns
    -------
    list of dict
        With the keys of `COLUMNS`: fractions at full precision, ``caveats`` a list of sentences.
        A run without a comparison has one row, with its reason. What does not exist is None.
    """

    def say(text: Text | None) -> str | None:
        return None if text is None else printable(render(text, translations))

    def row(card: RunCompared, metric: str | None, what: Estimate | float | None) -> dict[str, Any]:
        threshold, strict = card.mark.of_run(card.run)
        value = what.value if isinstance(what, Estimate) else what
        estimate = what if isinstance(what, Estimate) else None
        interval = None if estimate is None else estimate.interval
        segment = card.view.segment
        return {
            "run": card.key,
            "model": printable(card.run.model),
            "dataset": printable(card.run.dataset),
            "segment": None if segment is None else printable("=".join(segment)),
            "threshold": threshold,
            "rule": "above" if strict else "reach",
            "metric": metric,
            "value": value,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "level": card.view.level,
            "target": card.view.target,
            "questions": None if estimate is None else estimate.n_questions,
            "caveats": [] if estimate is None else [say(text) for text in estimate.caveats],
            "reason": say(card.compared.reason),
        }

    return [
        row(card, metric, what)
        for card in cards
        for metric, what in (numbers(card.found) if card.found else [(None, None)])
    ]


def frame(
    cards: Sequence[RunCompared], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, the caveats joined to one text."""
    joined = [
        {**row, "caveats": " ".join(row["caveats"]) or None} for row in rows(cards, translations)
    ]
    return pd.DataFrame(joined, columns=list(COLUMNS)).astype(COLUMNS)
