"""The files of an uploaded folder as one zip, which is read like any other."""

from __future__ import annotations

import io
from collections.abc import Iterable
from zipfile import ZipFile, ZipInfo

from reports.files.tree import DAMAGE, damaged


def packed(name: str, files: Iterable[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Pack the files of a folder; equal files give equal bytes, and so reports of equal digest.

    Parameters
    ----------
    name : str
        Of the folder.
    files : iterable of (str, bytes)
        With their paths: untrusted, and refused when the zip is opened where they lead out of it.

    Returns
    -------
    (str, bytes)
        The name, and the zip.

    Raises
    ------
    LoadError
        If no file can have such a path.

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
