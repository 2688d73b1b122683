"""Texts of samples in an archive, whose members are unpacked when their question is viewed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.once import Once
from reports.files.progress import Progress, meter
from reports.files.stored_files import Files
from reports.harnesses.inspect.records import posed_of, texts_of
from reports.run.texts import Kept, Store
from reports.run.turns import every_text, kept
from reports.samples.texts import Said


@dataclass(frozen=True, eq=False)
class MemberTexts(Store):
    """Texts of the run of an .eval log; see `Store`.

    Attributes
    ----------
    paths : sequence of str
        The members that are samples.
    numbers : int32 array (M, N)
        Which of them each sample is; -1 for none.
    """

    files: Files
    paths: Sequence[str]
    numbers: NDArray[np.int32]
    index: Once[None] = field(default_factory=Once, init=False)

    def find(self, progress: Progress | None) -> None:
        """Do nothing: their names tell where they are."""

    def read(self, row: int) -> Kept:
        """Read the members of one question."""
        said = [
            self._said(number) if number >= 0 else None for number in self.numbers[row].tolist()
        ]
        prompt, reference = (
            next((each[i] for each in said if each and each[i] is not None), None) for i in (0, 1)
        )
        return kept(prompt, reference, [each[2][0] if each else None for each in said])

    def posed(self, rows: Sequence[int]) -> Iterator[tuple[int, Kept]]:
        """Read one sample of each question, and of it what its dataset asks."""
        for row in rows:
            numbers = self.numbers[row]
            prompt, reference, _ = self._said(int(numbers[numbers >= 0][0]), posed_of)
            yield row, kept(prompt, reference, ())

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read all members, question by question."""
        at = meter(progress, int(np.count_nonzero(self.numbers >= 0)))
        for row, numbers in enumerate(self.numbers.tolist()):
            for number in numbers:
                if number >= 0:
                    yield row, every_text(*self._said(number))
                    at(self.paths[number], 1)

    def _said(self, number: int, says: Callable[[bytes], Said] = texts_of) -> Said:
        path = self.paths[number]
        try:
            with self.files.stream(path) as stream:
                return says(stream.read())
        except (msgspec.MsgspecError, TypeError, ValueError) as error:
            if isinstance(error, LoadError):
                raise
            raise LoadError(
                self.files.name,
                Text("the texts of this sample cannot be read"),
                Text("Look at them in Inspect itself."),
                path,
            ) from error
