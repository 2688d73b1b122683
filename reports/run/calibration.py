"""A calibration set: what a judge said of answers on which a person gave a label too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from metrics.data.shown import brief_repr
from reports.files.notes import Note


@dataclass(frozen=True, eq=False)
class Calibration:
    """Answers with labels by a person, of any questions and of any model.

    Attributes
    ----------
    name : str
        The file.
    questions : sequence of str
        Their ids; of several models or datasets, each with the names of these before it.
    columns : mapping of str to float array, shape (M, N)
        Numbers of each answer: of the judge, and ``human``, 1 or 0, NaN where nobody looked.
    question_columns : mapping of str to float array, shape (M,)
        Numbers of each question: ``human_group``, whether any of its answers meets the bar.
    notes : tuple of Note
        What was decided when it was read.
    digest : str
        SHA-256 of the file.
    """

    name: str
    questions: Sequence[str]
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    question_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    digest: str = ""

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        for name in ("columns", "question_columns"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for array in (*self.columns.values(), *self.question_columns.values()):
            array.flags.writeable = False
