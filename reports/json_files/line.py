"""One line of JSON, of which only selected members become objects."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from reports.json_files.strict import ends_early, parse, require_room

_DECODER = msgspec.json.Decoder(dict[str, msgspec.Raw])
_WHOLE = msgspec.json.Decoder()
REFUSED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Record(Protocol):
    """A JSON object, such as a dictionary."""

    def get(self, key: str, /) -> Any:
        """Return the value of a key, or None."""


class _Line:
    def __init__(self, members: dict[str, msgspec.Raw], line: bytes, file: str, place: str) -> None:
        self._members, self._source = members, (line, file, place)

    def get(self, key: str, /) -> Any:
        if key not in self._members:
            return None
        try:
            return msgspec.json.decode(self._members[key])
        except REFUSED:
            return parse(*self._source).get(key)


def is_torn(line: bytes) -> bool:
    r"""Whether a line is the last of a file and is cut in the middle.

    One that is wrong in another way is not.

    Examples
    --------
    >>> is_torn(b'{"id": 3, "pre'), is_torn(b'{"id": 3}'), is_torn(b'{"id": 3, "pre' + b"\n")
    (True, False, False)
    >>> is_torn(b'{"id": NaN, "score": 0.'), is_torn(b'{"id": 3} 4'), is_torn(b'{"id": "\xff"}')
    (True, False, False)
    """
    if line.endswith(b"\n") or line.isspace():
        return False
    try:
        _WHOLE.decode(line)
    except msgspec.DecodeError as error:
        return "truncated" in str(error) or ends_early(line)
    except REFUSED:
        return False
    return False


def read_line(line: bytes, file: str, place: str) -> Any:
    """Read a line of JSON as `json.dumps` writes it quickly, and any other strictly.

    A key that occurs twice shows in the length, which is that of the members and the separators.

    Returns: A record if it is an object.
    Raises LoadError if it is not strict JSON, here or when a member is asked for.

    Examples
    --------
    >>> read_line(b'{"id": 3, "prediction": "so 7"}', "gsm8k.jsonl", "line 1").get("id")
    3
    """
    require_room(line, file, place)
    try:
        members = _DECODER.decode(line)
    except REFUSED:
        return parse(line, file, place)
    of_keys = len("".join(members).encode()) + len(members) * len('"": , ')
    if of_keys + sum(map(len, members.values())) != len(line.rstrip()):
        return parse(line, file, place)
    return _Line(members, line, file, place)
