"""Line breaking for Chinese: between characters, but not before closing punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_OPENS, _CLOSES = "（《「『【〈“‘", "，。、；：！？）》」』】〉”’"
_LETTER = f"[{_WIDE}]|[^\\s{_WIDE}{_OPENS}{_CLOSES}]+"
_PIECE = rf"\s+|[{_OPENS}]*(?:{_LETTER})?[{_CLOSES}]*"
_CHINESE = f"[{_WIDE}]"


def is_wide(text: str) -> bool:
    """Say whether a text has letters that take two cells of a terminal, as Chinese does.

    Examples
    --------
    >>> is_wide("7B"), is_wide("通义千问 7B")
    (False, True)
    """
    return not text.isascii() and re.search(_CHINESE, text) is not None


def pieces(text: str) -> Iterator[str]:
    """Yield what no line break may divide, and the spaces between.

    Examples
    --------
    >>> [*pieces("用 pass@k，（见下）。")]
    ['用', ' ', 'pass@k，', '（见', '下）。']
    """
    return filter(None, re.findall(_PIECE, text))


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines that take at most so many cells of a terminal, where they can.

    Examples
    --------
    >>> wrapped("模型 7B 在 gsm8k 上，领先。", 14)
    ['模型 7B 在', 'gsm8k 上，领', '先。']
    """
    from rich.cells import cell_len

    lines, line = [], ""
    for piece in pieces(text):
        if "\n" in piece or cell_len(line + piece.rstrip()) > width:
            lines += [line.rstrip()] if line.strip() else []
            line = piece.lstrip() if lines else piece
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines
