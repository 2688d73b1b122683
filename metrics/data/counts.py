"""A run without its matrix: how many questions have each combination of counts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from metrics.data.arrays import Integers
from metrics.data.frames import Rows
from metrics.data.inputs import whole_numbers
from metrics.data.outcomes import (
    FAILED,
    INCOMPLETE,
    Missing,
    Outcomes,
    Segment,
    no_segment,
    require_missing,
)
from metrics.data.shown import result, set_fields
from metrics.data.tally import Tally, distinct_rows, row_counts
from metrics.data.words import MetricError, Text

NEEDS_SAMPLES = Text(
    "Only the counts of each question are known, but this needs the single samples."
)
_MOST = 1 << 53
"""Samples in all beyond which sums are no longer exact."""


@result
class Counts(Rows):
    """How many questions have each combination of graded, right and failed samples.

    This is all that count metrics need from a run, for each treatment of failed requests. It is as
    small for 10 billion samples as for a million.

    Parameters
    ----------
    graded, right, failed, questions : array_like of int, shape (U,)
        Samples with a verdict, those of them that are right, and failed requests; and how many
        questions have these. Equal rows are added up. A question without any sample is one that
        cannot be graded.
    segments : mapping of str to mapping of str to Counts, optional
        The counts of each label by attribute.

    Raises
    ------
    MetricError
        If there is no question, or a count is out of range.

    Examples
    --------
    Two questions have 3 of 4 right, one has 1 of 3 and a failed request:

    >>> counts = Counts([4, 3], [3, 1], [0, 1], [2, 1])
    >>> counts.shape, counts.n_samples("wrong"), counts.n_samples("omit")
    ((3, 4), 12, 11)
    >>> counts.tally("omit")
    Tally(n=<2 int64>, c=<2 int64>, questions=<2 int64>)
    """

    graded: Integers
    right: Integers
    failed: Integers
    questions: Integers
    segments: Mapping[str, Mapping[str, Counts]] = field(default_factory=dict)

    def __init__(
        self,
        graded: Any,
        right: Any,
        failed: Any,
        questions: Any,
        segments: Mapping[str, Mapping[str, Counts]] | None = None,
    ) -> None:
        given = {"graded": graded, "right": right, "failed": failed, "questions": questions}
        rows = counted_rows(given)
        require_counts(*rows[:3])
        parts = {name: MappingProxyType(dict(each)) for name, each in (segments or {}).items()}
        columns = dict(zip(given, distinct_rows(rows[:3], rows[3]), strict=True))
        set_fields(self, **columns, segments=MappingProxyType(parts))

    @classmethod
    def of(cls, outcomes: Outcomes) -> Counts:
        """Reduce outcomes to their counts, with those of each segment.

        Examples
        --------
        >>> counts = Counts.of(Outcomes([[1, 0], [1, -1], [0, 1]]))
        >>> counts.graded.tolist(), counts.failed.tolist(), counts.questions.tolist()
        ([1, 2], [1, 0], [1, 2])
        """
        each = counts_of_questions(outcomes)
        segments = {
            name: {
                str(label): cls(*(column[labels == label] for column in each))
                for label in np.unique(labels)
            }
            for name, labels in outcomes.segments.items()
        }
        return cls(*each, segments)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Refuse to be a matrix."""
        raise MetricError(NEEDS_SAMPLES)

    def __tally__(self) -> Tally:
        """Return the tally for functions of a plain matrix, if no sample is missing."""
        if not self.complete:
            raise MetricError(INCOMPLETE)
        return self.tally()

    @property
    def shape(self) -> tuple[int, int]:
        """M questions and N, the largest number of samples, at least 1."""
        return self.n_questions(), max(1, int((self.graded + self.failed).max()))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the counts and of those of the segments, whatever their order."""
        columns = self.graded, self.right, self.failed, self.questions
        sha = hashlib.sha256(np.stack(columns).tobytes())
        for name, labels in sorted(self.segments.items()):
            each = sorted((label, part.digest) for label, part in labels.items())
            sha.update(repr((name, each)).encode())
        return sha.hexdigest()

    @property
    def complete(self) -> bool:
        """Whether every question has N graded samples."""
        return bool((self.graded == self.shape[1]).all() and not self.failed.any())

    def members(self, segment: Segment | None = None) -> Counts:
        """Return the counts of a segment, given as (attribute, label)."""
        if segment is None:
            return self
        attribute, label = segment
        if label not in self.segments.get(attribute, {}):
            raise no_segment(attribute, label, self.segments, self.segments.get(attribute, ()))
        return self.segments[attribute][label]

    def labels(self, attribute: str) -> list[str]:
        """Return the labels of an attribute."""
        return list(self.segments[attribute])

    def tally(self, missing: Missing = "wrong", segment: Segment | None = None) -> Tally:
        """Reduce to how many questions have each (n, c); see `Outcomes.counts`."""
        key = missing, segment
        if key not in self._tallies:
            part = self.members(segment)
            n, c = samples_and_right(part.graded, part.right, part.failed, missing)
            rows = distinct_rows((n[n > 0], c[n > 0]), part.questions[n > 0])
            self._tallies[key] = Tally(*rows)
        return self._tallies[key]

    @cached_property
    def _tallies(self) -> dict[tuple[Missing, Segment | None], Tally]:
        return {}

    def sizes(
        self, missing: Missing = "wrong", segment: Segment | None = None
    ) -> tuple[Integers, Integers]:
        """Return the numbers of samples n > 0 there are, and how many questions have each."""
        part = self.members(segment)
        n, _ = samples_and_right(part.graded, part.right, part.failed, missing)
        sizes, questions = distinct_rows((n[n > 0],), part.questions[n > 0])
        return sizes, questions

    def n_samples(self, missing: Missing = "wrong", segment: Segment | None = None) -> int:
        """Return how many samples there are in all; see `Outcomes.counts`."""
        n, questions = self.sizes(missing, segment)
        return int(n @ questions)

    def n_questions(self, segment: Segment | None = None) -> int:
        """Return how many questions there are, gradable or not."""
        return int(self.members(segment).questions.sum())


def counts_of_questions(outcomes: Outcomes) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the graded, right and failed samples of each question, shape (M,), and ones."""
    graded, right = outcomes.counts("omit")
    return graded, right, row_counts(outcomes.correct == FAILED), np.ones_like(graded)


