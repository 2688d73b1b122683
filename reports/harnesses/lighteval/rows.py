"""The rows of LightEval's details, one for each question, and their texts, from all versions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.stored_files import Files, keep_made
from reports.files.tree import Tree
from reports.harnesses.lighteval.files import NEW, OLD, task_of
from reports.json_files.members import mapping
from reports.run.texts import QuestionTexts, Store
from reports.samples.texts import DecodedTexts, RecordTexts
from reports.tables.bounds import require_measure
from reports.tables.formats import parquet
from reports.tables.formats.unpacked.pages import require_footer, unpacked
from reports.tables.source import Source


@dataclass(frozen=True, eq=False)
class RowTexts(Store):
    """Texts of a run from the rows of its details; see `Store`."""

    tree: Tree  # To be read once what was loaded is gone.
    files: Files
    path: str
    # numbers, slots: The row of each sample, and its place among the answers.
    numbers: NDArray[np.int32]
    slots: NDArray[np.int32]
    index: Once[RecordTexts] = field(default_factory=Once, init=False)

    def find(self, progress: Progress | None) -> None:
        """Write the lines, unless they are there, and find each."""
        self._lines().find(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the line of one question."""
        return self._lines().read(row)

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all lines."""
        return self._lines().scan(progress)

    def _lines(self) -> RecordTexts:
        return self.index.get(self._written)

    def _written(self) -> RecordTexts:
        path = f"{self.path}\0answers"
        made = keep_made(self.files, path, self._encoded())
        return RecordTexts(made, [path], _kept_texts, self.numbers, self.slots)

    def _encoded(self) -> Iterator[bytes]:
        for row in rows_of(self.tree, self.path):
            gold = row.golds[0] if len(row.golds) == 1 else list(row.golds) or None
            yield (
                msgspec.json.encode((row.prompt, gold, list(row.predictions)), enc_hook=str) + b"\n"
            )


def _kept_texts(data: bytes) -> DecodedTexts:
    return msgspec.json.decode(data, type=tuple[Any, Any, list[Any]])


_NEW = (
    *("doc.query", "doc.choices", "doc.gold_index", "doc.specific", "doc.id", "doc.task_name"),
    *("doc.generation_size", "metric", "model_response.input", "model_response.text"),
    *("model_response.input_tokens", "model_response.output_tokens"),
)
_OLD = (
    *("example", "full_prompt", "predictions", "gold", "metrics", "specifics"),
    *("input_tokens", "cont_tokens"),
)
_BATCH = 64
_LONGEST = 1 << 24


@dataclass(frozen=True, eq=False)
class Row:
    """One question."""

    question: str
    task: str
    prompt: Any
    golds: Sequence[str]
    predictions: Sequence[str]
    metrics: Mapping[str, float]
    tokens_in: int | None
    tokens_out: Sequence[int]  # Of each answer; empty where the model did not tell.
    record: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None  # Of the tokens of an answer.


def rows_of(tree: Tree, path: str) -> Iterator[Row]:
    """Read the rows, some at a time.

    Raises LoadError if the file is damaged, or unpacks to more than any real one.
    """
    source = Source(tree, path)
    with source.reading(parquet.NAME), source.seekable() as file:
        require_footer(source, file)
        table = pq.ParquetFile(file)
        is_new = set(table.schema_arrow.names) >= NEW
        names = NEW if is_new else OLD
        found = unpacked(source, file, names).values()
        require_measure(source, 0, sum(column.size for column in found))
        number = 0
        for batch in table.iter_batches(_BATCH, columns=list(_NEW if is_new else _OLD)):
            for row in (_new if is_new else _old)(batch, path, number):
                yield row
                number += 1


def _new(batch: pa.RecordBatch, path: str, _number: int) -> Iterator[Row]:
    response = batch.column("model_response")
    spent = _lengths(response, "output_tokens")
    given = _lengths(response, "input_tokens")
    docs, metrics = batch.column("doc").to_pylist(), batch.column("metric").to_pylist()
    predictions = _texts(response, "text")
    asked = response.field("input").to_pylist() if _has(response, "input") else [None] * len(docs)
    for place, doc in enumerate(docs):
        index, choices = doc.get("gold_index"), doc.get("choices") or []
        indices = index if isinstance(index, list) else [index]
        golds = [choices[one] for one in indices if isinstance(one, int) and one < len(choices)]
        before = given[place]
        limit = doc.get("generation_size")
        yield Row(
            str(doc["id"]),
            str(doc.get("task_name") or task_of(path)),
            asked[place] or doc.get("query"),
            [gold for gold in golds if isinstance(gold, str)],
            predictions[place],
            _numbers(metrics[place]),
            before[0] if before else None,
            spent[place],
            mapping(doc.get("specific")),
            limit if isinstance(limit, int) else None,
        )


def _old(batch: pa.RecordBatch, path: str, number: int) -> Iterator[Row]:
    columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    for place in range(len(batch)):
        row = {name: values[place] for name, values in columns.items()}
        golds, predictions = _as_list(row.get("gold")), _as_list(row.get("predictions"))
        before, spent = _as_list(row.get("input_tokens")), _as_list(row.get("cont_tokens"))
        yield Row(
            str(number + place),
            task_of(path),
            row.get("full_prompt") or row.get("example"),
            [str(gold) for gold in golds],
            [one for one in predictions if isinstance(one, str)],
            _numbers(_value(row.get("metrics"))),
            len(before[0]) if before and isinstance(before[0], list) else None,
            [len(one) for one in spent if isinstance(one, list)],
            mapping(_value(row.get("specifics"))),
        )


def _numbers(metrics: Any) -> dict[str, float]:
    return {
        str(name): float(value)
        for name, value in mapping(metrics).items()
        if isinstance(value, bool | int | float)
    }


def _has(struct: pa.StructArray, name: str) -> bool:
    return bool(pa.types.is_struct(struct.type) and struct.type.get_field_index(name) >= 0)


def _texts(struct: pa.StructArray, name: str) -> list[list[str]]:
    held = struct.field(name).to_pylist() if _has(struct, name) else [None] * len(struct)
    return [[one for one in each or [] if isinstance(one, str)] for each in held]


def _lengths(struct: pa.StructArray, name: str) -> list[list[int]]:
    """Return how long each list in a list is, without making them."""
    kind = struct.field(name).type if _has(struct, name) else pa.null()
    if not pa.types.is_list(kind) or not pa.types.is_list(kind.value_type):
        return [[] for _ in range(len(struct))]
    lists = struct.field(name)
    inner = pc.list_value_length(lists.flatten()).to_pylist()
    outer = pc.list_value_length(lists).to_pylist()
    found, at = [], 0
    for count in outer:
        found.append([length or 0 for length in inner[at : at + (count or 0)]])
        at += count or 0
    return found


def _as_list(value: Any) -> list[Any]:
    value = _value(value)
    return value if isinstance(value, list) else [] if value is None else [value]


def _value(value: Any) -> Any:
    """Return a value; versions that could not write it otherwise wrote its representation."""
    if isinstance(value, str) and value[:1] in ("[", "{") and len(value) < _LONGEST:
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return value
    return value
