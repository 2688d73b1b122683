"""What a visitor of the page expects of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from kofn.choices.codec import Choices, Setting, in_detail, number
from kofn.trust.expected import Expected, read_stated
from kofn.trust.expecting import WantedNumbers
from metrics.data.words import MetricError, Text
from reports.run.report import Run

_LONGEST = 200


def _count(key: str) -> Any:
    read = number(key, 1, 1_000_000_000, 16)
    return lambda texts: int(read(texts))


@dataclass(frozen=True)
class Stating(Choices):
    """What is expected of the run in detail.

    Attributes
    ----------
    detail : str
        The key of the run whose causes are drawn; empty for the one that is moved most.
    expected : str
        A number as it is typed; empty for none.
    n, questions : int or None
        Samples a question behind it, and its questions.
    run : str
        The key of a run that is expected; empty for none.
    margin : float or None
        By how much it may be lower.

    Examples
    --------
    >>> Stating(expected="43.1%", n=16).to_query()
    {'expected': ['43.1%'], 'expected-n': ['16']}
    """

    detail: str = ""
    expected: str = ""
    n: int | None = None
    questions: int | None = None
    run: str = ""
    margin: float | None = None

    SETTINGS: ClassVar = (
        in_detail(Text("the run whose number is looked at")),
        Setting(
            "expected",
            "expected",
            lambda texts: texts[-1].strip()[:_LONGEST],
            "NUMBER",
            Text("the number that is expected, such as 59.74%%"),
        ),
        Setting("expected-n", "n", _count("expected-n"), "N", Text("its samples a question")),
        Setting(
            "expected-questions",
            "questions",
            _count("expected-questions"),
            "QUESTIONS",
            Text("its questions"),
        ),
        Setting("expected-run", "run", lambda texts: texts[-1], "RUN", Text("a run in its place")),
        Setting(
            "margin",
            "margin",
            number("margin", 0.0001, 0.99, 0.01),
            "FRACTION",
            Text("by how much it may be lower"),
        ),
    )

    def wanted(
        self, key: str, runs: Mapping[str, Run], listed: Sequence[Expected] = ()
    ) -> tuple[WantedNumbers, Text | None]:
        """Return what is expected of the runs of a page, and what cannot be used of it.

        Parameters
        ----------
        key : str
            The run in detail, of which a number is that names no other.
        runs : mapping of str to Run
        listed : sequence of Expected
            Of a table that was loaded.
        """
        numbers, problem = list(listed), None
        if self.expected:
            try:
                typed = replace(read_stated(self.expected), questions=self.questions)
            except MetricError as error:
                problem = error.text
            else:
                typed = replace(typed, n=self.n or typed.n)
                numbers.append(typed if typed.dataset else replace(typed, model=key))
        other = {self.run: runs[self.run]} if self.run in runs and self.run != key else {}
        return WantedNumbers(tuple(numbers), other, key), problem
