"""Outcomes as numpy arrays, as scorio keeps them: for each dataset models x questions x samples."""

from __future__ import annotations

import math
import tokenize
import warnings
from pathlib import PurePosixPath
from typing import BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from metrics.data.outcomes import Outcomes
from metrics.data.words import Text
from reports.files.notes import Note
from reports.run.report import Run
from reports.tables.bounds import require_measure, require_room
from reports.tables.runs.gathering import Found
from reports.tables.runs.reduction import MAX_NAMES
from reports.tables.source import Source

NAME = Text("numpy")
SUFFIXES = (".npy",)
schema = None
values = None

_MAGIC = b"\x93NUMPY"
_MOST = 127
_DAMAGE = (
    ValueError,
    SyntaxError,
    TypeError,
    RecursionError,
    MemoryError,
    tokenize.TokenError,
)
_WRITE = Text("Save integers, such as np.savez(file, gsm8k=R) with R of 0 and 1.")


def sniff(head: bytes) -> bool:
    """Whether a file begins like a numpy array."""
    return head.startswith(_MAGIC)


def read(source: Source) -> Found:
    """Read an array of models by questions by samples, or of one model.

    Nothing is unpickled: an array of Python objects is refused by its header.
    """
    with source.open() as stream:
        array = _array(source, stream)
    several = array.ndim == 3
    models = array if several else array[None]
    archive = PurePosixPath(source.tree.name).stem
    notes: tuple[Note, ...] = ()
    if several:
        what = Text("The file does not name its models; they are numbered in its order.")
        notes = (Note(what, source.place),)
    runs = tuple(
        Run(
            model=f"model {number}" if several else archive,
            dataset=source.stem,
            outcomes=Outcomes(matrix),
            source=source.path,
        )
        for number, matrix in enumerate(models, start=1)
    )
    return Found(runs, notes)


def _array(source: Source, stream: BinaryIO) -> NDArray[np.integer]:
    try:
        version = npy.read_magic(stream)
        header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings(action="ignore"):
            shape, fortran, dtype = header(stream)
    except _DAMAGE as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise source.error(
            Text("has a damaged header ({reason:.200})", reason=reason),
            Text("Copy or download it again in full."),
        ) from error
    if dtype.kind not in "biuf":
        raise source.error(
            Text("holds {dtype:.60} instead of numbers; kofn unpickles nothing", dtype=str(dtype)),
            _WRITE,
        )
    if len(shape) not in (2, 3) or 0 in shape:
        raise source.error(
            Text(
                "has the shape {shape:.60}; expected models x questions x samples, or questions x "
                "samples",
                shape=str(shape),
            ),
            _WRITE,
        )
    count = math.prod(shape)
    require_room(source, count)
    if len(shape) == 3 and shape[0] > MAX_NAMES:
        raise source.error(
            Text("holds {got:,} models; kofn reads up to {limit:,}", got=shape[0], limit=MAX_NAMES),
            Text("Check the order of its axes: models x questions x samples."),
        )
    size = count * dtype.itemsize
    data = b""
    if size <= source.tree.files[source.path]:
        require_measure(source, count)
        data = stream.read(size)
    if len(data) < size:
        raise source.error(
            Text("ends before its {count:,} values do", count=count),
            Text("Copy or download it again in full."),
        )
    array = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
    valid = (array >= 0) & (array <= _MOST) & (np.floor(array) == array)
    if not valid.all():
        value = array[np.unravel_index(np.argmin(valid), shape)]
        raise source.error(
            Text(
                "holds {value:.40}; an outcome is 0 or 1, or a category from 0 to {most}",
                value=str(value),
                most=_MOST,
            ),
            _WRITE,
        )
    return array.astype(np.int8)
