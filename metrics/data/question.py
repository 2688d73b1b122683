"""What is asked of the data, whatever the metric."""

from __future__ import annotations

from typing import Any, NamedTuple

from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Target


class Question(NamedTuple):
    """What an interval is to cover, how surely, and which samples count."""

    target: Target = "population"  # Questions like these, or these questions with other samples.
    confidence_level: float = 0.95
    missing: Missing = "wrong"  # What failed requests count as.
    segment: Segment | None = None  # (attribute, label) of a subset of the questions.

    def at(self, confidence_level: float) -> Question:
        """Return the same question at another level."""
        return self._replace(confidence_level=confidence_level)

    def evidence(self, data: Any, answers: Any = None) -> Evidence:
        """Return the part of the data that an answer rests on."""
        return Evidence(data, self.missing, self.segment, answers)
