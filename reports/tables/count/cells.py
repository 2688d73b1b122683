"""The verdicts on all samples of a question as one string of bits.

A cell is one sample of one run. Wrong, right and failed are a bit of it each; it has no third bit
where nothing failed. The cells of a run fill whole bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED

STATES = (0, 1, FAILED)
"""What each bit of a cell says."""


@dataclass(frozen=True)
class CellGrid:
    """Every model and dataset, and their samples from `low` on.

    Attributes
    ----------
    models, datasets : tuple of str
    low : int
        Number of the first sample.
    width : int
        Samples of a run.
    cell : int
        Bits of a sample: 2, or 4 where any failed.
    """

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    low: int
    width: int
    cell: int

    @property
    def step(self) -> int:
        """Bits of a run."""
        return -(-self.width * self.cell // 8) * 8

    @property
    def size(self) -> int:
        """Bytes of a question."""
        return len(self.models) * len(self.datasets) * self.step // 8

    def verdicts(self, packed: NDArray[np.uint8]) -> Iterator[tuple[str, str, NDArray[np.int8]]]:
        """Yield model, dataset and verdicts (M, width) of each run from the bytes (M, size)."""
        length = self.step // 8
        word = 2 if length % 2 == 0 else 1
        decoder = _decoder(self.cell, word)
        for number, (model, dataset) in enumerate(product(self.models, self.datasets)):
            part = packed[:, number * length : (number + 1) * length]
            words = np.ascontiguousarray(part).view(f">u{word}")
            yield model, dataset, decoder[words].view(np.int8)[:, : self.width]


def _decoder(cell: int, word: int) -> NDArray[np.integer]:
    """Return the verdicts that a word of so many bytes holds, side by side in one integer."""
    words = np.arange(1 << 8 * word, dtype=f">u{word}")
    bits = np.unpackbits(words.view(np.uint8)).reshape(len(words), -1, cell)
    verdicts = np.full(bits.shape[:2], ABSENT, dtype=np.int8)
    for bit, state in enumerate(STATES[:cell]):
        verdicts[bits[..., bit] == 1] = state
    return verdicts.view(f"i{verdicts.shape[1]}").ravel()
