"""Columns of the questions of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kofn.card import Card
from kofn.questions.analysis import RunQuestions
from kofn.questions.filters import QuestionFilter
from kofn.questions.losses import Losses
from kofn.questions.paging import Page
from kofn.run_columns import OF_RUN, REASON, RUN
from kofn.writing.columns import Column, Columns, for_people, in_files, member
from kofn.writing.kinds import COUNT, FLAG, NUMBER, POINTS, SHARE, WORD
from kofn.writing.stacked import Stacked
from metrics.data.words import Text, printable

ANSWER = 60
"""Letters of an answer that a cell holds."""
SEGMENT = "segment."
"""What the keys of segments begin with."""


@dataclass(frozen=True, eq=False)
class ListedQuestions:
    """Some questions of a run, in their order."""

    questions: RunQuestions
    chosen: NDArray[np.intp]

    @property
    def key(self) -> str:
        """The run's name."""
        return self.questions.key

    @property
    def losses(self) -> Losses:
        """How many questions of the run are lost."""
        return self.questions.losses

    @property
    def every(self) -> int:
        """Questions in all."""
        return len(self.questions.known.rows)

    @property
    def found(self) -> int:
        """Questions that are listed."""
        return len(self.chosen)

    @property
    def count(self) -> int:
        """Those of them that stand on this page: all."""
        return len(self.chosen)

    @property
    def more(self) -> Text | None:
        """That there is more on other pages."""
        return None

    def cells(self, key: str) -> Sequence[Any] | NDArray[Any] | None:
        """Return a column of the questions; None where the run has none of it."""
        if key == "samples":
            return self.questions.strips(self.chosen)
        if key not in self.questions.columns:
            return None
        values: NDArray[Any] = self.questions.columns[key]()[self.chosen]
        if key == "answer":
            return [None if value is None else shorten(value) for value in values]
        if key.startswith(SEGMENT):
            return [printable(value) for value in values]
        return values


ListCard = Card[ListedQuestions | Page, QuestionFilter]


def shorten(answer: str) -> str:
    r"""Return the beginning of an answer for a cell.

    Examples
    --------
    >>> print(shorten("two\nlines"))
    two\nlines
    """
    start = answer if len(answer) <= ANSWER else answer[: ANSWER - 1] + "…"
    return printable(start)


def _cells(key: str) -> Callable[[ListCard], Any]:
    return lambda card: card.found.cells(key) if card.found else None


def _of_all(card: ListCard) -> list[str] | None:
    """Return how many samples of each question are right, of how many."""
    right, count = _cells("c")(card), _cells("n")(card)
    return None if right is None else [f"{c}/{n}" for c, n in zip(right, count, strict=True)]


def _segments(cards: Sequence[ListCard]) -> Columns[ListCard]:
    """Return the columns of segments that any run has, and why some runs have no questions."""
    names = dict.fromkeys(name for card in cards for name in _segments_of(card))
    refused = (REASON,) if any(card.found is None for card in cards) else ()
    return (*(in_files(name, WORD, _cells(name)) for name in names), *refused)


def _segments_of(card: ListCard) -> list[str]:
    if isinstance(card.found, Page):
        return [name for name in map(str, card.found.rows) if name.startswith(SEGMENT)]
    columns = card.found.questions.columns if card.found else {}
    return [name for name in columns if name.startswith(SEGMENT)]


def _page(key: str, label: Text, kind: Any, help: Text | None = None) -> Column[ListCard]:
    """Return a column that files hold, which a page heads so."""
    return Column(key, label, kind, _cells(key), ("page",), help)


COLUMNS: Columns[ListCard] = (
    replace(RUN, shown_on=("paper",)),
    *OF_RUN[1:],
    Column("question", Text("question"), WORD, _cells("question")),
    for_people(Text("right"), WORD, _of_all, ("terminal", "paper")),
    Column(
        "samples",
        Text("samples"),
        WORD,
        _cells("samples"),
        help=Text("a strip, with a letter for each"),
    ),
    _page("right", Text("right"), SHARE, Text("the share of right samples")),
    _page("c", Text("right samples"), COUNT),
    _page("n", Text("samples"), COUNT),
    _page("failed", Text("failed"), COUNT),
)
MEASURED: Columns[ListCard] = (
    Column(
        "answer",
        Text("most common answer"),
        WORD,
        _cells("answer"),
        help=Text("the most common one"),
    ),
    _page("agreed", Text("agree on it"), SHARE, Text("the share of samples that give it")),
    _page("answer_right", Text("most common answer is right"), FLAG),
    _page("cut", Text("cut"), COUNT, Text("samples that were cut off")),
    _page("no_answer", Text("no answer"), COUNT, Text("samples in which none was found")),
    _page("soft", Text("soft score"), SHARE),
    _page("gap", Text("soft − hard"), POINTS, Text("soft minus hard")),
    _page("tokens_out", Text("tokens"), NUMBER, Text("the mean over the samples")),
    for_people(Text("reason"), WORD, REASON.value, ("paper",)),
)
"""What not all runs have."""
LOST: Columns[ListCard] = (
    RUN,
    for_people(Text("questions"), COUNT, member("found.losses.asked")),
    for_people(Text("never right"), COUNT, member("found.losses.never")),
    for_people(Text("lost by a vote"), COUNT, member("found.losses.majority_wrong")),
    for_people(Text("agree on a wrong answer"), COUNT, member("found.losses.confidently_wrong")),
)
"""What becomes of the questions of a run."""
LABELS = {
    column.key: column.label
    for column in (*COLUMNS, *MEASURED)
    if isinstance(column.label, Text) and "page" in column.shown_on
}
"""What columns are called by their keys; one that is not here is a segment."""


LISTED: Stacked[ListCard, ListCard] = Stacked(
    "questions",
    COLUMNS,
    lambda cards: cards,
    count=lambda card: card.found.count if card.found else 1,
    optional=MEASURED,
    more=_segments,
)
