"""Which details of the guidance are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import run_in_detail
from metrics.data.words import Text


@dataclass(frozen=True)
class InDetail(Choices):
    """Which run is shown in detail.

    Examples
    --------
    >>> InDetail("cedar").to_query()
    {'detail': ['cedar']}
    """

    detail: str = ""  # As the page calls it; empty for the first.

    SETTINGS: ClassVar = (run_in_detail(Text("the run that is shown in detail")),)
