"""Details that are read block by block, keeping only what is needed; those of wrong samples too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from metrics.data.words import Text
from reports.evaluations.details.table import (
    ANSWERS,
    NAME,
    PROMPTS,
    REFERENCES,
    REPLY,
    SCORES,
    VERDICTS,
    DetailTable,
    ends_of,
    letter,
)
from reports.evaluations.files.codes import as_text
from reports.files.tree import Tree
from reports.json_files.entries import Entries
from reports.json_files.fields import MISSING, EntryFields, FieldReader, reduced
from reports.json_files.interned import LONGEST, Interned, digest
from reports.json_files.strict import NOT_FINITE

KEYS = ("id", "correct")
"""Of the name of a sample's question, and of its verdict."""


def read_wrong(entries: Entries, limit: int, file: str, place: str) -> list[dict[str, Any]]:
    """Read the names and verdicts of a list of entries, which may have different fields otherwise.

    limit: Samples of the dataset, T.
    """
    rows: list[dict[str, Any]] = []
    samples, reader = 0, FieldReader(file, place, NOT_FINITE)
    for block in entries:
        fields = reader.read(block)
        rows_read = list(reduced(fields, KEYS))
        verdicts = [row.get("correct") for row in rows_read]
        samples += sum(len(each) if isinstance(each, list) else 1 for each in verdicts)
        if fields.names is not None or not fields.objects or samples >= limit:
            raise Unlike
        rows += rows_read
    return rows


class Unlike(Exception):
    """The entries are not all alike, or not in the order of their numbers."""


class Streamed(DetailTable):
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

    def _begin(self, fields: EntryFields) -> None:
        self.keys, self.named = fields.keys, fields.names is not None
        replies = (REPLY,) if self.by_letter else ()
        seen = (VERDICTS, tuple(SCORES), ANSWERS, replies, REFERENCES)
        needed = (*filter(None, map(self.key, seen)), *self.beside)
        self._first = {key: fields.values(key)[0] for key in needed}
        if self.raw is not None:
            self._first[self.raw] = fields.values(self.raw)[0]
        self._width = self.width()
        longest = None if self.annotated else LONGEST
        unused = {self.key(ANSWERS)} - {self.answers, *replies}
        self._columns = {key: Interned(longest=longest) for key in self._first if key not in unused}

    def __len__(self) -> int:
        return self._size

    def first(self, key: str) -> Any:
        """Return a field of the first entry, if it is one that is needed."""
        return self._first[key]

    def column(self, key: str | None, width: int | None) -> Interned | None:
        """Return one value a sample of a field, and keep it no longer."""
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
                except Unlike as error:
                    unlike = Text("{key} does not have the same form in all entries", key=key)
                    raise self.refused(unlike, self.place) from error
                digests.extend([digest(as_text(prompt)) for prompt in prompts])
        return digests


def _blocks(entries: Entries, tree: Tree, path: str) -> Iterator[EntryFields]:
    count, last, reader = 0, -1, FieldReader(tree.name, path, NOT_FINITE)
    for block in entries:
        fields = reader.read(block)
        numbers = range(count, count + len(fields))
        if not fields.keys or (fields.names and fields.names != [str(i) for i in numbers]):
            raise Unlike
        if NAME in fields.keys:
            found = ends_of(fields.values(NAME))
            if [last, *found] != sorted([last, *found]):
                raise Unlike
            last = found[-1]
        count += len(fields)
        yield fields


def _flat(fields: EntryFields, key: str, width: int | None) -> Sequence[Any]:
    """Return one value a sample."""
    values = fields.values(key)
    if width is not None:
        if set(map(type, values)) != {list} or set(map(len, values)) != {width}:
            raise Unlike
        values = list(chain.from_iterable(values))
    elif MISSING in values:
        raise Unlike
    return values
