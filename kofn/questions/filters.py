"""Which questions to list, and in which order: one choice for page, link and command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, excerpt, one_of, read_number, switch
from kofn.choices.view import View
from metrics.data.words import Enumerated, MetricError, Text

Kind = Literal[
    "all",
    "always",
    "never",
    "flaky",
    "majority-wrong",
    "picked-wrong",
    "confidently-wrong",
    "a-beats-b",
    "a-above-b",
    "a-equals-b",
    "failed",
    "cut",
    "no-answer",
    "soft-gap",
    "disputed",
    "missed",
    "generous",
    "divided",
    "unsupported",
]
"""What is listed; `kofn.questions.kinds.KINDS` says what each means."""

Span = tuple[float, float]
LONGEST = 500
"""Letters of a search that are read."""
PAGES = 1_000_000
"""The last page of a list that can be asked for."""
PAGE = 1_000
"""Questions of a page: it is sent whenever another question is opened, to mark that one."""


def _read_text(texts: Sequence[str]) -> str:
    return texts[-1][:LONGEST]


def _read_span(texts: Sequence[str]) -> Span:
    try:
        low, high = (float(part) for part in ",".join(texts).split(",", 2))
    except ValueError:
        low, high = 1.0, 0.0
    if not 0 <= low <= high <= 1:
        raise MetricError(
            Text(
                "A range must read lowest,highest as fractions, such as 0.25,0.5; got {got}.",
                got=excerpt(texts),
            )
        )
    return low, high


def _spell_span(span: Span) -> list[str]:
    return [",".join(map(str, span))]


@dataclass(frozen=True)
class QuestionFilter(Choices):
    """Which questions of a run are listed, in which order, and which one is open.

    Examples
    --------
    >>> QuestionFilter(kind="flaky", right=(0.25, 0.5), sort="right", down=True).to_query()
    {'filter': ['flaky'], 'right': ['0.25,0.5'], 'sort': ['right'], 'down': ['yes']}
    """

    # a, b: Keys of `kofn.choices.runs.index_runs`: the run that is listed, and the one it is
    # compared with; empty for the first there is.
    a: str = ""
    b: str = ""
    kind: Kind = "all"
    search: str = ""  # Letters in prompt, reference, predictions, answers or the id of a question.
    # Lowest and highest share of right samples, and of samples with the most common answer.
    right: Span | None = None
    agreed: Span | None = None
    sort: str = ""  # A column; empty for the order of the file.
    down: bool = False  # From the highest to the lowest.
    open: str = ""  # The `printable` id of the question that is shown whole; empty for none.
    # Of the list, from 1; None for that of the open question, or else the first.
    page: int | None = None
    maths: bool = False  # Whether formulas in its texts are set as such.
    # The column that picks one of the samples of a question, as `kofn.choices.signals.numbers_of`
    # takes it; empty for the first there is.
    signal: str = ""

    SETTINGS: ClassVar = (
        Setting(
            "a", _read_text, "RUN", Text("list only this run, by the name shown above its table")
        ),
        Setting(
            "b",
            _read_text,
            "RUN",
            Text("the run that --filter compares with A (default: the next run of the dataset)"),
        ),
        one_of(
            "filter",
            get_args(Kind),
            Text("what is listed: {kinds} (default: all)", kinds=Enumerated(get_args(Kind))),
            metavar="KIND",
            field="kind",
        ),
        Setting(
            "search",
            _read_text,
            "TEXT",
            Text("only questions with this text in prompt, reference, predictions or answers"),
        ),
        Setting(
            "right",
            _read_span,
            "LOW,HIGH",
            Text("only questions with such a share of right samples, as fractions"),
            _spell_span,
        ),
        Setting(
            "agreed",
            _read_span,
            "LOW,HIGH",
            Text("only questions with such a share of samples that give the most common answer"),
            _spell_span,
        ),
        Setting(
            "sort", _read_text, "COLUMN", Text("order by a column (default: the order of the file)")
        ),
        switch("down", Text("from the highest to the lowest (default: no)")),
        Setting("open", _read_text, "QUESTION", Text("the question that is shown")),
        Setting(
            "page",
            lambda texts: int(read_number("page", 1, PAGES, 2)(texts)),
            "NUMBER",
            Text(
                "only this page of {count} questions (default: all; the first where samples are "
                "kept elsewhere)",
                count=PAGE,
            ),
        ),
        switch("maths", Text("whether formulas in texts are set as such")),
        Setting(
            "signal",
            _read_text,
            "COLUMN",
            Text(
                "the column that picks, for --filter picked-wrong (default: the first column of "
                "numbers)"
            ),
        ),
    )

    def changed(self, **fields: Any) -> Self:
        """Return other choices; all but a page lead to the page of the open question."""
        return super().changed(**{"page": None} | fields)


def link(chosen: QuestionFilter, view: View | None = None) -> dict[str, list[str]]:
    """Return the query parameters that lead to a list of questions.

    view: With segment and treatment of failed requests; by default what the visitor has.

    Examples
    --------
    >>> link(QuestionFilter(a="7B / gsm8k", kind="soft-gap", sort="gap", down=True))
    {'a': ['7B / gsm8k'], 'filter': ['soft-gap'], 'sort': ['gap'], 'down': ['yes']}
    """
    return {**(view.to_query() if view else {}), **chosen.to_query()}
