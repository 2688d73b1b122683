"""The letter of the chosen option, as the postprocessors for multiple choice extract it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_CHINESE = r"""
答案是?\s*@ 答案是?\s*：\s*@ 答案是?\s*:\s*@ 答案选项应?该?是\s*@ 答案选项应?该?为\s*@
答案应该?是\s*@ 答案应该?选\s*@ 答案选项为?\s*：\s*@ 答案选项为?\s+\(?\*?\*?@\*?\*?\)?
答案选项是?\s*:\s*@ 答案为\s*@ 答案选\s*@ 选择?\s*@ 故选?\s*@只有选?项?\s?@\s?是?对
只有选?项?\s?@\s?是?错 只有选?项?\s?@\s?不?正确 只有选?项?\s?@\s?错误 说法不?对选?项?的?是\s?@
说法不?正确选?项?的?是\s?@ 说法错误选?项?的?是\s?@ @\s?是正确的 @\s?是正确答案 选项\s?@\s?正确
所以答\s?@ 所以\s?(#[.。$]?$) 所有\s?(#[.。$]?$) [\s，：:,]@[。，,\.]?$
[\s，,：:][故即]@[。\.]?$ [\s，,：:]因此@[。\.]?$ [是为。]\s?@[。\.]?$ 因此\s?@[。\.]?$
显然\s?@[。\.]?$ 答案是\s?(\S+)(?:。|$) 答案应该是\s?(\S+)(?:。|$) 答案为\s?(\S+)(?:。|$)
"""
_ENGLISH = r"""
(?i:answer)\s*:\s*&
[Tt]he␣answer␣is:?\s+\(?@
[Tt]he␣answer␣is:?\s+\(?\*?\*?@
[Tt]he␣answer␣is␣option:?\s+\(?@
[Tt]he␣correct␣answer␣is:?\s+\(?@
[Tt]he␣correct␣answer␣is␣option:?\s+\(?@
[Tt]he␣correct␣answer␣is:?.*?boxed{@}
[Tt]he␣correct␣option␣is:?.*?boxed{@}
[Tt]he␣correct␣answer␣option␣is:?.*?boxed{@}
[Tt]he␣answer␣to␣the␣question␣is:?\s+\(?@
^选项\s?@ ^@\s?选?项 (\s|^)#[\s。，,：:\.$] 1.\s?(.*?)$ 1.\s?@[.。$]?$
"""
_ANYWHERE = r"@: @"
"""Patterns in the order they are tried: @ a captured letter, & one in either case, # a letter."""

_STATED = re.compile(r"(?i)answer\s*:\s*([A-D])")


def first_option(text: str, options: str, cushion: bool = True) -> str:
    """Return the letter that the first matching phrase names, or "".

    options: The letters, such as "ABCD".
    cushion: Whether, without any phrase, the first letter anywhere will do.

    Examples
    --------
    >>> first_option("A or B? The answer is (C).", "ABCD"), first_option("C", "ABCD", False)
    ('C', '')
    """
    text = text.strip()
    for pattern in _patterns(options, cushion):
        if found := pattern.search(text):
            for letter in options:
                if letter in (found[1] or found[0]):
                    return letter
    return ""


def first_option_of_end(text: str, options: str, cushion: bool = True) -> str:
    """Return the same of the last 200 characters."""
    return first_option(text[-200:], options, cushion)


def last_option(text: str, options: str) -> str:
    r"""Return the last of the letters, or "".

    Examples
    --------
    >>> last_option("Counting.\\nAnswer: C", "ABCD"), last_option("none", "ABCD")
    ('C', '')
    """
    return max(options, key=text.rfind) if any(letter in text for letter in options) else ""


def first_capital(text: str) -> str:
    """Return the first capital letter, or ""."""
    return next(filter(str.isupper, text), "")


def last_capital(text: str) -> str:
    """Return the last capital letter, or ""."""
    return next(filter(str.isupper, reversed(text)), "")


def first_capitals(text: str) -> str:
    """Return the first run of letters from A to D, or ""."""
    found = re.search("[A-D]+", text)
    return found[0] if found else ""


def capitals(text: str) -> str:
    """Return the capital letters in order, each once: the choice of several options."""
    return "".join(sorted(set(filter(str.isupper, text))))


def bbh_letter(text: str) -> str:
    """Return the letter in brackets, or any capital, after the first "answer is", or all of it.

    Examples
    --------
    >>> bbh_letter("So the answer is (D)."), bbh_letter("(B)"), bbh_letter("no")
    ('D', 'B', 'no')
    """
    _, phrase, after = text.partition("answer is ")
    answer = after.partition("answer is ")[0].strip() if phrase else text
    found = re.search(r"\(([A-Z])", answer) or re.search("([A-Z])", answer)
    return found[1] if found else answer


def last_stated_letter(text: str) -> str | None:
    """Return what follows the last "Answer:", in the case it is written in, or None.

    Examples
    --------
    >>> last_stated_letter("Answer: A? No. answer: c"), last_stated_letter("It is B.")
    ('c', None)
    """
    return next(reversed(_STATED.findall(text)), None)


def first_stated_letter(text: str) -> str | None:
    """Return what follows the first "Answer:", or None: the rule of AISBench before August 2026."""
    found = _STATED.search(text)
    return None if found is None else found[1]


@cache
def _patterns(options: str, cushion: bool) -> tuple[re.Pattern[str], ...]:
    return tuple(_compiled(options, cushion))


def _compiled(options: str, cushion: bool) -> Iterator[re.Pattern[str]]:
    letter = f"[{re.escape(options)}]"
    either = f"[{re.escape(options + options.lower())}]"
    for template in (_CHINESE + _ENGLISH + (_ANYWHERE if cushion else "")).split():
        pattern = template.replace("␣", " ").replace("#", letter).replace("@", f"({letter})")
        yield re.compile(pattern.replace("&", f"({either})"), re.DOTALL)
