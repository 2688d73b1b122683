"""The lines of a text table before parsing: the header once, and no line lost to quotes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from pyarrow import csv

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.tables.source import Source
from reports.vocabulary import RIGHT, WRONG

ROW = 16 << 20
"""Bytes of the longest row."""
_CHUNK = 1 << 20
_MARK = b"\xef\xbb\xbf"
_NUMBER = re.compile(r"[+-]?[0-9.,]+(?:e[+-]?[0-9]+)?")
_WORDS = {"", *RIGHT, *WRONG}


def whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Cut a text into pieces that end with a line, or where one is longer than `ROW`."""
    left = bytearray()
    while chunk := stream.read(_CHUNK):
        left += chunk
        end = left.rfind(b"\n") + 1
        if not end and len(left) > ROW:
            end = len(left)
        if end:
            yield bytes(left[:end])
            del left[:end]
    if left:
        yield bytes(left)


@contextmanager
def ending_reader(
    stream: BinaryIO, table: csv.CSVStreamingReader
) -> Iterator[csv.CSVStreamingReader]:
    """End what Arrow reads ahead of a stream before the table goes.

    It waits for that without giving up Python's lock, for which the stream may be waiting.
    """
    try:
        yield table
    finally:
        stream.close()
        with suppress(Exception):  # of what is no longer asked for
            for _ in table:
                pass


def end_of_rows(stream: BinaryIO) -> tuple[int, bytes]:
    r"""Return up to which byte the rows of a text end with a line, and what follows.

    Examples
    --------
    >>> from io import BytesIO
    >>> end_of_rows(BytesIO(b'id,said\n1,"a\nb"\n2,"c\nd'))
    (16, b'2,"c\nd')
    """
    end = done = marks = 0
    left = b""
    while chunk := stream.read(_CHUNK):
        parts, at = chunk.split(b'"'), done + len(chunk)
        for number in range(marks + len(parts) - 1, marks - 1, -1):
            part = parts[number - marks]
            at -= len(part)
            if number % 2 == 0 and b"\n" in part:
                end = at + part.rindex(b"\n") + 1
                left = b""
                break
            at -= 1
        left += chunk[max(end - done, 0) :]
        if len(left) > ROW:
            return 0, b""
        marks, done = marks + len(parts) - 1, done + len(chunk)
    return end, left


class RowsAlone:
    """Lines without those that are no rows: headers that ``cat`` repeats, and blank rows of Excel.

    Attributes
    ----------
    header, blank : bytes
        The line of names, or nothing where it is not there, and a row without any value; without
        their ends.
    headers, blanks : int
        How many were found.
    """

    def __init__(self, header: bytes, blank: bytes) -> None:
        self.header, self.blank = header, blank
        self.headers = self.blanks = 0
        self._header, self._blank = (
            re.compile(rb"^(?:%s)?%s\r?(?:\n|\Z)" % (_MARK, re.escape(line)), re.MULTILINE)
            for line in (header, blank)
        )

    def of(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield what is left; the first header stays."""
        seen = not self.header
        for piece in pieces:
            start = 0
            if not seen and (first := self._header.search(piece)):
                seen, start = True, first.end()
            if self.header and self.header in piece[start:]:
                rest, count = self._header.subn(b"", piece[start:])
                self.headers += count
                piece = piece[:start] + rest
            if self.blank and (b"\n" + self.blank in piece or piece.startswith(self.blank)):
                piece, count = self._blank.subn(b"", piece)
                self.blanks += count
            if piece:
                yield piece

    def notes(self, source: Source) -> Iterator[Note]:
        """Say what was left out."""
        if self.headers:
            what = Text(
                "{count} line that repeats the header is left out.",
                "{count} lines that repeat the header are left out.",
                count=self.headers,
            )
            yield Note(what, source.place, self.headers, "warning")
        if self.blanks:
            what = Text(
                "{count} row without any value is left out.",
                "{count} rows without any value are left out.",
                count=self.blanks,
            )
            yield Note(what, source.place, self.blanks)


class QuotesClosed:
    """Lines whose quotation marks enclose values, and no rows.

    Attributes
    ----------
    source : Source
    delimiter : str
    width : int
        Columns of the table.
    plain : collection of int
        Which of them hold numbers or verdicts.
    """

    def __init__(self, source: Source, delimiter: str, width: int, plain: Collection[int]) -> None:
        self.source, self.delimiter = source, delimiter
        self.width, self.plain = width, plain
        self._delimiter = delimiter.encode()
        ends = re.escape(self._delimiter)
        self._quoted = re.compile(rb'(?<![^%s\r\n])"([^"]*+(?:""[^"]*+)*+)("?)' % ends)
        self._after = (b"", self._delimiter, b"\r", b"\n")

    def of(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the same lines.

        Raises LoadError if a quotation mark opens in one row and closes in another, or in none.
        """
        left, number = b"", 1
        for piece in pieces:
            text = left + piece if left else piece
            end = self._looked_through(text, number)
            left = text[end:]
            if len(left) > ROW:
                raise self._swallowed(number + text.count(b"\n", 0, end))
            number += text.count(b"\n", 0, end)
            yield piece
        if b"\n" in left.rstrip(b"\r\n") or (left and not left.endswith(b"\n")):
            raise self._swallowed(number)

    def _looked_through(self, text: bytes, number: int) -> int:
        """Return up to where all that is quoted is closed: the start of a line."""
        if b'"' not in text:
            return len(text)
        for quoted in self._quoted.finditer(text):
            opened, closed = quoted.span()
            if not quoted[2]:
                return text.rfind(b"\n", 0, opened) + 1
            if b"\n" in quoted[1]:
                odd_end = text[closed : closed + 1] not in self._after
                if odd_end or self._are_rows(text, opened, closed):
                    raise self._swallowed(number + text.count(b"\n", 0, opened))
        return len(text)

    def _are_rows(self, text: bytes, opened: int, closed: int) -> bool:
        """Whether each line that a quoted value is on would be a row without quotes."""
        start = text.rfind(b"\n", 0, opened) + 1
        if text.count(self._delimiter, start, text.find(b"\n", opened)) != self.width - 1:
            return False
        end = text.find(b"\n", closed)
        lines = text[start : end if end >= 0 else len(text)].split(b"\n")
        return all(map(self._is_row, lines))

    def _is_row(self, line: bytes) -> bool:
        values = line.decode("utf-8", "replace").split(self.delimiter)
        if len(values) != self.width or not self.plain:
            return False
        plain = (values[position].strip(' "\r').lower() for position in self.plain)
        return all(value in _WORDS or _NUMBER.fullmatch(value) for value in plain)

    def _swallowed(self, line: int) -> LoadError:
        return self.source.error(
            Text(
                "in line {line} a quotation mark opens that closes in another row, so the rows "
                "between them would be read as one value",
                line=line,
            ),
            Text("Remove it, or write a quotation mark within a value twice."),
        )
