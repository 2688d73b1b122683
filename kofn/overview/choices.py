"""How the table of models and datasets is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import one_of, run_in_detail, switch
from metrics.data.words import Text


@dataclass(frozen=True)
class Further(Choices):
    """What is looked at only when asked for."""

    verdicts: bool = False  # Whether the texts are read for what verdicts do to the numbers.

    SETTINGS: ClassVar = (
        switch(
            "verdicts",
            Text("read the texts, and say which numbers and orders rest on doubtful verdicts"),
            bare=True,
        ),
    )


Form = Literal["bars", "table", "metrics"]


@dataclass(frozen=True)
class BoardChoices(Choices):
    """The form of the table, and what is opened of it.

    Examples
    --------
    >>> BoardChoices("metrics").to_query()
    {'form': ['metrics']}
    """

    form: Form = "bars"  # Of one metric as a picture or a table, or every metric of every run.
    detail: str = ""  # The run that is opened, as the page calls it; empty for none.

    SETTINGS: ClassVar = (
        one_of("form", get_args(Form), Text("one metric as bars or as a table, or all metrics")),
        run_in_detail(Text("the run that is opened")),
    )
