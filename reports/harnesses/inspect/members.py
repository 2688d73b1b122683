"""Texts of samples in an archive, whose members are unpacked when their question is viewed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.files.progress import Progress, meter
from reports.files.stored_files import Files
from reports.json_files.located import Reading
from reports.samples.texts import RecordTexts


@dataclass(frozen=True, eq=False)
class _Members:
    """The members that are samples: their names tell where they are, as `Located` does."""

    files: Files
    paths: Sequence[str]

    @property
    def size(self) -> int:
        return len(self.paths)

    def read(self, numbers: NDArray[np.integer]) -> Iterator[bytes]:
        for number in numbers.tolist():
            with self.files.stream(self.paths[number]) as stream:
                yield stream.read()

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        yield self.read

    def scan(self, progress: Progress | None) -> Iterator[bytes]:
        at = meter(progress, self.size)
        for path, data in zip(self.paths, self.read(np.arange(self.size)), strict=True):
            at(path, 1)
            yield data


class MemberTexts(RecordTexts):
    """Texts of the run of an .eval log, in which each sample is a member."""

    def _located(self, progress: Progress | None = None) -> _Members:
        return _Members(self.files, self.paths)
