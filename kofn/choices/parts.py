"""Which parts of a page below its first screen are open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting
from metrics.data.words import Text


@dataclass(frozen=True)
class OpenParts(Choices):
    """The parts that are open, on any page that has one of such a name.

    Examples
    --------
    >>> OpenParts(("table",)).to_query()
    {'more': ['table']}
    """

    more: tuple[str, ...] = ()

    SETTINGS: ClassVar = (
        Setting("more", tuple, "PART", Text("a part of the page that is open"), list),
    )
