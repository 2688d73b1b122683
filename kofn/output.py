"""The output file of a subcommand: a new one unless the user says otherwise, never an input.

Which file a path means is asked of the system, so links, hard links and relative paths make no
difference.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from kofn.writing.joining import any_of
from metrics.data.words import Text
from reports.files.atomic_writing import replacing

STANDARD_INPUT = "-"
"""A path to read that is none."""


def add_flags(
    parser: argparse.ArgumentParser, suffixes: Sequence[str], *, required: bool = False
) -> None:
    """Give a parser the path to write, in one of some formats."""
    names = any_of([f"FILE{suffix}" for suffix in suffixes])
    about = names if required else Text("write to {files} instead of standard output", files=names)
    parser.add_argument("-o", "--output", required=required, metavar="FILE", help=str(about))
    parser.add_argument("--force", action="store_true", help=str(Text("replace FILE if it exists")))


def refusal(
    arguments: argparse.Namespace,
    suffixes: Sequence[str],
    beside: Mapping[str, str] = MappingProxyType({}),
) -> Text | None:
    """Return why nothing may be written where the user wants it; None where it may.

    arguments: With the paths that are read, and those of `add_flags`.
    suffixes: Of the formats that can be written.
    beside: What the name gets of a second file that is written with some of them.
    """
    output = Path(arguments.output)
    known = any_of(suffixes)
    if output.suffix.lower() not in suffixes:
        return Text("{file} must end in {known}, which says the format.", file=output, known=known)
    if output.exists() and not output.is_file():
        return Text("{file} is not a regular file, and was not changed.", file=output)
    for path in (Path(given) for given in arguments.paths if given != STANDARD_INPUT):
        if _is_of(output, path):
            return Text(
                "{file} is an input, or lies in one ({path}), and inputs are never overwritten.",
                file=output,
                path=path,
            )
    second = beside.get(output.suffix.lower())
    for file in (output, *([Path(f"{output}{second}")] if second else [])):
        if file.exists() and not arguments.force:
            return Text(
                "{file} already exists. Give another name, or --force to replace it.", file=file
            )
    return None


def folder_refusal(arguments: argparse.Namespace) -> Text | None:
    """Return why nothing may be written to a folder; None where it may; see `refusal`."""
    output = Path(arguments.output)
    if output.exists() and not output.is_dir():
        return Text("{file} is not a folder, and was not changed.", file=output)
    for path in (Path(given) for given in arguments.paths if given != STANDARD_INPUT):
        if _is_of(output, path) or (path.exists() and output.resolve() in path.resolve().parents):
            return Text(
                "{file} is an input, lies in one or holds one ({path}), and inputs are never "
                "overwritten.",
                file=output,
                path=path,
            )
    if output.exists() and any(output.iterdir()) and not arguments.force:
        return Text(
            "{file} is not empty. Give another folder, or --force to write into it.", file=output
        )
    return None


def encoded(text: str) -> bytes:
    """Return a text as a file holds it."""
    return text.encode("utf-8", errors="backslashreplace")


def write(path: str, data: bytes) -> None:
    """Write a file, as `refusal` allows it.

    Raises OSError if the file cannot be written.
    """
    with replacing(path) as part:
        part.write_bytes(data)


def tell_written(path: str) -> None:
    """Say on a terminal where a file is now."""
    if sys.stderr.isatty():
        print(str(Text("Written to {file}.", file=path)), file=sys.stderr)


def unwritable(path: str, error: OSError) -> Text:
    """Say why a file cannot be written."""
    reason = error.strerror or str(error)
    return Text("{file} cannot be written: {reason}.", file=path, reason=reason)


def _is_of(output: Path, read: Path) -> bool:
    """Return whether a file is what is read, or in it, or a hard link to what is in it."""
    if not read.exists():
        return False
    whole = output.resolve()
    places = (place for place in (whole, *whole.parents) if place.exists())
    linked = output.exists() and any(map(output.samefile, _files(read)))
    return linked or any(map(read.samefile, places))


def _files(folder: Path) -> Iterator[Path]:
    paths = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    return filter(Path.exists, paths)
