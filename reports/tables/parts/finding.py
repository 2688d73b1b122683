"""Which files of a tree are parts of one table, by their names; all others are runs of their own.

Parts are files of one format under folders named ``key=value``, files beside a ``_SUCCESS``, files
of one folder called ``part-00000``, ``data_0`` or ``NAME-00000-of-00003``, and the pieces ``aa``,
``ab`` … into which split cuts a file, of which the first alone has the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import PurePosixPath
from string import ascii_lowercase
from urllib.parse import unquote

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.tree import Tree

MOST = 20_000
"""Parts of one table."""
FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), ".parquet"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), ".csv"),
    **dict.fromkeys((".jsonl", ".ndjson"), ".jsonl"),
}
"""What the names of parts end in, and that of the table."""

_DONE = "_SUCCESS"
_NULL = "__HIVE_DEFAULT_PARTITION__"
_KEY = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_PART = re.compile(r"(?:part[-_.]?|data_)[0-9]+(?:[-_.].*)?", re.DOTALL)
_PART_OF = re.compile(r"(.+?)[-_.]?[0-9]+-of-[0-9]+", re.DOTALL)
_PIECE = (
    re.compile(r"(.*)([a-z]{2})", re.DOTALL),
    re.compile(r"(.*)([a-z]{2})\.[a-z]+", re.DOTALL),
)
_PIECES = [first + second for first, second in product(ascii_lowercase, repeat=2)]
_ICEBERG = re.compile(r"(?:.*/)?metadata/[^/]*\.metadata\.json", re.DOTALL)


@dataclass(frozen=True)
class Parts:
    """Files that are one table.

    Attributes
    ----------
    path : str
        Of the table, as if it were a file.
    values : mapping of str to mapping
        What the folders of each file say, by the column they name; None where it is null.
    pieces : bool
        Whether a file was cut into them anywhere.
    """

    path: str
    values: dict[str, Mapping[str, str | None]] = field(default_factory=dict)
    pieces: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that folders name."""
        return tuple(next(iter(self.values.values())))


def find_parts(tree: Tree) -> tuple[Parts, ...]:
    """Find the tables in parts.

    Raises
    ------
    LoadError
        If only a log says which files of a table count, or there are too many.
    """
    _require_no_log(tree)
    done = {PurePosixPath(path).parent for path in tree.files if path.endswith(_DONE)}
    found: dict[tuple[str, ...], Parts] = {}
    for path in tree.files:
        place = PurePosixPath(path)
        end = FORMATS.get(place.suffix.lower())
        if end is None:
            continue
        root, values = _partition(place)
        if values:
            of, name = tuple(values), ""
        elif named := _PART_OF.fullmatch(place.stem):
            of, name = (), named[1]
        elif _PART.fullmatch(place.stem) or root in done:
            of, name = (), ""
        else:
            continue
        parts = found.setdefault((str(root), end, name, *of), Parts(_named(tree, root, name, end)))
        parts.values[path] = values
    several = (parts for parts in found.values() if len(tree.files) > 1 or parts.columns)
    tables = (*several, *_pieces(tree))
    for parts in tables:
        if len(parts.values) > MOST:
            raise LoadError(
                tree.name,
                Text("holds a table in {count:,} parts", count=len(parts.values)),
                Text("Write it in at most {most:,} parts.", most=MOST),
                parts.path,
            )
    return tables


def _partition(place: PurePosixPath) -> tuple[PurePosixPath, dict[str, str | None]]:
    """Return the folder of a table, and what the folders below it say."""
    folders, values = list(place.parent.parts), {}
    while folders and (found := _KEY.fullmatch(folders[-1])):
        folders.pop()
        values[unquote(found[1])] = None if found[2] == _NULL else unquote(found[2])
    return PurePosixPath(*folders), dict(reversed(values.items()))


def _pieces(tree: Tree) -> Iterator[Parts]:
    """Find the files that split cut, in the order of their letters."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for path, pattern in product(tree.files, _PIECE):
        place = PurePosixPath(path)
        if piece := pattern.fullmatch(place.name):
            end = place.name[piece.end(2) :]
            found.setdefault((str(place.parent), piece[1], end), []).append(path)
    for (folder, prefix, end), paths in found.items():
        letters = [PurePosixPath(path).name[len(prefix) :][:2] for path in paths]
        if len(paths) > 1 and letters == _PIECES[: len(letters)]:
            known = FORMATS.get((PurePosixPath(prefix.rstrip(".")).suffix or end).lower())
            stem = PurePosixPath(prefix.rstrip("._-")).stem
            table = _named(tree, PurePosixPath(folder), stem, known or _format(tree, paths[0]))
            yield Parts(table, {path: {} for path in paths}, pieces=True)


def _format(tree: Tree, path: str) -> str:
    with tree.open(path) as stream:
        return ".jsonl" if stream.read(1 << 10).lstrip().startswith(b"{") else ".csv"


def _named(tree: Tree, root: PurePosixPath, name: str, end: str) -> str:
    """Return the path of a table: of a name, or called as its folder."""
    place = root / name if name else root
    if not place.name:
        place = PurePosixPath(PurePosixPath(tree.name.replace("\\", "/")).name or "table")
    stem = place.stem if place.suffix.lower() in (*FORMATS, ".zip") else place.name
    path = place.with_name(stem + end).as_posix()
    return path if path not in tree.files else place.with_name(f"{stem} in parts{end}").as_posix()


def _require_no_log(tree: Tree) -> None:
    for path in tree.files:
        if "_delta_log" in PurePosixPath(path).parts[:-1]:
            name, query = "Delta", "delta_scan('FOLDER')"
        elif _ICEBERG.fullmatch(path):
            name, query = "Iceberg", "iceberg_scan('FOLDER')"
        else:
            continue
        raise LoadError(
            tree.name,
            Text("is a table of {name}, of whose files only its log says which count", name=name),
            Text(
                "Write it as Parquet, such as with DuckDB: COPY (FROM {query}) TO 'table.parquet'.",
                query=query,
            ),
            path,
        )
