"""What files state of themselves against what their samples give, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kofn.writing.estimates import percent, span, told_apart
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.words import Text
from reports.run.reasons import RIGHT_NONE_THE_LESS, WITHOUT_FAILED
from reports.run.reconcile import UNEXPLAINED, Comparison, reconcile, reconcile_suite
from reports.run.report import Run, Suite

REPLICAS = 8
"""The most replicas whose numbers are written out."""


@dataclass(frozen=True)
class Stated:
    """A number that a file states, and whose it is.

    Attributes
    ----------
    model, dataset : str
        A suite stands for its dataset.
    line : Comparison
    """

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
class Cause:
    """Why stated numbers are not those of the samples, and which.

    Attributes
    ----------
    reason : Text
    found : tuple of Stated
        Those that are furthest off first.
    """

    reason: Text
    found: tuple[Stated, ...]

    @property
    def text(self) -> Text:
        """The cause in a sentence, with how many numbers it concerns."""
        first, count = self.found[0], len(self.found)
        if first.is_unchecked:
            state = Text("{count} is unchecked", "{count} are unchecked", count=count)
        elif first.line.agrees:
            state = Text("{count} holds", "{count} hold", count=count)
        elif first.is_wrong:
            state = Text("{count} is wrong", "{count} are wrong", count=count)
        else:
            state = Text("{count} differs", "{count} differ", count=count)
        return Text("{state}: {reason}", state=state, reason=self.reason)


def stated_of(run: Run) -> tuple[Stated, ...]:
    """Set what the file of a run states of it against what its samples give."""
    return tuple(Stated(run.model, run.dataset, line) for line in reconcile(run))


def stated_of_suite(suite: Suite) -> tuple[Stated, ...]:
    """Set what a file states of a suite against what the samples of its runs give."""
    return tuple(Stated(suite.model, suite.name, line) for line in reconcile_suite(suite))


def both_written(line: Comparison) -> tuple[str, ...]:
    """Write the reported number and that of the samples, as finely as they differ."""
    if line.recomputed is None or line.agrees:
        return str(percent(line.reported)), str(percent(line.recomputed))
    return told_apart(line.reported, line.recomputed)


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
    return Text("{numbers}", numbers=", ".join(f"{100 * each:.1f}" for each in line.replicas))


def what_is_wrong(stated: Sequence[Stated], *, worst: bool = True) -> Iterator[Text]:
    """Say how many stated numbers are wrong and which is the worst, or that all of them hold.

    Parameters
    ----------
    stated : sequence of Stated
    worst : bool
        Whether the worst is named.

    Examples
    --------
    >>> why = Text("It mixes the samples of different questions.")
    >>> wrong = Stated("cedar", "maths", Comparison("pass@16", 1.0, 0.75, False, why))
    >>> right = Stated("cedar", "maths", Comparison("avg@16", 0.5, 0.5, True, None))
    >>> [str(each) for each in what_is_wrong([wrong, right])]
    ['1 of 2 reported numbers is wrong: pass@16 of cedar is 75.0%, not 100.0%.']
    >>> [str(each) for each in what_is_wrong([right])]
    ['The reported number is what the samples give.']
    """
    wrong = sorted((each for each in stated if each.is_wrong), key=lambda each: -each.gap)
    doubtful = [each for each in stated if each.is_doubtful]
    if wrong and worst:
        yield _with_the_worst(wrong, stated)
    elif wrong:
        yield Text(
            "{count} of {all} reported numbers is wrong.",
            "{count} of {all} reported numbers are wrong.",
            count=len(wrong),
            all=len(stated),
        )
    if doubtful:
        yield Text(
            "{count} of {all} reported numbers is not what the samples give, for no known reason: "
            "trust neither.",
            "{count} of {all} reported numbers are not what the samples give, for no known reason: "
            "trust neither.",
            count=len(doubtful),
            all=len(stated),
        )
    if partial := sum(each.leaves_out_failed for each in stated):
        yield Text(
            "{count} of {all} reported numbers leaves out the requests that failed.",
            "{count} of {all} reported numbers leave out the requests that failed.",
            count=partial,
            all=len(stated),
        )
    if others := sum(each.is_of_others for each in stated):
        yield Text(
            "{count} of {all} reported numbers is of other samples, or by another rule, than the "
            "mean of these.",
            "{count} of {all} reported numbers are of other samples, or by another rule, than the "
            "mean of these.",
            count=others,
            all=len(stated),
        )
    agreeing = sum(each.line.agrees for each in stated)
    if stated and agreeing == len(stated):
        yield Text(
            "The reported number is what the samples give.",
            "All {count} reported numbers are what the samples give.",
            count=agreeing,
        )
    elif stated and not agreeing and not (wrong or doubtful or partial or others):
        yield Text("None of the reported numbers can be checked.")
    elif stated and not (wrong or doubtful or partial or others):
        yield Text(
            "{agreeing} of {all} reported numbers can be checked, and they are what the samples "
            "give.",
            agreeing=agreeing,
            all=len(stated),
        )


def _with_the_worst(wrong: Sequence[Stated], stated: Sequence[Stated]) -> Text:
    worst = wrong[0]
    recomputed, reported = told_apart(_recomputed(worst), worst.line.reported)
    return Text(
        "{count} of {all} reported numbers is wrong: {metric} of {whose} is {recomputed}, not "
        "{reported}.",
        "{count} of {all} reported numbers are wrong: {metric} of {whose} is {recomputed}, not "
        "{reported}.",
        count=len(wrong),
        all=len(stated),
        metric=named(printable(worst.line.metric)),
        whose=_whose(worst, stated),
        recomputed=recomputed,
        reported=reported,
    )


def _whose(worst: Stated, stated: Sequence[Stated]) -> Text:
    """Name the model, and the dataset where there are several."""
    model, dataset = (named(printable(name)) for name in (worst.model, worst.dataset))
    if len({each.dataset for each in stated}) == 1:
        return Text("{model}", model=model)
    return Text("{model} on {dataset}", model=model, dataset=dataset)


def causes(stated: Sequence[Stated]) -> tuple[Cause, ...]:
    """Return each reason once, the one behind the largest gap first."""
    found: dict[Text, list[Stated]] = {}
    for each in sorted(stated, key=lambda each: -each.gap):
        if each.line.reason is not None:
            found.setdefault(each.line.reason, []).append(each)
    return tuple(Cause(reason, tuple(lines)) for reason, lines in found.items())


def _recomputed(each: Stated) -> float:
    assert each.line.recomputed is not None
    return each.line.recomputed
