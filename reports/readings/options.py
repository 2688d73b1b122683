r"""The letter of an option."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from reports.readings.statements import SEVERAL, Parse, Statement, Value

LETTERS = "ABCDEFGHIJKLMNOP"


def letter(allowed: str = LETTERS, texts: Mapping[str, str] | None = None) -> Parse:
    """Return what reads one of the allowed letters.

    texts: What each option says, where that is known: an answer may name it in place of the letter.

    Examples
    --------
    >>> parse = letter("ABCD")
    >>> parse("**(C)**.", 0).value, parse("c", 0).value, parse("a mixture", 0)
    ('C', 'C', None)
    """
    pattern, again, together = _patterns(allowed)

    @cache
    def contents() -> dict[str, str]:
        found = ((_plain(text), name) for name, text in (texts or {}).items())
        return {text: name for text, name in found if text}

    def parse(text: str, at: int) -> Value | None:
        matched = pattern.match(text, at)
        if matched is None and (joined := together.match(text, at)):
            return Value(SEVERAL, joined.end())
        if matched is None:
            return _by_content(contents(), text, at) if texts else None
        value = (matched[1] or matched[2] or matched[3]).upper()
        end = matched.end()
        other = again.match(text, end)
        if other and (other[1] or other[2]).upper() != value:
            return Value(SEVERAL, other.end())
        line = text.find("\n", end)
        line = len(text) if line < 0 else line
        if _is_listed(text, matched.start(), line, value, allowed):
            return None
        if (beside := _ITEM.match(text, line)) and beside[1] in allowed.replace(value, ""):
            return Value(SEVERAL, beside.end())
        if matched[3] and text[end : end + 1] in (".", ")") and line - end <= _LONGEST_OPTION:
            listed = {each[1] for each in _INLINE.finditer(text, end, line)}
            if listed & set(allowed) - {value}:
                return Value(SEVERAL, line)
        return Value(value, _end_of_option(text, end, line))

    return parse


def _end_of_option(text: str, end: int, line: int) -> int:
    """Return where an option ends that is named by its letter, perhaps with what it says."""
    if line - end > _LONGEST_OPTION or text[end : end + 1] not in _FOLLOWED:
        return end
    begins_line = not text[text.rfind("\n", 0, end) + 1 : end - 1].strip(_MARKUP)
    goes_on = _ANOTHER if begins_line else _ANOTHER_SENTENCE
    return end if goes_on.search(text, end + 2, line) else line


def reference(text: str) -> str | None:
    """Return the letter that a reference is, None if it is more than that.

    Examples
    --------
    >>> reference("(B)"), reference("B. because"), reference("Beryl")
    ('B', 'B', None)
    """
    found = _REFERENCE.fullmatch(text)
    return None if found is None else found[1]


def contents(prompt: str, allowed: str = LETTERS) -> dict[str, str]:
    r"""Return what each option of a prompt says, where it lists them one a line.

    Examples
    --------
    >>> contents("Which?\nA) Apatite\nB) Barite\n")
    {'A': 'Apatite', 'B': 'Barite'}
    """
    found = {each[1]: each[2].strip() for each in _OPTION.finditer(prompt[-_LONGEST_PROMPT:])}
    return {letter: text for letter, text in found.items() if letter in allowed}


def called_right(allowed: str = LETTERS) -> Callable[[str], list[Statement]]:
    """Return what finds the one option that a text calls right, where it calls one so.

    Examples
    --------
    >>> [each.value for each in called_right("ABCD")("A项不正确；B项正确。")]
    ['B']
    >>> called_right("ABCD")("Options A and B are wrong, C is wrong.")
    []
    """
    pattern = _called_right(allowed)

    def find(text: str) -> list[Statement]:
        options = [
            Statement("named", next(filter(None, each.groups())).upper(), each.start(), each.end())
            for each in pattern.finditer(text)
        ]
        return options[-1:] if len({each.value for each in options}) == 1 else []

    return find


_LONGEST_OPTION = 400
_FOLLOWED = tuple(".):：．、 ")


def _is_listed(text: str, start: int, end: int, value: str, allowed: str) -> bool:
    """Whether the line before or after is the neighbouring option: then none is chosen."""
    place = allowed.find(value)
    after = _ITEM.match(text, end)
    if after is not None and after[1].upper() == allowed[place + 1 : place + 2]:
        return True
    line = text.rfind("\n", 0, start)
    before = None if line < 0 else _ITEM.match(text, text.rfind("\n", 0, line) + 1)
    return before is not None and place > 0 and before[1].upper() == allowed[place - 1]


def _by_content(contents: Mapping[str, str], text: str, at: int) -> Value | None:
    end = min((e for e in (text.find("\n", at), at + 200) if e >= 0), default=len(text))
    text_of_option = _plain(text[at:end])
    fits = [content for content in contents if text_of_option == content]
    return Value(contents[fits[0]], min(end, len(text))) if fits else None


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text.lower()).split()).rstrip(" .。")


@cache
def _patterns(allowed: str) -> tuple[re.Pattern[str], ...]:
    upper, either = f"[{allowed}]", f"[{allowed}{allowed.lower()}]"
    opening = (
        r"[\s*_$\"'“‘`]*+(?:\\(?:text|textbf|mathrm|mathbf|boxed|rm)\s*\{\s*|\\\(|\\\[)*+[\s*_]*+"
    )
    word = r"(?:(?:option|choice|选项|选择)\s*+)?[\s*_]*+"
    closing = r"\s*[)）\]】}］]"
    bracketed = rf"[(（\[【{{［]\s*({either}){closing}+[*_}}$\\)]*"
    lone = rf"({either})(?=[\s*_$\"'”’`}}\\).）。,，;；!]*(?:$|\n))"
    capital = (
        rf"({upper})(?![A-Za-z0-9'’^=]|\s*[-+*/^=<>]\s*[\w(\\])(?<![AI](?={_WORD}))[*_}}$\\)]*"
    )
    first = rf"{opening}{word}(?:{bracketed}|{lone}|{capital})"
    again = (
        rf"[\s*_)）]*(?:or|and|/|&|或者?|和|、|与)\s*[*_(（]*({either})(?![A-Za-z0-9])"
        rf"|[\s*_)）]*[,，]\s*[*_(（]*({upper})(?=[*_)）]*\s*(?:[,，.。]|$|\n))"
    )
    together = rf"{opening}{word}[(（\[【]\s*(?!({upper})\1){upper}{{2,5}}{closing}"
    return re.compile(first), re.compile(again), re.compile(together)


@cache
def _called_right(allowed: str) -> re.Pattern[str]:
    letter = rf"[*_(（]{{0,4}}\b([{allowed}])\b[*_)）]{{0,4}}"
    return re.compile(
        rf"\b[Oo]nly (?:option |choice )?{letter} (?:remains|fits|works)\b"
        rf"|\b[Oo]nly (?:option |choice )?{letter} is (?:correct|right|left|possible)\b"
        rf"|\b(?:[Oo]ption|[Cc]hoice) {letter} is (?:the )?(?:correct|right|best)\b"
        rf"|{letter} is the (?:correct|right|best) (?:answer|option|choice)\b"
        rf"|(?<![A-Za-z])([{allowed}])\s*(?:选项|项)[^{allowed}不错非没无；;。，,\n]{{0,30}}正确"
        rf"|只有\s*([{allowed}])\s*(?:选项|项)?\s*(?:正确|符合)"
    )


_WORD = r"\s+(?!(?:because|since|as|for|and|or|is|which|with|by|due|given|if)\b)[a-z]"
_MARKUP = "*_ ($（"
_ANOTHER = re.compile(r"(?i:answer|option|choice|wait)|答案|选")
_ANOTHER_SENTENCE = re.compile(rf"[.!?]\s+[A-Z\"“]|[。！？]|{_ANOTHER.pattern}")
_ITEM = re.compile(r"\s*[*_]*[(（]?([A-Pa-p])[*_]*[.)）:：．、]")
_INLINE = re.compile(r"[.;,，；。]\s+[(（]?([A-P])[.)）．、]\s")
_REFERENCE = re.compile(r"\s*[(（]?([A-P])[)）]?(?:[.:：、]\s[\s\S]*)?\s*")
_OPTION = re.compile(r"(?m)^[ \t]*[(（]?([A-P])[.)）:：．、][ \t]*(\S.*)$")
_LONGEST_PROMPT = 20_000
_MARKS = re.compile(r"[*_$\\{}()\[\]“”\"'‘’`]|\\text")
