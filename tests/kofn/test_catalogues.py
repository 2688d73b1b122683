"""Catalogues are whole: every sentence is translated, with its fields and their formats."""

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from docs import catalogue as collecting
from docs.catalogue import CATALOGUES, ROOT, SOURCES, marked, renewed, untranslated, written
from kofn.writing.languages import _FOLDERS, catalogue
from metrics.data.words import AS_GIVEN, Enumerated, Text, reading_in

extracted = cache(collecting.extracted)
HOW = "uv run python docs/catalogue.py collects sentences; translate what it reports"
PERCENT = re.compile(r"%(?:\(\w+\))?[sr]")
PER_FILE = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])


def fields(template: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for _, name, spec, conversion in Formatter().parse(template):
        if name is not None:
            found.setdefault(name, set()).add(f"{conversion or ''}:{spec or ''}")
    return found


def templates(messages: object) -> list[str]:
    return [messages] if isinstance(messages, str) else [*messages]  # type: ignore[call-overload]


def test_there_is_a_catalogue_for_each_language():
    assert sorted(path.parts[-3] for path in CATALOGUES) == sorted(_FOLDERS.values())


def test_no_template_asks_for_the_commas_that_every_count_has():
    """Numbers that are given as they are, such as a number of tries, may ask for them."""
    asked = {
        name
        for message in extracted()
        for template in templates(message.id)
        for name, formats in fields(template).items()
        if ":," in formats
    }
    assert asked <= AS_GIVEN


@PER_FILE
def test_every_sentence_is_translated(path: Path):
    found = renewed(path, extracted())
    assert not untranslated(found), HOW
    assert path.read_bytes() == written(found), HOW


@PER_FILE
def test_a_translation_has_the_fields_of_its_sentence_in_their_formats(path: Path):
    with path.open("rb") as file:
        for message in read_po(file):
            wanted: dict[str, set[str]] = {}
            for template in templates(message.id):
                for name, formats in fields(template).items():
                    wanted.setdefault(name, set()).update(formats)
            for translation in templates(message.string) if message.id else ():
                got = fields(translation)
                assert got.keys() == wanted.keys(), message.id
                assert all(got[name] <= wanted[name] for name in got), message.id
                holders = [*map(PERCENT.findall, templates(message.id))]
                assert PERCENT.findall(translation) in holders, message.id


@PER_FILE
def test_chinese_has_its_own_punctuation(path: Path):
    """Half-width commas, stops and brackets stand between Latin letters and in code alone."""
    with path.open("rb") as file:
        found = [
            each
            for message in read_po(file)
            if message.id
            for each in templates(message.string)
            if re.search(r"[一-鿿] ?[,;!?](?!\w)|[,;!?] ?[一-鿿]|[一-鿿]\.(?:\s|$)", each)
        ]
    assert not found


def test_what_gettext_finds_is_what_the_catalogue_says():
    """A sentence marked as fuzzy would be in the file, and in English on the page."""
    with reading_in(catalogue("zh")):
        assert str(Text("{names} and {last}", names=Enumerated("ab"), last="c")) == "a、b 和 c"
        assert str(Text("{count} run", "{count} runs", count=3)) == "3 个运行"


def test_sentences_are_not_put_together_from_pieces():
    """Commas, stops and "and" between pieces are the reader's: `Enumerated`, `joined` and such."""
    found = []
    for path in SOURCES:
        place = path.relative_to(ROOT)
        for call in marked(path):
            joins = (
                ast.unparse(each)
                for piece in (*call.args, *(each.value for each in call.keywords))
                for each in ast.walk(piece)
                if isinstance(each, ast.Call)
                and isinstance(each.func, ast.Attribute)
                and each.func.attr == "join"
                and isinstance(each.func.value, ast.Constant)
                and str(each.func.value.value).strip() in {",", ";", "and", "or"}
            )
            found += [f"{place}, line {call.lineno}: {join}" for join in joins]
        led = re.findall(r'f"\{[^"]*\}: (?:"\s+f")?\{(?:render|say)\([^"]*\)\}"', path.read_text())
        found += [f"{place}: {each}" for each in led]
    assert not found
