"""What to show, with what certainty, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import number
from metrics import Bill
from metrics.data.words import Text

LARGEST = 1e12
_SMALLEST = 1e-4


@dataclass(frozen=True)
class PlanChoices(Choices):
    """The goals of a plan; None for none.

    Examples
    --------
    >>> PlanChoices(difference=0.05, total=600.0).to_query()
    {'difference': ['0.05'], 'bill': ['600.0']}
    """

    # To be shown; of its interval from end to end. As fractions.
    difference: float | None = None
    width: float | None = None
    total: float | None = None  # What samples and questions may cost together.
    # What one costs; every question is sampled in both runs.
    question: float = 0.0
    sample: float = 1.0
    power: float = 0.8  # How surely a difference is to be shown.

    SETTINGS: ClassVar = (
        number(
            "difference",
            (_SMALLEST, 0.99, 0.05),
            Text("the difference to be detected, such as 0.05"),
        ),
        number(
            "width",
            (_SMALLEST, 1.99, 0.1),
            Text("how wide the interval may be from end to end, such as 0.1"),
        ),
        number(
            "bill",
            (1e-9, LARGEST, 600),
            Text("the budget for the questions and samples of both runs together"),
            metavar="AMOUNT",
            field="total",
        ),
        number(
            "question-cost",
            (0.0, LARGEST, 2.5),
            Text("the cost of a new question (default: 0)"),
            metavar="AMOUNT",
            field="question",
        ),
        number(
            "sample-cost",
            (1e-9, LARGEST, 0.01),
            Text("the cost of a sample (default: 1, so that the budget is in samples)"),
            metavar="AMOUNT",
            field="sample",
        ),
        number(
            "power",
            (0.01, 0.9999, 0.8),
            Text("the chance with which the difference is detected (default: 0.8)"),
        ),
    )

    @property
    def bill(self) -> Bill | None:
        """What it may cost, and what it costs."""
        return None if self.total is None else Bill(self.total, self.question, self.sample)
