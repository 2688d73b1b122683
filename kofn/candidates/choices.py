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
        The column that speaks for a sample, as `kofn.choices.signals.numbers_of` takes it; empty
        for that of `kofn.choices.signals.default_signal`.
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
    soft: bool = False
    detail: str = ""

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        Setting(
            "signal",
            "signal",
            lambda texts: texts[-1],
            "COLUMN",
            Text(
                "the column that picks, the sample with its highest value; with a minus sign in "
                "front the lowest: --signal=-tokens_out (default: the first column there is)"
            ),
        ),
        _switch("soft", Text("count soft scores, not verdicts (default: no)")),
        Setting("detail", "detail", lambda texts: texts[-1], "RUN", Text("the run that is drawn")),
    )
