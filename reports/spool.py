"""Files that kofn keeps while reports are open: in one folder, which users can see and clear.

They are what texts of questions are read from where the report itself cannot be: an upload, which
is gone once it is loaded, and a file packed in a zip, of which no part can be read by itself. They
go with their last reader, at the latest when the process ends. Names are digests, so nothing that a
report holds decides where anything is written, and no other process shares or finds a file.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import sys
import tempfile
import time
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import RLock

MOST = 16 << 30
"""Bytes of all files; what was not read for longest makes room."""
HOURS = 48
"""After which a file that another process left is removed, unless it was read meanwhile."""

_SECRET = secrets.token_hex()
_NAME = re.compile(r"[0-9a-f]{64}(\..{1,32}\.part)?")
_owners: Counter[Path] = Counter()
_lock = RLock()


def folder() -> Path:
    """Return the folder: KOFN_CACHE, or kofn in the user's folder of caches."""
    if named := os.environ.get("KOFN_CACHE"):
        return Path(named).absolute()
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local", "kofn")
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "kofn"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache", "kofn")


def size() -> int:
    """Return the bytes of all files."""
    return sum(status.st_size for _, status in _files())


def clear() -> None:
    """Remove all files; uploads that are open must be loaded again to show texts."""
    for path, _ in _files():
        path.unlink(missing_ok=True)


def named(*parts: str) -> Path:
    """Return where a file is kept, or would be, by what tells it from all others."""
    parts = (_SECRET, *parts)
    return folder() / sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


def keep(path: Path, chunks: Iterable[bytes], expected: int) -> None:
    """Write a file, unless it is there; it appears once it is whole.

    Parameters
    ----------
    path : Path
        As `named` gives it.
    chunks : iterable of bytes
        Not looked at if it is there.
    expected : int
        Bytes of all chunks.

    Raises
    ------
    OSError
        If the folder cannot be written or the file is larger than all may be.
    """
    if path.exists():
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_room(expected)
    handle, part = tempfile.mkstemp(".part", f"{path.name}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        with _lock:
            if not path.exists():  # whoever was quicker may have noted what it is
                os.replace(part, path)
    finally:
        Path(part).unlink(missing_ok=True)


def remove_with(owner: object, path: Path) -> None:
    """Remove a file once its last owner is no longer used, or the process ends."""
    with _lock:
        _owners[path] += 1
    weakref.finalize(owner, _release, path)


def _release(path: Path) -> None:
    with _lock:
        _owners[path] -= 1
        if not _owners[path]:
            del _owners[path]
            with suppress(OSError):
                path.unlink()


def _files() -> Iterator[tuple[Path, os.stat_result]]:
    """Find the files that are ours; one may go while we look."""
    if not folder().is_dir():
        return
    with os.scandir(folder()) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    yield Path(entry.path), entry.stat(follow_symlinks=False)


def _make_room(needed: int) -> None:
    if needed > MOST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    total, expired = size() + needed, time.time() - HOURS * 3600
    for path, status in sorted(_files(), key=lambda file: file[1].st_atime):
        left = path not in _owners and max(status.st_atime, status.st_mtime) < expired
        if total > MOST or left:
            path.unlink(missing_ok=True)
            total -= status.st_size
