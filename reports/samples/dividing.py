"""Fields of a dataset that divide its questions into a few parts, such as subjects or levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FEW = 50
"""Parts at most; and each has two questions on average."""
LONGEST = 60
"""Letters of a label."""


class Dividing:
    """Find such fields in the records of questions, one after the other.

    Examples
    --------
    >>> found = Dividing()
    >>> for number in range(6):
    ...     found.add({"id": f"q{number}", "level": "hard" if number % 2 else "easy"}, "7")
    >>> found.names
    ['level']
    """

    def __init__(self) -> None:
        self._labels: dict[str, set[str]] | None = None
        self._questions = 0

    def add(self, record: Any, reference: Any = None) -> None:
        """Take in the record of a question; what is always its reference is no part."""
        fields: Mapping[Any, Any] = record if isinstance(record, Mapping) else {}
        short = {
            name: value
            for name, value in fields.items()
            if isinstance(name, str) and isinstance(value, str) and 0 < len(value) <= LONGEST
        }
        self._questions += 1
        if self._labels is None:
            self._labels = {name: set() for name in short}
        for name, labels in list(self._labels.items()):
            if name not in short or short[name] == reference:
                del self._labels[name]
            elif len(labels) <= FEW:
                labels.add(short[name])

    @property
    def names(self) -> list[str]:
        """The fields that divide the questions so far."""
        most = min(FEW, self._questions // 2)
        return [name for name, labels in (self._labels or {}).items() if 2 <= len(labels) <= most]

    def labels(self, record: Any) -> dict[str, Any]:
        """Return the label of each such field of a record."""
        fields: Mapping[Any, Any] = record if isinstance(record, Mapping) else {}
        return {name: fields.get(name) for name in self.names}
