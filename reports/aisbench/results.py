"""A results file: its metrics, and its details read block by block wherever that is possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from metrics.words import Text
from reports.aisbench.details import (
    ANSWERS,
    PROMPTS,
    REFERENCES,
    REPLY,
    RESULTS,
    VERDICTS,
    Table,
    as_text,
    letter,
)
from reports.aisbench.failures import counts_of
from reports.aisbench.stored_scores import SCORES
from reports.entries import Entries
from reports.entry_fields import MISSING, FieldReader, Fields
from reports.errors import LoadError
from reports.interned import LONGEST, Interned, digest
from reports.json_text import MAX_WHOLE, parse, parse_file
from reports.tree import Tree

_AGAIN = Text("Evaluate again with --mode eval --reuse, the run's id and --dump-eval-details.")


def read_results(tree: Tree, path: str) -> Mapping[str, Any]:
    """Read a results file.

    Returns
    -------
    mapping of str to object
        The file; its ``details`` as a `Table` if they were read block by block.

    Raises
    ------
    LoadError
        If it is not JSON, no object of metrics, or an evaluation that failed.
    """
    content = _by_blocks(tree, path) or parse_file(tree, path)
    if not isinstance(content, Mapping) or not content:
        raise LoadError(tree.name, Text("is not an object of metrics"), _AGAIN, path)
    if isinstance(content.get("error"), str):
        problem = Text("the evaluation failed ({error})", error=content["error"])
        raise LoadError(tree.name, problem, _AGAIN, path)
    return content


def _by_blocks(tree: Tree, path: str) -> Mapping[str, Any] | None:
    """Read the file in blocks; None if it must be read whole, be it to say best what is wrong.

    Details that count their samples are such: they may be those of the wrong ones only.
    """
    try:
        with tree.open(path) as stream:
            entries = Entries(stream, "details", tree.name, path)
            if not entries.found:
                return None
            details = _Streamed(tree, path, entries)
            content = parse(entries.rest, tree.name, path)
    except LoadError:
        if tree.files[path] > MAX_WHOLE:
            raise
        return None
    except _Unlike:
        return None
    if not isinstance(content, Mapping) or counts_of(content) or _left(content["details"]):
        return None
    return {**content, "details": details}


def _left(details: Any) -> bool:
    """Whether there are entries that were in no block; details say more than these."""
    return any(key.isdigit() for key in details) if isinstance(details, Mapping) else bool(details)


class _Unlike(Exception):
    """The entries are not all alike, or not numbered in their order."""


class _Streamed(Table):
    """Details of which only what is needed of each entry was kept."""

    def __init__(self, tree: Tree, path: str, entries: Entries) -> None:
        self.file, self.place = tree.name, f"{path}, details"
        self._tree, self._path, self._size = tree, path, 0
        for fields in _blocks(entries, tree, path):
            if not self._size:
                self._begin(fields)
            self._size += len(fields)
            for key, column in self._columns.items():
                values = _flat(fields, key, self._width)
                judged = self.by_letter and key == REPLY
                column.extend(list(map(letter, values)) if judged else values)

    def _begin(self, fields: Fields) -> None:
        self.keys, self.named = fields.keys, fields.names is not None
        replies = (REPLY,) if self.by_letter else ()
        seen = (VERDICTS, tuple(SCORES), ANSWERS, replies, REFERENCES, RESULTS)
        self._first = {key: fields.values(key)[0] for key in map(self.key, seen) if key}
        self._width = self.width()
        longest = None if self.annotated else LONGEST
        unused = {self.key(ANSWERS)} - {self.answers, *replies}
        self._columns = {key: Interned(longest=longest) for key in self._first if key not in unused}

    def __len__(self) -> int:
        return self._size

    def first(self, key: str) -> Any:
        return self._first[key]

    def column(self, key: str | None, width: int | None) -> Interned | None:
        return None if key is None else self._columns.pop(key)

    def prompts(self) -> Interned | None:
        """Read the file again, and of each prompt keep a digest."""
        key = self.key(PROMPTS)
        if key is None:
            return None
        digests = Interned()
        with self._tree.open(self._path) as stream:
            for fields in _blocks(Entries(stream, "details", self.file), self._tree, self._path):
                try:
                    prompts = _flat(fields, key, None)
                except _Unlike as error:
                    unlike = Text("{key} is not alike in all entries", key=key)
                    raise LoadError(self.file, unlike, _AGAIN, self.place) from error
                digests.extend([digest(as_text(prompt)) for prompt in prompts])
        return digests


def _blocks(entries: Entries, tree: Tree, path: str) -> Iterator[Fields]:
    count, reader = 0, FieldReader(tree.name, path)
    for block in entries:
        fields = reader.read(block)
        numbers = range(count, count + len(fields))
        if not fields.keys or (fields.names and fields.names != [str(i) for i in numbers]):
            raise _Unlike
        count += len(fields)
        yield fields


def _flat(fields: Fields, key: str, width: int | None) -> Sequence[Any]:
    """Return one value a sample."""
    values = fields.values(key)
    if width is not None:
        if set(map(type, values)) != {list} or set(map(len, values)) != {width}:
            raise _Unlike
        values = list(chain.from_iterable(values))
    elif MISSING in values:
        raise _Unlike
    return values
