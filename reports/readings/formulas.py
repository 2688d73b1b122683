r"""Normalise a formula for comparison: a number where it is one, else LaTeX without formatting."""

from __future__ import annotations

import re

from reports.readings import numbers
from reports.readings.statements import SEVERAL, Statement, Value

_PAIRS = (("(", ")"), ("{", "}"))
"""What a formula opens and closes; one that is cut does not."""
LONGEST = 300
"""Letters of a formula that is read."""


def formula(text: str, at: int) -> Value | None:
    r"""Read a formula: between dollar signs or brackets, in bold, or as plain as a number.

    Examples
    --------
    >>> [formula(text, 0).value for text in (r"$\dfrac{1}{2}$.", r"**x = 3/4**", "17.")]
    ['1/2', '3/4', '17']
    >>> formula("a large set", 0)
    """
    matched = _DRESSED.match(text, at) or _PLAIN.match(text, at)
    if matched is None:
        return None
    held = next(filter(None, matched.groups()), "")
    value = canonical(held)
    if value is None:
        return None
    if (other := _OR.match(text, matched.end())) and canonical(other[1]) not in (None, value):
        return Value(SEVERAL, other.end())
    return Value(value, matched.end())


def last_formula(text: str) -> list[Statement]:
    r"""Return the formula that a text ends with, if it does.

    Examples
    --------
    >>> [each.value for each in last_formula("We get\n\\[ \\frac{9}{10} \\]")]
    ['9/10']
    """
    found = _AT_END.search(text, max(0, len(text) - LONGEST))
    held = "" if found is None else next(filter(None, found.groups()), "")
    value = None if held.lstrip().startswith("^") else canonical(held)
    return [] if found is None or value is None else [Statement("last", value, *found.span())]


def canonical(text: str) -> str | None:
    r"""Return a formula as it is compared, None if there is none.

    Examples
    --------
    >>> canonical(r"\frac{-1}{2}"), canonical(r"x = 374\text{ cm}"), canonical(r"\left(1, 2\right)")
    ('-1/2', '374', '(1,2)')
    """
    if len(text) > LONGEST:
        return None
    plain = _DRESSING.sub("", text.strip().strip("$").strip())
    plain = _TEXT.sub(lambda found: "" if _UNIT.match(found[1]) else found[1], plain)
    plain = _SHORT_FRACTION.sub(r"\\frac{\1}{\2}", _OTHER_FRACTION.sub("frac", plain))
    plain = _UNIT_BEHIND.sub("", plain)
    plain = _SPACES.sub("", plain if _SEVERAL.search(plain) else plain.rpartition("=")[2])
    plain = plain.rstrip(".,;:。")
    if any(plain.count(opened) != plain.count(closed) for opened, closed in _PAIRS):
        return None
    while _BRACED.fullmatch(plain):
        plain = plain[1:-1]
    if mixed := _MIXED.fullmatch(plain):
        whole, above, below = (int(part.replace(",", "")) for part in mixed.groups())
        plain = f"{whole * below + above}/{below}" if below else plain
    if fraction := _FRACTION.fullmatch(plain):
        plain = "{}{}/{}".format(*fraction.groups()).replace("--", "")
    number = numbers.canonical(plain.removesuffix("\\%").removesuffix("%").removesuffix("^\\circ"))
    return number if number is not None else plain or None


def written(text: str) -> str | None:
    r"""Return the formula that a text is, None if it is words.

    Examples
    --------
    >>> written(r"\frac{1}{2}"), written("x^2 + 1"), written("the Nile")
    ('1/2', 'x^2+1', None)
    """
    return canonical(text) if _FORMULA.fullmatch(text) else None


_FORMULA = re.compile(r"(?:\\[a-zA-Z]++|(?<![A-Za-z])[a-zA-Z]{1,2}(?![A-Za-z])|[^A-Za-z\\])++")
_INNER = r"([^$\n]{1,300}?)"
_DRESSED = re.compile(
    r"[\s*_]*(?:\$\$?\s*"
    + _INNER
    + r"\s*\$\$?|\\\(\s*(.{1,300}?)\s*\\\)|\\\[\s*([\s\S]{1,300}?)\s*\\\]"
    r"|(?<=\*\*)([^*\n]{1,100}?)(?=\*\*))"
)
_PLAIN = re.compile(
    r"[\s*_:]*+((?:[\d.,/^(){}\[\]+*−\-=<>|√π∞%]++|\\[a-zA-Z]++|(?<![A-Za-z])[a-zA-Z](?![A-Za-z])"
    r"| (?=[-+*/=\d\\(]))++)(?=[\s*_.,;。，；]*+(?:\n|$|(?<=[.。])\s|\*\*))"
)
_AT_END = re.compile(
    r"(?:\$\$?([^$]{1,300})\$\$?(?:\s[A-Za-z]{1,10}(?:/[a-z]{1,2})?)?"
    r"|\\\(((?:(?!\\\().){1,300}?)\\\)|\\\[((?:(?!\\\[)[\s\S]){1,300}?)\\\]|\*\*([^*\n]{1,100})\*\*"
    r"|=\s*([^=\n&]{1,100}?)\s*\\end\{[a-z]{1,12}\*?\}(?:\$\$|\\\])?)"
    r"[\s*_.。]*$"
)
_OR = re.compile(r"\s*(?:or|and|或者?|和)\s*\$([^$\n]{1,100})\$")
_DRESSING = re.compile(
    r"\\boxed|\\left|\\right|\\displaystyle|\\quad|\\[,;!: ]|\*\*"
    r"|\\(?:mathrm|mathbf|textbf|rm|bf)(?![a-z])"
)
_TEXT = re.compile(r"\\(?:text|mbox|textrm)\s*\{([^{}]*)\}")
_UNIT = re.compile(r"\s|(?:cm|mm|km|m|kg|g|s|units?|dollars?|degrees?|square|cubic)\b")
_SHORT_FRACTION = re.compile(r"\\frac\s*(\d)\s*(\d)(?!\d)")
_FRACTION = re.compile(r"([-−]?)\\frac\{([-−]?\d+)\}\{(\d+)\}")
_SEVERAL = re.compile(r"=[^=]*[,;][^=]*=")
"""Several equations: no chain of one."""
_MIXED = re.compile(r"(\d{1,3}(?:,?\d{3}){0,3})\\frac\{(\d{1,6})\}\{(\d{1,6})\}")
_UNIT_BEHIND = re.compile(
    r"(?<=[\d)}])(?:(?:\\cdot|\\,|[~\s/])*+\\?(?:mathrm|text|mbox|rm)?\s*\{[~\s]*[A-Za-z][A-Za-z\s-]*\}"
    r"(?:\s*\^\s*\{?-?\d\}?)?)++$"
)
_OTHER_FRACTION = re.compile("[dt]frac")
_SPACES = re.compile(r"\s+")
_BRACED = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
