r"""Formulas in an untrusted text, set by KaTeX; all other text is shown literally.

KaTeX runs no code and, as Streamlit starts it, follows no link and loads nothing. What is taken for
a formula holds no dollar sign, no blank line and no command that defines commands or sizes boxes.
"""

from __future__ import annotations

import re

from pages.shared.translating import escape

LONGEST = 20_000
"""Letters of a text whose formulas are set."""
_FORMULA = re.compile(
    r"\$\$(?P<shown>[^$]{1,2000}?)\$\$"
    r"|\\\[(?P<bracketed>[^$]{1,2000}?)\\\]"
    r"|\\\((?P<parenthesised>[^$\n]{1,2000}?)\\\)"
    r"|(?<![\\$])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\d$])"
)
_REFUSED = re.compile(
    r"\\(?:[gex]?def|let|futurelet|global|(?:re)?newcommand|providecommand|newenvironment|rule"
    r"|href|url|includegraphics|html\w*|kern|mkern|hskip|mskip|hspace|raisebox|char|verb|@)"
    r"|\d{3,}\s*(?:em|ex|pt|cm|mm|in|mu|px|pc|bp|dd|cc|sp)\b"
)
_INDENT = re.compile(r"(?m)^ +")


def typeset(text: str) -> str:
    r"""Return Markdown that shows a text letter for letter, with its formulas set.

    A formula of more than 2000 letters stays text.

    Examples
    --------
    >>> print(typeset("<b>so</b> $x^2$, or \\(x\\)"))
    \<b\>so\</b\> $x^2$, or $x$
    >>> print(typeset("it costs $5 and $6"))
    it costs \$5 and \$6
    """
    text = text.replace("\r\n", "\n").replace("\t", 4 * " ")
    text = _INDENT.sub(lambda spaces: "\N{NO-BREAK SPACE}" * len(spaces[0]), text)
    parts: list[str] = []
    end = 0
    for found in _FORMULA.finditer(text):
        formula = _formula(found)
        if formula is not None:
            parts += [_plain(text[end : found.start()]), formula]
            end = found.end()
    return "".join([*parts, _plain(text[end:])])


def _formula(found: re.Match[str]) -> str | None:
    kind = found.lastgroup
    body = found[kind].strip() if kind else ""
    lines = [line.strip() for line in body.splitlines()]
    if not body or not all(lines) or _REFUSED.search(body):
        return None
    if any(not letter.isprintable() for letter in body if letter != "\n"):
        return None
    if body.endswith("\\"):
        return None
    if kind in ("inline", "parenthesised"):
        return f"${body}$"
    return f"\n\n$$\n{chr(10).join(lines)}\n$$\n\n"


def _plain(text: str) -> str:
    """Escape a text; a blank line divides paragraphs, others break the line."""
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join("  \n".join(map(escape, each.split("\n"))) for each in paragraphs)
