"""What votes of a run that end early take and answer, beside votes of all samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kofn.choices.runs import outcomes_of
from kofn.choices.view import View
from kofn.choose_n.early.ending import Ending
from metrics import AdaptiveCurve, AdaptiveVote, Choice, adaptive_curve
from metrics.data.words import MetricError, Text
from reports.run.report import Run

LOSS = 0.01
"""The most accuracy that a rule that pays may lose, by the lower limit of the difference."""
FEWEST = 3
"""The fewest samples whose vote can end early."""


@dataclass(frozen=True, eq=False)
class Early:
    """Votes of a run that end early, by each rule.

    Attributes
    ----------
    cap : int
        The most samples of the votes that are told.
    curves : mapping of str to AdaptiveCurve
        By the names of their rules.
    asked : str or None
        The rule that was asked for.
    """

    cap: int
    curves: dict[str, AdaptiveCurve]
    asked: str | None

    @property
    def best(self) -> str | None:
        """The rule that takes the fewest samples of those that pay; None where none does."""
        paying = [name for name, curve in self.curves.items() if pays(curve, self.cap)]
        taken = {name: self.curves[name].at(self.cap).samples.value for name in paying}
        return min(taken, key=lambda name: taken[name], default=None)

    @property
    def rule(self) -> str | None:
        """The rule that is told: the one that was asked for, else the best."""
        return self.asked or self.best

    @property
    def told(self) -> AdaptiveVote | None:
        """The vote that is told."""
        return None if self.rule is None else self.curves[self.rule].at(self.cap)


def end_early(run: Run, view: View, ending: Ending, choice: Choice, costs: Any) -> Early:
    """Replay votes of a run that end early.

    Parameters
    ----------
    run : Run
    view : View
        Its segment, missing and level count.
    ending : Ending
    choice : Choice
        Of n for votes of all samples.
    costs : float, or float array, shape (M, N)
        Of samples.

    Raises
    ------
    MetricError
        If the run has no extracted answers, or too few samples.
    """
    every = choice.table.n.tolist()
    cap = ending.cap or (choice.safe_n if choice.safe_n and choice.safe_n >= FEWEST else every[-1])
    if run.answers is None:
        raise MetricError(
            Text("its file has no extracted answers, and whether they agree is what ends a vote.")
        )
    if every[-1] < FEWEST:
        raise MetricError(Text("there are fewer than three samples of each question."))
    curves = {
        name: adaptive_curve(
            outcomes_of(run),
            rule,
            [*every, cap],
            cost_per_sample=costs,
            confidence_level=view.level,
            missing=view.missing,
            segment=view.segment,
            answers=run.answers,
        )
        for name, rule in ending.rules.items()
    }
    if choice.metric != "plurality@k":
        raise MetricError(
            Text("beside it are runs without extracted answers, so votes count right or wrong.")
        )
    return Early(cap, curves, None if ending.rule == "best" else ending.rule)


def pays(curve: AdaptiveCurve, cap: int) -> bool:
    """Return whether a rule surely saves samples, at a loss that is surely small.

    It must take fewer than a vote of fewer samples, all of them, that is right as often.
    """
    vote, as_accurate = curve.at(cap), curve.fewest(cap)
    assert vote.saved.interval is not None
    assert vote.gain.interval is not None
    return (
        vote.saved.interval.low > 0
        and vote.gain.interval.low >= -LOSS
        and (as_accurate is None or vote.samples.value < as_accurate)
    )
