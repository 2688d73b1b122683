"""How often reports on the server are loaded again after they change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, excerpt
from metrics.data.words import MetricError, Text

EVERY = (10, 60, 300)
"""Seconds that may be chosen."""


def _seconds(texts: Sequence[str]) -> int:
    for each in EVERY:
        if list(texts) == [str(each)]:
            return each
    choices = ", ".join(map(str, EVERY))
    raise MetricError(
        Text("follow must be one of {choices} s; got {text}", choices=choices, text=excerpt(texts))
    )


@dataclass(frozen=True)
class Following(Choices):
    """Whether reports are loaded again by themselves.

    Examples
    --------
    >>> Following(60).to_query()
    {'follow': ['60']}
    """

    every: int = 0  # Seconds after which it is looked whether they have changed; 0 for never.

    SETTINGS: ClassVar = (
        Setting(
            "follow",
            _seconds,
            "SECONDS",
            Text("reload files that have changed on disk, checking every 10, 60 or 300 seconds"),
            field="every",
        ),
    )
