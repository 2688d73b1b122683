"""Open a file in remote storage, or all files below a prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from metrics.data.words import Text, some_of
from reports.extras import installing
from reports.files.errors import LoadError
from reports.files.globs import MAGIC, matching, require_some
from reports.files.notes import Note
from reports.files.ranged import PlacedFile, PlacedFiles, digest_of
from reports.files.tree import MAX_FILES, Tree, is_clutter, some_files, too_many

if TYPE_CHECKING:
    from reports.files.addresses import Address

_MARK = re.compile(
    r"(.*?)/?(?:_SUCCESS|(?:_temporary|_delta_log|_spark_metadata)/.*|metadata/[^/]*\.metadata\.json)",
    re.DOTALL,
)
"""What says of a table in parts that it is one, or none."""
_SHOWN = 5
"""The most names of files left out that a note has."""


def find_place(address: Address) -> PlacedFile | Tree:
    """Return the file at a place, or the tree of files below it."""
    if not address.text.startswith("s3:"):
        from reports.files.remote_storage import web

        return web.find(address)
    try:
        from reports.files.remote_storage import s3
    except ImportError as error:
        raise LoadError(
            address.shown,
            Text("needs botocore, which is not installed"),
            installing("s3"),
        ) from error
    if (found := s3.find(address)) is not None:
        return found
    if first := MAGIC.search(address.text):
        return _matched(address, address.text[: address.text.rindex("/", 0, first.start())])
    return _tree_of(address, s3.below(address))


def _matched(address: Address, root: str) -> PlacedFile | Tree:
    """Return what a pattern matches below a key, and the marks of tables beside it."""
    from reports.files.remote_storage import s3

    every = dict(s3.below(replace(address, text=root)))
    found = matching(address.text[len(root) + 1 :], every)
    require_some(address.shown, [path.rpartition("/")[2] for path in found])
    if len(found) == 1:
        return every[found.pop()]
    above = {
        "",
        *(folder for path in found for folder in accumulate(path.split("/")[:-1], "{}/{}".format)),
    }
    found |= {path for path in every if (mark := _MARK.fullmatch(path)) and mark[1] in above}
    folder = root.rpartition("/")[2]
    return _tree_of(address, ((f"{folder}/{path}", every[path]) for path in found))


def look(address: Address) -> tuple[str, int]:
    """Return the digest of what lies at a place, and its bytes, none of which are fetched."""
    found = find_place(address)
    if isinstance(found, PlacedFile):
        return found.digest, found.state.size
    return found.digest, sum(found.files.values())


def _tree_of(address: Address, each_placed: Iterator[tuple[str, PlacedFile]]) -> Tree:
    files: dict[str, PlacedFile] = {}
    odd: list[str] = []
    for path, file in each_placed:
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
    placed = PlacedFiles(address.shown, files, (address.text, digest))
    return Tree(
        address.shown,
        some_files(address.shown, sizes),
        digest,
        placed.open,
        lambda: placed,
        notes=tuple(_left_out(odd)),
        placed=files,
    )


def _left_out(odd: Sequence[str]) -> Iterator[Note]:
    if odd:
        what = Text(
            "{names} was left out: its name has a part that is empty, '.' or '..'.",
            "{count} files were left out, whose names have a part that is empty, '.' or '..': "
            "{names}.",
            count=len(odd),
            names=some_of(odd, _SHOWN),
        )
        yield Note(what, count=len(odd), severity="warning")
