"""Terminal output: wrapped, fitted to the width, and in colour where supported.

Rich is imported here alone, when something is shown. It keeps to NO_COLOR, FORCE_COLOR and COLUMNS.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from kofn.terminal.gate import WORDS
from kofn.terminal.remarks import SEVERITIES
from kofn.writing.estimates import NA
from kofn.writing.layout import Grid, Lines
from kofn.writing.wrapping import is_wide, pieces, wrapped
from metrics.data.words import printable, shortened

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text as Styled

_TRAILING = re.compile(r"[ ]+$", re.MULTILINE)
_COUNTED = re.compile(r"(?: ×\d+)?[:：,，]")
_GAP = 2
"""Letters between columns."""
_COLOURS = {
    SEVERITIES["error"]: "bold red",
    SEVERITIES["problem"]: "red",
    SEVERITIES["warning"]: "yellow",
    SEVERITIES["difference"]: "yellow",
    SEVERITIES["note"]: "cyan",
    SEVERITIES["info"]: "dim",
    WORDS[True]: "green",
    WORDS[False]: "bold red",
    WORDS[None]: "yellow",
}
"""By the word that a line begins with."""


def console(stream: TextIO | None = None, *, plain: bool = False) -> Console:
    """Return what a stream shows, standard output by default; plain for a file, without colour."""
    from rich.console import Console

    options = {"no_color": True, "force_terminal": False} if plain else {}
    return Console(
        file=stream or sys.stdout,
        highlight=False,
        markup=False,
        emoji=False,
        **options,  # type: ignore[arg-type]
    )


def written(
    target: Console,
    answer: str,
    sentences: Iterable[str] = (),
    blocks: Iterable[Lines] = (),
    below: Iterable[str] = (),
) -> str:
    """Write an answer, what else is said in sentences, blocks, and sentences below them.

    target: From `console`.
    """
    with target.capture() as capture:
        target.print(_text(answer, "bold", target.width))
        for sentence in sentences:
            target.print()
            target.print(_verdict(sentence, target.width))
        for block in blocks:
            parts = [*_parts(block, answer, target.width)]
            for part in ([""] if parts else []) + parts:
                target.print(part)
        for number, sentence in enumerate(below):
            if not number:
                target.print()
            target.print(_text(sentence, "dim", target.width))
    return _TRAILING.sub("", capture.get())


def height_of(target: Console, answer: str, sentences: Iterable[str]) -> int:
    """Return how many lines `written` takes before the first block."""
    return written(target, answer, sentences).count("\n") + 1


def print_line(target: Console, line: str, *, cut: bool = False) -> None:
    """Print a remark or an error: whole, or one line of a terminal."""
    from rich.text import Text as Styled

    wraps = target.is_terminal and not cut
    text = Styled(_broken(line, target.width if wraps else None))
    _colour(text, 0)
    if not target.is_terminal:
        target.print(text, soft_wrap=True)
    elif cut:
        target.print(text, no_wrap=True, overflow="ellipsis", crop=True)
    else:
        target.print(text)


def plain(line: str) -> Styled:
    """Return a line as it is, whatever marks are in it."""
    return _text(line)


def _text(line: str, style: str = "", width: int | None = None) -> Styled:
    from rich.text import Text as Styled

    return Styled(_broken(printable(line), width), style=style, overflow="fold")


def _broken(text: str, width: int | None) -> str:
    """Break Chinese, in which Rich sees one long word, into lines of a width."""
    return "\n".join(wrapped(text, width)) if width and is_wide(text) else text


def _verdict(sentence: str, width: int) -> Styled:
    """Colour the words that say whether something passes."""
    text = _text(sentence, "", width)
    starts = [0, *(found.end() for found in re.finditer("\n", text.plain))]
    for start in starts:
        _colour(text, start)
    return text


def _colour(text: Styled, start: int) -> None:
    """Colour the word that a line begins with, if it says how grave that is."""
    for word, colour in _COLOURS.items():
        after = start + len(str(word))
        counted = _COUNTED.match(text.plain, after)
        if text.plain.startswith(str(word), start) and counted:
            text.stylize(colour, start, counted.end())


def _parts(block: Lines, answer: str, width: int) -> Iterator[Styled | Padding | Table]:
    """Yield the heading of a block, unless it is the answer again, and the rest further right.

    Grids may stand alone.
    """
    from rich.padding import Padding

    indent = 0
    for piece in block:
        if isinstance(piece, Grid):
            for table in _tables(piece, width - indent):
                yield Padding(table, (0, 0, 0, indent))
        elif indent:
            yield Padding(_text(piece, "", width - indent), (0, 0, 0, indent))
        else:
            indent = 2
            if piece != answer:
                yield _text(piece, "bold", width)


def _tables(grid: Grid, width: int) -> Iterator[Table]:
    """Yield a grid as a table, or as several of some columns each where they would break words.

    The first column begins each of them.
    """
    from rich.table import Table
    from rich.text import Text as Styled

    every = grid.columns()
    for group in _column_groups([[head, *cells] for head, cells, _side in every], width):
        together = [every[place] for place in group]
        table = Table(box=None, pad_edge=False, show_header=grid.head, header_style="bold")
        widths = _widths([[head, *cells] for head, cells, _side in together], width)
        for (head, _cells, side), own in zip(together, widths, strict=True):
            table.add_column(Styled(_broken(head, own)), justify=side, overflow="fold", width=own)
        for cells in zip(*(cells for _head, cells, _side in together), strict=True):
            if group[0] == group[-1] or len(group) == len(every) or any(map(str.strip, cells[1:])):
                table.add_row(*map(_cell, cells, widths))
        yield table


def _column_groups(columns: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Return which columns stand beside one another so that words stay whole, the first in each.

    Examples
    --------
    >>> _column_groups([["maths"], ["31% (24 to 39)"], ["pass@16"], ["checked"]], 21)
    [[0, 1, 2], [0, 3]]
    >>> _column_groups([["maths"], ["31% (24 to 39)"], ["pass@16"], ["checked"]], 30)
    [[0, 1, 2, 3]]
    """
    least = [_least_width(cells) for cells in columns]
    groups = [[0]]
    for place in range(1, len(columns)):
        if (
            len(groups[-1]) > 1
            and sum(least[each] + _GAP for each in groups[-1]) + least[place] > width
        ):
            groups.append([0])
        groups[-1].append(place)
    return groups


