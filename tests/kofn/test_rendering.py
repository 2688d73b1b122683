"""Sentences come out in the reader's language, and names cannot steer a terminal."""

import gettext
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.writing.rendering import ENGLISH, printable, render, translations_for
from metrics.data.words import Text


class Marked(gettext.NullTranslations):
    """A language in which every sentence is its English in angle quotes."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, one: str, many: str, count: int) -> str:
        return f"«{one if count == 1 else many}»"


def test_english_is_what_text_says_of_itself() -> None:
    text = Text("{count} file from {name}.", "{count} files from {name}.", count=2, name="a.zip")
    assert render(text) == str(text) == "2 files from a.zip."


def test_sentences_within_sentences_are_translated_too() -> None:
    inner = Text("{count} sample", "{count} samples", count=1)
    text = Text("Left out: {part} of {name}.", part=inner, name="gsm8k")
    assert render(text, Marked()) == "«Left out: «1 sample» of gsm8k.»"


def test_the_plural_follows_the_count() -> None:
    several = Text("{count} run", "{count} runs", count=3)
    assert render(several, Marked()) == "«3 runs»"


def test_a_label_is_a_sentence_without_fields() -> None:
    assert render("Runs {here}", Marked()) == "«Runs {here}»"


def test_an_empty_label_is_not_the_header_of_a_catalogue() -> None:
    assert render("", Marked()) == ""


@pytest.mark.parametrize("language", ["en", "zh-CN", "fr", "", "../../etc", "C", "x" * 5000, "a/b"])
def test_a_language_without_a_catalogue_is_english(language: str) -> None:
    assert render(Text("Runs"), translations_for(language)) == "Runs"


def test_a_language_is_never_a_path() -> None:
    assert translations_for("../zh") is ENGLISH


@given(st.text())
def test_printable_text_holds_no_control_or_format_character(text: str) -> None:
    kept = {unicodedata.category(character) for character in printable(text)}
    assert not kept & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.text())
def test_printing_twice_changes_nothing(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize("name", ["qwen3-8b", "通义千问 7B", "modèle à 7 milliards", "a\\b", "50%"])
def test_ordinary_names_stay_as_they_are(name: str) -> None:
    assert printable(name) == name


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\r\nb", r"a\r\nb"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202eexe.fdp", r"\u202eexe.fdp"),
        ("\ud800", r"\ud800"),
        ("a\u2028b\u2029c", r"a\u2028b\u2029c"),
        ("\u2028", r"\u2028"),
    ],
)
def test_what_steers_a_terminal_is_spelled_out(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown
