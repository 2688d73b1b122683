"""Text of any Unicode encoding that says which it is, as UTF-8."""

from __future__ import annotations

import codecs
import io
from typing import Any, BinaryIO, cast

_CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding(head: bytes) -> str:
    """Return the encoding that the first bytes of a text announce; UTF-8 without any."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def decoded(head: bytes) -> str:
    """Return the first characters of a text; a character that is cut or wrong is replaced."""
    return codecs.getincrementaldecoder(encoding(head))("replace").decode(head)


def as_unicode(text: str) -> str:
    """Spell what is not valid Unicode, such as half of a surrogate pair from JSON, in ASCII."""
    return text.encode("utf-8", "backslashreplace").decode()


def as_utf8(stream: BinaryIO) -> BinaryIO:
    """Return a text as a stream of UTF-8 without a byte order mark.

    A text that is UTF-8 is not checked; one in another encoding raises UnicodeDecodeError where it
    is damaged.
    """
    file = io.BufferedReader(cast(io.RawIOBase, stream), _CHUNK)
    name = encoding(file.peek(4)[:4])
    if name == "utf-8":
        return cast(BinaryIO, file)
    text = io.TextIOWrapper(file, name, newline="")
    return cast(BinaryIO, io.BufferedReader(_Encoded(text), _CHUNK))


class _Encoded(io.RawIOBase):
    """A text as UTF-8."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text, self._left = text, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._left or self._text.read(_CHUNK).encode("utf-8", "surrogatepass")
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        self._left = data[count:]
        return count

    def close(self) -> None:
        self._text.close()
        super().close()
