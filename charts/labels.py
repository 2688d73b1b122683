"""Names from files, short enough to be read, and as labels of a figure."""

from __future__ import annotations

import html


def shortened(name: str, width: int) -> str:
    """Return a name of at most `width` letters, cut in the middle if need be.

    Examples
    --------
    >>> shortened("qwen3-235b-a22b-instruct-2507", 20)
    'qwen3-235b-a…ct-2507'
    """
    if len(name) <= width:
        return name
    tail = (width - 1) * 2 // 5
    return f"{name[: width - 1 - tail]}…{name[-tail:]}"


def label(name: str, width: int = 40) -> str:
    """Return a name as plotly shows it letter for letter, `shortened`.

    Plotly takes labels for a subset of HTML.

    Examples
    --------
    >>> label("<b>7B</b>")
    '&lt;b&gt;7B&lt;/b&gt;'
    """
    return html.escape(shortened(name, width), quote=False)
