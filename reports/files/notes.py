"""Notes on what a reader decided: every repair, assumption and gap."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class Unfinished(Note):
    """What shows that not all of a run is there: it goes on, ended early, or was cut."""

    done: int | None = None  # How much of it is here.
    planned: int | None = None  # Of how much, where the files say; never guessed.
    things: Text | None = None  # What is counted: questions, samples …
    as_of: datetime | None = None  # When the newest of the files was written, where that is known.

    @property
    def share(self) -> float | None:
        """How much of it is here, in [0, 1]; None where the files do not say."""
        if self.done is None or not self.planned:
            return None
        return self.done / self.planned


@dataclass(frozen=True, slots=True)
class Doubled(Note):
    """What shows that questions stand twice in a run, under two names."""

    again: tuple[int, ...] = ()  # The rows of those that an earlier row asks too.
