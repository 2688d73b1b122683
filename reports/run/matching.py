"""Whether two runs answered the same questions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.data.words import Text
from reports.files.progress import Progress
from reports.run.report import Run
from reports.run.texts import Kept


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
        Whether prompt and reference of all shared questions are the same.
    refused : Text or None
        Why equal ids are not taken for the same question.
    """

    shared: int
    dropped: int
    proven: bool
    refused: Text | None = None

    def __bool__(self) -> bool:
        return self.refused is None


def match(a: Run, b: Run, progress: Progress | None = None) -> Match:
    """Say which questions of two runs of a dataset are the same: by id, proven by the texts.

    Where both runs hold texts, prompt and reference of each shared question are compared. They are
    read when first asked for, and of each run only once.

    Parameters
    ----------
    a, b : Run
    progress : callable, optional
        Told how many bytes of how many were read, if that takes more than half a second.

    Returns
    -------
    Match
        Refused where it is unknown which samples are of one question, where the same ids have other
        texts, and where questions are only numbered, the numbers of questions differ and there are
        no texts that tell which are left out.

    Raises
    ------
    LoadError
        If a file is gone or was changed since it was loaded.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> few, many = (Run("7B", "gsm8k", Outcomes([[1]] * count)) for count in (3, 4))
    >>> found = match(few, few)
    >>> found.shared, found.dropped, found.proven, bool(match(few, many))
    (3, 0, False, False)
    """
    if a.outcomes is None or b.outcomes is None:
        return Match(0, 0, False, Text("One of the two has no outcomes."))
    first, second = a.outcomes.questions, b.outcomes.questions
    places = second.places(first)
    rows = np.flatnonzero(places >= 0)
    shared, dropped = len(rows), len(first) + len(second) - 2 * len(rows)
    if "unknown" in (a.grouping, b.grouping):
        reason = Text("Nothing tells which samples are of one question.")
        return Match(shared, dropped, False, reason)
    if not shared:
        return Match(0, dropped, False, Text("They have no question in common."))
    one, other = digests(a, progress), digests(b, progress)
    pairs = [(row, one[row], other[places[row]]) for row in rows] if one and other else []
    unlike = [row for row, x, y in pairs if x is not None and y is not None and x != y]
    if unlike:
        reason = Text(
            "{count} of {all} questions with the same id have another prompt or reference, such as "
            "{example:.40}: the ids do not tell which questions are the same.",
            count=len(unlike),
            all=shared,
            example=first[int(unlike[0])],
        )
        return Match(shared, dropped, False, reason)
    proven = bool(pairs) and all(x is not None and y is not None for _, x, y in pairs)
    if not proven and not same_questions(a, b):
        reason = Text(
            "One has {a} questions, the other {b}, and they are only numbered: without their texts "
            "nothing tells which are left out.",
            a=len(first),
            b=len(second),
        )
        return Match(shared, dropped, False, reason)
    return Match(shared, dropped, proven)


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
    if a.outcomes is None or b.outcomes is None or "unknown" in (a.grouping, b.grouping):
        return False
    first, second = a.outcomes.questions, b.outcomes.questions
    return len(first) == len(second) or not (_are_numbers(first) and _are_numbers(second))


def digests(run: Run, progress: Progress | None = None) -> tuple[bytes | None, ...] | None:
    """Return a digest of prompt and reference of each question, None where neither is kept.

    Returns
    -------
    tuple of M bytes or None, or None
        None for a run without texts.
    """
    store, outcomes = run.store, run.outcomes
    if store is None or outcomes is None:
        return None

    def read() -> tuple[bytes | None, ...]:
        store.find(progress)
        return tuple(_digest(store.read(row)) for row in range(len(outcomes.questions)))

    return run.digests.get(read)


def _digest(kept: Kept) -> bytes | None:
    if not kept.prompt and kept.reference is None:
        return None
    whole = hashlib.blake2b(digest_size=16)
    for turn in kept.prompt:
        _add(whole, turn.text.encode(errors="surrogatepass"))
        _add(whole, b"" if turn.image is None else turn.image.data)
    _add(whole, b"\0" if kept.reference is None else kept.reference.encode(errors="surrogatepass"))
    return whole.digest()


def _add(whole: hashlib.blake2b, part: bytes) -> None:
    whole.update(len(part).to_bytes(8, "big"))
    whole.update(part)


def _are_numbers(ids: Sequence[str]) -> bool:
    return (ids[0], ids[-1]) == ("0", str(len(ids) - 1))