def samples_and_right(
    graded: Integers, right: Integers, failed: Integers, missing: Missing
) -> tuple[Integers, Integers]:
    """Return samples and right samples where failed requests count as said."""
    require_missing(missing)
    if missing == "omit":
        return graded, right
    return graded + failed, right + failed if missing == "right" else right


def counted_rows(given: Mapping[str, Any]) -> list[Integers]:
    """Return columns of counts by name, the last of them how many questions, as int64 vectors."""
    rows = [np.array(whole_numbers(each, name), np.int64, ndmin=1) for name, each in given.items()]
    if not all(each.ndim == 1 and each.shape == rows[0].shape for each in rows):
        raise MetricError(Text("Counts must be vectors of one length."))
    if not len(rows[-1]):
        raise MetricError(Text("There are no questions."))
    if np.any(rows[-1] < 1):
        raise MetricError(Text("Each row of counts must stand for at least 1 question."))
    samples = np.maximum(1, np.max(rows[:-1], axis=0)).astype(float)
    if float(samples @ rows[-1]) * len(rows) >= _MOST:
        raise MetricError(Text("Counts are too large."))
    return rows


def require_counts(graded: Integers, right: Integers, failed: Integers) -> None:
    """Raise `MetricError` unless the samples of a question can be so many."""
    if np.any(right < 0) or np.any(right > graded) or np.any(failed < 0):
        raise MetricError(Text("Counts must satisfy 0 <= right <= graded and 0 <= failed."))