def _widths(columns: Sequence[Sequence[str]], width: int) -> Sequence[int | None]:
    """Return how wide columns are so that words stay whole; None where some must break.

    Examples
    --------
    >>> _widths([["7B / maths"], ["a sentence of words"]], 24)
    [7, 14]
    >>> _widths([["7B / maths"], ["a sentence of words"]], 12)
    [None, None]
    """
    whole = [width_of(cells) for cells in columns]
    least = [_least_width(cells) for cells in columns]
    room = width - _GAP * (len(columns) - 1)
    if sum(whole) <= room:
        return whole
    if sum(least) > room:
        return [None] * len(columns)
    wanted = sum(whole) - sum(least)
    spare = room - sum(least)
    return [low + spare * (high - low) // wanted for low, high in zip(least, whole, strict=True)]


def _least_width(cells: Sequence[str]) -> int:
    """Return how wide a column has to be so that its words stay whole."""
    return width_of([*filter(str.strip, pieces(" ".join(cells)))])


def _cell(cell: str, width: int | None) -> Styled:
    from rich.text import Text as Styled

    text = Styled(_broken(cell, width), style="dim" if cell.strip() == str(NA) else "")
    text.highlight_regex(r"[━●]+", "cyan")
    text.highlight_regex(r"(?<=[%\d])(?: \(.*\)|（.*）)", "dim")
    return text


def width_of(cells: Sequence[str]) -> int:
    """Return how many cells of a terminal the widest of some texts takes."""
    from rich.cells import cell_len

    return max((cell_len(line) for cell in cells for line in cell.split("\n")), default=0)


def padded(cell: str, width: int) -> str:
    """Return a text that takes so many cells of a terminal, if it takes no more."""
    from rich.cells import cell_len

    return cell + " " * (width - cell_len(cell))


def cut(line: str, width: int) -> str:
    """Return a line that takes at most so many cells of a terminal, cut at its end if need be.

    Examples
    --------
    >>> cut("9 of 96 failed.", 20), cut("9 of 96 failed.", 10)
    ('9 of 96 failed.', '9 of 96 f…')
    """
    from rich.cells import set_cell_size

    return line if width_of([line]) <= width else set_cell_size(line, width - 1).rstrip() + "…"


def fitted(name: str, width: int) -> str:
    """Return a name that takes at most so many cells of a terminal, cut in the middle if need be.

    Examples
    --------
    >>> fitted("cedar-14b-thinking", 12), fitted("通义千问", 6)
    ('cedar-1…king', '通…问')
    """
    letters = min(len(name), width)
    while width_of([shortened(name, letters)]) > width:
        letters -= 1
    return shortened(name, letters)
