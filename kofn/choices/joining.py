"""Whether repeated runs are shown as samples of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import switch
from metrics.data.words import Text


@dataclass(frozen=True)
class Joining(Choices):
    """How runs of one model on the same questions are taken.

    Examples
    --------
    >>> Joining(joined=True).to_query()
    {'as-samples': ['yes']}
    """

    joined: bool = False  # As samples of one run, where `reports.combine` allows it.

    SETTINGS: ClassVar = (
        switch(
            "as-samples",
            Text(
                "join the runs of each model on the same questions into one run with all their "
                "samples"
            ),
            field="joined",
            bare=True,
        ),
    )
