"""Files at ``https://``, read in ranges only, from one host and without redirects away from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError

from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.files.ranged import Broken, PlacedFile, PlacedState, persist, take

_TIMEOUTS = 10, 30
"""Seconds to connect, and between two pieces of an answer."""
_REDIRECTS = 5
_LATER = {408, 425, 429, 500, 502, 503, 504}
_REASONS = {
    401: Text("may not be read without credentials"),
    403: Text("may not be read"),
    404: Text("does not exist"),
    410: Text("does not exist any more"),
}
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_EMPTY = "bytes */0"


@dataclass(frozen=True, eq=False)
class ServedFile(PlacedFile):
    """A file of a web server; see `PlacedFile`."""

    def fetch(self, start: int, count: int) -> bytes:
        """Fetch some bytes once; see `PlacedFile.fetch`."""
        with _request_range(self.name, self.url, start, count) as answer:
            if answer.status_code == 416:
                raise self.changed()
            if not _state(self.name, answer, start, count).may_be(self.state):
                raise self.changed()
            try:
                return take(partial(answer.raw.read1, decode_content=False), count)
            except (HTTPError, OSError) as error:
                raise Broken(Text("was cut off before its end")) from error


def find(address: Address) -> ServedFile:
    """Return the file at an address, of which one byte is asked for.

    Raises LoadError if it cannot be read in ranges, from this host.
    """
    name = address.shown
    return ServedFile(name, address.text, persist(name, partial(_look, name, address.text)))


def _look(name: str, url: str) -> PlacedState:
    with _request_range(name, url, 0, 1) as answer:
        if answer.status_code == 416 and answer.headers.get("Content-Range") == _EMPTY:
            return PlacedState(0)
        return _state(name, answer, 0, 1)


def _request_range(name: str, url: str, start: int, count: int) -> requests.Response:
    """Ask for a range, wherever on the same host it is."""
    wanted = {"Range": f"bytes={start}-{start + count - 1}", "Accept-Encoding": "identity"}
    for _ in range(1 + _REDIRECTS):
        try:
            answer = _sent(url, wanted)
        except requests.exceptions.SSLError as error:
            raise LoadError(
                name,
                Text("is on a host whose certificate cannot be trusted"),
                Text(
                    "Name the certificates to trust in REQUESTS_CA_BUNDLE, or give another address."
                ),
            ) from error
        except requests.Timeout as error:
            raise Broken(Text("does not answer in time")) from error
        except (requests.RequestException, HTTPError, ValueError) as error:
            raise Broken(Text("cannot be reached")) from error
        if not answer.is_redirect:
            return answer
        answer.close()
        url = _same_host(name, url, answer.headers["Location"])
    raise LoadError(name, Text("redirects too many times"), Text("Give the address at the end."))


def _same_host(name: str, url: str, location: str) -> str:
    try:
        there = Address.read(urljoin(url, location))
        if there.kind == "place" and urlsplit(there.text)[:2] == urlsplit(url)[:2]:
            return there.text
    except ValueError:
        pass
    raise LoadError(
        name,
        Text("redirects to another host, which kofn does not follow"),
        Text("Give the address that it redirects to."),
    )


def _state(name: str, answer: requests.Response, start: int, count: int) -> PlacedState:
    """Return the state of the file of which an answer is a range; refuse any other answer."""
    status, headers = answer.status_code, answer.headers
    if status in _LATER:
        raise Broken(
            Text("is not available from its server at the moment (status {status})", status=status)
        )
    if status not in (200, 206):
        problem = _REASONS.get(status, Text("cannot be read (status {status})", status=status))
        raise LoadError(name, problem, Text("Check the address, and what ~/.netrc says of it."))
    content_range = _RANGE.fullmatch(headers.get("Content-Range", "")) if status == 206 else None
    if content_range is None or headers.get("Content-Encoding", "identity") != "identity":
        raise LoadError(
            name,
            Text("is on a server that cannot send parts of a file"),
            Text("Download the file, and give its path."),
        )
    first, last, size = map(int, content_range.groups())
    if first != start or last != min(start + count, size) - 1:
        raise Broken(Text("was sent with another range of bytes than requested"))
    return PlacedState(size, headers.get("Last-Modified", ""), headers.get("ETag", ""))


def _sent(url: str, headers: dict[str, str]) -> requests.Response:
    """Ask once, with what the environment says of proxies, certificates and netrc.

    By the adapter itself: a session would read the whole body of a redirect.
    """
    session = _session()
    asked = session.prepare_request(requests.Request("GET", url, headers))
    settings = session.merge_environment_settings(url, {}, True, None, None)
    return session.get_adapter(url).send(asked, timeout=_TIMEOUTS, **settings)


@cache
def _session() -> requests.Session:
    return requests.Session()
