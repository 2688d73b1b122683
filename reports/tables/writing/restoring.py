"""Read the long table that kofn wrote back into the runs that it was made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, BinaryIO, get_args

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from metrics.data.facts import Facts
from metrics.data.outcomes import Outcomes
from metrics.data.words import MetricError, Text
from reports.files.errors import LoadError
from reports.run.fingerprint import Settings
from reports.run.labels import Labels
from reports.run.report import Evidence, Run
from reports.tables.bounds import require_room
from reports.tables.meaning.codes import pack_texts
from reports.tables.samples.gathering import Found
from reports.tables.source import Source
from reports.tables.writing.canonical import (
    ADDED,
    COLUMN,
    FACTS,
    FIXED,
    LABEL,
    QUESTION,
    SEGMENT,
    SIGNATURE,
    STATE,
    STATUS,
    WORD,
)

_ROWS = 500_000
_MOST_CODES = 1 << 24
_FACTS = msgspec.json.Decoder(list[tuple[str, int, int, int | None]])
_OF_QUESTIONS = ("question_id", "cluster")
_OF_RUNS = ("model", "dataset", "threshold", "strict", "grouping", "settings")


def is_canonical(schema: pa.Schema) -> bool:
    """Whether kofn wrote a table."""
    return bool(schema.metadata) and SIGNATURE.items() <= schema.metadata.items()


def restore(source: Source, file: BinaryIO) -> Found:
    """Read such a table in Parquet; see `restore_batches`."""
    table = pq.ParquetFile(file)
    require_room(source, table.metadata.num_rows)
    return restore_batches(source, table.schema_arrow.names, table.iter_batches(_ROWS))


def restore_batches(
    source: Source, names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Found:
    """Read such a table, one run after the other.

    names: Its columns.
    batches: Each may lack columns that it has no values of, but none of `FIXED`.
    Raises LoadError if it was changed since, so that it is no longer one row for every cell.
    """
    always = (name for name in FIXED.names if name not in ADDED or name in names)
    if missing := [name for name in always if names.count(name) != 1]:
        raise changed_error(source, Text("has no single column {name}", name=missing[0]))
    pieces = groupby(_pieces(source, batches), key=lambda piece: piece[0])
    runs = tuple(_run(source, [data for _, data in parts]) for _, parts in pieces)
    if not runs:
        raise changed_error(source, Text("the table has no rows"))
    return Found(runs)


@dataclass(frozen=True)
class _Piece:
    """Some rows of one run."""

    sample: NDArray[np.int32]
    verdict: NDArray[np.int8]
    cells: Mapping[str, NDArray[Any]]  # Whatever else it has for each sample.
    questions: pa.Table  # What it has for each question that begins here.
    labels: Mapping[int, str]  # The answers that its codes stand for.
    words: pa.Table  # What it has of words for each sample.
    run: Mapping[str, Any]  # What is the same throughout.


def _pieces(source: Source, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, _Piece]]:
    """Yield rows of one run at a time, reduced to what they hold."""
    for batch in batches:
        require_room(source, batch.num_rows, batch.nbytes)
        batch.validate(full=True)
        numbers = _integers(source, batch, "run")
        edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
        for start, stop in pairwise(edges):
            if stop > start:
                yield int(numbers[start]), _reduced(source, batch.slice(start, stop - start))


def _reduced(source: Source, rows: pa.RecordBatch) -> _Piece:
    sample = _integers(source, rows, "sample")
    first = pa.array(sample == 0)
    once = [name for name in rows.schema.names if name.startswith((SEGMENT, QUESTION))]
    words = [name for name in rows.schema.names if name.startswith(WORD)]
    known = {*FIXED.names, *once, *words, STATE, LABEL}
    others = (name for name in rows.schema.names if name not in known)
    return _Piece(
        sample,
        _verdicts(source, rows),
        {
            name: column.to_numpy(zero_copy_only=False)
            for name in ("score", "extracted", *others)
            if (column := rows.column(name)).null_count < len(column)
        },
        pa.Table.from_batches([rows]).filter(first).select([*_OF_QUESTIONS, *once]),
        _labels(rows),
        pa.Table.from_batches([rows]).select(words),
        rows.slice(0, 1).select([n for n in _OF_RUNS if n in rows.schema.names]).to_pylist()[0],
    )


def _labels(rows: pa.RecordBatch) -> dict[int, str]:
    if LABEL not in rows.schema.names:
        return {}
    pairs = pa.Table.from_batches([rows]).group_by(["extracted", LABEL]).aggregate([])
    codes, labels = (pairs[name].to_pylist() for name in ("extracted", LABEL))
    return {
        code: str(label) for code, label in zip(codes, labels, strict=True) if label is not None
    }


def _run(source: Source, pieces: list[_Piece]) -> Run:
    sample = np.concatenate([piece.sample for piece in pieces])
    n = int(sample.max()) + 1
    if len(sample) % n or np.any(sample.reshape(-1, n) != np.arange(n)):
        raise changed_error(
            source, Text("its rows are not the samples of one question after another")
        )

    def cells(name: str) -> NDArray[Any]:
        if any(name not in piece.cells for piece in pieces):
            raise changed_error(source, Text("{name} is empty in some rows", name=name))
        return np.concatenate([piece.cells[name] for piece in pieces]).reshape(-1, n)

    names = dict.fromkeys(name for piece in pieces for name in piece.cells)
    columns = {name.removeprefix(COLUMN): cells(name) for name in names if name not in FIXED.names}
    questions = pa.concat_tables([piece.questions for piece in pieces], promote_options="default")
    about = pieces[0].run
    grouping: Any = about.get("grouping") or "proven"
    if grouping not in get_args(Evidence):
        raise changed_error(source, Text("grouping is {got:.40}", got=str(grouping)))
    cluster = questions["cluster"]
    try:
        outcomes = Outcomes(
            np.concatenate([piece.verdict for piece in pieces]).reshape(-1, n),
            cells("score") if "score" in names else None,
            pack_texts(_texts(source, questions, "question_id")),
            {
                name.removeprefix(SEGMENT): _texts(source, questions, name).to_pylist()
                for name in questions.column_names
                if name.startswith(SEGMENT) and questions[name].null_count < len(questions)
            },
            None if cluster.null_count == len(cluster) else cluster.to_numpy(),
            grouping != "unknown",
            tokens=columns.get("tokens_out"),
        )
    except MetricError as error:
        raise changed_error(source, error.text) from error
    answers = {code: label for piece in pieces for code, label in piece.labels.items()}
    return Run(
        model=str(about["model"]),
        dataset=str(about["dataset"]),
        outcomes=outcomes,
        threshold=about["threshold"],
        strict=about["strict"] is not False,
        grouping=grouping,
        answers=cells("extracted").astype(np.int32) if "extracted" in names else None,
        answer_labels=_in_order(answers),
        columns=columns,
        source=source.path if source.place else source.tree.name,
        settings=_settings(source, about.get("settings")),
        question_columns={
            name.removeprefix(QUESTION): _numbers(source, questions, name)
            for name in questions.column_names
            if name.startswith(QUESTION)
            and name != FACTS
            and questions[name].null_count < len(questions)
        },
        facts=_facts(source, questions),
        labels=_words([piece.words for piece in pieces], n),
    )


def _words(pieces: list[pa.Table], n: int) -> dict[str, Labels]:
    """Return the words of the samples, of which every column has some."""
    table = pa.concat_tables(pieces, promote_options="default")
    found: dict[str, Labels] = {}
    for name in table.column_names:
        encoded = table[name].cast(pa.string()).combine_chunks().dictionary_encode()
        codes = pc.fill_null(encoded.indices, -1).to_numpy().reshape(-1, n)
        if len(encoded.dictionary):
            found[name.removeprefix(WORD)] = Labels(codes, tuple(encoded.dictionary.to_pylist()))
    return found


def _numbers(source: Source, questions: pa.Table, name: str) -> NDArray[np.float64]:
    """Return a number of each question."""
    column = questions[name]
    if column.null_count or not pa.types.is_floating(column.type):
        raise changed_error(source, Text("{name} is empty in some rows", name=name))
    return np.array(column.to_numpy(), dtype=np.float64)


def _facts(source: Source, questions: pa.Table) -> Facts | None:
    """Read the gold facts of the questions."""
    if FACTS not in questions.column_names:
        return None
    try:
        facts = [
            (question, *fact)
            for question, text in enumerate(questions[FACTS].to_pylist())
            for fact in (() if text is None else _FACTS.decode(text))
        ]
        if not facts:
            return None
        question, names, n, c, first = zip(*facts, strict=True)
        ordered = None if None in first else np.array(first)
        return Facts(np.array(question), np.array(n), np.array(c), ordered, names)
    except (msgspec.DecodeError, UnicodeError, TypeError, OverflowError, MetricError) as error:
        raise changed_error(source, Text("{name} holds no facts", name=FACTS)) from error


def _settings(source: Source, written: str | None) -> Settings:
    """Read the settings of a run, which are plain values."""
    if not written:
        return {}
    try:
        return msgspec.json.decode(written, type=dict[str, str | int | float | bool])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise changed_error(source, Text("settings is {got:.40}", got=written)) from error


def _in_order(labels: Mapping[int, str]) -> list[str] | None:
    """Return the labels by code; empty for codes that other runs of a table have."""
    most = max(labels, default=_MOST_CODES)
    return [labels.get(code, "") for code in range(most + 1)] if most < _MOST_CODES else None


def _verdicts(source: Source, rows: pa.RecordBatch) -> NDArray[np.int8]:
    status = rows.column("status")
    if not pa.types.is_dictionary(status.type):
        raise changed_error(source, Text("{name} holds something other than texts", name="status"))
    codes = pc.index_in(status.dictionary.cast(pa.string()), pa.array(STATUS)).take(status.indices)
    correct = pc.fill_null(rows.column("correct").cast(pa.int8()), -1).to_numpy()
    status = pc.fill_null(codes, len(STATUS)).to_numpy()
    if np.any(status == len(STATUS)) or np.any((status == 0) != (correct >= 0)):
        raise changed_error(source, Text("correct and status contradict each other"))
    return np.asarray(np.where(status == 0, correct, -status), dtype=np.int8)


def _integers(source: Source, rows: pa.RecordBatch, name: str) -> NDArray[np.int32]:
    column = rows.column(name)
    if column.null_count or not pa.types.is_int32(column.type) or pc.min(column).as_py() < 0:
        raise changed_error(
            source, Text("{name} holds something other than whole numbers", name=name)
        )
    return np.asarray(column.to_numpy())


def _texts(source: Source, questions: pa.Table, name: str) -> pa.ChunkedArray:
    column = questions[name]
    if column.null_count:
        raise changed_error(source, Text("{name} is empty in some rows", name=name))
    return column.cast(pa.string())


def changed_error(source: Source, problem: Text) -> LoadError:
    """Return the error of a table of kofn that kofn would not have written so."""
    return source.error(
        Text("is a table written by kofn and changed since: {problem}", problem=problem),
        Text("Convert the report again. To change outcomes, change the report first."),
    )
