"""Tables for a paper, with their methods and citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kofn.citing.methods import Methods
from kofn.citing.sources import bibliography
from kofn.writing import latex
from kofn.writing.layout import Row
from metrics.data.words import plain


class Cited(NamedTuple):
    """What a paper needs: tables in LaTeX, how they were made as plain text, and BibTeX."""

    latex: str
    methods: str
    bibtex: str


def paper(
    tables: Iterable[Sequence[Row]],
    methods: Methods,
    answer: str,
    caption: str,
    ends: latex.Ends = "scripts",
) -> str:
    """Write tables for a paper, below an answer as a remark and above how they were made."""
    sentence = latex.escaped(" ".join(map(str, methods.sentences)))
    for source in methods.sources:
        cited = rf"{latex.escaped(source.short)}~\cite{{{source.key}}}"
        sentence = sentence.replace(latex.escaped(source.short), cited, 1)
    return latex.document(answer, [*filter(None, tables)], caption, sentence, ends)


def cite_tables(
    tables: Iterable[Sequence[Row]], methods: Methods, answer: str, caption: str = ""
) -> Cited:
    """Return what a paper needs of tables; the caption is the answer where there is none."""
    sentence = " ".join(plain(text) for text in methods.sentences)
    written = paper(tables, methods, answer, caption or answer)
    return Cited(written, sentence, bibliography(methods.sources))
