"""Labels at the ends of lines, without overlaps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

import plotly.graph_objects as go

from charts.labels import label
from metrics.data.words import shortened

GAP = 15
"""Pixels from one name to the next."""
_LETTERS = 22
_LETTER = 7
_ON_A_LINE = 12
"""Names of more letters take two lines, so that a phone has room for the picture."""
_WORD = re.compile(r"[^-_./ ]*[-_./ ]|[^-_./ ]+")
"""A word of a name, with the mark that ends it."""


@dataclass(frozen=True, slots=True)
class End:
    """A name and where its line ends."""

    name: str
    height: float  # On the vertical axis.
    hue: str
    strong: bool = False  # Whether it stands out.


def name_ends(
    figure: go.Figure,
    ends: Sequence[End],
    span: tuple[float, float],
    pixels: int,
    marks: Sequence[End] = (),
) -> None:
    """Write names at the right of a figure, as near to the height of their lines as they fit.

    figure: Its right margin is set.
    span: The ends of the vertical axis.
    pixels: Its length.
    marks: Ends of lines that are no run's; their names are shown as they are.
    """
    names = [shortened(name, _LETTERS) for name in told_apart([end.name for end in ends], _LETTERS)]
    lines = 1
    every = [*ends, *marks]
    if 2 * GAP * len(every) <= pixels:
        names = [*map(on_two_lines, names)]
        lines = 1 + any("\n" in name for name in names)
    names += [mark.name for mark in marks]
    gap = lines * GAP * (span[1] - span[0]) / pixels
    heights = spread_out([end.height for end in every], span, gap)
    written = zip(every, names, heights, strict=True)
    figure.layout.annotations += tuple(_written(*each) for each in written)
    longest = max((len(line) for name in names for line in name.split("\n")), default=0)
    figure.update_layout(margin={"r": 14 + _LETTER * longest})


def on_two_lines(name: str) -> str:
    r"""Break a name of many letters after the mark that is nearest to its middle, if it has one.

    Examples
    --------
    >>> on_two_lines("sequoia-72b-chat").split("\n"), on_two_lines("qwen3-30b")
    (['sequoia-', '72b-chat'], 'qwen3-30b')
    """
    words = _WORD.findall(name)
    if len(name) <= _ON_A_LINE or len(words) < 2:
        return name
    ends = [*accumulate(map(len, words[:-1]))]
    middle = min(ends, key=lambda end: abs(2 * end - len(name)))
    return f"{name[:middle]}\n{name[middle:]}"


def _written(end: End, name: str, height: float) -> go.layout.Annotation:
    shown = label(name).replace("\n", "<br>")
    return go.layout.Annotation(
        x=1,
        xref="paper",
        xanchor="left",
        xshift=6,
        y=height,
        text=f"<b>{shown}</b>" if end.strong else shown,
        font={"color": end.hue, "size": 12},
        align="left",
        showarrow=False,
    )


def told_apart(names: Sequence[str], width: int) -> list[str]:
    """Leave out the words that all names begin with, where some name is too long to be shown.

    Examples
    --------
    >>> told_apart(["qwen3-30b", "qwen3-235b"], 12), told_apart(["qwen3-30b", "qwen3-235b"], 8)
    (['qwen3-30b', 'qwen3-235b'], ['…30b', '…235b'])
    """
    if len(names) < 2 or max(map(len, names)) <= width:
        return list(names)
    words = [_WORD.findall(name) for name in names]
    alike = takewhile(lambda each: len(set(each)) == 1, zip(*words, strict=False))
    shared = len("".join(first for first, *_ in alike))
    return [f"…{name[shared:]}" if shared else name for name in names]


def spread_out(heights: Sequence[float], span: tuple[float, float], gap: float) -> list[float]:
    """Move heights as little as it takes to be a gap apart, or less where they do not fit a span.

    Examples
    --------
    >>> [round(height, 2) for height in spread_out([0.5, 0.52, 0.9], (0, 1), 0.1)]
    [0.46, 0.56, 0.9]
    >>> [round(height, 2) for height in spread_out([1.0, 1.0, 0.0], (0, 1), 0.1)]
    [0.9, 1.0, 0.0]
    """
    low, high = span
    steps = max(len(heights) - 1, 1)
    gap = min(gap, (high - low) / steps)
    order = sorted(range(len(heights)), key=heights.__getitem__)
    groups: list[tuple[float, int]] = []
    for rank, place in enumerate(order):
        mean, count = heights[place] - rank * gap, 1
        while groups and groups[-1][0] > mean:
            below, others = groups.pop()
            mean, count = (below * others + mean * count) / (others + count), others + count
        groups.append((mean, count))
    together = [mean for mean, count in groups for _ in range(count)]
    heights_apart = [0.0] * len(heights)
    for rank, (place, mean) in enumerate(zip(order, together, strict=True)):
        heights_apart[place] = min(max(mean, low), high - (len(heights) - 1) * gap) + rank * gap
    return heights_apart
