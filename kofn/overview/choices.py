"""How the table of models and datasets is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import (
    Choices,
    Setting,
    in_detail,
    one_of,
    spell_yes_or_no,
    yes_or_no,
)
from metrics.data.words import Text


@dataclass(frozen=True)
class Further(Choices):
    """What is looked at only when asked for.

    Attributes
    ----------
    verdicts : bool
        Whether the texts are read for what verdicts do to the numbers.
    """

    verdicts: bool = False

    SETTINGS: ClassVar = (
        Setting(
            "verdicts",
            "verdicts",
            yes_or_no("verdicts"),
            "yes|no",
            Text("read the texts, and say which numbers and orders rest on doubtful verdicts"),
            spell_yes_or_no,
            bare=True,
        ),
    )


Form = Literal["table", "bars"]


@dataclass(frozen=True)
class BoardChoices(Choices):
    """The form of the table, and what is opened of it.

    Attributes
    ----------
    form : {"table", "bars"}
    detail : str
        The run that is opened, as the page calls it; empty for none.

    Examples
    --------
    >>> BoardChoices("bars").to_query()
    {'form': ['bars']}
    """

    form: Form = "table"
    detail: str = ""

    SETTINGS: ClassVar = (
        Setting(
            "form",
            "form",
            one_of("form", get_args(Form)),
            "|".join(get_args(Form)),
            Text("as a table or as bars"),
        ),
        in_detail(Text("the run that is opened")),
    )
