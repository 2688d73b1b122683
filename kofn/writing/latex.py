r"""Rows of finished cells as LaTeX tables, for a paper with ``\usepackage{booktabs}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from kofn.writing.estimates import MINUS, NA, Written, read_back
from kofn.writing.layout import Row, is_of_names, short_name
from metrics.data.words import printable

Ends = Literal["scripts", "columns"]
"""Where the ends of an interval stand: below and above its number, or in columns of their own."""
ENDS = get_args(Ends)
ON_A_PAGE = 40
"""A table of more rows is broken over pages."""
_APART = r"\renewcommand{\arraystretch}{1.3}"
_SCRIPTS = "Their ends stand below and above each number."
LONGEST = 40
"""A longer cell that is no name is a note below the table."""
_PLAIN = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # optional arguments of the end of a row
    "]": "{]}",
    "*": "{*}",
    "-": "-{}",  # two of them would be a dash
    "'": "'{}",
    "`": r"\textasciigrave{}",
    '"': "''",
    MINUS: "$-$",
    "…": r"\ldots{}",
    "–": "--",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "√": r"$\surd$",
    "∞": r"$\infty$",
    "Σ": r"$\Sigma$",
    "τ": r"$\tau$",
    "λ": r"$\lambda$",
    "²": "$^2$",
}
_SPECIAL = str.maketrans(_PLAIN)
_SINGLE = re.compile(r"([-'])\{\}(?![-'])")


class _Column(NamedTuple):
    """Lines below one heading, finished."""

    head: str
    align: str
    cells: list[str]


def escaped(text: str) -> str:
    r"""Write text so that LaTeX shows it letter for letter.

    Letters beyond ASCII stay, but those that kofn writes itself.

    Examples
    --------
    >>> print(escaped(r"a_b 5% {x} \y"))
    a\_b 5\% \{x\} \textbackslash{}y
    """
    return _SINGLE.sub(r"\1", printable(text).translate(_SPECIAL))


def table(rows: Sequence[Row], caption: str, ends: Ends = "scripts") -> str:
    r"""Write rows as a table with its caption, and sentences as numbered notes below.

    rows: All with the same columns; of those without any cell none is shown.
    caption: As LaTeX has it.
    ends: Where the ends of intervals stand.

    Examples
    --------
    >>> print(table([{"run": "7B", "value": "66.1% (61.0 to 71.2)"}], "Scores."))
    \begin{table}
      \centering
      \renewcommand{\arraystretch}{1.3}
      \caption{Scores.}
      \begin{tabular}{lr}
        \toprule
        run & value (\%) \\
        \midrule
        7B & $66.1_{61.0}^{71.2}$ \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    notes: dict[str, int] = {}
    columns = [
        column
        for name in rows[0]
        if any(row[name] for row in rows)
        for column in _columns(name, [row[name] for row in rows], ends, notes)
    ]
    lines = [_line(cells) for cells in zip(*(column.cells for column in columns), strict=True)]
    head = [r"\toprule", _line([column.head for column in columns]), r"\midrule"]
    align = "".join(column.align for column in columns)
    below = [rf"\textsuperscript{{{n}}} {escaped(note)}\par" for note, n in notes.items()]
    apart = [_APART] if ends == "scripts" and has_ends(rows) else []
    if len(lines) > ON_A_PAGE:
        return "\n".join(
            [
                "{",
                *apart,
                rf"\begin{{longtable}}{{{align}}}",
                *_indented([rf"\caption{{{caption}}} \\", *head, r"\endhead"], 2),
                *_indented([r"\bottomrule", r"\endfoot", *lines], 2),
                r"\end{longtable}",
                *([r"\footnotesize\noindent", *below] if below else []),
                "}",
            ]
        )
    noted = [r"\begin{minipage}{\linewidth}\footnotesize", *below, r"\end{minipage}"]
    return "\n".join(
        [
            r"\begin{table}",
            *_indented([r"\centering", *apart, rf"\caption{{{caption}}}"], 2),
            rf"  \begin{{tabular}}{{{align}}}",
            *_indented([*head, *lines, r"\bottomrule"], 4),
            r"  \end{tabular}",
            *_indented([r"\par\smallskip", *noted] if below else [], 2),
            r"\end{table}",
        ]
    )


