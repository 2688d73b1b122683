"""When a vote ends before all of its samples are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices, Setting, excerpt, number, one_of
from metrics.analyses.adaptive.stopping import Confidence, Decided, Stopping, Windows
from metrics.data.words import MetricError, Text

Rule = Literal["best", "decided", "confidence", "windows"]
MOST = 100_000
"""The widest window and the most samples that are read."""


def _whole(key: str, least: int) -> Setting:
    def read(texts: Sequence[str]) -> int:
        try:
            count = int(texts[-1])
        except ValueError:
            count = 0
        if not least <= count <= MOST:
            raise MetricError(
                Text(
                    "{key} must be a whole number from {least} to {most:,}; got {got}.",
                    key=key,
                    least=least,
                    most=MOST,
                    got=excerpt(texts),
                )
            )
        return count

    return Setting(key, key, read, "COUNT", _HELP[key])


_HELP = {
    "window": Text("equal answers in a row that end a vote by windows (default: 4)"),
    "cap": Text("the most samples of a vote that may end early (default: the n to use)"),
}


@dataclass(frozen=True)
class Ending(Choices):
    """How a vote ends early.

    Attributes
    ----------
    rule : {"best", "decided", "confidence", "windows"}
        The one that is told; the best is the one that pays most, if any does.
    confidence : float
        Of the leading answer to stay ahead of the next.
    window : int
        Equal answers in a row.
    cap : int or None
        The most samples; None for the n to use.

    Examples
    --------
    >>> Ending("confidence", 0.9).to_query()
    {'stop': ['confidence'], 'confidence': ['0.9']}
    """

    rule: Rule = "best"
    confidence: float = 0.95
    window: int = 4
    cap: int | None = None

    SETTINGS: ClassVar = (
        Setting(
            "stop",
            "rule",
            one_of("stop", get_args(Rule)),
            "|".join(get_args(Rule)),
            Text(
                "which rule that ends votes early is told: the one that pays most (default), when "
                "the winner is decided, when the leader is likely to stay ahead "
                "(Adaptive-Consistency), or at a window of equal answers (early-stopping "
                "self-consistency)"
            ),
        ),
        Setting(
            "confidence",
            "confidence",
            number("confidence", 0.5, 0.9999, 0.95),
            "FRACTION",
            Text("how likely the leader of a vote must be to stay ahead (default: 0.95)"),
        ),
        _whole("window", 2),
        _whole("cap", 1),
    )

    @property
    def rules(self) -> dict[str, Stopping]:
        """All rules, by their names."""
        rules = (Decided(), Confidence(self.confidence), Windows(self.window))
        return {rule.name: rule for rule in rules}
