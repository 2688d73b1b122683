"""A short answer in words: a name, a date, yes or no, in English and Chinese."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Sequence

from reports.readings.statements import Statement, Value

LONGEST = 80
"""Letters of an answer that is read."""
_MOST_WORDS = 10
_MOST_ALIASES = 50


def words(text: str, at: int) -> Value | None:
    """Read what stands up to the end of the sentence, where that is short.

    Examples
    --------
    >>> words(": **Port Louis**, in 1968.", 1).value
    'port louis'
    >>> words("巴黎。", 0).value, words("not what the text of the question goes on to ask", 0)
    ('巴黎', None)
    """
    matched = _ANSWER.match(text, at)
    value = "" if matched is None else _bare(matched[1])
    if matched is None or not value or len(value.split()) > _MOST_WORDS or _NONE.match(value):
        return None
    return Value(value, matched.end())


def last_words(text: str) -> list[Statement]:
    r"""Return the answer of a text that is nothing else, begins with yes or no, or ends in bold.

    Examples
    --------
    >>> [last_words(text)[0].value for text in ("Port Louis", "No, it is not.", "So:\n**1968**")]
    ['port louis', 'no', '1968']
    >>> last_words("It was founded in a year that is not known.\nMany believe otherwise.")
    []
    """
    held = text.strip()
    start = text.find(held)
    if found := _YES_OR_NO.match(held):
        return [Statement("first", found[1].lower(), start, start + found.end())]
    line = _LAST_BOLD.search(held, max(0, len(held) - LONGEST - 20))
    if line is None and "\n" not in held and len(held) <= LONGEST:
        line = _ALONE.fullmatch(held)
    value = "" if line is None else _bare(line[1])
    if line is None or not value or len(value.split()) > _MOST_WORDS:
        return []
    return [Statement("line", value, start + line.start(), start + len(held))]


def reference(text: str) -> str | None:
    r"""Return a reference as it is compared, all its spellings; None of what is no short answer.

    Examples
    --------
    >>> reference('["Port Louis", "The Port"]'), reference("1968"), reference("def f():\n  pass")
    ('port louis | port', '1968', None)
    """
    given = spellings(text)
    plain = [plain for each in given if (plain := _plain(each))]
    if not plain or any(_is_long(each) for each in given):
        return None
    return " | ".join(dict.fromkeys(plain))


def spellings(text: str) -> Sequence[str]:
    """Return the spellings of an answer that a reference lists; itself where it is no list.

    Examples
    --------
    >>> spellings("['12']"), spellings("65|65 yards"), spellings("12")
    (['12'], ['65', '65 yards'], ['12'])
    """
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and len(text) <= _MOST_ALIASES * LONGEST:
        try:
            listed = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [text]
        if isinstance(listed, list) and listed and all(isinstance(each, str) for each in listed):
            return listed[:_MOST_ALIASES]
    return text.split("|")


def names(right: str, is_right: bool) -> Callable[[str], bool]:
    """Return what tells whether an answer may be meant by the verdict on it.

    A verdict of right is believed but where yes stands against no: a dataset knows more spellings
    than its file does. One of wrong is held against the spellings that the reference lists.

    Examples
    --------
    >>> names("port louis | port", False)("the Port"), names("no", True)("yes")
    (True, False)
    >>> names("usa", True)("the United States"), names("usa", False)("the United States")
    (True, False)
    """
    known = right.split(" | ")

    def strict(value: str) -> bool:
        return _plain(value) in known or _plain(_HEAD.split(value, maxsplit=1)[0]) in known

    def lenient(value: str) -> bool:
        closed = right in _CLOSED and _plain(value) in _CLOSED
        return strict(value) if closed else True

    return lenient if is_right else strict


def _bare(text: str) -> str:
    return text.strip(_DRESSING).lower()


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).lower()
    spaced = "".join(" " if unicodedata.category(each)[0] in "PSZ" else each for each in folded)
    return " ".join(word for word in spaced.split() if word not in _ARTICLES)


def _is_long(text: str) -> bool:
    return len(text) > LONGEST or len(text.split()) > _MOST_WORDS or bool(_CODE.search(text))


_DRESSING = " \t\r\n*_`\"'“”‘’「」《》()（）[].,，。:：!！;；"
_ARTICLES = {"a", "an", "the"}
_CLOSED = {"yes", "no", "true", "false", "是", "否", "对", "错"}
_CODE = re.compile(r"[{}_/\\<>=\n]|\(\d+\)$")
_ANSWER = re.compile(
    rf"[\s*_$\"'“‘「《`(（\[]*+(?:\\(?:boxed|text|textbf)\{{)*"
    rf"([^\n!?。！？;；]{{1,{LONGEST}}}?)(?:\*\*|\}}|[.,](?=\s|$)|[!?。，！？;；”」》]|\n|$)"
)
_NONE = re.compile(
    r"(?:not|unknown|unclear|that|because|based|as follows|in the|below|there|it|this|none)\b"
)
_YES_OR_NO = re.compile(
    r"[\s*_]*(yes|no|true|false|是|否)(?=[\s*_.,;:!，。；：！]|$)", re.IGNORECASE
)
_LAST_BOLD = re.compile(rf"(?:^|\n)[ \t]*\*\*([^*\n]{{1,{LONGEST}}})\*\*[ \t.。]*$")
_ALONE = re.compile(rf"([^\n]{{1,{LONGEST}}})")
_HEAD = re.compile(r"[,(，（]")
