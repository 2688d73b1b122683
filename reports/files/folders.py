"""The files of an uploaded folder, or several that belong together, packed as one zip."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from zipfile import ZipFile, ZipInfo

from reports.files.tree import DAMAGE, damaged


def several(names: Sequence[str]) -> str:
    """Name several files by the first.

    Examples
    --------
    >>> several(["out/samples_gsm8k.jsonl", "out/results.json"]), several([])
    ('samples_gsm8k and 1 more', 'nothing')
    """
    if not names:
        return "nothing"
    stem = PurePath(names[0]).stem
    return f"{stem} and {len(names) - 1} more"


def packed(name: str, files: Iterable[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Pack the files of a folder; equal files give equal bytes, and so reports of equal digest.

    name: Of the folder.
    files: With their paths: untrusted, and refused when the zip is opened where they lead out of
        it.
    Returns: The name, and the zip.
    Raises LoadError if no file can have such a path.

    Examples
    --------
    >>> name, data = packed("outputs", [("outputs/results/gsm8k.json", b"{}")])
    >>> name, ZipFile(io.BytesIO(data)).namelist()
    ('outputs', ['outputs/results/gsm8k.json'])
    """
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as folder:
        for path, data in sorted(files):
            try:
                folder.writestr(ZipInfo(path), data)
            except DAMAGE as error:
                raise damaged(name, f"{path:.80}", error) from error
    return name, buffer.getvalue()
