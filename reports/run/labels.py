"""Labels that a file has for its samples, such as why each of them ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.shown import brief_repr


@dataclass(frozen=True, eq=False)
class Labels:
    """A word for each sample.

    Examples
    --------
    >>> ended = Labels(np.array([[0, 1], [0, -1]]), ("stop", "length"))
    >>> ended.words()
    array([['stop', 'length'],
           ['stop', '']], dtype=object)
    """

    # The place of each sample's word among the values, -1 where it has none. Shape (M, N).
    codes: NDArray[np.signedinteger]
    values: Sequence[str]  # The different words, untrusted; of a long one the beginning.

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        self.codes.flags.writeable = False

    def words(self) -> NDArray[Any]:
        """Return the word of each sample, shape (M, N); "" where it has none."""
        words: NDArray[Any] = np.array([*self.values, ""], dtype=object)
        return np.asarray(words[self.codes])
