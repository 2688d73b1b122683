"""Sentences come out in the reader's language, and names cannot steer a terminal."""

import gettext
import unicodedata
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.writing.languages import catalogue, meant_by
from metrics.data.words import Text, printable, reading_in


class Marked(gettext.NullTranslations):
    """A language in which every sentence is its English in angle quotes."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, one: str, many: str, count: int) -> str:
        return f"«{one if count == 1 else many}»"


def test_english_is_what_text_says_of_itself() -> None:
    text = Text("{count} file from {name}.", "{count} files from {name}.", count=2, name="a.zip")
    assert str(text) == str(text) == "2 files from a.zip."


def test_sentences_within_sentences_are_translated_too() -> None:
    inner = Text("{count} sample", "{count} samples", count=1)
    text = Text("Left out: {part} of {name}.", part=inner, name="gsm8k")
    with reading_in(Marked()):
        assert str(text) == str(text) == "«Left out: «1 sample» of gsm8k.»"
    assert str(text) == "Left out: 1 sample of gsm8k."


@pytest.mark.parametrize(("count", "shown"), [(1, "«1 run»"), (3, "«3 runs»"), (0.5, "«0.5 runs»")])
def test_the_plural_follows_the_count(count: float, shown: str) -> None:
    with reading_in(Marked()):
        assert str(Text("{count} run", "{count} runs", count=count)) == shown


def test_what_is_empty_is_not_the_header_of_a_catalogue() -> None:
    with reading_in(Marked()):
        assert str(Text("")) == ""


def test_what_threads_say_is_in_their_own_language() -> None:
    said = []
    with reading_in(Marked()):
        other = Thread(target=lambda: said.append(str(Text("Runs"))))
        other.start()
        other.join()
        said.append(str(Text("Runs")))
    assert said == ["Runs", "«Runs»"]


@pytest.mark.parametrize("tag", ["en", "en-US", "fr", "", "../../etc", "C", "C.UTF-8", "x" * 5000])
def test_a_language_that_there_is_not_is_english(tag: str) -> None:
    assert catalogue(meant_by(tag)) is None


@pytest.mark.parametrize("tag", ["zh", "zh-CN", "zh_CN.UTF-8", "zh-Hans-CN", "ZH"])
def test_chinese_goes_by_several_tags(tag: str) -> None:
    found = catalogue(meant_by(tag))
    assert found is not None
    with reading_in(found):
        assert str(Text("There are none.")) == "没有可选项。"


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
