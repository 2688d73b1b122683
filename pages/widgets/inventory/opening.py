"""Where reports come from: the sample, a path of the server, an upload, a link to any of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from kofn.choices.sources import DIGITS, Source
from pages.widgets.inventory import server_paths
from pages.widgets.shared.kept import KEPT, READINGS
from pages.widgets.shared.session import Wanted
from reports.files.errors import LoadError
from reports.files.keeping import Upload
from reports.files.staying import Use

_FOLDER = Path(__file__).parents[3] / "sample_data"
SAMPLE = {
    name: _FOLDER / name
    for name in ("aisbench_report.zip", "outcomes.parquet", "candidates.parquet")
}


def sample() -> list[Wanted]:
    """Return the bundled sample."""
    return [_at(Source("sample", name), path) for name, path in SAMPLE.items()]


def given() -> list[Wanted]:
    """Return the paths given at start."""
    paths = server_paths.paths_to_load()
    return [_at(Source("path", server_paths.spell(path)), path) for path in paths]


def named(text: str) -> Wanted:
    """Return the path that a visitor named; raise LoadError if they may not open it."""
    path = server_paths.find(text)
    return _at(Source("path", server_paths.spell(path)), path)


def uploaded(name: str, data: bytes) -> Wanted:
    """Return an upload, which is kept on disk; raise LoadError if it cannot be."""
    use = KEPT.keep(Upload.of(name, [data], len(data)), len(data))
    return _used(Source("file", name, sha256(data).hexdigest()[:DIGITS], use.key), use)


def linked(source: Source) -> Wanted | None:
    """Return what a link names, if it is to be read at once.

    A path is if it was given at start or lies within what was, an upload if it is kept.
    """
    if source.kind == "sample" and source.name in SAMPLE:
        return replace(_at(source, SAMPLE[source.name]), linked=True)
    if source.kind == "file" and (use := KEPT.find(source.key)):
        return replace(_used(source, use), linked=True)
    if (path := may_open(source)) and server_paths.is_given(path):
        return allowed(source)
    return None


def may_open(source: Source) -> Path | None:
    """Return the path that a link names, if the visitor may open it."""
    try:
        return server_paths.find(source.name) if source.kind == "path" else None
    except LoadError:
        return None


def allowed(source: Source) -> Wanted:
    """Return a path that a link names and the visitor allows; raise LoadError if they may not."""
    return replace(_at(source, server_paths.find(source.name)), linked=True)


def _at(source: Source, path: Path) -> Wanted:
    hold = source.kind == "sample" or path in server_paths.paths_to_load()
    return Wanted(source, partial(READINGS.read, path, hold=hold), path)


def _used(source: Source, use: Use) -> Wanted:
    return Wanted(source, partial(READINGS.read, use.upload), use.upload, use)
