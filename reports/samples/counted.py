"""Samples for which a tool keeps only the number of right ones per question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from metrics.data.words import Text
from reports.files.notes import Note
from reports.rescoring.repeats.counted import AskedQuestion, Verdicts, judged, rules_for
from reports.rescoring.rule import Rule

_EXACT = 1e-6
NOWHERE = 1 << 30
"""The slot of a sample of which it is not known which text is its."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Which samples are right, as far as that can be known."""

    right: Sequence[Verdicts]  # Question by question; None of what failed.
    answers: Sequence[Sequence[str | None]]  # What a rule found in each text.
    # The rule that gives the counts of all questions; None where none is needed or known.
    rule: Rule | None
    # Whether it is known which samples are right; if not, the right ones stand first.
    is_known: bool

    def notes(self, place: str) -> Iterator[Note]:
        """Say how the verdicts were found."""
        if self.rule is not None:
            what = Text(
                "The file states how many answers to each question are right, but not which. "
                "kofn judged each by {rule}, which reproduces the file's number for every "
                "question.",
                rule=self.rule.name,
            )
            yield Note(what, place)
        elif not self.is_known:
            what = Text(
                "The file states how many answers to each question are right, but not which, "
                "and no rule that kofn knows gives these numbers. kofn lists the right ones "
                "first, without their texts. Numbers that depend only on these counts are "
                "correct; votes and lengths are left out."
            )
            yield Note(what, place, severity="warning")


def counted(
    asked: Sequence[AskedQuestion],
    counts: Sequence[int],
    fits: Callable[[Sequence[Verdicts]], bool] | None = None,
) -> Counted:
    """Say which samples are right, of how many are.

    counts: Of each question, how many of its samples are right.
    fits: Whether verdicts give all that is known; by default, whether they give the counts.

    Examples
    --------
    >>> asked = [AskedQuestion("7", ("It is 7", "8")), AskedQuestion("9", ("1", "2"))]
    >>> counted(asked, [1, 0]).right
    [[True, False], [False, False]]
    """
    answered = [
        [prediction is not None for prediction in question.predictions] for question in asked
    ]
    placed = [_placed(count, there) for count, there in zip(counts, answered, strict=True)]
    if all(count in (0, sum(there)) for count, there in zip(counts, answered, strict=True)):
        return Counted(placed, [[None] * len(each) for each in placed], None, True)
    counted_samples = judged_samples(
        asked,
        fits or (lambda right: [sum(each is True for each in one) for one in right] == [*counts]),
    )
    return counted_samples or Counted(placed, [[None] * len(each) for each in placed], None, False)


def right_of(shares: Sequence[float], n: Sequence[int]) -> list[int] | None:
    """Return how many of so many samples are right, where shares of them are right.

    Examples
    --------
    >>> right_of([0.5, 1.0], [4, 3]), right_of([0.3], [4])
    ([2, 3], None)
    """
    products = [share * size for share, size in zip(shares, n, strict=True)]
    counts = [round(each) for each in products]
    exact = all(abs(a - b) < _EXACT for a, b in zip(products, counts, strict=True))
    return counts if exact else None


def judged_samples(
    asked: Sequence[AskedQuestion], fits: Callable[[Sequence[Verdicts]], bool]
) -> Counted | None:
    """Judge each sample by the rule that gives what is stated; None where none does."""
    gold = next((question.gold for question in asked if question.gold), "")
    found = judged(asked, rules_for(gold), fits) if gold else None
    if found is None:
        return None
    answers = [[None if mark is None else mark.answer for mark in marks] for marks in found.marks]
    return Counted(found.verdicts(), answers, found.rule, True)


def _placed(count: int, there: Sequence[bool]) -> list[bool | None]:
    """Return verdicts of which the first are right."""
    left = count
    found: list[bool | None] = []
    for each in there:
        found.append(left > 0 if each else None)
        left -= each
    return found
