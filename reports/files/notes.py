"""What a reader decided, in words: every repair, assumption and gap is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.data.words import Text

Severity = Literal["info", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader found, repaired, assumed or left out.

    Attributes
    ----------
    what : Text
        The finding and its effect, in one or two sentences a user can act on.
    where : str
        The file it is about, within its report.
    count : int or None
        How many samples, questions or files it concerns.
    severity : {"info", "warning", "problem"}
        ``"problem"``: something could not be loaded. ``"warning"``: numbers differ from the
        file's own, or rest on an assumption. ``"info"``: worth knowing.
    """

    what: Text
    where: str = ""
    count: int | None = None
    severity: Severity = "info"
