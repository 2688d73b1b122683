"""How reports and runs look in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from metrics.data.words import shortened

_ROWS = 20
_LETTERS = 60


def html_table(
    title: str, rows: Sequence[Mapping[str, object]], notes: Iterable[object] = ()
) -> str:
    """Return a heading, the first rows of a table, and the first sentences below it, escaped.

    Examples
    --------
    >>> html_table("<b>", [{"model": "a&b"}])
    '<p>&lt;b&gt;</p><table><tr><th>model</th></tr><tr><td>a&amp;b</td></tr></table>'
    """
    parts = [f"<p>{_safe(title)}</p>"]
    if rows:
        head = "".join(f"<th>{_safe(name)}</th>" for name in rows[0])
        body = (
            "<tr>" + "".join(f"<td>{_safe(cell)}</td>" for cell in row.values()) + "</tr>"
            for row in rows[:_ROWS]
        )
        parts.append(f"<table><tr>{head}</tr>{''.join(body)}</table>")
    if len(rows) > _ROWS:
        parts.append(f"<p>and {len(rows) - _ROWS} more</p>")
    lines = list(notes)
    if lines:
        items = "".join(f"<li>{escape(shortened(str(note), 300))}</li>" for note in lines[:_ROWS])
        parts.append(f"<ul>{items}</ul>")
    return "".join(parts)


def _safe(cell: object) -> str:
    return escape("" if cell is None else shortened(str(cell), _LETTERS))
