"""Columns of repeating values as codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.packed_texts import PackedTexts


@dataclass(frozen=True)
class CodedLabels:
    """A column of repeating values as codes of its rows, -1 where it is null."""

    codes: NDArray[np.int32]
    values: PackedTexts


def pack_texts(texts: pa.ChunkedArray) -> PackedTexts:
    """Return texts of Arrow, none of them null, without making an object of each."""
    blocks, sizes = [], [np.zeros(0, np.int32)]
    for chunk in texts.chunks:
        ended = pc.binary_join_element_wise(chunk, "", "\0")
        sizes.append(pc.binary_length(ended).to_numpy())
        blocks.append(ended.buffers()[2].to_pybytes() if len(ended) else b"")
    return PackedTexts.packed(blocks, np.concatenate(sizes))


def labels(column: pa.ChunkedArray) -> CodedLabels:
    """Read a column as codes of its distinct values."""
    if pa.types.is_null(column.type):
        return CodedLabels(np.full(len(column), -1, dtype=np.int32), PackedTexts([]))
    entries: list[pa.Array] = []
    numbers, seen = [], 0
    for chunk in column.chunks:
        array = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        if not entries or not entries[-1].equals(array.dictionary):
            seen += len(array.dictionary)
            entries.append(array.dictionary)
        first = seen - len(array.dictionary)
        numbers.append(pc.fill_null(pc.add(array.indices.cast(pa.int32()), first), -1).to_numpy())
    texts = pa.chunked_array([array.cast(pa.string()) for array in entries], pa.string())
    codes, values = pack_texts(texts.drop_null()).distinct()
    of_entry = np.full(len(texts) + 1, -1, dtype=np.int32)
    of_entry[:-1][texts.is_valid().to_numpy()] = codes
    return CodedLabels(of_entry[np.concatenate([*numbers, np.empty(0, np.int32)])], values)
