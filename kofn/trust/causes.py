"""What may have moved the number of a run, with the points that each cause could move it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kofn.card import attempt
from kofn.choices.view import View
from kofn.references.analysis import References
from kofn.trust.doubts import Doubts
from metrics import Estimate, Replicas
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.estimating.estimation import mean_score
from metrics.scoring.registry import find_metric
from reports.files.notes import Doubled
from reports.readings.kinds import DIVIDED, GENEROUS, MISSED, UNSUPPORTED
from reports.run.reconcile import compared, is_headline
from reports.run.report import Run

Kind = Literal[
    "chance",
    "missed",
    "generous",
    "divided",
    "unsupported",
    "cut",
    "failed",
    "aggregation",
    "references",
    "replicas",
    "missing",
    "doubled",
    "others",
    "rule",
    "settings",
]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Cause:
    """What may have moved a number."""

    kind: Kind
    # By how much the number would change without it: from the least to the most, as fractions. Both
    # 0 of what moves it by nobody knows how much.
    low: float
    high: float
    is_sure: bool  # Whether it surely moves the number by as much; else it could.
    # How many samples, questions or replicas it is about, of how many.
    count: int = 0
    all: int = 0

    @property
    def reach(self) -> float:
        """By how much it may move the number, either way."""
        return max(abs(self.low), abs(self.high))

    def reaches(self, low: float, high: float) -> bool:
        """Return whether it can move the number by an amount within limits, or by more that way.

        Examples
        --------
        >>> Cause("missed", 0.16, 0.16, True).reaches(0.02, 0.03)
        True
        >>> Cause("generous", -0.01, -0.01, True).reaches(0.02, 0.03)
        False
        """
        return min(0.0, self.low) <= high and max(0.0, self.high) >= low and not low <= 0 <= high


@dataclass(frozen=True, eq=False)
class Suspected:
    """A run whose number is in question."""

    run: Run
    outcomes: Outcomes
    metric: MetricName
    k: int | None
    view: View

    def value(self, outcomes: Outcomes) -> float:
        """Return the number that outcomes give."""
        evidence = Evidence(outcomes, self.view.missing, self.view.segment)
        k = evidence.n_min if self.k is None else self.k
        return mean_score(find_metric(self.metric), evidence, k, {})

    @cached_property
    def judged(self) -> float:
        """The number as judged."""
        return self.value(self.outcomes)

    @cached_property
    def rows(self) -> Flags:
        """Which questions count."""
        flags = np.zeros(len(self.outcomes.questions), dtype=bool)
        flags[self.outcomes.members(self.view.segment)] = True
        return flags

    def count(self, those: Flags) -> int:
        """Count samples of the questions that count."""
        return int(np.count_nonzero(those & self.rows[:, None]))

    @property
    def samples(self) -> int:
        """How many there are."""
        return self.count(self.outcomes.correct != ABSENT)

    def moved(self, right: Flags | None, wrong: Flags | None = None) -> float:
        """Return by how much the number changes with some samples right, and others wrong."""
        correct = self.outcomes.correct.copy()
        if wrong is not None:
            correct[wrong] = 0
        if right is not None:
            correct[right] = 1
        return self.with_verdicts(correct)

    def with_verdicts(self, correct: NDArray[np.int8]) -> float:
        """Return the change of the number with other verdicts."""
        return self.value(replace(self.outcomes, correct=correct, scores=None)) - self.judged


def by_chance(judged: Estimate) -> Cause:
    """Return what chance alone may do to a number, by its interval."""
    low, high = judged.interval or (judged.value, judged.value)
    return Cause("chance", low - judged.value, high - judged.value, False)


def causes_of(
    run: Run, metric: MetricName, k: int | None, view: View, doubts: Doubts | None
) -> tuple[Cause, ...]:
    """Find what beside chance may have moved the number of a run.

    run: With outcomes of right and wrong; of others nothing is known.
    doubts: What its texts say of its verdicts.
    """
    about = _suspected(run, metric, k, view)
    if about is None:
        return ()
    every = (
        _verdicts(about, doubts),
        _unsettled(about),
        _aggregation(about),
        _missing(about),
        _doubled(about),
    )
    return tuple(cause for causes in every for cause in _defined(causes))


def reference_causes(
    run: Run, metric: MetricName, k: int | None, view: View, references: References
) -> tuple[Cause, ...]:
    """Find what the references of a dataset that are worth checking may have moved."""
    about = _suspected(run, metric, k, view)
    return () if about is None else tuple(_defined(_references(about, references)))


def replica_causes(
    run: Run, metric: MetricName, k: int | None, view: View, found: Replicas
) -> tuple[Cause, ...]:
    """Find what the replicas that stand out may have moved."""
    about = _suspected(run, metric, k, view)
    return () if about is None else tuple(_defined(_replicas(about, found)))


def _suspected(run: Run, metric: MetricName, k: int | None, view: View) -> Suspected | None:
    if run.outcomes is None or run.outcomes.correct.max() > 1:
        return None
    return Suspected(run, run.outcomes, metric, k, view)


def sorted_causes(causes: Collection[Cause]) -> tuple[Cause, ...]:
    """Return causes, the largest first."""
    return tuple(sorted(causes, key=lambda cause: -cause.reach))


def _defined(causes: Iterator[Cause]) -> Iterator[Cause]:
    """Yield causes up to where the metric is not defined of what would be left."""
    while True:
        cause, _reason = attempt(next, causes, None)
        if cause is None:
            return
        yield cause


def _verdicts(about: Suspected, doubts: Doubts | None) -> Iterator[Cause]:
    if doubts is None:
        return
    kinds, named = doubts.audit.codes, doubts.audit.names_reference
    missed, generous = kinds == MISSED, kinds == GENEROUS
    read = about.count(kinds >= 0)
    if count := about.count(missed):
        by = about.moved(missed)
        yield Cause("missed", by, by, True, count, read)
    if count := about.count(generous):
        by = about.moved(None, generous)
        yield Cause("generous", by, by, True, count, read)
    open_kinds: Sequence[tuple[Kind, int]] = (("divided", DIVIDED), ("unsupported", UNSUPPORTED))
    for name, kind in open_kinds:
        those = kinds == kind
        if count := about.count(those):
            low, high = about.moved(None, those), about.moved(those & named)
            yield Cause(name, low, high, False, count, read)


def _unsettled(about: Suspected) -> Iterator[Cause]:
    states = about.run.states
    if states is None:
        return
    cut = states.of("cut")
    if count := about.count(cut):
        yield Cause("cut", 0.0, about.moved(cut), False, count, about.samples)
    failed = (about.outcomes.correct == FAILED) & ~cut
    if count := about.count(failed):
        ends = about.moved(None, failed), about.moved(failed)
        yield Cause("failed", *ends, False, count, about.samples)


def _aggregation(about: Suspected) -> Iterator[Cause]:
    """Yield by how much the tool's own number is another than its samples give."""
    if about.view.segment is not None:
        return
    names = _names(about.metric, about.k, about.outcomes.shape[1])
    for line in compared(about.run):
        is_it = line.metric in names or (about.metric == "avg@n" and is_headline(line.metric))
        if is_it and line.recomputed is not None and line.differs:
            by = line.reported - line.recomputed
            yield Cause("aggregation", by, by, True)
            return


