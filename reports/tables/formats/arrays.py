"""Outcomes as numpy arrays in scorio's format: models x questions x samples for each dataset."""

from __future__ import annotations

import math
import tokenize
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, Outcomes
from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.report import Run
from reports.tables.bounds import require_measure, require_room
from reports.tables.meaning.refusals import MAX_NAMES
from reports.tables.samples.gathering import Found
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
_OUTCOMES = "correct.npy"
_MASKS = _MASK, _VALID, _MISSING = "mask.npy", "valid.npy", "missing.npy"


def sniff(head: bytes) -> bool:
    """Whether a file begins like a numpy array."""
    return head.startswith(_MAGIC)


def is_mask(tree: Tree, path: str) -> bool:
    """Whether an array says which samples of ``correct`` beside it count."""
    place = PurePosixPath(path)
    return place.name in _MASKS and str(place.with_name(_OUTCOMES)) in tree.files


def read(source: Source) -> Found:
    """Read an array of models by questions by samples, or of one model.

    ``correct`` may have a mask of its own shape. Nothing is unpickled: an array of Python objects
    is refused by its header.
    """
    array = _array(source)
    notes: tuple[Note, ...] = ()
    left_out = np.zeros(array.shape, bool)
    mask_files = (PurePosixPath(source.path).with_name(name) for name in _MASKS)
    masks = [str(each) for each in mask_files if str(each) in source.tree.files]
    masked = bool(masks) and PurePosixPath(source.path).name == _OUTCOMES
    if masked:
        left_out, *notes_of_mask = _left_out(source, array, masks)
        notes = tuple(notes_of_mask)
    array = _outcomes(source, array, left_out)
    several = array.ndim == 3
    models = array if several else array[None]
    archive = PurePosixPath(source.tree.name).stem
    if several:
        what = Text("The file does not name its models; they are numbered in its order.")
        notes = (*notes, Note(what, source.place))
    runs = tuple(
        Run(
            model=f"model {number}" if several else archive,
            dataset=archive if masked else source.stem,
            outcomes=Outcomes(matrix),
            source=source.path,
        )
        for number, matrix in enumerate(models, start=1)
    )
    return Found(runs, notes)


def _array(source: Source) -> NDArray[Any]:
    with source.open() as stream:
        return _read(source, stream)


def _left_out(
    source: Source, array: NDArray[Any], masks: Sequence[str]
) -> tuple[NDArray[np.bool_], Note]:
    """Return which samples a mask leaves out, and say so.

    Raises LoadError if there are several masks, or one is no mask, or it does not say what it
    leaves out.
    """
    path, *more = masks
    at, name = replace(source, path=path), PurePosixPath(path).name
    if more:
        raise at.error(Text("stands beside {name}", name=more[0]), Text("Save only one of them."))
    mask = _array(at)
    if mask.shape != array.shape or not np.isin(mask, (0, 1)).all():
        raise at.error(
            Text(
                "is not a mask of correct: it must have the shape {expected:.60} and hold only "
                "0 and 1",
                expected=str(array.shape),
            ),
            Text("Save a mask of the shape of correct, 1 where a sample counts, as valid."),
        )
    marked = mask == 1
    if name == _MASK:
        marks_valid = _marks_valid(array, marked)
        if marks_valid is None:
            raise at.error(
                Text("may mark the samples that count or those that are left out"),
                Text("Save it as valid, which is 1 where a sample counts, or as missing."),
            )
    else:
        marks_valid = name == _VALID
    left_out = ~marked if marks_valid else marked
    what = Text(
        "{mask} leaves {count} of {all} samples out: they were never asked. It is {one} where "
        "a sample counts.",
        mask=name.removesuffix(".npy"),
        count=int(left_out.sum()),
        all=left_out.size,
        one=int(marks_valid),
    )
    return left_out, Note(what, source.place)


def _marks_valid(array: NDArray[Any], marked: NDArray[np.bool_]) -> bool | None:
    """Whether a mask is 1 where samples count, by where right ones are; None if that tells nothing.

    What is left out holds no right one, and nothing is left out if the mask is the same everywhere.
    """
    if marked.all() or not marked.any():
        return bool(marked.all())
    right = array > 0
    in_marked, elsewhere = bool(right[marked].any()), bool(right[~marked].any())
    return None if in_marked == elsewhere else in_marked


def _read(source: Source, stream: BinaryIO) -> NDArray[Any]:
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
            Text(
                "holds {dtype:.60} instead of numbers; kofn does not unpickle files",
                dtype=str(dtype),
            ),
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
            Text("holds {got:,} models; kofn reads up to {limit}", got=shape[0], limit=MAX_NAMES),
            Text("Check the order of its axes: models x questions x samples."),
        )
    size = count * dtype.itemsize
    data = b""
    if size <= source.tree.files[source.path]:
        require_measure(source, count)
        data = stream.read(size)
    if len(data) < size:
        raise source.error(
            Text("ends before its {count} values do", count=count),
            Text("Copy or download it again in full."),
        )
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")


def _outcomes(source: Source, array: NDArray[Any], left_out: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return outcomes, `ABSENT` where they are left out."""
    array = np.where(left_out, 0, array)
    valid = (array >= 0) & (array <= _MOST) & (np.floor(array) == array)
    if not valid.all():
        value = array[np.unravel_index(np.argmin(valid), array.shape)]
        raise source.error(
            Text(
                "holds {value:.40}; an outcome is 0 or 1, or a category from 0 to {most}",
                value=str(value),
                most=_MOST,
            ),
            _WRITE,
        )
    return np.where(left_out, ABSENT, array).astype(np.int8)
