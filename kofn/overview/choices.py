"""How the table of models and datasets is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices, Setting, one_of
from metrics.data.words import Text

Form = Literal["auto", "table", "bars"]


@dataclass(frozen=True)
class BoardChoices(Choices):
    """The form of the table.

    Attributes
    ----------
    form : {"auto", "table", "bars"}
        ``"auto"``: as a table where its columns fit, else as bars.

    Examples
    --------
    >>> BoardChoices("bars").to_query()
    {'form': ['bars']}
    """

    form: Form = "auto"

    SETTINGS: ClassVar = (
        Setting(
            "form",
            "form",
            one_of("form", get_args(Form)),
            "|".join(get_args(Form)),
            Text("as a table or as bars"),
        ),
    )
