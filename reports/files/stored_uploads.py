"""Uploads that stay on disk for some time, for anyone who has their key.

A key is found or not: it names no path. It is a random text of 192 bits, of which only a digest
is held. The one who uploads a file has its own key, and another to give away, which opens the
upload but cannot end its stay.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from math import isfinite
from threading import RLock
from time import monotonic
from typing import Any
from weakref import WeakSet

from reports.files.stored_files import Upload

MINUTES, MEGABYTES = 60.0, 2000.0
"""How long an upload is kept after its last use, and how large all may be together."""


@dataclass(frozen=True, eq=False)
class Use:
    """An upload in somebody's hands; it stays at least as long."""

    upload: Upload
    key: str = ""  # That opens it again; empty if it is not kept.
    shared: str = ""  # To give away; empty if it is not kept.
    # What is put beside the upload, such as labels, and stays with it; of one that was given away
    # it is empty, and stays with this use only.
    beside: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(eq=False)
class _Stay:
    upload: Upload
    shared: str
    size: int
    last: float
    digests: tuple[str, str]
    beside: dict[Hashable, Any]
    users: WeakSet[Use] = field(default_factory=WeakSet)


class Keeping:
    """Keeps uploads, each until nobody has used it for some time, or later ones need the room.

    minutes: After the last use; 0 keeps none.
    megabytes: Of all together; what was not used for longest goes first.
    now: The clock, in seconds.
    """

    def __init__(
        self,
        minutes: float = MINUTES,
        megabytes: float = MEGABYTES,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.minutes, self.megabytes = minutes, megabytes
        self._now = now
        self._stays: dict[str, _Stay] = {}
        self._lock = RLock()

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Keeping:
        """Return a keeping as ``KOFN_KEEP`` and ``KOFN_KEEP_MB`` say.

        Raises ValueError if one is no number, or negative.

        Examples
        --------
        >>> Keeping.of({"KOFN_KEEP": "5"}).minutes
        5.0
        >>> Keeping.of({"KOFN_KEEP": "an hour"})
        Traceback (most recent call last):
        ValueError: KOFN_KEEP must be a number of 0 or more, such as 60; got 'an hour'.
        """
        minutes = _number(environment, "KOFN_KEEP", MINUTES)
        return cls(minutes, _number(environment, "KOFN_KEEP_MB", MEGABYTES))

    def keep(self, upload: Upload, size: int) -> Use:
        """Keep an upload of so many bytes, if it has room at all."""
        if not self.minutes or size > self.megabytes * 1e6:
            return Use(upload)
        use = Use(upload, secrets.token_urlsafe(24), secrets.token_urlsafe(24))
        digests = (_digest(use.key), _digest(use.shared))
        with self._lock:
            self.expire()
            self._make_room(size)
            stay = _Stay(upload, use.shared, size, self._now(), digests, use.beside)
            stay.users.add(use)
            self._stays.update(dict.fromkeys(digests, stay))
        return use

    def find(self, key: str) -> Use | None:
        """Return the upload of a key, which is used by this; None if it is not kept."""
        with self._lock:
            self.expire()
            stay = self._stays.get(_digest(key))
            if stay is None:
                return None
            stay.last = self._now()
            use = Use(stay.upload, key, stay.shared, {} if key == stay.shared else stay.beside)
            stay.users.add(use)
            return use

    def knows(self, use: Use) -> bool:
        """Say whether an upload can be found again by its key."""
        return _digest(use.key) in self._stays

    def forget(self, use: Use) -> None:
        """Keep an upload no longer, if it is in the hands of who uploaded it."""
        with self._lock:
            stay = self._stays.get(_digest(use.key))
            if stay is not None and use.key != stay.shared:
                self._end(stay)

    def expire(self) -> None:
        """End the stay of what nobody has used for its time."""
        with self._lock:
            now = self._now()
            for stay in {*self._stays.values()}:
                if stay.users:
                    stay.last = now
                elif now - stay.last >= 60 * self.minutes:
                    self._end(stay)

    def clear(self) -> None:
        """Keep none of them any longer."""
        with self._lock:
            self._stays.clear()

    def _make_room(self, needed: int) -> None:
        stays = sorted({*self._stays.values()}, key=lambda stay: stay.last)
        total = needed + sum(stay.size for stay in stays)
        for stay in stays:
            if total > self.megabytes * 1e6:
                self._end(stay)
                total -= stay.size

    def _end(self, stay: _Stay) -> None:
        for digest in stay.digests:
            del self._stays[digest]


def _digest(key: str) -> str:
    return sha256(key.encode(errors="surrogatepass")).hexdigest()


def _number(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name) or str(default)
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not number >= 0 or not isfinite(number):
        raise ValueError(
            f"{name} must be a number of 0 or more, such as {default:g}; got {text!r}."
        )
    return number
