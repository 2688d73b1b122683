"""How much data a run holds, before anything is estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics.data.evidence import Known
from metrics.data.outcomes import Segment
from metrics.data.words import Text

SEGMENT_LABELS = 200
"""An attribute with more labels than this names questions rather than groups them."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Counts and segments of one run."""

    questions: int  # All questions, gradable or not.
    ungradable: int  # Questions without any gradable sample.
    # Fewest and most samples of a gradable question; 0 where there is none.
    n_min: int
    n_max: int
    failed: int  # Samples that failed, or were not scored.
    segments: tuple[Segment, ...]  # That a View may choose.

    def in_words(self) -> Iterator[Text]:
        """Say how much there is, and what of it is missing."""
        yield Text("{count} question", "{count} questions", count=self.questions)
        yield (
            Text("{count} sample each", "{count} samples each", count=self.n_max)
            if self.n_min == self.n_max
            else Text("{fewest} to {most} samples each", fewest=self.n_min, most=self.n_max)
        )
        if self.failed:
            yield Text(
                "{count} sample without a verdict",
                "{count} samples without a verdict",
                count=self.failed,
            )
        if self.ungradable:
            yield Text(
                "{count} question not gradable",
                "{count} questions not gradable",
                count=self.ungradable,
            )


def facts_of(known: Known, segment: Segment | None = None) -> RunFacts:
    """Count what there is, of a segment if one is given.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> ", ".join(map(str, facts_of(Outcomes([[1, 0], [1, -1]])).in_words()))
    '2 questions, 2 samples each, 1 sample without a verdict'
    >>> ", ".join(map(str, facts_of(Outcomes([[1, 0, 0], [1, -2, -2]])).in_words()))
    '2 questions, 1 to 3 samples each'
    """
    n, questions = known.sizes("wrong", segment)
    return RunFacts(
        questions=known.n_questions(segment),
        ungradable=known.n_questions(segment) - int(questions.sum()),
        n_min=int(n.min(initial=n.max(initial=0))),
        n_max=int(n.max(initial=0)),
        failed=known.n_samples("wrong", segment) - known.n_samples("omit", segment),
        segments=tuple(
            (attribute, label)
            for attribute in known.segments
            for label in _labels_if_few(known.labels(attribute))
        ),
    )


def _labels_if_few(labels: Sequence[str]) -> list[str]:
    return sorted(labels) if len(labels) <= SEGMENT_LABELS else []
