"""Names from files as labels of a figure."""

from __future__ import annotations

import html

from metrics.data.words import shortened


def label(name: str, width: int = 40) -> str:
    """Return a name as plotly shows it letter for letter, `shortened`.

    Plotly takes labels for a subset of HTML.

    Examples
    --------
    >>> label("<b>7B</b>")
    '&lt;b&gt;7B&lt;/b&gt;'
    """
    return html.escape(shortened(name, width), quote=False)
