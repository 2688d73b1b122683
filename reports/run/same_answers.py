"""Whether two runs are the same answers, judged by two rules."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.shown import brief_repr
from reports.files.progress import Progress, meter
from reports.run.report import Run
from reports.run.texts import Store

NEARLY_ALL = 0.95
"""The share of the shared samples whose texts are the same."""
LONG = 40
"""Letters of a text that two tries hardly write alike, as most of them must have."""
LOOKED_AT = 5
"""Questions that are read first: where they differ, the others are not read."""
_NONE, _SHORT = 0, 1


class Twice(NamedTuple):
    """An answer that two runs share.

    Attributes
    ----------
    question : str
    a, b : int
        Which sample of the question it is in each.
    """

    question: str
    a: int
    b: int


@dataclass(frozen=True, eq=False)
class SameAnswers:
    """One set of answers judged by two rules.

    Attributes
    ----------
    shared : int
        Answers that both have, with a verdict in each.
    to_right, to_wrong : tuple of Twice
        Those that the second judges right and the first wrong, and the other way round.
    """

    shared: int
    to_right: tuple[Twice, ...]
    to_wrong: tuple[Twice, ...]

    __repr__ = brief_repr

    @property
    def changed(self) -> int:
        """How many verdicts differ."""
        return len(self.to_right) + len(self.to_wrong)


def same_answers(a: Run, b: Run, progress: Progress | None = None) -> SameAnswers | None:
    r"""Say whether two runs hold the same answers, and which verdicts on them differ.

    They do if nearly all samples of their shared questions have the same texts, most of them too
    long to be equal by chance. Texts are read on first use, and only a few if these differ already.

    Parameters
    ----------
    a, b : Run
    progress : callable, optional
        Called with the number of questions read and their total.

    Returns
    -------
    SameAnswers or None
        None where the answers are not the same, or no texts show it.

    Raises
    ------
    LoadError
        If a file was removed or changed since it was loaded.

    Examples
    --------
    >>> import reports
    >>> text = "Half of twelve is six; so the answer that I give is {} apples."
    >>> def table(verdict):
    ...     rows = "question_id,correct,prediction"
    ...     rows += "".join(f"\n{q},{verdict},{text.format(q)}" for q in range(6))
    ...     return reports.load(("table.csv", rows.encode())).runs[0]
    >>> found = same_answers(table(0), table(1))
    >>> found.shared, len(found.to_right), found.to_right[0]
    (6, 6, Twice(question='0', a=0, b=0))
    """
    if a.outcomes is None or b.outcomes is None or not (a.has_texts and b.has_texts):
        return None
    if a.outcomes.correct.max() > 1 or b.outcomes.correct.max() > 1:
        return None
    places = b.outcomes.questions.places(a.outcomes.questions)
    rows = np.flatnonzero(places >= 0)
    if not len(rows) or not _begin_alike(a, b, rows[:LOOKED_AT], places):
        return None
    one, other = (_digest_texts(each, progress) for each in (a, b))
    return _compare(a, b, one[rows], other[places[rows]], rows, places[rows])


def _compare(
    a: Run,
    b: Run,
    one: NDArray[np.uint64],
    other: NDArray[np.uint64],
    rows: NDArray[np.intp],
    places: NDArray[np.intp],
) -> SameAnswers | None:
    assert a.outcomes is not None
    assert b.outcomes is not None
    twice, long = [], 0
    for place in range(len(rows)):
        pairs = _pairs(one[place], other[place])
        twice += [(place, first, second) for first, second in pairs]
        long += sum(not one[place, first] & _SHORT for first, _ in pairs)
    samples = max(np.count_nonzero(one), np.count_nonzero(other))
    if len(twice) < NEARLY_ALL * samples or 2 * long < len(twice) or not twice:
        return None
    at, first, second = np.array(twice).T
    verdicts = a.outcomes.correct[rows[at], first], b.outcomes.correct[places[at], second]
    judged = (verdicts[0] >= 0) & (verdicts[1] >= 0)

    def those(flags: NDArray[np.bool_]) -> tuple[Twice, ...]:
        assert a.outcomes is not None
        return tuple(
            Twice(a.outcomes.questions[rows[at[each]]], int(first[each]), int(second[each]))
            for each in np.flatnonzero(judged & flags).tolist()
        )

    gained = verdicts[1] - verdicts[0]
    return SameAnswers(int(judged.sum()), those(gained > 0), those(gained < 0))


def _pairs(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> list[tuple[int, int]]:
    """Return which samples of a question are the same texts, in whatever order they stand."""
    open_places: dict[int, list[int]] = {}
    for place, code in enumerate(other.tolist()):
        open_places.setdefault(code, []).append(place)
    return [
        (place, open_places[code].pop(0))
        for place, code in enumerate(one.tolist())
        if code != _NONE and open_places.get(code)
    ]


def _begin_alike(a: Run, b: Run, rows: NDArray[np.intp], places: NDArray[np.intp]) -> bool:
    """Return whether any text of some questions is in both."""
    assert a.store is not None
    assert b.store is not None
    for row in rows.tolist():
        one, other = (
            {text for text in texts if text}
            for texts in (
                a.store.read(row).predictions,
                b.store.read(int(places[row])).predictions,
            )
        )
        if one & other:
            return True
    return False


def _digest_texts(run: Run, progress: Progress | None) -> NDArray[np.uint64]:
    """Return a digest of each sample's text, 0 where there is none, even where it is long."""
    assert run.store is not None
    assert run.outcomes is not None
    store, work = run.store, partial(_digest_all, shape=run.outcomes.shape)
    return run.text_digests.get(lambda: store.apply(work, progress))


def _digest_all(
    store: Store, progress: Progress | None, *, shape: tuple[int, int]
) -> NDArray[np.uint64]:
    codes = np.zeros(shape, dtype=np.uint64)
    at = meter(progress, shape[0])
    for done, (row, predictions) in enumerate(store.read_predictions(shape[0])):
        at("", done)
        for column, text in enumerate(predictions[: shape[1]]):
            if text:
                codes[row, column] = _digest(text)
    return codes


def _digest(text: str) -> int:
    digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    code = int.from_bytes(digest, "big") >> 1 or 1
    return code << 1 & 0xFFFF_FFFF_FFFF_FFFF | (len(text) < LONG)
