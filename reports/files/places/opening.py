"""What lies at a place: a file, or all files below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.places.remote import Elsewhere, Remote, digest_of
from reports.files.tree import MAX_FILES, Tree, is_clutter, some_files, too_many

if TYPE_CHECKING:
    from reports.files.addresses import Address

_SHOWN = 5
"""The most names of files left out that a note has."""


def find_place(address: Address) -> Remote | Tree:
    """Return the file at a place, or the tree of files below it.

    Raises
    ------
    LoadError
        If it cannot be reached, or holds nothing.
    """
    if not address.text.startswith("s3:"):
        from reports.files.places import web

        return web.find(address)
    try:
        from reports.files.places import s3
    except ImportError as error:
        raise LoadError(
            address.shown,
            Text("needs botocore, which is not installed"),
            Text("Install kofn[s3]."),
        ) from error
    return s3.find(address) or _listed(address, s3.below(address))


def look(address: Address) -> tuple[str, int]:
    """Return the digest of what lies at a place, and its bytes, none of which are fetched.

    Raises
    ------
    LoadError
        As `find_place`.
    """
    found = find_place(address)
    if isinstance(found, Remote):
        return found.digest, found.state.size
    return found.digest, sum(found.files.values())


def _listed(address: Address, found: Iterator[tuple[str, Remote]]) -> Tree:
    files: dict[str, Remote] = {}
    odd: list[str] = []
    for path, file in found:
        parts = path.split("/")
        if {"", ".", ".."} & {*parts[:-1]} or parts[-1] in (".", ".."):
            odd.append(path)
        elif parts[-1] and not any(map(is_clutter, parts)):
            files[path] = file
        if len(files) + len(odd) > MAX_FILES:
            raise too_many(address.shown)
    if not files and not odd:
        raise LoadError(address.shown, Text("does not exist"), Text("Check the address."))
    sizes = {path: files[path].state.size for path in sorted(files)}
    digest = digest_of(files)
    kept = Elsewhere(address.shown, files, (address.text, digest))
    return Tree(
        address.shown,
        some_files(address.shown, sizes),
        digest,
        kept.open,
        lambda: kept,
        notes=tuple(_left_out(odd)),
        remote=files,
    )


def _left_out(odd: Sequence[str]) -> Iterator[Note]:
    if odd:
        what = Text(
            "{names} was left out: its name has a part that is empty, '.' or '..'.",
            "{count:,} files were left out, whose names have a part that is empty, '.' or '..': "
            "{names}.",
            count=len(odd),
            names=some_of(odd, _SHOWN),
        )
        yield Note(what, count=len(odd), severity="warning")
