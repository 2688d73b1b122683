"""How the table of models and datasets is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices, Setting, one_of
from metrics.data.words import Text

Form = Literal["table", "bars"]


@dataclass(frozen=True)
class BoardChoices(Choices):
    """The form of the table.

    Attributes
    ----------
    form : {"table", "bars"}

    Examples
    --------
    >>> BoardChoices("bars").to_query()
    {'form': ['bars']}
    """

    form: Form = "table"

    SETTINGS: ClassVar = (
        Setting(
            "form",
            "form",
            one_of("form", get_args(Form)),
            "|".join(get_args(Form)),
            Text("as a table or as bars"),
        ),
    )
