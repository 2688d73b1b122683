"""Ids of questions, checked once however many runs share them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.packed_texts import PackedTexts, hashes
from metrics.data.words import MetricError, Text


class QuestionIds(PackedTexts):
    """Unique ids of questions, in order.

    Parameters
    ----------
    ids : iterable
        Texts, or what `str` makes one of. Ids that are a `QuestionIds` are not checked again.

    Raises
    ------
    MetricError
        If an id occurs twice.

    Examples
    --------
    >>> ids = QuestionIds(["a", 2])
    >>> ids, ids.index("2"), ids.places(["2", "b", "a"]).tolist()
    (('a', '2'), 1, [1, -1, 0])
    """

    def __init__(self, ids: Iterable[object]) -> None:
        super().__init__(ids if isinstance(ids, PackedTexts) else map(str, ids))
        if not isinstance(ids, QuestionIds):
            self._require_unique()

    def _require_unique(self) -> None:
        codes, texts = self.distinct()
        if len(texts) < len(self):
            repeated = texts[int(np.argmax(np.bincount(codes) > 1))]
            raise MetricError(Text("Question ids must be unique; {id} occurs twice.", id=repeated))

    def places(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return where each of some ids stands, -1 where it does not."""
        known, order = self._by_hash
        wanted = hashes(ids)
        first, last = (np.searchsorted(known, wanted, side) for side in ("left", "right"))
        places = np.full(len(ids), -1)
        asked = np.flatnonzero(first < last)
        places[asked] = order[first[asked]]
        beside = zip(asked, self.take(places[asked]), PackedTexts(ids).take(asked), strict=True)
        for place, text in [(place, text) for place, found, text in beside if found != text]:
            alike = order[first[place] : last[place]].tolist()
            places[place] = next((row for row in alike if self[row] == text), -1)
        return places

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Return where an id stands.

        Raises
        ------
        ValueError
            If it does not, or not from `start` to before `stop`.
        """
        place = int(self.places([value])[0]) if isinstance(value, str) else -1
        if place not in range(len(self))[start:stop]:
            raise ValueError(f"{value!r} is no id")
        return place

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and bool(self.places([value])[0] >= 0)

    @cached_property
    def _by_hash(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """The hashes of the ids, sorted, and the ids in that order: made for this process only."""
        known = hashes(self)
        order = np.argsort(known)
        return known[order], order
