"""A summary with corrected numbers, and their intervals in added columns.

What is not laid out as the tool does it, by another version or by hand, is left as it is: first
each file is written anew from the table as it stands, and only if that gives the same file, from
the table put right.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from reports.files.tree import Tree
from reports.repairing.finding import Number

Key = tuple[str, str, str]
"""Model, dataset and metric."""
Row = Sequence[str]

MAX_BYTES = 64 << 20
"""Of a file that is rewritten."""
ABSENT = "-"
_MARK, _END = "^" * 128, "$" * 128
_DIVIDER = f"{'-' * 128} THIS IS A DIVIDER {'-' * 128}"
_RAW = f"raw format\n{_MARK}\n"
_FIXED = ("dataset", "version", "metric", "mode")
_TOTAL = "total_count"


@dataclass(frozen=True)
class Right:
    """What stands for a number."""

    # was, value: What the file writes for it, and what takes its place; the same if nothing is
    # wrong.
    was: float
    value: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, number: Number, scale: float) -> Right:
        """Return what stands for a number in a file that writes so much for the whole."""
        line = number.line
        found = line.recomputed if number.is_faulty else None
        low, high = (None, None) if line.interval is None else line.interval
        return cls(
            line.reported * scale,
            (line.reported if found is None else found) * scale,
            None if low is None else low * scale,
            None if high is None else high * scale,
        )


@dataclass(frozen=True)
class _Table:
    """The rows of a summary, the first of them its head."""

    rows: tuple[Row, ...]

    @classmethod
    def of_csv(cls, text: str) -> _Table | None:
        head, *lines = text.splitlines() or [""]
        columns = head.split(",")
        fixed = len(_FIXED) + (columns[len(_FIXED) : len(_FIXED) + 1] == [_TOTAL])
        models = len(columns) - fixed
        if tuple(columns[: len(_FIXED)]) != _FIXED or models < 1:
            return None
        rows = []
        for line in lines:
            dataset, *rest = line.split(",")  # nothing is quoted, so a metric may have a comma
            after = len(rest) - len(columns) + 3
            if after < 2:
                return None
            rows.append([dataset, rest[0], ",".join(rest[1:after]), *rest[after:]])
        return cls((columns, *rows))

    def put_right(self, right: Mapping[Key, Right]) -> _Table:
        head, *rows = self.rows
        start = len(_FIXED) + (_TOTAL in head[len(_FIXED) : len(_FIXED) + 1])
        models = head[start:]
        ends = [f"{model} {end}" for model in models for end in ("low", "high")]
        return _Table(([*head, *ends], *(_row(row, start, models, right) for row in rows)))

    @property
    def csv(self) -> str:
        return "\n".join(",".join(row) for row in self.rows) + "\n"

    @property
    def markdown(self) -> str:
        head, *rows = ["| " + " | ".join(row) + " |\n" for row in self.rows]
        line = "|" + " | ".join(["-----"] * len(self.rows[0])) + "|\n"
        return "".join([head, line, *rows])

    def text(self, stamp: str, wide: bool) -> str:
        """Write the table in all three forms, up to what holds the results as they are."""
        return (
            f"{stamp}\ntabulate format\n{_MARK}\n{tabulated(self.rows, wide)}\n{_END}\n\n"
            f"{_DIVIDER}\n\ncsv format\n{_MARK}\n{self.csv}{_END}\n\n"
            f"markdown format\n{_MARK}\n{self.markdown}\n{_END}\n{_DIVIDER}\n\n{_RAW}"
        )


def files_of(tree: Tree, path: str | None) -> tuple[str, ...]:
    """Return the files of a summary, of which one is given."""
    if path is None:
        return ()
    ends = (str(PurePosixPath(path).with_suffix(end)) for end in (".csv", ".md", ".txt"))
    return tuple(file for file in ends if file in tree.files)


def rewritten(tree: Tree, path: str, right: Mapping[Key, Right]) -> Iterator[tuple[str, bytes]]:
    """Give the files of a summary that can be put right, each with what it holds then.

    path: The comma separated one.
    """
    file = _read(tree, path)
    table = None if file is None else _Table.of_csv(file.text)
    if file is None or table is None or table.csv != file.text:
        return
    better = table.put_right(right)
    yield path, file.spelled(better.csv)
    neighbour = str(PurePosixPath(path).with_suffix(".md"))
    if (file := _read(tree, neighbour)) is not None and file.text == table.markdown:
        yield neighbour, file.spelled(better.markdown)
    neighbour = str(PurePosixPath(path).with_suffix(".txt"))
    if (file := _read(tree, neighbour)) is None:
        return
    stamp, _, _ = file.text.partition("\n")
    for wide in (True, False):
        if file.text.startswith(before := table.text(stamp, wide)):
            raw = _results(file.text.removeprefix(before), right)
            if raw is not None:
                yield neighbour, file.spelled(better.text(stamp, wide) + raw)
            return


class _File(NamedTuple):
    """A text, and how its lines end: another way where the tool ran on Windows."""

    text: str
    end: str

    def spelled(self, text: str) -> bytes:
        return text.replace("\n", self.end).encode()


def _read(tree: Tree, path: str) -> _File | None:
    if tree.files.get(path, MAX_BYTES + 1) > MAX_BYTES:
        return None
    data = tree.read(path)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    file = _File(text.replace("\r\n", "\n"), "\r\n" if "\r\n" in text else "\n")
    return file if file.spelled(file.text) == data else None


def _row(row: Row, start: int, models: Row, right: Mapping[Key, Right]) -> Row:
    dataset, _, metric, *_ = row
    cells, ends = [], []
    for model, cell in zip(models, row[start:], strict=True):
        known = right.get((model, dataset, metric))
        stated, space, rest = cell.partition(" ")
        if known is None or stated != f"{known.was:.2f}":
            cells.append(cell)
            ends += [ABSENT, ABSENT]
            continue
        cells.append(f"{known.value:.2f}{space}{rest}")
        ends += [ABSENT if end is None else f"{end:.2f}" for end in (known.low, known.high)]
    return [*row[:start], *cells, *ends]


def _results(text: str, right: Mapping[Key, Right]) -> str | None:
    """Return the results as they are, put right; None if they are not laid out as they should."""
    model, written = "", []
    for line in text.split("\n"):
        if line.startswith("Model: "):
            model = line.removeprefix("Model: ")
        dataset, colon, stated = line.partition(": {")
        known = {
            metric: each for (of, on, metric), each in right.items() if (of, on) == (model, dataset)
        }
        if colon and known:
            try:
                results = ast.literal_eval("{" + stated)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return None
            if repr(results) != "{" + stated:
                return None
            line = f"{dataset}: {_numbers(results, known)}"
        written.append(line)
    return "\n".join(written)


def _numbers(results: dict[str, Any], known: Mapping[str, Right]) -> dict[str, Any]:
    right = {
        metric: known[metric].value
        for metric, value in results.items()
        if metric in known
        and isinstance(value, int | float)
        and f"{value:.2f}" == f"{known[metric].was:.2f}"
    }
    return results | right


def tabulated(rows: Sequence[Row], wide: bool) -> str:
    """Lay a table out as ``tabulate`` does in its format ``simple``, with two decimals.

    rows: The first is the head.
    wide: Whether letters of East Asia take two columns, as where ``wcwidth`` is installed.

    Examples
    --------
    >>> print(tabulated([["dataset", "alpha"], ["gsm8k", "42.50"], ["mmlu", "8.00"]], True))
    dataset      alpha
    ---------  -------
    gsm8k        42.50
    mmlu          8.00
    """
    columns = [_column(column, wide) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _column(cells: Row, wide: bool) -> list[str]:
    head, *rest = cells
    is_whole = all(map(_is_whole, rest))
    is_number = all(map(_is_number, rest))
    if is_number and not is_whole:
        rest = [f"{float(cell):.2f}" for cell in rest]
    width = max([_width(head, wide) + 2, *(_width(cell, wide) for cell in rest)])
    gaps = (" " * (width - _width(cell, wide)) for cell in (head, *rest))
    padded = [
        gap + cell if is_number else cell + gap
        for cell, gap in zip((head, *rest), gaps, strict=True)
    ]
    return [padded[0], "-" * width, *padded[1:]]


def _is_whole(cell: str) -> bool:
    try:
        int(cell)
    except ValueError:
        return False
    return True


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _width(text: str, wide: bool) -> int:
    return sum(1 + (wide and east_asian_width(letter) in "WF") for letter in text)
