"""What only the predictions say: which requests failed, and the raw references.

A line is one answered request; there is none for a failed one. The evaluation invents an empty
answer for each, after the real ones of that question, and judges it like any other.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.duplicates import hash_of_text
from metrics.data.words import Text
from reports.evaluations.files.codes import as_text
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.entries import Entries
from reports.json_files.fields import FieldReader, reduced
from reports.json_files.line import Record, read_line
from reports.json_files.located import MAX_LINE
from reports.json_files.strict import parse, parse_file
from reports.rescoring.rule import Prediction
from reports.run.finish_reasons import thoughts

MAX_ID = 10_000_000
"""Ids are question numbers from 0; beyond this they are something else."""
TELLING = 5
"""Ids whose numbers of lines say something if they are equal."""

SOME = 128
"""Fewer records than these are kept."""
LONGEST_KEPT = 1 << 14
"""Letters of a text of theirs."""

_USED = ("id", "prediction", "gold", "origin_prompt", "uuid")
"""What a record is read for."""
_LOOK = Text("Look at this line; perhaps the file is not a prediction file of the tool.")


@dataclass(frozen=True, eq=False, slots=True)
class Answered:
    """How many requests were answered."""

    counts: NDArray[np.int64]  # By id; 0 for an id all of whose requests failed.
    numbered: bool = False  # Whether each request has an id of its own, as in older versions.
    # Some of the records, spread over the files: the id, which of its records, and the texts.
    some: tuple[tuple[int, int, Prediction], ...] = ()
    torn: tuple[str, ...] = ()  # The places of last lines that are cut in the middle.
    # Of each prediction, in the order of the files, the id and a hash of the text; 0 for a short
    # one.
    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    texts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    # 1 for one whose thoughts do not end, else 0.
    thoughts: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))

    def sent(self, per_id: int) -> int:
        """Return how many requests of each id were sent, if the evaluation counts `per_id`.

        Where all of `TELLING` ids or more have the same number of lines, and it is smaller, the
        evaluation was told of more than the inference: that many requests do not fail alike.

        Examples
        --------
        >>> Answered(np.full(40, 4)).sent(8), Answered(np.array([4, 8])).sent(8)
        (4, 8)
        """
        lines = int(self.counts[0])
        alike = len(self.counts) >= TELLING and bool((self.counts == lines).all())
        return lines if alike and lines < per_id else per_id

    def missing(self, per_id: int) -> int:
        """Return how many requests of the ids that occur have no line."""
        return int(np.maximum(per_id - self.counts, 0).sum())

    def surplus(self, per_id: int) -> int:
        """Return how many lines there are beyond those asked for."""
        return int(np.maximum(self.counts - per_id, 0).sum())


def count_answered(tree: Tree, files: Sequence[str]) -> Answered:
    """Count the answered requests of each id.

    Raises LoadError if a file is damaged, its records have no usable id, or there are none.
    """
    counts: Counter[int] = Counter()
    together = False
    torn: list[str] = []
    some: list[tuple[int, int, Prediction]] = []
    step = 1
    keys, texts, thinking = array("q"), array("q"), array("b")
    for i, (key, record) in enumerate(records(tree, files, torn.append)):
        prediction = record.get("prediction")
        together = together or isinstance(prediction, list)
        if i % step == 0 and isinstance(prediction, str) and len(prediction) <= LONGEST_KEPT:
            some.append((key, counts[key], _sample(prediction, record)))
        if len(some) == SOME:
            some, step = some[::2], 2 * step
        answers = prediction if isinstance(prediction, list) else [prediction]
        keys.extend([key] * len(answers))
        texts.extend(map(hash_of_text, answers))
        thinking.extend(map(thoughts, answers))
        counts[key] += len(answers)
    if not counts:
        raise tree.error(
            Text("holds no predictions"),
            Text("Run the inference again; the tool repeats only what failed."),
            files[0],
        )
    by_id = np.zeros(max(counts) + 1, dtype=np.int64)
    by_id[list(counts)] = list(counts.values())
    return Answered(
        by_id,
        is_older(files[0]) and not together and max(counts.values()) == 1,
        () if together else tuple(some),
        tuple(torn),
        np.frombuffer(keys, np.int64),
        np.frombuffer(texts, np.int64),
        np.frombuffer(thinking, np.int8),
    )


def _sample(prediction: str, record: Record) -> Prediction:
    gold, prompt = (
        value if len(str(value)) <= LONGEST_KEPT else None
        for value in map(record.get, ("gold", "origin_prompt"))
    )
    return Prediction(prediction, gold, prompt)


def read_golds(tree: Tree, files: Sequence[str]) -> list[str | None]:
    """Return the raw reference of each id as text.

    Returns: None where the lines of an id hold no reference; empty where it has no line.
    """
    golds: dict[int, str | None] = {}
    for key, record in records(tree, files):
        gold = record.get("gold")
        golds[key] = as_text(gold) if gold else None
    return [golds.get(key, "") for key in range(max(golds, default=-1) + 1)]


def records(
    tree: Tree, files: Sequence[str], torn: Callable[[str], object] = str
) -> Iterator[tuple[int, Record]]:
    """Read each record with its id; those of several parts as if they were one file.

    torn: Told the place of a last line that is cut in the middle, which is left out.
    """
    offset = 0
    for file in files:
        largest = -1
        read = _dict(tree, file, len(files) == 1) if is_older(file) else _lines(tree, file, torn)
        for key, record, place in read:
            if isinstance(key, bool) or not isinstance(key, int) or not 0 <= key < MAX_ID:
                raise tree.error(
                    Text("the id {id!r} is not a question number from 0", id=key), _LOOK, place
                )
            largest = max(largest, key)
            yield offset + key, record
        offset += largest + 1


def is_older(file: str) -> bool:
    """Return whether a file holds its records by their number, not as lines."""
    return file.endswith(".json")


def number_of(name: Any, given: Any, alone: bool) -> Any:
    """Return the id of a numbered record: the one it holds, unless it is of a part of several."""
    if alone and isinstance(given, int):
        return given
    return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else name


def _lines(
    tree: Tree, file: str, torn: Callable[[str], object]
) -> Iterator[tuple[Any, Record, str]]:
    with tree.open(file) as stream:
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            place = f"{file}, line {number}"
            if len(line) > MAX_LINE:
                problem = Text("is longer than {limit} MiB", limit=MAX_LINE >> 20)
                raise tree.error(problem, _LOOK, place)
            if line.strip():
                try:
                    record = _object(tree, read_line(line, tree.name, place), place)
                except LoadError:
                    if line.endswith(b"\n"):
                        raise
                    torn(place)
                    return
                yield record.get("id"), record, place


def _dict(tree: Tree, file: str, alone: bool) -> Iterator[tuple[Any, Record, str]]:
    for name, record in _members(tree, file):
        place = f"{file}, key {name!r}"
        held = _object(tree, record, place)
        yield number_of(name, held.get("id"), alone), held, place


def _members(tree: Tree, file: str) -> Iterator[tuple[str, Any]]:
    """Read the numbered records of an older file, block by block if it is laid out for that."""
    with tree.open(file) as stream:
        entries = Entries(stream, "", tree.name, file)
        if entries.found:
            known: set[str] = set()
            reader = FieldReader(tree.name, file)
            for block in entries:
                fields = reader.read(block)
                if (names := fields.names) is None or not fields.objects:
                    raise _no_object(tree, file)
                if not known.isdisjoint(names):
                    known &= {*names}
                    problem = Text("the key {key!r} occurs 2 times in one object", key=min(known))
                    raise tree.error(problem, _LOOK, file)
                known.update(names)
                yield from zip(names, reduced(fields, _USED), strict=True)
            if parse(entries.rest, tree.name, file):
                raise _no_object(tree, file)
            return
    yield from _object(tree, parse_file(tree, file), file).items()


def _object(tree: Tree, value: Any, place: str) -> Any:
    if not hasattr(value, "get"):
        raise _no_object(tree, place)
    return value


def _no_object(tree: Tree, place: str) -> LoadError:
    return tree.error(Text("is not a JSON object"), _LOOK, place)
