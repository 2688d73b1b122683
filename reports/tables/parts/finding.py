"""Which files are parts of one table: by their names, or perhaps by their contents.

Parts are files of one format under folders named ``key=value``, files beside a ``_SUCCESS``, files
of one folder called ``part-00000``, ``data_0`` or ``NAME-00000-of-00003``, and the pieces ``aa``,
``ab`` … or ``00``, ``01`` … into which split cuts a file, of which the first alone has the header.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.report import Run
from reports.tables.partitioned import SHOWN, Parts
from reports.tables.parts.pieces import find_pieces

MOST = 20_000
"""Parts of one table."""
FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), ".parquet"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), ".csv"),
    **dict.fromkeys((".jsonl", ".ndjson"), ".jsonl"),
}
"""What the names of parts end in, and that of the table."""

_DONE, _UNFINISHED = "_SUCCESS", "_temporary"
MARKS = {_DONE, "_metadata", "_common_metadata"}
"""What is written beside parts, and is none."""
_NULL = "__HIVE_DEFAULT_PARTITION__"
_KEY = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_PART = re.compile(r"(?:part[-_.]?|data_)[0-9]+(?:[-_.].*)?", re.DOTALL)
_PART_OF = re.compile(r"(.+?)[-_.]?[0-9]+-of-[0-9]+", re.DOTALL)
_OF_HIVE = re.compile(r"[0-9]{6}_[0-9]+(?:_copy_[0-9]+)?")
_BY_DUCKDB = "DuckDB: COPY (FROM {}_scan('FOLDER')) TO 'table.parquet'"
_ICEBERG = re.compile(r"(?:.*/)?metadata/[^/]*\.metadata\.json", re.DOTALL)


def find_parts(tree: Tree) -> tuple[Parts, ...]:
    """Find the tables in parts.

    Raises LoadError if only a log says which files of a table count, or there are too many.
    """
    _require_no_log(tree)
    places = {path: PurePosixPath(path) for path in tree.files}
    done = {place.parent for place in places.values() if place.name == _DONE}
    found: dict[tuple[str, str, str], Parts] = {}
    for path, place in places.items():
        named, of = _PART.fullmatch(place.stem), _PART_OF.fullmatch(place.stem)
        is_named = named or of or place.parent in done
        below = _KEY.fullmatch(place.parent.name)
        if not (is_named or below or _OF_HIVE.fullmatch(place.name)) or place.name.startswith("_"):
            continue
        end = FORMATS.get(place.suffix.lower()) or _end(tree, path, bool(is_named))
        if end is None:
            continue
        root, values = _partition(place)
        name = of[1] if of and not values else ""
        parts = found.setdefault((str(root), end, name), Parts(path_of(tree, root, name, end)))
        parts.values[path] = values
    several = (parts for parts in found.values() if len(tree.files) > 1 or parts.columns)
    tables = (*several, *_pieces(tree))
    for parts in tables:
        if len(parts.values) > MOST:
            raise tree.error(
                Text("holds a table in {count} parts", count=len(parts.values)),
                Text("Write it in at most {most} parts.", most=MOST),
                parts.path,
            )
    return tables


def without_unfinished(tree: Tree) -> Tree:
    """Leave out what tasks of Spark have not handed in; the notes say so.

    Raises LoadError if there is nothing else.
    """
    left = {path for path in tree.files if _UNFINISHED in PurePosixPath(path).parts[:-1]}
    if not left:
        return tree
    rest = [path for path in tree.files if path not in left]
    if all(PurePosixPath(path).name.startswith("_") for path in rest):
        raise tree.error(
            Text("is a table that Spark has not finished writing"),
            Text("Load it once it holds _SUCCESS; if the job died, run it again."),
        )
    what = Text(
        "Unfinished: {count} file of a Spark job that still runs, or that died, is left out. Load "
        "it again once it holds _SUCCESS.",
        "Unfinished: {count} files of a Spark job that still runs, or that died, are left out. "
        "Load it again once it holds _SUCCESS.",
        count=len(left),
    )
    where = min(left).partition(_UNFINISHED)[0].rstrip("/")
    notes = (Note(what, where, count=len(left), severity="warning"),)
    return replace(tree.only(rest), notes=notes)


def _partition(place: PurePosixPath) -> tuple[PurePosixPath, dict[str, str | None]]:
    """Return the folder of a table, and what folders say."""
    folders, values = [], {}
    for folder in place.parent.parts:
        if found := _KEY.fullmatch(folder):
            values[unquote(found[1])] = None if found[2] == _NULL else unquote(found[2])
        else:
            folders.append(folder)
    return PurePosixPath(*folders), values


def _end(tree: Tree, path: str, is_named: bool) -> str | None:
    """Return what the name of a table ends in whose parts do not say it: JSON lines, and Hive's."""
    is_json = is_named and path.lower().endswith(".json")
    if not (is_json or _OF_HIVE.fullmatch(PurePosixPath(path).name)):
        return None
    try:
        with tree.open(path) as stream:
            start = stream.read(1 << 6).lstrip()
    except LoadError:
        return None
    if is_json:
        return None if start.startswith(b"[") else ".jsonl"
    return ".parquet" if start.startswith(b"PAR1") else None


