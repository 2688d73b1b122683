"""What is compared with what, and in which chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import one_of, word
from metrics.data.words import Text

Picture = Literal["ranks", "base", "k", "metrics", "datasets", "segments", "pairs"]


@dataclass(frozen=True)
class CompareChoices(Choices):
    """The baseline, the run that is looked at beside it, and how.

    Examples
    --------
    >>> CompareChoices("cedar").to_query()
    {'base': ['cedar']}
    """

    # A run, by its name or as it is called among those of a dataset; empty for the first.
    base: str = ""
    # The run that is set against it in detail, likewise; empty for the best of the others.
    other: str = ""
    # One of `Picture`; empty for ranks where there are more than two runs, and else over k.
    picture: Picture | Literal[""] = ""
    by: str = ""  # The attribute of the segments; empty for the first.

    SETTINGS: ClassVar = (
        word(
            "base",
            "RUN",
            Text("the run that others are compared with, or its model (default: the first)"),
        ),
        word(
            "other",
            "RUN",
            Text("the run that is shown in detail, or its model (default: the best of the others)"),
        ),
        one_of("picture", get_args(Picture), Text("what is drawn")),
        word("by", "ATTRIBUTE", Text("also the difference in each segment by this attribute")),
    )
