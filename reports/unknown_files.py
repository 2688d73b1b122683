"""Describe a file that no reader recognises, and what kofn needs instead."""

from __future__ import annotations

from pathlib import PurePosixPath

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.other_tools import FROM_A_SHEET, PICTURE, PICTURES, Foreign, foreign
from reports.files.tree import Tree
from reports.json_files.strict import parse

_HEAD = 1 << 12
_MAX_PARSED = 16 << 20
_MAX_OF_MANY = 1 << 20
_TRIED = 20
_SHOWN = 8
_PACKED = {
    *(".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".zstd", ".7z", ".rar"),
    *(".deflate", ".lz4", ".snappy"),
}

_REPORT_OR_TABLE = Text(
    "Give a report of AISBench or OpenCompass as a folder, a zip or a results/*.json file, what "
    "another tool wrote that kofn tools lists, or a table (Parquet, CSV, JSONL, Arrow, npz) with "
    "columns such as question_id, sample and correct."
)
_UNPACK = Text("Give what is packed in it: a file, a folder, or a zip of one.")
_OF_CONFIGURATION = Text(
    "If it is the configuration of a run, load the run's whole folder, with its results and "
    "predictions."
)

_KINDS: tuple[tuple[tuple[bytes, ...], set[str], Text, Text], ...] = (
    (
        (b"\x80",),
        {".pkl", ".pickle", ".pt", ".pth"},
        Text("a Python pickle"),
        Text(
            "Open it where it was made and write a table: DataFrame.to_parquet or numpy.savez "
            "of integers. kofn does not unpickle files, because a pickle can run any program."
        ),
    ),
    (
        (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd"),
        {".tar"},
        Text("a packed file or archive other than a zip"),
        _UNPACK,
    ),
    (
        PICTURES,
        set(),
        PICTURE.what,
        _REPORT_OR_TABLE,
    ),
    (
        (b"ORC",),
        {".orc"},
        Text("ORC"),
        Text(
            "Write it as Parquet, such as with Spark: "
            "spark.read.orc('FOLDER').write.parquet('TABLE')."
        ),
    ),
    ((), {".zip"}, Text("a zip inside another zip or folder"), _UNPACK),
    ((), {".xlsx", ".xls", ".ods"}, Text("a spreadsheet"), FROM_A_SHEET),
    ((), {".py", ".sh"}, Text("a script"), _OF_CONFIGURATION),
    ((), {".yaml", ".yml", ".toml", ".ini"}, Text("a configuration"), _OF_CONFIGURATION),
    ((b"SQLite format 3",), {".db", ".duckdb"}, Text("a database"), _REPORT_OR_TABLE),
    (
        (b"<!DOC", b"<!doc", b"<html", b"<HTML"),
        {".html", ".htm"},
        Text("a web page"),
        _REPORT_OR_TABLE,
    ),
    ((), {".safetensors", ".gguf", ".ckpt"}, Text("the weights of a model"), _REPORT_OR_TABLE),
    (
        (b"\xff\xfe", b"\xfe\xff"),
        set(),
        Text("text in UTF-16 instead of UTF-8"),
        Text("Save it as UTF-8; only tables may be in UTF-16."),
    ),
    ((), {".txt", ".md", ".log", ".out"}, Text("plain text"), _REPORT_OR_TABLE),
    (
        (b"{", b"["),
        {".json"},
        Text("JSON, but not a results file of AISBench or OpenCompass"),
        _REPORT_OR_TABLE,
    ),
)
"""First bytes, endings, what a file with either is, and what kofn needs instead."""


def unknown_error(tree: Tree) -> LoadError:
    """Make the error of a tree that no reader takes."""
    found = foreign(tree.files) or (_file(tree) if len(tree.files) == 1 else _files(tree))
    error = found.error(tree.name)
    for note in tree.notes:
        if note.severity == "warning":
            fix = Text("{what} {fix}", what=note.what, fix=error.fix)
            error = LoadError(error.file, error.problem, fix, error.place)
    return error


def _file(tree: Tree) -> Foreign:
    (path,) = tree.files
    with tree.open(path) as stream:
        start = stream.read(_HEAD)
    ending = PurePosixPath(path).suffix.lower()
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and (keys := _keys(tree, path)):
        what = Text(
            "JSON with the keys {keys}, but not a results file of AISBench or OpenCompass",
            keys=some_of((f"{key:.40}" for key in keys), _SHOWN),
        )
        return foreign(keys) or Foreign(what, _REPORT_OR_TABLE)
    for starts, endings, what, needs in _KINDS:
        if ending in endings or start.startswith(starts):
            return Foreign(what, needs)
    return Foreign(Text("a file of an unknown kind"), _REPORT_OR_TABLE)


def _files(tree: Tree) -> Foreign:
    named_files = [path for path in tree.files if not PurePosixPath(path).name.startswith("_")]
    endings = {PurePosixPath(path).suffix.lower() for path in named_files or tree.files}
    for _, of_kind, what, needs in _KINDS:
        if endings <= of_kind:
            return Foreign(what, needs)
    few = [path for path, size in tree.files.items() if size <= _MAX_OF_MANY][:_TRIED]
    for path in few:
        if path.endswith(".json") and (found := foreign(_keys(tree, path))):
            return found
    packed = [path for path in tree.files if PurePosixPath(path).suffix.lower() in _PACKED]
    if packed:
        what = Text(
            "{count} files without an evaluation report, unless {path} holds one",
            count=len(tree.files),
            path=packed[0],
        )
        return Foreign(
            what,
            Text("Unpack it, or pack it with gzip or zstd, and load what is in it."),
        )
    what = Text(
        "{count} files without an evaluation report ({names})",
        count=len(tree.files),
        names=some_of(tree.files, 3),
    )
    return Foreign(what, _REPORT_OR_TABLE)


def _keys(tree: Tree, path: str) -> list[str]:
    """Return the keys of a JSON object that is neither large nor broken."""
    if tree.files[path] > _MAX_PARSED:
        return []
    try:
        value = parse(tree.read(path), tree.name)
    except LoadError:
        return []
    return list(value) if isinstance(value, dict) else []
