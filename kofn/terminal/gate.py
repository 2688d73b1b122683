"""Which conditions must pass, and the exit status that tells a script whether they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kofn.choices.codec import Choices
from kofn.writing.layout import escaped
from metrics.data.words import Text, plain
from reports.run.report import Report

FAILED, UNKNOWN = 1, 3
WORDS = {True: Text("passed"), False: Text("failed"), None: Text("cannot tell")}


class GateVerdict(NamedTuple):
    """Whether something passes."""

    passed: bool | None  # None where the data cannot tell.
    sentence: Text  # A sentence with the numbers.


class Ruling(NamedTuple):
    """All verdicts, whether all of them have to be known, and what else there is to say of them.

    Examples
    --------
    >>> verdicts = GateVerdict(True, Text("A.")), GateVerdict(None, Text("B."))
    >>> Ruling(verdicts).status, Ruling(verdicts, strict=True).status
    (0, 3)
    """

    verdicts: Sequence[GateVerdict] = ()
    strict: bool = False
    about: Text | None = None

    @property
    def status(self) -> int:
        """The exit status: 1 where one fails, 3 where one is unknown and has to be known."""
        passed = [verdict.passed for verdict in self.verdicts]
        if False in passed:
            return FAILED
        return UNKNOWN if self.strict and None in passed else 0

    def lines(self, answer: str = "") -> list[str]:
        """Write those for a terminal that an answer does not tell already."""
        lines = [
            str(Text("{verdict}: {said}", verdict=word, said=sentence))
            for word, sentence in self._written()
            if sentence not in answer
        ]
        return lines if self.about is None else [*lines, str(self.about)]

    def markdown(self) -> str:
        """Write them as a Markdown list."""
        lines = [f"- **{word}** {escaped(sentence)}" for word, sentence in self._written()]
        return "\n".join(lines if self.about is None else [*lines, "", str(self.about)])

    def document(self) -> dict[str, Any]:
        """Return what JSON holds of them, which is nothing where nothing has to pass."""
        if not self.verdicts:
            return {}
        sentences = [plain(verdict.sentence) for verdict in self.verdicts]
        rows = [
            {"passed": verdict.passed, "says": sentence}
            for verdict, sentence in zip(self.verdicts, sentences, strict=True)
        ]
        return {"gate": {"status": self.status, "verdicts": rows}}

    def _written(self) -> list[tuple[str, str]]:
        return [(str(WORDS[verdict.passed]), plain(verdict.sentence)) for verdict in self.verdicts]


NOTHING_ASKED = Ruling()


class Gate(NamedTuple):
    """What a subcommand may be asked to judge."""

    choices: type[Choices]  # The flags that ask for it.
    # From reports, cards and these choices to a ruling.
    judge: Callable[[Sequence[Report], Sequence[Any], Any], Ruling]
