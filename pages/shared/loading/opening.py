"""Open reports: the sample, a path of the server, an upload, or a link to any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from kofn.choices.sources import DIGITS, ReportSource
from kofn.workers import reading
from pages.shared.loading import server_paths
from pages.shared.memory.server_cache import KEPT, READINGS
from pages.shared.memory.session import Wanted
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.files.stored_files import Upload
from reports.files.stored_uploads import Use

_FOLDER = Path(__file__).parents[3] / "sample_data"
_FILES = ("aisbench_report.zip", "outcomes.parquet", "candidates.parquet", "checkpoints.parquet")
SAMPLE = {name: _FOLDER / name for name in _FILES}


def sample_source() -> list[Wanted]:
    """Return the bundled sample."""
    return [_sample(ReportSource("sample", name)) for name in SAMPLE]


def given_sources() -> list[Wanted]:
    """Return the paths and addresses given at start."""
    found = server_paths.sources_to_load()
    return [_wanted_address(ReportSource("path", server_paths.spell(each)), each) for each in found]


def named_source(text: str) -> Wanted:
    """Return the path or address of a visitor; raise LoadError if they may not open it."""
    found = server_paths.find(text)
    return _wanted_address(ReportSource("path", server_paths.spell(found)), found)


def uploaded_source(name: str, data: bytes) -> Wanted:
    """Return an upload, which is kept on disk; raise LoadError if it cannot be."""
    use = KEPT.keep(Upload.of(name, [data], len(data)), len(data))
    return _used(ReportSource("file", name, sha256(data).hexdigest()[:DIGITS], use.key), use)


def file_groups(files: Sequence[tuple[str, bytes]]) -> list[list[int]]:
    """Say which files that were chosen at once make one report, by their numbers.

    Raises LoadError if one cannot be kept, so that a job may look at it.
    """
    if len(files) < 2:
        return [[number] for number in range(len(files))]
    return reading.file_groups([Upload.of(name, [data], len(data)) for name, data in files])


def linked_source(source: ReportSource) -> Wanted | None:
    """Return what a link names, if it is to be read at once.

    A path or address is if it was given at start or lies within what was, an upload if it is kept.
    """
    if source.kind == "sample" and source.name in SAMPLE:
        return replace(_sample(source), linked=True)
    if source.kind == "file" and (use := KEPT.find(source.key)):
        return replace(_used(source, use), linked=True)
    if (found := may_open(source)) and server_paths.is_given(found):
        return allowed_source(source)
    return None


def may_open(source: ReportSource) -> Address | None:
    """Return the path or address that a link names, if the visitor may open it."""
    try:
        return server_paths.find(source.name) if source.kind == "path" else None
    except LoadError:
        return None


def allowed_source(source: ReportSource) -> Wanted:
    """Return a path that a link names and the visitor allows; raise LoadError if they may not."""
    return replace(_wanted_address(source, server_paths.find(source.name)), linked=True)


def _sample(source: ReportSource) -> Wanted:
    return _wanted_address(source, Address.read(SAMPLE[source.name]))


def _wanted_address(source: ReportSource, address: Address) -> Wanted:
    hold = source.kind == "sample" or address in server_paths.sources_to_load()
    return Wanted(source, partial(READINGS.read, address, hold=hold), address)


def _used(source: ReportSource, use: Use) -> Wanted:
    return Wanted(source, partial(READINGS.read, use.upload), use.upload, use)
