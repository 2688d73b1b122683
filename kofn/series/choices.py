"""The order in which runs are followed, and what each is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import one_of, word
from metrics.data.words import Text

Against = Literal["first", "previous", "best"]


@dataclass(frozen=True)
class SeriesChoices(Choices):
    """The order of the runs, and the reference of each."""

    # Such as ``step``; empty for the longest series that names, settings or times tell.
    along: str = ""
    against: Against = "first"

    SETTINGS: ClassVar = (
        word(
            "along",
            "NAME",
            Text(
                "what puts runs in order: a setting, the word before a number in their names, "
                "version, date or time (default: whatever gives the longest series)"
            ),
        ),
        one_of(
            "against", get_args(Against), Text("what each run is compared with (default: first)")
        ),
    )
