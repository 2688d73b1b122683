"""Fit output on one screen: tables that fit it, and a line for each kind of remark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import filterfalse, islice
from typing import Any, NamedTuple

from kofn.card import Card, full_name, grouping_in_words, is_doubtful, is_mean, verified_in_words
from kofn.run_columns import RUN, card_of
from kofn.terminal.remarks import Remark, kind_lines
from kofn.terminal.screen import cut, fitted, padded, width_of
from kofn.writing.columns import Block, Column, shown_columns, written
from kofn.writing.estimates import NA, percent
from kofn.writing.kinds import ESTIMATE, REMARKS
from kofn.writing.layout import Grid, Lines, short_name
from kofn.writing.wrapping import pieces, wrapped
from metrics.data.words import Text, printable

SCREEN = 40
"""How many lines stand on one."""
MOST_RUNS = 30
"""Of more a table has a line for each model, where there are such lines."""
MORE = Text("More: --all for every run in full and every note, --run NAME for one run.")
_REMARKS = Text("remarks")
_GAP = 2
_BAR, _NARROWEST_BAR, _NARROWEST_NAME = 20, 10, 12
_HIDDEN = 3
"""Lines that say what is left out, and the gap above."""
_FEWEST = 6
"""Lines of tables that remarks leave."""
_DIGITS = (1, 0)
"""After the point, where there is room and where there is less."""

Row = list[str]


class _Part(NamedTuple):
    """Lines of a table below a head of their own."""

    head: Row
    lines: Sequence[Row]
    bars: Sequence[tuple[float, float, float] | None]


@dataclass
class _Room:
    """How many letters and lines there are left, and what has not fitted."""

    width: int
    height: int
    bars: bool  # Whether the terminal has the letters for bars.
    # Left out.
    lines: int = 0
    columns: int = 0


def brief(
    blocks: Iterable[Block], size: tuple[int, int], bars: bool, more: Text = MORE
) -> tuple[list[Lines], list[str]]:
    """Return tables that fit, and sentences below: what to know of them, and how to see more.

    blocks: Those without a head are shown as they are, as far as there is room.
    size: How many letters and lines there are.
    bars: Whether the terminal has the letters for them.
    """
    width, height = size
    tables = [*blocks]
    sentences = [str(text) for table in tables for text in table.below]
    remarks = [cut(line, width) for line in _remark_lines(tables)]
    shown_any = any(table.lines for table in tables)
    below = [*dict.fromkeys(sentences), *remarks, *([str(more)] if shown_any else [])]
    taken = sum(1 + (width_of([line]) - 1) // width for line in below)
    room = _Room(width, max(height - taken - _HIDDEN, _FEWEST), bars)
    laid_out = [lines for table in map(_of_models, tables) for lines in _laid_out(table, room)]
    return laid_out, [*map(str, _left_out(room.lines, room.columns)), *below]


def _of_models(block: Block) -> Block:
    """Leave out runs without numbers and, of very many, all but the means of models."""
    lines = [line for line in block.lines if getattr(card_of(line), "reason", None) is None]
    over = [line for line in lines if getattr(card_of(line), "over", ())]
    kept = over if over and len(lines) - len(over) > MOST_RUNS else lines
    return replace(block, lines=kept, columns=[*filterfalse(_is_remark, block.columns)])


def _is_remark(column: Column[Any]) -> bool:
    return column.kind is REMARKS or column.label == _REMARKS


def _laid_out(block: Block, room: _Room) -> Iterator[Lines]:
    """Yield what there is room for of a block."""
    if block.lines and not block.head:
        rows = written(block.columns, block.lines, "paper")
        taken = sum(1 + sum(map(len, row.values())) // (room.width // 2) for row in rows)
        room.height -= taken + bool(block.heading) + 1
        yield [block.heading, Grid(rows, head=False)]
    elif block.lines and room.height > 1:
        head = [block.heading] if block.heading else []
        room.height -= len(head)
        grids = _fitted(block, room)
        heights = [*map(_height, grids)]
        apart = sum(heights) + len(heights) <= room.height
        room.height -= sum(heights) + apart * len(heights)
        together: list[list[str | Grid]] = [[grid] for grid in grids] if apart else [[*grids]]
        yield from ([*head, *each] for each in together)
    else:
        room.lines += len(block.lines)


def _fitted(block: Block, room: _Room) -> list[Grid]:
    """Return the parts of a table in as much detail as there is room for."""
    for digits in _DIGITS:
        parts = _lined_up([*_parts(block, digits)])
        whole = _widths(parts)
        if _total(whole) <= room.width:
            break
    widths, least = (_fitting(whole, room.width), _fitting(_narrowest(parts), room.width))
    if len(least) > len(widths):
        widths = _spread(least, whole, room.width)
    if len(widths) > 1:
        name = min(widths[0], _NARROWEST_NAME)
        widths[-1] = min(widths[-1], room.width - _total([name, *widths[1:-1]]) - _GAP)
    widths[0] = min(widths[0], room.width - _total(widths[1:]) - _GAP * (len(widths) > 1))
    spare = room.width - _total(widths) - _GAP
    columns = len(parts[0].head) - len(widths)
    drawn = room.bars and not columns and spare >= _NARROWEST_BAR and any(parts[0].bars)
    grids, left = [], room.height
    for part in parts:
        if left > 1:
            lines = part.lines[: left - 1]
            grids.append(_grid(part._replace(lines=lines), widths, min(_BAR, spare) * drawn))
            left -= _height(grids[-1])
    room.lines += len(block.lines) - sum(len(grid.rows) for grid in grids)
    room.columns = max(room.columns, columns)
    return grids


def _parts(block: Block, digits: int) -> Iterator[_Part]:
    """Lay out the lines of each dataset below its name; all together where each has one."""
    columns = [_rounded(column, digits) for column in block.columns]
    of_runs = columns[0].label == RUN.label
    datasets = [card_of(line).run.dataset if of_runs else "" for line in block.lines]
    names = dict.fromkeys(datasets)
    groups = [[at for at, each in enumerate(datasets) if each == name] for name in names]
    of_one = of_runs and len(groups) < len(datasets)
    if not of_one:
        groups = [[*range(len(datasets))]]
    every = shown_columns(columns, block.lines, "paper")
    estimates = next((each for each in every if _is_estimate(each.column)), None)
    for places in groups:
        lines = [block.lines[at] for at in places]
        heads = {each.column: each.head for each in shown_columns(columns, lines, "paper")}
        head = [heads.get(each.column, each.head) for each in every]
        columns_of = [*zip(head, every, strict=True)]
        cells = [[each.cells[at] if name else "" for name, each in columns_of] for at in places]
        if of_runs:
            head[0] = _called(lines[0]) if of_one else head[0]
            both = zip(_names(lines, of_one=of_one), cells, strict=True)
            cells = [[name, *row[1:]] for name, row in both]
        values = [estimates.values[at] if estimates else None for at in places]
        yield _Part(head, cells, [value and ESTIMATE.parts(value) for value in values])


def _rounded(column: Column[Any], digits: int) -> Column[Any]:
    if not _is_estimate(column):
        return column
    return replace(column, kind=replace(column.kind, write=partial(percent, digits=digits)))


def _is_estimate(column: Column[Any]) -> bool:
    write = getattr(column.kind.write, "func", column.kind.write)
    return column.kind.suffixes == ESTIMATE.suffixes and write is percent


def _names(lines: Sequence[Any], *, of_one: bool) -> Iterator[str]:
    """Name runs, those of one dataset by their models, and mark those that are doubtful."""
    models = [printable(card_of(line).run.model) for line in lines]
    for line, model in zip(lines, models, strict=True):
        short = of_one and models.count(model) == 1
        mark = " !" if is_doubtful(card_of(line).run) else ""
        yield short_name(model if short else full_name(card_of(line))) + mark


def _called(line: Any) -> str:
    """Name the dataset of a line, or the mean that it is over."""
    card = card_of(line)
    if card.over:
        return str(Text("mean of {count}", count=len(card.over)))
    if is_mean(card):
        return str(Text("mean"))
    name = short_name(card.run.dataset)
    return str(Text("{name} (mean)", name=name)) if getattr(card.found, "pooled", None) else name


def _lined_up(parts: Sequence[_Part]) -> list[_Part]:
    """Put the digits of numbers below one another in all parts."""
    rows = [line for part in parts for line in part.lines]
    columns = Grid([{str(at): cell for at, cell in enumerate(row)} for row in rows]).columns()
    aligned = zip(*(cells for _name, cells, _side in columns), strict=True)
    return [
        part._replace(lines=[[*row] for row in islice(aligned, len(part.lines))]) for part in parts
    ]


def _widths(parts: Sequence[_Part]) -> list[int]:
    columns = zip(*(line for part in parts for line in (part.head, *part.lines)), strict=True)
    return [width_of(column) for column in columns]


def _narrowest(parts: Sequence[_Part]) -> list[int]:
    """Return how wide columns are if their heads stand on several lines."""
    words = [part._replace(head=[_longest(each) for each in part.head]) for part in parts]
    return _widths(words)


def _longest(head: str) -> str:
    return max(pieces(head), key=lambda piece: width_of([piece]), default="")


def _fitting(widths: Sequence[int], room: int) -> list[int]:
    """Return the widths of the columns for which there is room, if need be beside a short name."""
    kept = [*widths]
    while len(kept) > 2 and _total(kept[1:]) + min(kept[0], _NARROWEST_NAME) + _GAP > room:
        kept.pop()
    return kept


def _spread(least: Sequence[int], whole: Sequence[int], room: int) -> list[int]:
    """Return widths that are as near to those of whole heads as there is room for.

    Examples
    --------
    >>> _spread([4, 5, 6], [4, 12, 20], 30)
    [4, 7, 15]
    """
    widths = [*least]
    for _ in range(room - _total(least)):
        lacking = [high - width for high, width in zip(whole, widths, strict=False)]
        widths[lacking.index(max(lacking))] += max(lacking) > 0
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _grid(part: _Part, widths: Sequence[int], bar: int) -> Grid:
    def cells(line: Row, last: str) -> Row:
        found = [
            padded(fitted(each, width), width) for each, width in zip(line, widths, strict=False)
        ]
        return [*found, last] if bar else found

    head = _at_the_bottom(
        [fitted(part.head[0], widths[0])],
        *(wrapped(each, width) for each, width in zip(part.head[1:], widths[1:], strict=False)),
        *([["0%" + "100%".rjust(bar - 2)]] if bar else []),
    )
    drawn = zip(part.lines, part.bars, strict=False)
    rows = [cells(line, _bar(found, bar)) for line, found in drawn]
    return Grid([dict(zip(head, row, strict=True)) for row in rows])


def _at_the_bottom(*heads: Sequence[str]) -> list[str]:
    r"""Return heads of several lines, all as high as the highest.

    Examples
    --------
    >>> _at_the_bottom(["maths"], ["cost", "of all"])
    ['\nmaths', 'cost\nof all']
    """
    most = max(map(len, heads))
    return ["\n".join([""] * (most - len(lines)) + [*lines]) for lines in heads]


def _height(grid: Grid) -> int:
    return len(grid.rows) + max(head.count("\n") + 1 for head in grid.rows[0])


def _bar(found: tuple[Any, ...] | None, width: int) -> str:
    """Draw a share and its interval between 0 and 100%.

    Examples
    --------
    >>> _bar((0.5, 0.1, 0.9), 10), _bar((0.5, None, None), 10), _bar(None, 4)
    ('·━━━━●━━━·', '·····●····', '····')
    """
    if found is None:
        return "·" * width
    value, low, high = found if found[1] is not None else (found[0],) * 3
    column = min(int(value * width), width - 1)
    return "".join(
        "●" if at == column else "━" if low < (at + 1) / width and high > at / width else "·"
        for at in range(width)
    )


def _remark_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Say why numbers are missing or doubtful, a line for each kind."""
    remarks = []
    for block in blocks:
        columns = [*filter(_is_remark, block.columns)]
        for line in block.lines:
            card = card_of(line)
            if not isinstance(card, Card):
                continue
            name = full_name(card)
            if is_doubtful(card.run):
                doubtful = [verified_in_words(card.run)] if card.run.verified is False else []
                doubtful += [grouping_in_words(card.run)] if card.run.grouping != "proven" else []
                remarks += [
                    Remark("!", name, Text("{said}.", said=each)) for each in doubtful if each
                ]
            texts = (
                [card.reason]
                if card.reason
                else [text for column in columns for text in _texts(column.value(line))]
            )
            severity = str(NA) if card.reason else "caveat"
            remarks += [Remark(severity, name, text) for text in texts]
    yield from kind_lines(remarks)


def _texts(value: Any) -> list[Text]:
    return [value] if isinstance(value, Text) else [*(value or ())]


def _left_out(lines: int, columns: int) -> list[Text]:
    sentences = (
        Text("--all shows {count} more line.", "--all shows {count} more lines.", count=lines),
        Text(
            "--all shows {count} more column.", "--all shows {count} more columns.", count=columns
        ),
    )
    return [each for each in sentences if each.fields["count"]]
