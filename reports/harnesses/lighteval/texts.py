"""The texts of LightEval's details, written once, a line per question, on first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.stored_files import Files, keep_made
from reports.files.tree import Tree
from reports.harnesses.lighteval.rows import rows_of
from reports.run.texts import Kept, Store
from reports.samples.texts import RecordTexts, Said


@dataclass(frozen=True, eq=False)
class RowTexts(Store):
    """Texts of a run from the rows of its details; see `Store`.

    Attributes
    ----------
    tree : Tree
        To be read once what was loaded is gone.
    numbers, slots : int32 arrays (M, N)
        The row of each sample, and its place among the answers.
    """

    tree: Tree
    files: Files
    path: str
    numbers: NDArray[np.int32]
    slots: NDArray[np.int32]
    index: Once[RecordTexts] = field(default_factory=Once, init=False)

    def find(self, progress: Progress | None) -> None:
        """Write the lines, unless they are there, and find each."""
        self._lines().find(progress)

    def read(self, row: int) -> Kept:
        """Read the line of one question."""
        return self._lines().read(row)

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all lines."""
        return self._lines().scan(progress)

    def _lines(self) -> RecordTexts:
        return self.index.get(self._written)

    def _written(self) -> RecordTexts:
        path = f"{self.path}\0answers"
        made = keep_made(self.files, path, self._encoded())
        return RecordTexts(made, [path], _said, self.numbers, self.slots)

    def _encoded(self) -> Iterator[bytes]:
        for row in rows_of(self.tree, self.path):
            gold = row.golds[0] if len(row.golds) == 1 else list(row.golds) or None
            yield msgspec.json.encode((row.prompt, gold, list(row.said)), enc_hook=str) + b"\n"


def _said(data: bytes) -> Said:
    return msgspec.json.decode(data, type=tuple[Any, Any, list[Any]])
