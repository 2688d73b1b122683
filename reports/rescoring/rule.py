"""The interface of every re-scorer: a rule that gives each sample's score and extracted answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from metrics.data.words import Text


class Prediction(NamedTuple):
    """What a model said, what was right, and what was asked, as the predictions hold them."""

    prediction: str
    gold: Any
    prompt: Any = None


class Mark(NamedTuple):
    """What a sample earns, in [0, 1], and the answer found in it; None where there is none."""

    credit: float
    answer: str | None


NOT_JUDGED = Mark(math.nan, None)
"""Of a sample that could not be compared: neither right nor wrong."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How an evaluator judges."""

    name: Text  # What it does, to follow "kofn judged the predictions by".
    # Marks samples in their order; None where the reference is of no use to the evaluator.
    mark: Callable[[Iterable[Prediction]], Iterator[Mark | None]]
    # From what credit on a sample is right; None where it is 1 or 0 anyway.
    threshold: float | None = None
    strict: bool = False  # Whether the credit must exceed the threshold.

    def is_right(self, mark: Mark) -> bool:
        """Return whether a sample with this mark is right."""
        least = 1.0 if self.threshold is None else self.threshold
        return mark.credit > least if self.strict else mark.credit >= least


class Step(NamedTuple):
    """A class or function that a configuration names, and the constants it is given."""

    name: str
    options: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a configuration does to predictions and references before and while it compares them."""

    evaluator: Step | None = None
    # The postprocessors of the dataset.
    prediction: Step | None = None
    reference: Step | None = None
    model: Step | None = field(default=None)  # The postprocessor of the model.


def each(judge: Callable[[Prediction], Mark | None]) -> Callable[..., Iterator[Mark | None]]:
    """Return a rule's `mark` that judges sample by sample."""
    return lambda samples: map(judge, samples)
