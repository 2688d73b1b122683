r"""Numbers as people write them: with separators, units, currencies or a full stop at the end."""

from __future__ import annotations

import re
from fractions import Fraction

from reports.readings.statements import SEVERAL, Statement, Value

MOST_DIGITS = 60
"""Of a number that is compared."""
_END = 400
_SENTENCE = 400


def number(text: str, at: int) -> Value | None:
    r"""Read a number; of an equation, what it comes to.

    Examples
    --------
    >>> [number(text, 0) for text in ("$1,042.00", "total = 7", "4 or 5", "unknown")]
    [Value(value='1042', end=9), Value(value='7', end=9), Value(value='\x00several', end=6), None]
    """
    line = _end_of_sentence(text, at)
    equals = text.rfind("=", at, line)
    matched = _DIRECT.match(text, equals + 1, line) if equals >= 0 else None
    matched = matched or _DIRECT.match(text, at, line)
    if matched is None:
        return _in_words(text, at, line) or _of_sentence(text, at, line)
    end = matched.end()
    if (other := _OR.match(text, end, line)) and canonical(other[1]) != canonical(matched[1]):
        return Value(SEVERAL, other.end())
    return _value(matched[1], end)


def last_number(text: str) -> list[Statement]:
    """Return the last number of a text, as people end a solution with it.

    Examples
    --------
    >>> [each.value for each in last_number("She has 5 + 3 = 8 apples.")]
    ['8']
    """
    if not _FINISHED.search(text):
        return []
    last = next(reversed([*_NUMBER.finditer(text, max(0, len(text) - _END))]), None)
    value = None if last is None else canonical(last[0])
    return [] if last is None or value is None else [Statement("last", value, *last.span())]


def canonical(text: str) -> str | None:
    r"""Return a number as it is compared, None if it is none.

    Examples
    --------
    >>> [canonical(text) for text in ("1,042", "2.50", r"14{,}868", "1/2", "10.", "x")]
    ['1042', '5/2', '14868', '1/2', '10', None]
    """
    plain = _SEPARATORS.sub("", text).replace(" ", "").rstrip(".")
    plain = plain.replace("−", "-").replace("–", "-").lstrip("+")
    if len(plain) > MOST_DIGITS or not _PLAIN.fullmatch(plain):
        return None
    try:
        return str(Fraction(plain))
    except (ValueError, ZeroDivisionError):
        return None


def _value(text: str, end: int) -> Value | None:
    value = canonical(text)
    return None if value is None else Value(value, end)


def _in_words(text: str, at: int, line: int) -> Value | None:
    """Return a number that is spelled in English."""
    total = part = 0
    end = None
    for word in _WORDS.finditer(text, at, line):
        name = word[0].lower()
        if name in _UNITS:
            part += _UNITS[name]
        elif name == "hundred":
            part *= 100
        elif name in _SCALES:
            total, part = total + part * _SCALES[name], 0
        elif name != "and" or end is None:
            break
        end = word.end() if name != "and" else end
    return None if end is None else Value(str(total + part), end)


def _of_sentence(text: str, at: int, line: int) -> Value | None:
    """Return the number of a sentence that has one."""
    found = [each for each in _NUMBER.finditer(text, at, line)]
    values = {canonical(each[0]) for each in found}
    if len(values) == 1:
        return _value(found[-1][0], found[-1].end())
    between = len(values) > 1 and _BETWEEN.search(text, at, line)
    return Value(SEVERAL, found[-1].end()) if between else None


def _end_of_sentence(text: str, at: int) -> int:
    end = min(len(text), at + _SENTENCE)
    stop = _STOP.search(text, at, end)
    return end if stop is None else stop.start()


_DIGITS = r"[-−–+]?\s?[$€£¥￥]?\s?(?:\d{1,3}(?:(?:,|\{,\}|，|\\,)\d{3})+|\d+)(?:\.\d+)?"
_NUMBER = re.compile(rf"(?<![\w.]){_DIGITS}(?:\s?/\s?\d+)?")
_OPENING = (
    r"[\s*_$\"'“`(（]*+(?:\\(?:boxed|text|textbf|mathrm|mathbf)\s*\{\s*|\\\(|\\\[)*+[\s*_$€£¥￥]*+"
)
_DIRECT = re.compile(
    rf"{_OPENING}({_DIGITS}(?:\s?/\s?\d+)?)(?![\d.]*\s*(?:[-+*/×x]\s*\d|[-+*/×]\s*\())"
)
_OR = re.compile(rf"\s*(?:,(?=\d)|or|to|and|或者?|到|至|～|~)\s*{_OPENING}({_DIGITS})")
_BETWEEN = re.compile(r"\bbetween\b|\beither\b|\bor\b|或|之间")
_FINISHED = re.compile(r"[\d.!?。！？)）\]}$*]\s*$")
_WORDS = re.compile(r"[A-Za-z]+")
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {
    **{name: value for value, name in enumerate(_SMALL.split())},
    **{name: 10 * value for value, name in enumerate(_TENS.split(), 2)},
}
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SEPARATORS = re.compile(r"\{,\}|\\[,!]|[,，$€£¥￥\s]")
_PLAIN = re.compile(r"[-+]?\d+(?:\.\d+)?(?:/\d+)?|[-+]?\.\d+")
_STOP = re.compile(r"\n|[。！？]|[.!?](?=\s|$|[*\"'”)])(?<!\d\.(?=\d))|\((?!\s*[-$\d])")
