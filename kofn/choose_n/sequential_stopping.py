"""Votes that end before all samples of a run are drawn: when, at what cost, with what answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.runs import outcomes_of
from kofn.choices.settings import Setting, excerpt, number, one_of
from kofn.choices.view import View
from metrics import AdaptiveCurve, AdaptiveVote, adaptive_curve
from metrics.analyses.sequential_stopping.stopping import Confidence, Decided, Stopping, Windows
from metrics.data.words import MetricError, Text
from reports.run.report import Run

Rule = Literal["best", "decided", "confidence", "windows"]
MOST = 100_000
"""The widest window and the most samples that are read."""
LOSS = 0.01
"""The most accuracy that a rule that pays may lose, by the lower limit of the difference."""
FEWEST = 3
"""The fewest samples whose vote can end early."""


def _count_setting(key: str, least: int) -> Setting:
    def read(texts: Sequence[str]) -> int:
        try:
            count = int(texts[-1])
        except ValueError:
            count = 0
        if not least <= count <= MOST:
            raise MetricError(
                Text(
                    "{key} must be a whole number from {least} to {most}; got {got}.",
                    key=key,
                    least=least,
                    most=MOST,
                    got=excerpt(texts),
                )
            )
        return count

    return Setting(key, read, "COUNT", _HELP[key])


_HELP = {
    "window": Text("equal answers in a row that end a vote by windows (default: 4)"),
    "cap": Text("the most samples of a vote that may end early (default: the n to use)"),
}


@dataclass(frozen=True)
class Ending(Choices):
    """How a vote ends early.

    Examples
    --------
    >>> Ending("confidence", 0.9).to_query()
    {'stop': ['confidence'], 'confidence': ['0.9']}
    """

    rule: Rule = "best"  # The one that is told; the best is the one that pays most, if any does.
    confidence: float = 0.95  # Of the leading answer to stay ahead of the next.
    window: int = 4  # Equal answers in a row.
    cap: int | None = None  # The most samples; None for the n to use.

    SETTINGS: ClassVar = (
        one_of(
            "stop",
            get_args(Rule),
            Text(
                "the rule that ends votes early: the one that pays most (default), when the "
                "winner is decided, when the leader is likely to stay ahead "
                "(Adaptive-Consistency), or at a window of equal answers (early-stopping "
                "self-consistency)"
            ),
            field="rule",
        ),
        number(
            "confidence",
            (0.5, 0.9999, 0.95),
            Text("how likely the leader of a vote must be to stay ahead (default: 0.95)"),
        ),
        _count_setting("window", 2),
        _count_setting("cap", 1),
    )

    @property
    def rules(self) -> dict[str, Stopping]:
        """All rules, by their names."""
        rules = (Decided(), Confidence(self.confidence), Windows(self.window))
        return {rule.name: rule for rule in rules}


@dataclass(frozen=True, eq=False)
class SequentialVotes:
    """Votes of a run that end early, by each rule."""

    cap: int  # The most samples of a vote.
    curves: dict[str, AdaptiveCurve]  # By the names of their rules.
    asked: str | None  # The rule that was asked for.

    @property
    def best(self) -> str | None:
        """The rule that takes the fewest samples of those that pay; None where none does."""
        paying = [name for name, curve in self.curves.items() if pays(curve, self.cap)]
        taken = {name: self.curves[name].at(self.cap).samples.value for name in paying}
        return min(taken, key=lambda name: taken[name], default=None)

    @property
    def rule(self) -> str | None:
        """The rule that was asked for, else the best."""
        return self.asked or self.best

    @property
    def vote(self) -> AdaptiveVote | None:
        """The vote by that rule."""
        return None if self.rule is None else self.curves[self.rule].at(self.cap)


def stop_sequentially(
    run: Run, view: View, ending: Ending, every: Sequence[int], n: int, costs: Any
) -> SequentialVotes:
    """Replay votes of a run that end early.

    view: Its segment, missing and level count.
    every: The numbers of samples that vote.
    n: As many are told, unless the ending has a cap.
    costs: Of samples. Shape (M, N).
    """
    cap = ending.cap or (n if n >= FEWEST else every[-1])
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
            **view.asked_but_target,
            answers=run.answers,
        )
        for name, rule in ending.rules.items()
    }
    return SequentialVotes(cap, curves, None if ending.rule == "best" else ending.rule)


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
