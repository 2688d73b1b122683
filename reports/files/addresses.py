"""What a source's text names: a path, a glob, a place on a network, or an engine.

A path names a file or folder of this machine. A glob is a path with ``*``, ``?`` or ``[…]`` that is
no name there is. A place is ``s3://bucket/key`` or ``https://host/path``. Every other text with
``://`` is the address of an engine.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, unquote, urlsplit

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.globs import MAGIC, fixed, matches

Kind = Literal["path", "glob", "place", "engine"]
SEPARATOR = ";"
"""Between the entries of a list of sources."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
"""Two letters at least: one is a drive of Windows."""
_PORTS = {"https": 443, "http": 80}
_PLACES = ("s3", *_PORTS)
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
_CONTROL = re.compile(r"[\0-\x1f\x7f]")
_LEADS_ON = re.compile(r"%(2e|2f|5c|25)|\\", re.IGNORECASE)
"""What some server takes for a dot or a slash."""
_PARAMETERS = re.compile(r"[?#;].*", re.DOTALL)


@dataclass(frozen=True)
class Address:
    """A source, and what it is.

    Examples
    --------
    >>> [Address.read(text).kind for text in ("run.zip", "C:/runs", "runs/*.csv")]
    ['path', 'path', 'glob']
    >>> [Address.read(text).kind for text in ("s3://evals/run/", "spark+sc://host:15002/a.b.c")]
    ['place', 'engine']
    """

    kind: Kind
    text: str  # As it was given, with scheme and host of a place in small letters.

    @classmethod
    def read(cls, source: str | os.PathLike[str]) -> Address:
        """Say what a text is; a path object is a path.

        Raises LoadError if it is an address that kofn opens nowhere: with a password, without
        encryption, of a file, or with names that lead elsewhere.
        """
        text = os.fspath(source)
        if isinstance(source, str):
            if found := _SCHEME.match(text):
                return _elsewhere(text, found[1].lower())
            if MAGIC.search(text) and not os.path.lexists(text):
                return cls("glob", text)
        return cls("path", text)

    @property
    def is_remote(self) -> bool:
        """Whether it is not on this machine, or at least not a file that kofn opens itself."""
        return self.kind in ("place", "engine")

    @property
    def shown(self) -> str:
        """The text as people may see it: parameters of an address may be secrets."""
        if not self.is_remote or self.text.startswith("s3:"):
            return self.text
        return _PARAMETERS.sub("", self.text)

    def absolute(self) -> Address:
        """Return it independent of the folder that one is in, links followed."""
        if self.is_remote:
            return self
        return replace(self, text=str(Path(self.text).resolve()))

    def exists(self) -> bool:
        """Whether there is such a path, or one that a glob matches; of others that is not known."""
        if self.kind == "glob":
            return any(True for _ in matches(self.text))
        return self.is_remote or os.path.exists(self.text)

    def covers(self, other: Address) -> bool:
        """Say whether another one is this, or lies within it; paths and globs must be absolute."""
        if self == other:
            return True
        if self.is_remote or other.is_remote:
            return self.kind == other.kind and _holds(self, other)
        where = fixed(other.text) if other.kind == "glob" else Path(other.text)
        if self.kind == "path":
            return where.is_relative_to(self.text)
        return other.kind == "path" and any(map(where.is_relative_to, matches(self.text)))


def entries(text: str) -> list[str]:
    """Split a list of sources; a path that there is stays whole.

    Examples
    --------
    >>> entries("/data/outputs; s3://evals/2026/")
    ['/data/outputs', 's3://evals/2026/']
    """
    if os.path.exists(text):
        return [text]
    return [entry for each in text.split(SEPARATOR) if (entry := each.strip())]


def _elsewhere(text: str, scheme: str) -> Address:
    """Return a place or engine, its scheme and host as everybody writes them."""
    rest = text[len(scheme) + 3 :]
    authority = re.split(r"[/?#;]", rest, maxsplit=1)[0]
    user, _, host = authority.rpartition("@")
    shown = _PARAMETERS.sub("", _CONTROL.sub("", f"{scheme}://{host}{rest[len(authority) :]}"))
    if _CONTROL.search(text):
        raise LoadError(shown, Text("is not an address"), Text("Check the address."))
    if ":" in user or (user and scheme in _PLACES):
        raise LoadError(
            shown,
            Text("contains a user name or password, which anyone who sees the address would learn"),
            Text("Leave it out and set it in the environment."),
        )
    if scheme == "file":
        raise LoadError(text, Text("is the address of a file"), Text("Give its path."))
    if scheme not in _PLACES:
        return Address("engine", f"{scheme}://{rest}")
    if scheme == "s3":
        text = f"s3://{rest}"
        bucket, _, key = rest.partition("/")
        if not _BUCKET.fullmatch(bucket):
            raise LoadError(
                text,
                Text("does not begin with the name of a bucket"),
                Text("Give s3://BUCKET/KEY."),
            )
        _require_plain(text, key)
        return Address("place", text)
    url = _web(text, shown)
    _require_plain(shown, url.path.removeprefix("/"))
    return Address("place", url._replace(fragment="").geturl())


def _web(text: str, shown: str) -> SplitResult:
    try:
        url = urlsplit(text)
        host, port = url.hostname or "", url.port
    except ValueError:
        host = ""
    if not host:
        raise LoadError(shown, Text("is not an address"), Text("Give https://HOST/PATH."))
    if url.scheme == "http" and not is_loopback(host):
        raise LoadError(
            shown,
            Text("is not encrypted, so it could be changed on the way"),
            Text("Give an address with https://."),
        )
    host = f"[{host}]" if ":" in host else host
    return url._replace(netloc=host if port in (None, _PORTS[url.scheme]) else f"{host}:{port}")


def _require_plain(shown: str, path: str) -> None:
    """Refuse names that mean another place than they say."""
    names = path.removesuffix("/").split("/") if path else []
    leads_on = not shown.startswith("s3:") and _LEADS_ON.search(path)
    if leads_on or any(unquote(name) in ("", ".", "..") for name in names):
        raise LoadError(
            shown,
            Text("has a part that is empty, or that leads elsewhere"),
            Text("Give the address without '//', '.', '..' and encoded slashes."),
        )


def _holds(given: Address, other: Address) -> bool:
    """Whether an address without parameters lies below another one."""
    if given.shown != given.text or other.shown != other.text:
        return False
    if other.text.startswith(given.text.rstrip("/") + "/"):
        return "/../" not in unquote(f"{other.text}/")
    server = given.kind == "engine" and urlsplit(given.text).path.strip("/")
    return bool(server and urlsplit(given.text).netloc and other.text.startswith(given.text + "."))


def is_loopback(host: str | None) -> bool:
    """Say whether a host is this machine, as nobody else can be.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost.example")
    (True, False)
    """
    if host == "localhost":
        return True
    try:
        return host is not None and ip_address(host).is_loopback
    except ValueError:
        return False
