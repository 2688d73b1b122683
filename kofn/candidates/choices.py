"""By what a candidate is picked, and what counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices, Setting, spell_yes_or_no, yes_or_no
from metrics.data.words import Text


def _switch(key: str, help: Text, field: str = "") -> Setting:
    return Setting(
        key,
        field or key,
        yes_or_no(key),
        "yes|no",
        help,
        spell_yes_or_no,
        lambda chosen: spell_yes_or_no(chosen)[0],
    )


@dataclass(frozen=True)
class Picking(Choices):
    """How one of several candidates is picked.

    Attributes
    ----------
    signal : str
        The column of the run that speaks for a sample; empty for the first that may.
    lowest : bool
        Whether the sample with the lowest value is picked, as by a length or a rank.
    soft : bool
        Whether the soft score is what a pick pays, and not the verdict.
    detail : str
        The run that is drawn; empty for the one that picking makes best.

    Examples
    --------
    >>> Picking("reward", soft=True).to_query()
    {'signal': ['reward'], 'soft': ['yes']}
    """

    signal: str = ""
    lowest: bool = False
    soft: bool = False
    detail: str = ""

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        Setting(
            "signal",
            "signal",
            lambda texts: texts[-1],
            "COLUMN",
            Text("the column that picks: the sample with its highest value (default: the first)"),
        ),
        _switch("lowest", Text("pick the lowest value, as of a length or a rank (default: no)")),
        _switch("soft", Text("count soft scores, not verdicts (default: no)")),
        Setting("detail", "detail", lambda texts: texts[-1], "RUN", Text("the run that is drawn")),
    )
