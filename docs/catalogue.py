"""Renew the catalogues of other languages: ``uv run python docs/catalogue.py``.

Every `Text` and every label of a page is collected. A translation stays as long as its sentence
does; a new sentence comes without one, and a test says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
PACKAGES = ("charts", "kofn", "metrics", "pages", "reports")
SOURCES = [
    ROOT / "app.py",
    *sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")),
]
MARKS = {"Text", "_"}
HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plurals}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
CATALOGUES = sorted((ROOT / "kofn" / "locale").glob("*/LC_MESSAGES/kofn.po"))


@cache
def extracted() -> Catalog:
    """Return every sentence that the sources mark, with the files that have it."""
    found = Catalog()
    for path in SOURCES:
        for call in marked(path):
            if message := _template(call):
                found.add(message, locations=[(str(path.relative_to(ROOT)), 0)])
    return found


@cache
def marked(path: Path) -> list[ast.Call]:
    """Return the calls of a source that mark a sentence."""
    source = path.read_bytes()
    nodes = ast.walk(ast.parse(source)) if re.search(rb"\b(?:Text|_)\(", source) else ()
    return [
        node
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS
    ]


def _template(call: ast.Call) -> str | tuple[str, ...] | None:
    """Return the template that a call marks, if any, with its plural if it has one."""
    texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
    templates = tuple(filter(None, map(str, texts)))
    return templates if len(templates) > 1 else "".join(templates) or None


def renewed(path: Path, template: Catalog) -> Catalog:
    """Return a catalogue with the sentences of a template, and what of them it translates."""
    with path.open("rb") as file:
        found = read_po(file)
    found.update(template, no_fuzzy_matching=True)
    found.obsolete.clear()
    for message in found:
        message.flags.discard("fuzzy")  # a translation is of its very sentence
    return found


def written(found: Catalog) -> bytes:
    """Write a catalogue as its file has it: nothing in it changes but with its sentences."""
    buffer = BytesIO()
    write_po(buffer, found, 100, omit_header=True, sort_by_file=True, include_lineno=False)
    return HEADER.format(language=found.locale, plurals=found.plural_forms).encode() + (
        buffer.getvalue()
    )


def untranslated(found: Catalog) -> list[str]:
    """Return the sentences of a catalogue that have no translation."""
    return [str(message.id) for message in found if message.id and not _is_whole(message.string)]


def _is_whole(string: str | Sequence[str] | None) -> bool:
    return bool(string) and all(string or ())


def main() -> None:
    """Renew every catalogue, and say how much of it is not translated."""
    template = extracted()
    for path in CATALOGUES:
        found = renewed(path, template)
        path.write_bytes(written(found))
        open_ = len(untranslated(found))
        print(f"{path.relative_to(ROOT)}: {open_} of {len(found)} sentences lack a translation")


if __name__ == "__main__":
    main()