def document(
    answer: str,
    tables: Sequence[Sequence[Row]],
    covers: str,
    methods: str = "",
    ends: Ends = "scripts",
) -> str:
    r"""Write tables as a file for ``\input``, below what it is and needs.

    answer: A sentence that stands above, as a remark.
    covers: What intervals are about: the caption.
    methods: A paragraph of LaTeX on how they were made.
    """
    where = _SCRIPTS if ends == "scripts" else ""
    written = [
        table(
            rows, " ".join(filter(None, [escaped(covers), where if has_ends(rows) else ""])), ends
        )
        for rows in tables
    ]
    head = [_remark(answer), _remark(r"\usepackage{booktabs,longtable}")]
    if letters := unusual("".join(written)):
        head.append(_remark(f"LuaLaTeX or XeLaTeX, with a font that has {letters}"))
    last = [rf"\paragraph{{Methods.}} {methods}"] if methods else []
    return "\n\n".join(["\n".join(head), *written, *last]) + "\n"


def unusual(text: str) -> str:
    r"""Return the letters of a text that pdfLaTeX may not have.

    Examples
    --------
    >>> unusual("Qwen 通义 é 义")
    '通义'
    """
    return "".join(dict.fromkeys(letter for letter in text if not _is_usual(letter)))


def _remark(text: str) -> str:
    return f"% {printable(text)}"


def has_ends(rows: Sequence[Row]) -> bool:
    """Return whether some number has an interval."""
    found = (read_back(cell) for row in rows for cell in row.values())
    return any(number is not None and number.low for number in found)


def _is_usual(letter: str) -> bool:
    return letter.isascii() or ("À" <= letter <= "ÿ" and letter not in "ÐÞðþ×÷")


def _columns(
    name: str, cells: Sequence[str], ends: Ends, notes: dict[str, int]
) -> Iterator[_Column]:
    """Yield what one column of cells becomes."""
    head = "" if all(len(cell) > LONGEST for cell in cells if cell) else escaped(name)
    if is_of_names(name):
        yield _Column(escaped(name), "l", [escaped(short_name(cell)) for cell in cells])
        return
    read = [read_back(cell) for cell in cells]
    numbers = [number for number in read if number is not None]
    units = {number.unit for number in numbers if number.value != str(NA)}
    unit = units.pop() if len(units) == 1 else None
    if unit:
        head = f"{head} ({escaped(unit.strip())})"
    align = "r" if all(f or not c for f, c in zip(read, cells, strict=True)) else "l"
    apart = ends == "columns" and any(number.low for number in numbers)
    if not apart:
        written = [
            _text(cell, notes) if number is None else _number(number, unit)
            for cell, number in zip(cells, read, strict=True)
        ]
        yield _Column(head, align, written)
        return
    values = [
        _text(cell, notes) if number is None else _number(number._replace(low=""), unit)
        for cell, number in zip(cells, read, strict=True)
    ]
    yield _Column(head, align, values)
    for end in ("low", "high"):
        limits = [getattr(number, end) if number else "" for number in read]
        yield _Column(end, "r", [f"${_bare(limit)}$" if limit else "" for limit in limits])


def _number(number: Written, unit: str | None) -> str:
    """Write a number, with its unit unless the heading has it."""
    if number.value == str(NA):
        return number.value
    scripts = rf"_{{{_bare(number.low)}}}^{{{_bare(number.high)}}}" if number.low else ""
    own = escaped(number.unit) if unit is None else ""
    return f"${_bare(number.value)}{scripts}${own}"


def _bare(number: str) -> str:
    r"""Write a formatted number for the inside of a formula.

    Examples
    --------
    >>> _bare("1,380"), _bare("−0.5"), _bare("1e-12")
    ('1{,}380', '-0.5', '1 \\times 10^{-12}')
    """
    digits, e, power = number.replace(MINUS, "-").replace(",", "{,}").partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if e else digits


def _text(cell: str, notes: dict[str, int]) -> str:
    """Write a cell, or the number of the note that it becomes."""
    if len(cell) <= LONGEST:
        return escaped(cell)
    return rf"\textsuperscript{{{notes.setdefault(cell, len(notes) + 1)}}}"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _indented(lines: Sequence[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]
