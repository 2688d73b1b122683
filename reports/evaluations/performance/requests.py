"""Tokens of requests from lines of JSON, and their times from a database beside these."""

from __future__ import annotations

import csv
import io
import math
import re
import sqlite3
from array import array
from collections.abc import Container, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.performance.layout import Performance
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.line import read_line
from reports.json_files.located import MAX_LINE
from reports.json_files.strict import parse_file

MEASURED = ("tokens_in", "tokens_out", "latency_s", "ttft_s")
MOST = 256 << 20
"""Bytes of a database, and of a table."""

_LONGEST = 64 << 20
_STEPS = 20_000_000
_ARRAY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '<f8', 'fortran_order': False, 'shape': \(\d+,\), \} *\n",
    re.DOTALL,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Requests:
    """The requests of a performance run."""

    keys: NDArray[np.int64]  # The id of each that was answered: of its question.
    measured: Mapping[str, Floats]  # Of `MEASURED` what is known of any; NaN where it is not.
    failed: int = 0  # Requests that were not answered.
    asked: Mapping[int, Any] = field(default_factory=dict)  # The prompts of some ids.


def read_requests(tree: Tree, run: Performance, wanted: Container[int] = ()) -> Requests:
    """Read the requests of a performance run.

    run: With details.
    wanted: The ids whose prompts are kept.
    """
    assert run.details is not None
    times = dict(_all_times(tree, run))
    keys, measured = array("q"), {name: array("d") for name in MEASURED}
    failed = 0
    asked: dict[int, Any] = {}
    for place, record in _records(tree, run.details):
        key, known = record.get("id"), record.get("success")
        if not isinstance(key, int) or isinstance(key, bool) or not 0 <= key < 1 << 62:
            raise tree.error(Text("has no request's number as id"), _AS_WRITTEN, place)
        if known is not True:
            failed += 1
            continue
        keys.append(key)
        reference = record.get("time_points")
        at = reference.get("__db_ref__") if isinstance(reference, dict) else None
        points = times.get((str(record.get("db_name")), str(at)), (math.nan, math.nan))
        prediction = record.get("prediction")
        measured["tokens_in"].append(_count(record.get("input_tokens"), False))
        measured["tokens_out"].append(_count(record.get("output_tokens"), not prediction))
        measured["latency_s"].append(points[0])
        measured["ttft_s"].append(points[1])
        if key in wanted:
            asked.setdefault(key, record.get("input"))
    if not keys and not failed:
        raise tree.error(Text("holds no requests"), _AS_WRITTEN, run.details)
    columns = {name: np.array(values) for name, values in measured.items()}
    return Requests(
        np.array(keys, np.int64),
        {name: values for name, values in columns.items() if not np.isnan(values).all()},
        failed,
        asked,
    )


def read_means(tree: Tree, path: str) -> dict[str, float]:
    """Return the means that the tool's table states, by the names of `MEASURED`."""
    if tree.files[path] > MOST:
        raise tree.error(Text("is too long for such a table"), _AS_WRITTEN, path)
    text = tree.read(path).decode("utf-8-sig", "replace")
    means = {}
    try:
        rows = list(csv.DictReader(io.StringIO(text)))
    except csv.Error as error:
        raise tree.error(Text("is no table"), _AS_WRITTEN, path) from error
    for row in rows:
        name, unit = _STATED.get(str(row.get("Performance Parameters")), ("", 1.0))
        number = _NUMBER.match(str(row.get("Average")))
        if name and number and row.get("Stage") in (None, "total"):
            means[name] = float(number[0]) * unit
    return means


def read_count(tree: Tree, run: Performance) -> int | None:
    """Return how many requests the tool counted, where it says so."""
    if run.counts is None or tree.files[run.counts] > MOST:
        return None
    try:
        match parse_file(tree, run.counts):
            case {"Total Requests": {"total": int(count)}}:
                return count
    except LoadError:
        pass
    return None


def _count(tokens: Any, may_be_none: bool) -> float:
    """Return a number of tokens; 0 is what the tool writes where the service states none."""
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        return math.nan
    return float(tokens) if tokens or may_be_none else math.nan


def _records(tree: Tree, path: str) -> Iterator[tuple[str, Any]]:
    with tree.open(path) as stream:
        number = 0
        while line := stream.readline(MAX_LINE):
            number += 1
            if line.isspace():
                continue
            place = f"{path}, line {number}"
            record = read_line(line, tree.name, place)
            if not hasattr(record, "get"):
                raise tree.error(Text("is not a JSON object"), _AS_WRITTEN, place)
            yield place, record


def _all_times(
    tree: Tree, run: Performance
) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    for name, path in run.times.items():
        if tree.files[path] <= MOST:
            for number, data in _arrays(tree.read(path)):
                if (points := _points(data)) is not None:
                    yield (name, str(number)), points


def _arrays(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Give what the tool's table holds; a database may be damaged, or made to keep one busy."""
    with closing(sqlite3.connect(":memory:")) as base:
        try:
            base.deserialize(data)
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            base.set_progress_handler(lambda: True, _STEPS)
            base.execute("PRAGMA trusted_schema = OFF")
            made = base.execute(
                "SELECT type, sql FROM sqlite_master WHERE name = 'numpy_store'"
            ).fetchone()
            if not made or made[0] != "table" or not _PLAIN.match(str(made[1])):
                return
            for number, held in base.execute("SELECT id, arr_blob FROM numpy_store"):
                if isinstance(number, int) and isinstance(held, bytes):
                    yield number, held
        except (sqlite3.Error, MemoryError, OverflowError, UnicodeDecodeError):
            return


def _points(data: bytes) -> tuple[float, float] | None:
    """Return how long a request took, and until its first token, from its points in time."""
    head = _ARRAY.match(data[:1024])
    if head is None or (len(data) - head.end()) % 8 or len(data) - head.end() < 16:
        return None
    points = np.frombuffer(data, "<f8", offset=head.end())
    whole, first = float(points[-1] - points[0]), float(points[1] - points[0])
    return (whole, first) if 0 <= first <= whole < math.inf else None


_PLAIN = re.compile(
    r"CREATE TABLE (?:IF NOT EXISTS )?\"?numpy_store\"? ?"
    r"\(id INTEGER PRIMARY KEY AUTOINCREMENT, arr_blob BLOB NOT NULL\)\Z"
)
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?")
_STATED = {
    "E2EL": ("latency_s", 1e-3),
    "TTFT": ("ttft_s", 1e-3),
    "InputTokens": ("tokens_in", 1.0),
    "OutputTokens": ("tokens_out", 1.0),
}
_AS_WRITTEN = Text("Give the folder performances/ as the tool wrote it.")
