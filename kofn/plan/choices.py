"""What is to be shown, how surely, and what it may cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices, Setting, number
from metrics import Bill
from metrics.data.words import Text

LARGEST = 1e12
_SMALLEST = 1e-4


def _amount(key: str, example: float, lowest: float = 1e-9) -> Callable[[Sequence[str]], float]:
    return number(key, lowest, LARGEST, example)


@dataclass(frozen=True)
class PlanChoices(Choices):
    """The goals of a plan; None for none.

    Attributes
    ----------
    difference, width : float or None
        To be shown; of its interval from end to end. As fractions.
    total : float or None
        What samples and questions may cost together.
    question, sample : float
        What one costs; every question is sampled in both runs.
    power : float
        How surely a difference is to be shown.

    Examples
    --------
    >>> PlanChoices(difference=0.05, total=600.0).to_query()
    {'difference': ['0.05'], 'bill': ['600.0']}
    """

    difference: float | None = None
    width: float | None = None
    total: float | None = None
    question: float = 0.0
    sample: float = 1.0
    power: float = 0.8

    SETTINGS: ClassVar = (
        Setting(
            "difference",
            "difference",
            number("difference", _SMALLEST, 0.99, 0.05),
            "FRACTION",
            Text("the difference to be detected, such as 0.05"),
        ),
        Setting(
            "width",
            "width",
            number("width", _SMALLEST, 1.99, 0.1),
            "FRACTION",
            Text("how wide the interval may be from end to end, such as 0.1"),
        ),
        Setting(
            "bill",
            "total",
            _amount("bill", 600),
            "AMOUNT",
            Text("the budget for the questions and samples of both runs together"),
        ),
        Setting(
            "question-cost",
            "question",
            _amount("question-cost", 2.5, 0.0),
            "AMOUNT",
            Text("the cost of a new question (default: 0)"),
        ),
        Setting(
            "sample-cost",
            "sample",
            _amount("sample-cost", 0.01),
            "AMOUNT",
            Text("the cost of a sample (default: 1, so that the budget is in samples)"),
        ),
        Setting(
            "power",
            "power",
            number("power", 0.01, 0.9999, 0.8),
            "FRACTION",
            Text("the chance with which the difference is detected (default: 0.8)"),
        ),
    )

    @property
    def bill(self) -> Bill | None:
        """What it may cost, and what it costs."""
        return None if self.total is None else Bill(self.total, self.question, self.sample)
