"""Folders on this machine, and files that a pattern matches, as trees."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.globs import fixed, require_some
from reports.files.notes import Note
from reports.files.packed.compressed import packed_files, unpacked
from reports.files.stored_files import OnDisk, state
from reports.files.tree import MAX_FILES, Tree, is_clutter, some_files, too_many

_SHOWN = 5
"""The most names of links that a note has."""
_BESIDE = (
    *("_SUCCESS", "_temporary/**/*", "_delta_log/*", "_spark_metadata/*"),
    "metadata/*.metadata.json",
)
"""What says of a table in parts that it is one, or none; it comes along with the parts."""


def digest_of(files: Mapping[str, os.stat_result]) -> str:
    """Return a SHA-256 that changes with the names, sizes and times of files."""
    sha = hashlib.sha256()
    for path, status in sorted(files.items()):
        sha.update(os.fsencode(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"))
    return sha.hexdigest()


def moment(status: os.stat_result) -> datetime | None:
    """Return when a file was written, if the system gives it a time that there is."""
    try:
        return datetime.fromtimestamp(status.st_mtime).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def open_folder(root: Path) -> Tree:
    """Open a folder; no link is followed out of it.

    Raises LoadError if it holds no files, or too many.
    """
    return _tree(str(root), root, root, _files_below(root))


def open_glob(pattern: str, matched: Collection[Path]) -> Tree:
    """Open what a pattern matches, and all that is in folders that it matches, as one tree.

    Paths begin with the folder that all of it lies in.

    Raises LoadError if there is nothing, or too much, or there are zips.
    """
    require_some(pattern, [path.name for path in matched])
    return _open_some(pattern, fixed(pattern).resolve(), matched)


def open_paths(name: str, paths: Sequence[str]) -> Tree:
    """Open some paths as one tree, whose files keep their order; see `open_glob`.

    Raises LoadError if one is not there, or is a zip.
    """
    for path in paths:
        if not os.path.exists(path):
            raise LoadError(path, Text("does not exist"), Text("Check the path."))
    found = [Path(path).resolve() for path in paths]
    require_some(name, [path.name for path in found])
    root = Path(os.path.commonpath([path.parent for path in found]))
    tree = _open_some(name, root, found)
    given = [file.relative_to(root.parent).as_posix() for file in found]
    first = {path: place for place, path in reversed([*enumerate(given)])}

    def place(path: str) -> int:
        of = (first.get(each) for each in (path, *map(str, PurePosixPath(path).parents)))
        return next((number for number in of if number is not None), len(given))

    return tree.only(sorted(tree.files, key=place))


def _open_some(name: str, root: Path, matched: Collection[Path]) -> Tree:
    """Open what lies below a folder, by paths that begin with it."""
    files = {file for path in matched for file in (_files_below(path) if path.is_dir() else [path])}
    folders = {folder for file in files for folder in file.parents if folder.is_relative_to(root)}
    neighbours = (folder.glob(each) for folder in folders for each in _BESIDE)
    return _tree(name, root.parent, root, sorted(files.union(*neighbours)))


def _tree(name: str, base: Path, root: Path, files: Iterable[Path]) -> Tree:
    """Make a tree of some files below a root, by their paths below a base."""
    real = root.resolve()
    statuses: dict[str, os.stat_result] = {}
    links: list[str] = []
    for number, file in enumerate(files):
        if number == MAX_FILES:
            raise too_many(name)
        path = file.relative_to(base).as_posix()
        if file.is_symlink() and not _stays_within(file, real):
            links.append(path)
        elif file.is_file() and not any(map(is_clutter, file.relative_to(root).parts)):
            statuses[path] = file.stat()
    if links and not statuses:
        raise LoadError(
            name,
            Text("holds only links that lead out of it or nowhere, which kofn does not follow"),
            Text("Copy into it what they lead to."),
        )
    sizes = {path: statuses[path].st_size for path in sorted(statuses)}
    file_states = {path: state(status) for path, status in statuses.items()}
    digest = digest_of(statuses)
    resolved = base.resolve()
    tree = Tree(
        name,
        some_files(name, sizes),
        digest,
        lambda path: (base / path).open("rb"),
        lambda: OnDisk(name, resolved, file_states, (str(resolved), digest)),
        notes=tuple(_not_followed(links)),
        written=max(filter(None, map(moment, statuses.values())), default=None),
    )
    return unpacked(tree, packed_files(tree), sum(sizes.values()))


def _files_below(root: Path) -> Iterator[Path]:
    """Find the files and linked folders of a folder, without clutter."""

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(root, onerror=refuse):
        folders[:] = [entry for entry in folders if not is_clutter(entry)]
        yield from (Path(folder, entry) for entry in (*folders, *names) if not is_clutter(entry))


def _stays_within(link: Path, root: Path) -> bool:
    """Whether a link leads to what lies in the folder anyway."""
    try:
        return link.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return False


def _not_followed(links: Sequence[str]) -> Iterator[Note]:
    if links:
        what = Text(
            "{links} is a link that leads out of the folder or nowhere; kofn did not follow it. "
            "Copy into the folder what it leads to.",
            "{count} links lead out of the folder or nowhere ({links}); kofn did not follow them. "
            "Copy into the folder what they lead to.",
            count=len(links),
            links=some_of(sorted(links), _SHOWN),
        )
        yield Note(what, count=len(links), severity="warning")
