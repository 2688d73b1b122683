"""A calibration set: a judge's verdicts on answers that also have human labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.shown import brief_repr
from reports.files.notes import Note


@dataclass(frozen=True, eq=False)
class Calibration:
    """Answers with human labels, to any questions and by any model.

    Attributes
    ----------
    name : str
        The file.
    questions : sequence of str
        Their ids, which are unique for each model and dataset.
    columns : mapping of str to float array, shape (M, N)
        Numbers for each answer: the judge's, and ``human``, 1 or 0, NaN without a label.
    question_columns : mapping of str to float array, shape (M,)
        Numbers for each question: ``human_group``, whether any of its answers meets the bar.
    models, datasets : sequence of str
        Of each question, as the file names them; a file that does not is its own.
    samples : int array, shape (M, N), or None
        Indices of the answers among the samples of a run, from 0; -1 for none.
    spot_check : bool
        Whether it is a list of samples that kofn drew from a run for labelling.
    notes : tuple of Note
        What was decided when it was read.
    digest : str
        SHA-256 of the file.
    """

    name: str
    questions: Sequence[str]
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    question_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    models: Sequence[str] = ()
    datasets: Sequence[str] = ()
    samples: NDArray[np.int64] | None = None
    spot_check: bool = False
    notes: tuple[Note, ...] = ()
    digest: str = ""

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        for name in ("columns", "question_columns"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for array in (*self.columns.values(), *self.question_columns.values()):
            array.flags.writeable = False
