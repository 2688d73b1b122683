"""Write a corrected report as a zip or folder that contains the whole original.

Before it appears under its name kofn reads it again: the same outcomes, and nothing left to repair.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, BinaryIO

from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.archive import Given
from reports.files.atomic_writing import replacing
from reports.files.packed.zipped import ZIP_STARTS
from reports.files.stored_files import Upload
from reports.repairing import results, summary
from reports.repairing.finding import Number, Repair, examine
from reports.repairing.summary import Key, Right
from reports.run.report import Run

ORIGINAL, NOTED = "original.zip", "NOTE.txt"
"""Names in a repaired report of what it was before, and of what says what was changed."""
PERCENT = 100.0

_CHUNK = 1 << 20
_LARGE = 1 << 30
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16

Opening = Callable[[str, int], AbstractContextManager[IO[bytes]]]
"""Opens a new file of a path and of about so many bytes."""


@dataclass(frozen=True)
class RepairedFile:
    """What was written, as a note tells it."""

    digest: str  # SHA-256 of the original, as it lies inside.
    # Files that were written anew.
    results: tuple[str, ...]
    summaries: tuple[str, ...]
    # Files of the newest summary that are laid out as kofn does not know, and so are unchanged.
    as_they_were: tuple[str, ...]
    # By results file, fields of the details that are in the original only.
    lost: Mapping[str, tuple[str, ...]]


Note = Callable[[RepairedFile], str]
"""Says what was changed."""


def write_zip(repair: Repair, output: str | os.PathLike[str], note: Note) -> RepairedFile:
    """Write a report that is put right as a zip; the same report gives the same bytes.

    repair: With something to repair.
    output: Replaced if it is there.
    note: What it says is put inside.
    Raises LoadError if a file of the report cannot be read, or what was written does not read as it
    should. Raises OSError if it cannot be written.
    """
    with replacing(output) as part:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            written = _fill(repair, _zipped(archive), note)
        _check(repair, part)
    return written


def write_folder(repair: Repair, output: str | os.PathLike[str], note: Note) -> RepairedFile:
    """Write a report that is put right as a folder, which is not there or is empty.

    See `write_zip`.
    """
    whole = Path(output).resolve()
    whole.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f"{whole.name}.", suffix=".part", dir=whole.parent) as part:
        written = _fill(repair, _folder(Path(part, whole.name)), note)
        _check(repair, Path(part, whole.name))
        Path(part, whole.name).replace(whole)
    return written


def _fill(repair: Repair, opening: Opening, note: Note) -> RepairedFile:
    tree = repair.tree
    lost: dict[str, list[str]] = {}
    states = {each.path for each in repair.found}
    stating = (run for run in repair.runs if run.source in states)
    scales = {run.source: results.scales(tree, run) for run in stating}
    summaries = dict(_summaries(repair, scales))
    ours = {run.source: run for run in repair.runs if _is_changed(repair, run)}
    for path, size in tree.files.items():
        if path in (ORIGINAL, NOTED):
            continue
        with opening(path, size) as file:
            if path in ours:
                run = ours[path]
                lose = lost.setdefault(path, []).append if run in repair.mixed else None
                file.writelines(
                    results.rewritten(tree, path, scales[path], repair.stated(run), lose)
                )
            elif path in summaries:
                file.write(summaries[path])
            else:
                with closing(tree.open(path)) as stream:
                    shutil.copyfileobj(stream, file, _CHUNK)
    digest = hashlib.sha256()
    with opening(ORIGINAL, _LARGE + 1) as file:
        for chunk in _original(repair.source):
            digest.update(chunk)
            file.write(chunk)
    newest = {path for folder in repair.folders for path in summary.files_of(tree, folder.summary)}
    written = RepairedFile(
        digest.hexdigest(),
        tuple(ours),
        tuple(summaries),
        tuple(sorted(newest - summaries.keys())),
        {path: tuple(fields) for path, fields in lost.items() if fields},
    )
    with opening(NOTED, 0) as file:
        file.write(note(written).encode())
    return written


def _is_changed(repair: Repair, run: Run) -> bool:
    return run in repair.mixed or any(change.path == run.source for change in repair.changes)


def _summaries(
    repair: Repair, scales: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[str, bytes]]:
    for folder in repair.folders:
        paths = {pair.results for pair in folder.pairs} | {folder.summary}
        right: dict[Key, Right] = {}
        for each in repair.found:
            if each.path in paths:
                scale = scales.get(each.path, {}).get(each.line.metric, PERCENT)
                key = each.model, each.dataset, each.line.metric
                right[key] = Right.of(each, scale)
        if folder.summary and any(each.path in paths for each in repair.changes):
            yield from summary.rewritten(repair.tree, folder.summary, right)


def _check(repair: Repair, written: Path) -> None:
    """Read what was written again."""
    again = examine(written)
    same_outcomes = _outcomes(again.report.runs) == _outcomes(repair.report.runs)
    differing = {_name(each) for each in again.found if each.line.differs}
    if again or not same_outcomes or differing != {_name(each) for each in repair.left}:
        raise repair.tree.error(
            Text("would be read differently after the repair, so kofn leaves it unchanged"),
            Text("kofn inventory says what its numbers should be."),
        )


def _name(number: Number) -> tuple[str, str, str]:
    return number.model, number.dataset, number.line.metric


def _outcomes(runs: Iterable[Run]) -> list[tuple[str, str, str | None]]:
    return [
        (run.model, run.dataset, None if run.outcomes is None else run.outcomes.digest)
        for run in runs
    ]


def _zipped(archive: zipfile.ZipFile) -> Opening:
    def opening(path: str, size: int) -> AbstractContextManager[IO[bytes]]:
        member = zipfile.ZipInfo(path, _EPOCH)
        member.compress_type = zipfile.ZIP_STORED if path == ORIGINAL else zipfile.ZIP_DEFLATED
        member.external_attr = _MODE
        return archive.open(member, "w", force_zip64=size > _LARGE)

    return opening


def _folder(root: Path) -> Opening:
    def opening(path: str, _size: int) -> AbstractContextManager[IO[bytes]]:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        return place.open("wb")

    return opening


def _original(source: Given) -> Iterator[bytes]:
    """Give the bytes of a zip as it came, or of a zip of what else came."""
    if isinstance(source, Address) and Path(source.text).is_dir():
        root = Path(source.text)
        paths = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
        yield from _packed((path.relative_to(root).as_posix(), path.open("rb")) for path in paths)
        return
    with _opened(source) as (name, file):
        if file.read(4).startswith(ZIP_STARTS):
            file.seek(0)
            yield from _chunks(file)
            return
        file.seek(0)
        yield from _packed([(Path(name).name, nullcontext(file))])


@contextmanager
def _opened(source: Given) -> Iterator[tuple[str, BinaryIO]]:
    if isinstance(source, Upload):
        with source.place.open("rb") as file:
            yield source.name, file
    elif isinstance(source, tuple):
        yield source[0], BytesIO(source[1])
    elif isinstance(source, Address):
        with open(source.text, "rb") as file:
            yield source.text, file
    else:
        source.seek(0)
        yield str(getattr(source, "name", "upload")), source


def _packed(files: Iterable[tuple[str, AbstractContextManager[BinaryIO]]]) -> Iterator[bytes]:
    """Give the bytes of a zip of files."""
    with TemporaryFile() as whole:
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            opening = _zipped(archive)
            for name, opened in files:
                with opened as file, opening(name, _LARGE + 1) as member:
                    shutil.copyfileobj(file, member, _CHUNK)
        whole.seek(0)
        yield from _chunks(whole)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk
