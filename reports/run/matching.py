"""Whether two runs answered the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.progress import Progress
from reports.run.digests import UNKNOWN, Codes, Digests, digests
from reports.run.report import Run

UNGROUPED = Text("It is unknown which samples belong to the same question.")
NONE_SHARED = Text("They have no question in common.")
ONE_COUNTED = Text("Only the counts of one of the two are known, not which question is which.")
APART = Text("Their samples are stored in different places, so their questions cannot be matched.")
CHANCE = 1e-6
"""How unlikely it must be that the references of other questions agree by chance."""


@dataclass(frozen=True, slots=True)
class Match:
    """Which questions of two runs are the same; true where they may be compared.

    Attributes
    ----------
    shared : int
        Questions that both have.
    dropped : int
        Questions that only one of them has.
    proven : bool
        Whether the texts of all shared questions show that they are the same.
    refused : Text or None
        Why equal ids are not taken for the same question.
    reworded : int
        Shared questions whose prompts differ, such as in their examples.
    unnamed : bool
        Whether neither file names its dataset, so that only the ids suggest it is the same.
    """

    shared: int
    dropped: int
    proven: bool
    refused: Text | None = None
    reworded: int = 0
    unnamed: bool = False

    def __bool__(self) -> bool:
        return self.refused is None


def match(a: Run, b: Run, progress: Progress | None = None, *, read: bool = True) -> Match:
    """Match the questions of two runs of a dataset by id, and check the match by their texts.

    Prompts may differ: the same question can be asked with other examples or instructions.
    Questions are the same if their prompts are, without the parts that all prompts of a run share.
    Where this decides nothing, references do, if they would hardly agree by chance. Texts are read
    on first use, and only once for each run.

    Parameters
    ----------
    a, b : Run
    progress : callable, optional
        Called with the bytes read and their total, if that takes more than half a second.
    read : bool, default: True
        Whether to read texts that were not yet read; if not, they are ignored.

    Returns
    -------
    Match
        Refused where it is unknown which samples belong to one question; where the same ids have
        different references or questions; where questions are only numbered, their number differs
        and no texts tell which are left out; and where only the counts of one run are known,
        unless both are kept in one place, which matches them by id.

    Raises
    ------
    LoadError
        If a file was removed or changed since it was loaded.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> few, many = (Run("7B", "gsm8k", Outcomes([[1]] * count)) for count in (3, 4))
    >>> found = match(few, few)
    >>> found.shared, found.dropped, found.proven, bool(match(few, many))
    (3, 0, False, False)
    """
    if a.outcomes is None or b.outcomes is None:
        return _match_counts(a, b)
    first, second = a.outcomes.questions, b.outcomes.questions
    places = second.places(first)
    rows = np.flatnonzero(places >= 0)
    shared, dropped = len(rows), len(first) + len(second) - 2 * len(rows)
    if "unknown" in (a.grouping, b.grouping):
        return Match(shared, dropped, False, UNGROUPED)
    if not shared:
        return Match(0, dropped, False, NONE_SHARED)
    one, other = (digests(run, progress) if read else run.digests.known for run in (a, b))
    proven, reworded = False, 0
    if one is not None and other is not None:
        texts = _Texts.of(one, rows, other, places[rows])
        if (found := texts.refused) is not None:
            return Match(shared, dropped, False, _refusal(*found, shared, first, rows))
        proven, reworded = texts.proven, int(texts.reworded.sum())
    if not proven and not same_questions(a, b):
        reason = Text(
            "One run has {a} questions, the other {b}, and they are only numbered: without "
            "their texts it is unknown which are left out.",
            a=len(first),
            b=len(second),
        )
        return Match(shared, dropped, False, reason)
    unnamed = not (a.names_dataset or b.names_dataset or a.source == b.source)
    return Match(shared, dropped, proven, reworded=reworded, unnamed=unnamed)


def same_questions(a: Run, b: Run) -> bool:
    """Return whether equal ids may be the same question, as far as ids alone can say.

    Not where it is unknown which samples are of one question, nor where questions are only
    numbered and the runs have unlike numbers of them: then nothing tells which are left out.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> few, many = (Run("7B", "gsm8k", Outcomes([[1]] * count)) for count in (3, 4))
    >>> same_questions(few, few), same_questions(few, many)
    (True, False)
    """
    if "unknown" in (a.grouping, b.grouping):
        return False
    if a.outcomes is None or b.outcomes is None:
        return bool(_match_counts(a, b))
    first, second = a.outcomes.questions, b.outcomes.questions
    return len(first) == len(second) or not (_are_numbers(first) and _are_numbers(second))


def _match_counts(a: Run, b: Run) -> Match:
    if a.known is None or b.known is None:
        return Match(0, 0, False, Text("One of the two has no outcomes."))
    try:
        joint = a.joint(b)
    except LoadError as error:
        return Match(0, 0, False, error.text)
    if joint is None:
        return Match(0, 0, False, ONE_COUNTED if a.outcomes or b.outcomes else APART)
    shared, dropped = joint.shared(), joint.dropped()
    if "unknown" in (a.grouping, b.grouping):
        return Match(shared, dropped, False, UNGROUPED)
    return Match(shared, dropped, False, None if shared else NONE_SHARED)


@dataclass(frozen=True, eq=False)
class _Texts:
    """What the texts of shared questions say, question by question."""

    alike: NDArray[np.bool_]  # Whether both prompts are the same.
    reworded: NDArray[np.bool_]  # Whether they are not.
    own: NDArray[np.bool_]  # Whether both ask the same in what is their own.
    answered_otherwise: NDArray[np.bool_]  # Whether both have a reference, and not the same.
    references: Codes  # Of the first.
    agreed: bool  # Whether both have a reference of every question.

    @classmethod
    def of(
        cls, one: Digests, rows: NDArray[np.intp], other: Digests, places: NDArray[np.intp]
    ) -> _Texts:
        asked = _both_known(one.prompt[rows], other.prompt[places])
        alike = asked & (one.prompt[rows] == other.prompt[places])
        own = _both_known(one.own[rows], other.own[places]) & (one.own[rows] == other.own[places])
        answered = _both_known(one.reference[rows], other.reference[places])
        unlike = answered & (one.reference[rows] != other.reference[places])
        return cls(alike, asked & ~alike, own, unlike, one.reference[rows], bool(answered.all()))

    @property
    def proven(self) -> bool:
        """Whether all are the same question."""
        return bool((self.alike | (self.reworded & self.own)).all()) or self._by_references

    @property
    def refused(self) -> tuple[Text, NDArray[np.bool_]] | None:
        """What is unlike, and of which questions; None where nothing is."""
        if self.answered_otherwise.any():
            return Text("another reference"), self.answered_otherwise
        strange = self.reworded & ~self.own
        if strange.any() and not self._by_references:
            return Text("another prompt, and no references that tell them apart"), strange
        return None

    @property
    def _by_references(self) -> bool:
        """Whether all references agree, and those of other questions hardly would."""
        if not self.agreed or self.answered_otherwise.any():
            return False
        shares = np.unique(self.references, return_counts=True)[1] / len(self.references)
        return bool(len(self.references) * np.log(shares @ shares) < np.log(CHANCE))


def _both_known(one: Codes, other: Codes) -> NDArray[np.bool_]:
    known: NDArray[np.bool_] = (one != UNKNOWN) & (other != UNKNOWN)
    return known


def _refusal(
    what: Text,
    those: NDArray[np.bool_],
    shared: int,
    ids: Sequence[str],
    rows: NDArray[np.intp],
) -> Text:
    return Text(
        "{count} of {all} questions with the same id have {what}, such as {example:.40}: the "
        "ids do not show which questions are the same.",
        count=int(those.sum()),
        all=shared,
        what=what,
        example=ids[int(rows[np.flatnonzero(those)[0]])],
    )


def _are_numbers(ids: Sequence[str]) -> bool:
    return (ids[0], ids[-1]) == ("0", str(len(ids) - 1))
