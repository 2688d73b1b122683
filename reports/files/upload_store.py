"""The folder of files that kofn keeps while reports are open, which users can see and clear.

They are what texts of questions are read from where the report itself cannot be: an upload, which
is gone once it is loaded, and a file packed in a zip, of which no part can be read by itself. They
go with their last reader, at the latest when the process ends.

Each process has a folder of its own within the one folder, and holds a lock beside it as long as it
lives. The system lets go of the lock however the process ends, so a folder whose lock is free
belongs to nobody: whoever starts next removes it. Process ids are not asked, which are used again
and mean something else in each container. Names are random or digests, so nothing that a report
holds decides where anything is written, and no other process finds a file.

A child process that reads for another works in the folder of its parent (`work_in`), which outlives
it. It removes nothing, but tells its parent of each file before it writes it.
"""

from __future__ import annotations

import atexit
import errno
import os
import secrets
import shutil
import sys
import tempfile
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import RLock

if sys.platform == "win32":
    import msvcrt

    def _take(lock: int) -> None:
        msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(lock: int) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


MOST = 16 << 30
"""Bytes of all files of a process; what was not read for longest makes room."""

_WRITERS = 8
"""Processes that may write files at once, none of which looks what the others wrote meanwhile."""

_SECRET = secrets.token_hex()
_LOCKS = f"kofn-{'[0-9a-f]' * 64}.lock"
_owners: Counter[Path] = Counter()
_room: Counter[Path] = Counter()
"""Bytes that are free in each folder, until all its files are looked at again."""
_locks: dict[Path, int] = {}
_lock = RLock()
_parent: tuple[Path, Callable[[Path], None]] | None = None


def folder() -> Path:
    """Return the folder: KOFN_CACHE, or kofn in the user's folder of caches."""
    if named := os.environ.get("KOFN_CACHE"):
        return Path(named).absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local", "kofn")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kofn"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "kofn")


def own() -> Path:
    """Return the folder of this process within the folder; it is made with the first file."""
    if _parent is not None:
        return _parent[0]
    return folder() / f"kofn-{_digest(_SECRET, str(os.getpid()))}"  # a forked child has another


def work_in(path: Path, tell: Callable[[Path], None]) -> None:
    """Keep files in the folder of the parent of this process, which is told of each.

    path: What `lend` returned there.
    tell: Makes the parent `remove_with` a file, with what is left of it if writing it breaks off.
    """
    global _parent
    _parent = path, tell


def lend() -> Path:
    """Return the folder of this process for others to work in; it is made if that is possible."""
    if _parent is None:
        with suppress(OSError):  # or else whoever writes a file there says why not
            _claim(own())
    return own()


def hold_temporary_files() -> None:
    """Have temporary files written to the folder where the system has no other place for them.

    Such is an upload while it comes in.
    """
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        with suppress(OSError):  # or else whoever writes one says why not
            folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.tempdir = os.environ["TMPDIR"] = str(folder())


def size() -> int:
    """Return the bytes of all files of this process."""
    return sum(status.st_size for _, status in _files())


def clear() -> None:
    """Remove all files of this process; uploads must be loaded again to show texts."""
    for name, _ in _files():
        Path(name).unlink(missing_ok=True)


def named(*parts: str) -> Path:
    """Return where a file is kept, or would be, by what tells it from all others."""
    return own() / _digest(*parts)


def keep(path: Path, chunks: Iterable[bytes], expected: int) -> None:
    """Write a file, unless it is there; it appears once it is whole.

    path: As `named` gives it.
    chunks: Not looked at if it is there.
    expected: Bytes of all chunks.
    Raises OSError if the folder cannot be written or locked, or the file is larger than all may be.
    """
    if path.exists():
        _date(path)
        return
    if _parent is None:
        _claim(path.parent)
    _make_room(expected)
    handle, part = tempfile.mkstemp(".part", f"{path.name}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
            _room[path.parent] -= file.tell() - expected
        _date(Path(part))
        with _lock:
            if not path.exists():
                os.replace(part, path)
    finally:
        Path(part).unlink(missing_ok=True)


def remove_with(owner: object, path: Path) -> None:
    """Remove a file once its last owner is no longer used, or the process ends."""
    if _parent is not None:
        _parent[1](path)
        return
    with _lock:
        _owners[path] += 1
    weakref.finalize(owner, _release, path)


def remove_left() -> None:
    """Remove what processes left that are gone: stopped, killed or crashed."""
    for path in [*folder().glob(_LOCKS)]:
        with suppress(OSError):  # where nobody can say whether it is gone, its files stay
            if (lock := _hold(path)) is not None:
                _remove(path.with_suffix(""), lock)


def remove_own() -> None:
    """Remove all that this process keeps, as its end does."""
    with _lock:
        for place in [place for place in _locks if place.name == own().name]:
            _remove(place, _locks.pop(place))


atexit.register(remove_own)


def _claim(path: Path) -> None:
    """Make the folder of this process, and hold its lock."""
    with _lock:
        if path in _locks:
            if path.is_dir():
                return
            os.close(_locks.pop(path))
        remove_left()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while (lock := _hold(path.with_suffix(".lock"), os.O_CREAT)) is None:
            time.sleep(0.01)
        _locks[path] = lock
        path.mkdir(mode=0o700, exist_ok=True)


def _hold(path: Path, flags: int = 0) -> int | None:
    """Open a lock and take it; None if another process has it, or just removed it."""
    lock, held = os.open(path, os.O_RDWR | flags, 0o600), False
    try:
        _take(lock)
        held = os.path.samestat(os.fstat(lock), path.stat())
    except (BlockingIOError, FileNotFoundError, PermissionError):
        pass
    finally:
        if not held:
            os.close(lock)
    return lock if held else None


def _remove(path: Path, lock: int) -> None:
    """Remove a folder, then its lock, which is held until then."""
    shutil.rmtree(path, ignore_errors=True)
    if sys.platform == "win32":  # where an open file cannot be removed
        os.close(lock)
    if not path.exists():
        path.with_suffix(".lock").unlink(missing_ok=True)
    if sys.platform != "win32":
        os.close(lock)


def _release(path: Path) -> None:
    with _lock:
        _owners[path] -= 1
        if not _owners[path]:
            del _owners[path]
            if path.parent.name == own().name:  # not of the process this one was forked from
                try:
                    path.unlink()
                except OSError:  # writing it may have broken off
                    for left in path.parent.glob(f"{path.name}.*.part"):
                        with suppress(OSError):
                            left.unlink()


def _files() -> Iterator[tuple[str, os.stat_result]]:
    """Find the files of this process; one may go while we look."""
    with suppress(FileNotFoundError), os.scandir(own()) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                yield entry.path, entry.stat(follow_symlinks=False)


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


def _date(path: Path) -> None:
    """Note when a file was read last; its own time says nothing, so that copies are alike."""
    os.utime(path, ns=(time.time_ns(), 0))


def _make_room(needed: int) -> None:
    if needed > MOST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    if needed >= _room[own()]:
        files = [*_files()]
        total = sum(status.st_size for _, status in files) + needed
        for name, status in sorted(files, key=lambda file: file[1].st_atime):
            if total <= MOST:
                break
            Path(name).unlink(missing_ok=True)
            total -= status.st_size
        _room[own()] = (MOST - total) // _WRITERS + needed
    _room[own()] -= needed
