"""Kinds of table cells: how they are stored in files, and how people read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from kofn.writing.estimates import NA, chance_in_percent, percent, points, span
from kofn.writing.joining import joined
from kofn.writing.layout import short_name
from metrics.data.words import Text

Parts = tuple[Any, ...]
ENDS = ("", "_low", "_high")


@dataclass(frozen=True)
class Kind:
    """What the cells of a column are."""

    dtype: str  # Of pandas, in files.
    write: Callable[..., Text | str]  # From the parts of a value to what people read.
    # From a value to what has a column of its own in files.
    parts: Callable[[Any], Parts] = lambda value: (value,)
    suffixes: tuple[str, ...] = ("",)  # What is put behind the key of a column for each part.
    align: Literal["left", "right"] = "right"
    # What people read where there is no value; None for nothing, and no column without any.
    absent: Text | None = NA
    # Of a number that a table of a page sorts, as Streamlit takes it; empty for other cells.
    format: str = ""

    @property
    def optional(self) -> Kind:
        """The same, blank where there is no value; without any the column is not shown."""
        return replace(self, absent=None)


def _as_is(value: Any) -> Text | str:
    return value if isinstance(value, Text) else str(value)


def _with_ends(found: Any) -> Parts:
    """Return the value of an estimate or a difference, and the ends of its interval."""
    if hasattr(found, "interval"):
        return found.value, *(found.interval or (None, None))
    return found if isinstance(found, tuple) else (found, None, None)


def _range(first: int, last: int) -> Text:
    if first == last:
        return Text("{first}", first=first)
    return Text("{first} to {last}", first=first, last=last)


def one_of(words: Mapping[Any, Text]) -> Kind:
    """Return the kind of codes, which files hold and people read as words."""
    return replace(WORD, write=lambda code: words[code])


NAME = Kind("string", short_name, align="left", absent=None)
"""A name from a file; of a very long one people read both ends."""
WORD = Kind("string", _as_is, align="left", absent=None)
REMARKS = Kind("string", joined, align="left", absent=None)
"""Sentences: a list in JSON, one text elsewhere."""
COUNT = Kind("Int64", lambda count: Text("{count}", count=count))
FLAG = Kind("boolean", lambda flag: Text("yes") if flag else Text("no"), align="left").optional
WRITTEN = Kind("string", _as_is)
"""What is a sentence already, such as an amount with its unit."""
SHARE = Kind("Float64", percent)
POINTS = Kind("Float64", points)
CHANCE = Kind("Float64", chance_in_percent)
NUMBER = Kind("Float64", lambda number: Text("{number:.2g}", number=number))
ESTIMATE = Kind("Float64", percent, _with_ends, ENDS)
"""A share with its interval: an estimate, or three numbers."""
DIFFERENCE = Kind("Float64", points, _with_ends, ENDS)
"""Percentage points with their interval: a difference, or three numbers."""
SPAN = Kind("Float64", span, tuple, ENDS[1:]).optional
RANKS = Kind("Int64", _range, tuple, ("_first", "_last")).optional
