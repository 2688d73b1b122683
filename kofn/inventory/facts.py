"""How much data a run holds, before anything is estimated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED, Outcomes, Segment
from metrics.data.words import Text

SEGMENT_LABELS = 200
"""An attribute with more labels than this names questions rather than groups them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts and segments of one run.

    Attributes
    ----------
    questions : int
        All questions, gradable or not.
    ungradable : int
        Questions without any gradable sample.
    n_min, n_max : int
        Fewest and most samples of a gradable question; 0 where there is none.
    failed : int
        Samples that failed, or were not scored.
    segments : tuple of (attribute, label)
        That a View may choose.
    """

    questions: int
    ungradable: int
    n_min: int
    n_max: int
    failed: int
    segments: tuple[Segment, ...]

    def in_words(self) -> Iterator[Text]:
        """Say how much there is, and what of it is missing."""
        yield Text("{count} question", "{count:,} questions", count=self.questions)
        yield (
            Text("{count} sample each", "{count} samples each", count=self.n_max)
            if self.n_min == self.n_max
            else Text("{fewest} to {most} samples each", fewest=self.n_min, most=self.n_max)
        )
        if self.failed:
            yield Text(
                "{count} sample without a verdict",
                "{count:,} samples without a verdict",
                count=self.failed,
            )
        if self.ungradable:
            yield Text(
                "{count} question not gradable",
                "{count:,} questions not gradable",
                count=self.ungradable,
            )


def facts_of(outcomes: Outcomes, segment: Segment | None = None) -> Facts:
    """Count what there is, of a segment if one is given.

    Examples
    --------
    >>> ", ".join(map(str, facts_of(Outcomes([[1, 0], [1, -1]])).in_words()))
    '2 questions, 2 samples each, 1 sample without a verdict'
    """
    block = outcomes.correct[outcomes.members(segment)]
    n = np.count_nonzero(block != ABSENT, axis=1)
    return Facts(
        questions=len(n),
        ungradable=int(np.count_nonzero(n == 0)),
        n_min=int(n[n > 0].min(initial=n.max())),
        n_max=int(n.max()),
        failed=int(np.count_nonzero(block == FAILED)),
        segments=tuple(
            (attribute, str(label))
            for attribute, labels in outcomes.segments.items()
            for label in _labels(labels)
        ),
    )


def _labels(labels: NDArray[np.str_]) -> NDArray[np.str_]:
    found = np.unique(labels)
    return found if len(found) <= SEGMENT_LABELS else found[:0]