def _pieces(tree: Tree) -> Iterator[Parts]:
    for cut in find_pieces(tree, FORMATS):
        table = path_of(tree, cut.folder, cut.name, cut.end)
        yield Parts(table, {path: {} for path in cut.paths}, pieces=True)


def path_of(tree: Tree, root: PurePosixPath, name: str, end: str) -> str:
    """Return the path of a table: of a name, or called as its folder."""
    place = root / name if name else root
    if not place.name:
        place = PurePosixPath(PurePosixPath(tree.name.replace("\\", "/")).name or "table")
    stem = place.stem if place.suffix.lower() in (*FORMATS, ".zip") else place.name
    path = place.with_name(stem + end).as_posix()
    return path if path not in tree.files else place.with_name(f"{stem} in parts{end}").as_posix()


def _require_no_log(tree: Tree) -> None:
    for path in tree.files:
        folders = PurePosixPath(path).parts[:-1]
        if "_delta_log" in folders:
            name, way = "Delta", _BY_DUCKDB.format("delta")
        elif _ICEBERG.fullmatch(path):
            name, way = "Iceberg", _BY_DUCKDB.format("iceberg")
        elif "_spark_metadata" in folders:
            name, way = "Spark streaming", "Spark: spark.read.load('FOLDER').write.parquet('TABLE')"
        else:
            continue
        raise tree.error(
            Text("is a table of {name}; only its log says which of its files count", name=name),
            Text("Write it as Parquet, such as with {way}.", way=way),
            path,
        )


def same_runs(tree: Tree, runs: Sequence[Run]) -> Iterator[Parts]:
    """Yield files that name the same models and datasets, and have no question in common."""
    held: dict[tuple[PurePosixPath, str], dict[tuple[str, str], list[Run]]]
    held = defaultdict(lambda: defaultdict(list))
    for run in runs:
        file = PurePosixPath(run.source)
        end = FORMATS.get(file.suffix.lower())
        if run.outcomes is not None and end and run.source in tree.files:
            held[file.parent, end][run.model, run.dataset].append(run)
    for (folder, end), by_name in held.items():
        several = [of for of in by_name.values() if len(of) > 1]
        files = dict.fromkeys(run.source for of in several for run in of)
        if files and all(map(_are_apart, several)):
            path = path_of(tree, folder, "", end)
            yield Parts(path, {each: {} for each in sorted(files)}, found_by_content=True)


def mixed_columns(parts: Parts) -> Note:
    """Ask whether files that differ in columns are parts of one table."""
    what = Text(
        "{files} have the same models and datasets and no question in common: each is read as "
        "runs of its own. If they are parts of one table, give them the same columns.",
        files=some_of(parts.values, SHOWN),
    )
    return Note(what, severity="warning")


def _are_apart(runs: Sequence[Run]) -> bool:
    questions = [name for run in runs if run.outcomes for name in run.outcomes.questions]
    return len({*questions}) == len(questions) and len({run.source for run in runs}) == len(runs)