def _names(metric: MetricName, k: int | None, n: int) -> tuple[str, ...]:
    """Return what tools call a metric."""
    stem, at, _ = metric.partition("@") if "@" in metric else metric.partition("^")
    stem = {"maj": "cons"}.get(stem, stem)
    return (f"{stem}{at}{n if k is None else k}",)


def _references(about: Suspected, references: References) -> Iterator[Cause]:
    strong = [reason for reason in references.strong if reason != "never"]
    asked = [each.question for each in references.suspects.of(strong)] if strong else []
    rows = about.outcomes.questions.places(asked)
    those = np.zeros(len(about.outcomes.questions), dtype=bool)
    those[rows[rows >= 0]] = True
    those &= about.rows
    if those.any():
        samples = those[:, None] & (about.outcomes.correct >= 0)
        ends = about.moved(None, samples), about.moved(samples)
        yield Cause("references", *ends, False, int(those.sum()), int(about.rows.sum()))


def _replicas(about: Suspected, found: Replicas) -> Iterator[Cause]:
    correct = about.outcomes.correct.copy()
    correct[:, [number - 1 for number in found.standing_out]] = ABSENT
    by = about.with_verdicts(correct)
    yield Cause("replicas", by, by, False, len(found.standing_out), len(found.replica))


def _doubled(about: Suspected) -> Iterator[Cause]:
    """Yield what questions do that stand there twice."""
    again = [row for note in about.run.notes if isinstance(note, Doubled) for row in note.again]
    those = np.zeros(len(about.rows), dtype=bool)
    those[again] = True
    those &= about.rows
    if those.any():
        correct = np.where(those[:, None], ABSENT, about.outcomes.correct)
        by = about.with_verdicts(correct)
        yield Cause("doubled", by, by, True, int(those.sum()), int(about.rows.sum()))


def _missing(about: Suspected) -> Iterator[Cause]:
    """Yield what questions could do that are not there, of a run that has not ended."""
    note = about.run.unfinished
    if note is None or note.planned is None or note.done is None:
        return
    if note.planned > note.done > 0:
        yield missing_questions(about.judged, note.done, note.planned)


def missing_questions(judged: float, there: int, whole: int) -> Cause:
    """Return what questions could do that are not there.

    Examples
    --------
    >>> found = missing_questions(0.5, 80, 100)
    >>> round(found.low, 3), round(found.high, 3), found.count
    (-0.1, 0.1, 20)
    """
    share = (whole - there) / whole
    return Cause("missing", -judged * share, (1 - judged) * share, False, whole - there, whole)
