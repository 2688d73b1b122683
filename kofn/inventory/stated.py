"""The numbers that files state, compared with those from their samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kofn.writing.estimates import distinct_percents, percent, span
from metrics.data.words import Enumerated, Text
from reports.run.reasons import RIGHT_NONE_THE_LESS, WITHOUT_FAILED
from reports.run.reconcile import UNEXPLAINED, Comparison, reconcile, reconcile_suite
from reports.run.report import Run, Suite

REPLICAS = 8
"""The most replicas whose numbers are written out."""


@dataclass(frozen=True)
class StatedNumber:
    """A number that a file states, and whose it is."""

    # model, dataset: A suite stands for its dataset.
    model: str
    dataset: str
    line: Comparison

    @property
    def is_wrong(self) -> bool:
        """Whether the samples give another number, and it is known what is wrong with this one."""
        return self.line.differs and self.line.reason not in (UNEXPLAINED, *RIGHT_NONE_THE_LESS)

    @property
    def leaves_out_failed(self) -> bool:
        """Whether the samples give another number only since failed requests count as wrong."""
        return self.line.differs and self.line.reason == WITHOUT_FAILED

    @property
    def is_of_others(self) -> bool:
        """Whether it is known to be of other samples, or by another rule, than that beside it."""
        right = self.line.reason in RIGHT_NONE_THE_LESS
        return self.line.differs and right and not self.leaves_out_failed

    @property
    def is_doubtful(self) -> bool:
        """Whether the samples give another number, and nobody knows why."""
        return self.line.differs and self.line.reason == UNEXPLAINED

    @property
    def is_unchecked(self) -> bool:
        """Whether the samples give no such number."""
        return self.line.recomputed is None

    @property
    def gap(self) -> float:
        """How far the stated number is from that of the samples, -1 where there is none."""
        return -1.0 if self.line.recomputed is None else abs(_recomputed(self) - self.line.reported)


@dataclass(frozen=True)
class Discrepancy:
    """Why stated numbers are not those of the samples, and which."""

    reason: Text
    found: tuple[StatedNumber, ...]  # Those that are furthest off first.


def stated_of(run: Run) -> tuple[StatedNumber, ...]:
    """Set what the file of a run states of it against what its samples give."""
    return tuple(StatedNumber(run.model, run.dataset, line) for line in reconcile(run))


def stated_of_suite(suite: Suite) -> tuple[StatedNumber, ...]:
    """Set what a file states of a suite against what the samples of its runs give."""
    return tuple(StatedNumber(suite.model, suite.name, line) for line in reconcile_suite(suite))


def both_written(line: Comparison) -> tuple[str, ...]:
    """Write the reported number and that of the samples, as finely as they differ."""
    if line.recomputed is None or line.agrees:
        return str(percent(line.reported)), str(percent(line.recomputed))
    return distinct_percents(line.reported, line.recomputed)


def replicas_written(line: Comparison) -> Text:
    """Write the numbers of the replicas that a number is the average of; of many their ends.

    Examples
    --------
    >>> line = Comparison("avg@2", 0.5, 0.5, True, None, replicas=(0.4, 0.6))
    >>> str(replicas_written(line))
    '40.0, 60.0'
    """
    if len(line.replicas) > REPLICAS:
        ends = span(min(line.replicas), max(line.replicas))
        return Text("{count} from {ends}", count=len(line.replicas), ends=ends)
    return Text("{numbers}", numbers=Enumerated(f"{100 * each:.1f}" for each in line.replicas))


def causes(stated: Sequence[StatedNumber]) -> tuple[Discrepancy, ...]:
    """Return each reason once, the one behind the largest gap first."""
    found: dict[Text, list[StatedNumber]] = {}
    for each in sorted(stated, key=lambda each: -each.gap):
        if each.line.reason is not None:
            found.setdefault(each.line.reason, []).append(each)
    return tuple(Discrepancy(reason, tuple(lines)) for reason, lines in found.items())


def _recomputed(each: StatedNumber) -> float:
    assert each.line.recomputed is not None
    return each.line.recomputed
