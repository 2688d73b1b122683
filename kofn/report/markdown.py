"""A report as Markdown with picture files, for a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from kofn.report.bound import Bound
from kofn.report.words import WORDS, no_pictures, table_name
from kofn.writing.layout import Row, escaped, markdown
from kofn.writing.pictures import picture, why_no_pictures
from metrics.data.words import MetricError, Text

_LONG = 20
"""Tables of more rows are folded away."""


def pictures(bound: Bound) -> tuple[dict[str, bytes], Text | None]:
    """Draw the figure of each chapter, by its key, as SVG; or say why none can be drawn."""
    reason = why_no_pictures()
    if reason is not None:
        return {}, reason
    try:
        drawn = {
            chapter.key: picture(chapter.figure, ".svg", wide=True)
            for chapter in bound.chapters
            if chapter.figure is not None
        }
    except MetricError as error:
        return {}, error.text
    return drawn, None


def markdown_of(bound: Bound, drawn: Mapping[str, str], reason: Text | None) -> str:
    """Write a report as Markdown.

    drawn: Where the picture of a chapter lies, by its key.
    reason: Why there are no pictures.
    """
    return "\n\n".join(_blocks(bound, drawn, reason)) + "\n"


def _blocks(bound: Bound, drawn: Mapping[str, str], reason: Text | None) -> Iterator[str]:
    yield f"# {escaped(bound.title)}"
    if reason is not None:
        yield escaped(str(no_pictures(reason)))
    for chapter in bound.chapters:
        yield f"## {escaped(chapter.title)}"
        yield escaped(chapter.answer)
        if chapter.covers:
            yield escaped(chapter.covers)
        if chapter.key in drawn:
            yield f"![{escaped(chapter.title)}]({quote(drawn[chapter.key])})"
        yield from map(_table, chapter.tables)
    if bound.quoted:
        yield f"## {_word('texts')}"
        yield _word("quoted")
    for each in bound.quoted:
        yield f"### {escaped(each.title)}"
        for title, sentence in (
            ("prompt", each.prompt),
            ("reference", each.reference),
            ("prediction", each.prediction),
        ):
            if sentence:
                yield _word(title)
                yield _fenced(sentence)
    yield f"## {_word('notes')}"
    yield "\n".join(f"- {escaped(note)}" for note in bound.notes) or _word("no_notes")
    yield f"## {_word('made')}"
    yield from map(escaped, bound.methods)
    yield _table(bound.runs)
    yield _word("again")
    made = bound.made.document()
    yield _fenced(made.get("command", ""))
    yield _word("view")
    yield _fenced(bound.address)
    yield markdown([{"input": each["name"], "sha256": each["sha256"]} for each in made["inputs"]])
    yield f"kofn {made['kofn']}"


def _table(rows: Sequence[Row]) -> str:
    """Write a table, a long one folded away."""
    if len(rows) <= _LONG:
        return markdown(rows)
    summary = f"<details><summary>{escape(str(table_name(rows)))}</summary>"
    return f"{summary}\n\n{markdown(rows)}\n\n</details>"


def _word(name: str) -> str:
    return str(WORDS[name])


def _fenced(sentence: str) -> str:
    r"""Quote a text so that nothing in it ends the quotation.

    Examples
    --------
    >>> print(_fenced("a\n```\nb"))
    ````text
    a
    ```
    b
    ````
    """
    longest = max(map(len, (run for run in sentence.split("\n") if set(run) == {"`"})), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{sentence}\n{fence}"


def pictures_folder(path: Path) -> Path:
    """Return the folder of the pictures of a file."""
    return path.with_name(f"{path.stem}-pictures")
