"""Notebooks and documents, recognised by their keys or members and not read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from metrics.data.words import Text
from reports.files.errors import LoadError


class Foreign(NamedTuple):
    """What a file is that kofn does not read, and what it needs instead."""

    what: Text
    needs: Text

    def error(self, file: str, place: str = "") -> LoadError:
        """Make the error of such a file."""
        problem = Text("looks like {what}; kofn does not read that", what=self.what)
        return LoadError(file, problem, self.needs, place)


_A_ROW_EACH = Text(
    "Give a table (Parquet, CSV or JSONL) with a row for each sample: question_id, sample, correct."
)
FROM_A_SHEET = Text(
    "Save the sheet as CSV (UTF-8), with a row for each sample: question_id, sample, correct."
)
"""What is needed instead of a spreadsheet."""

PICTURE = Foreign(Text("a document or picture"), _A_ROW_EACH)
PICTURES = b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8"
"""How documents and pictures begin, whatever their names are."""

_KNOWN: tuple[tuple[frozenset[str], Text, Text], ...] = (
    (frozenset({"cells", "nbformat"}), Text("a Jupyter notebook"), _A_ROW_EACH),
    (frozenset({"xl/workbook.xml"}), Text("a spreadsheet of Excel"), FROM_A_SHEET),
    (frozenset({"word/document.xml"}), Text("a document of Word"), _A_ROW_EACH),
)
"""Names that a file of each kind has, what it is and what kofn needs instead."""


def foreign(names: Iterable[str]) -> Foreign | None:
    """Return what a file is that has these keys or members.

    Examples
    --------
    >>> found = foreign(["cells", "metadata", "nbformat"])
    >>> str(found.what) if found else None
    'a Jupyter notebook'
    """
    there = frozenset(names)
    return next((Foreign(what, needs) for names, what, needs in _KNOWN if names <= there), None)
