"""How answers are used, and of which run more is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import one_of, run_in_detail
from metrics.data.words import Text

Use = Literal["checked", "voted"]


@dataclass(frozen=True)
class BudgetChoices(Choices):
    """How one of k answers is chosen, and the run that is shown in detail.

    Examples
    --------
    >>> BudgetChoices("voted").to_query()
    {'answers': ['voted']}
    """

    answers: Use = "checked"  # Whether a right one of k answers is recognised, or they vote.
    detail: str = ""  # The key of a run; empty for the first.

    SETTINGS: ClassVar = (
        one_of(
            "answers",
            get_args(Use),
            Text("whether answers can be checked (default) or k of them vote"),
        ),
        run_in_detail(Text("the run that is shown in detail")),
    )
    KEYS: ClassVar = ("answers",)
    """Of the settings that change numbers."""
