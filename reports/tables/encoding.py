"""Convert text in UTF-8, UTF-16, UTF-32, GBK or Windows-1252 to UTF-8."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

_CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
GUESSED = {
    "utf-16-le": "UTF-16 without a byte order mark",
    "utf-16-be": "UTF-16 without a byte order mark",
    "gb18030": "GBK",
    "cp1252": "Windows-1252",
}
"""Encodings that no byte order mark announces, and what they are called."""
_LOOKED_AT = 4_000
_NULS = 1 / 8
_COMMON = 0.9
_DAILY = (0xA1, 0xD7)
"""First bytes of the signs and the 3755 characters of GB 2312 that are used most."""
_WESTERN = {
    *"àâäáãåæçèéêëìíîïñòóôöõøœùúûüßšžÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜŠŽ",
    *"¿¡ºª°€–—‘’“”„‚…«»©®™·×±²³½¼¾µ§\xa0•",
}
_FOREIGN = re.compile(rb"[\x80-\xff]{2,}")
_LETTER = re.compile(rb"[A-Za-z]")
_UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_DAMAGED = 0.8
_MOST = 3


def encoding(head: bytes) -> str:
    """Return the encoding of a text: as its first bytes announce or show; UTF-8 in doubt."""
    if announced := next((name for mark, name in _MARKS if head.startswith(mark)), None):
        return announced
    if b"\0" in head:
        return _without_mark(head)
    if _decodes(head, "utf-8") is not None or _is_damaged(head):
        return "utf-8"
    return "cp1252" if _is_western(head) else "gb18030" if _is_gbk(head) else "utf-8"


def decoded_head(head: bytes) -> str:
    """Return the first characters of a text; a character that is cut or wrong is replaced."""
    return codecs.getincrementaldecoder(encoding(head))("replace").decode(head)


def as_unicode(text: str) -> str:
    """Spell what is not valid Unicode, such as half of a surrogate pair from JSON, in ASCII."""
    return text.encode("utf-8", "backslashreplace").decode()


def as_utf8(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a text of some encoding as a stream of UTF-8 without a byte order mark.

    A text that is UTF-8 is not checked; one in another encoding raises UnicodeDecodeError where it
    is damaged.
    """
    file = io.BufferedReader(cast(io.RawIOBase, stream), _CHUNK)
    if name == "utf-8":
        return cast(BinaryIO, file)
    return stream_of(_encoded(io.TextIOWrapper(file, name, newline="")))


def stream_of(chunks: Iterator[bytes]) -> BinaryIO:
    """Return pieces of bytes, none of them empty, as a stream."""
    return cast(BinaryIO, io.BufferedReader(_Stream(chunks), _CHUNK))


def _encoded(text: io.TextIOWrapper) -> Iterator[bytes]:
    with text:
        while data := text.read(_CHUNK):
            yield data.encode("utf-8", "surrogatepass")


def _without_mark(head: bytes) -> str:
    """Return which UTF-16 has its NULs where these are: every other byte of what is ASCII."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    for name, here, there in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if here >= _NULS * len(head) > 8 * there and _is_written(_decodes(head, name)):
            return name
    return "utf-8"


def _is_written(text: str | None) -> bool:
    """Whether a text holds what people write, and no characters that control a machine."""
    return text is not None and "".join(text[:_LOOKED_AT].split()).isprintable()


def _is_gbk(head: bytes) -> bool:
    """Whether bytes are Chinese in GBK: nearly all of it in common use, and most of it daily."""
    text = _decodes(head, "gb18030")
    if text is None or not _is_written(text):
        return False
    foreign = [character for character in text if ord(character) > 127]
    common = "".join(foreign).encode("gb2312", "ignore")
    daily = sum(_DAILY[0] <= lead <= _DAILY[1] for lead in common[::2])
    return len(common) >= _COMMON * 2 * len(foreign) > 0 and 2 * daily >= len(foreign)


def _is_damaged(head: bytes) -> bool:
    """Whether most of what is not ASCII is UTF-8, so that the rest is damage."""
    whole = sum(map(len, _UTF8.findall(head)))
    return whole > _DAMAGED * (len(head) - len(head.translate(None, bytes(range(128, 256)))))


def _is_western(head: bytes) -> bool:
    """Whether bytes are a Western language in Windows-1252: words with a few accented letters."""
    text = _decodes(head, "cp1252")
    if text is None or not {c for c in text if ord(c) > 127} <= _WESTERN:
        return False
    return all(
        len(run[0]) <= _MOST and _LETTER.search(head, max(run.start() - 1, 0), run.end() + 1)
        for run in _FOREIGN.finditer(head)
    )


def _decodes(head: bytes, name: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(name)().decode(head)
    except UnicodeDecodeError:
        return None


class _Stream(io.RawIOBase):
    """Pieces of bytes, one after the other."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._left = chunks, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._left or memoryview(next(self._chunks, b""))
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        self._left = data[count:]
        return count

    def close(self) -> None:
        if not self.closed:
            self._chunks.close()  # type: ignore[attr-defined]
        super().close()
