"""Listed questions as rows: a frame, and text in the formats of the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kofn.listing import Row, aligned, csv_text, markdown
from kofn.question_lists import RunQuestions
from kofn.questions import QuestionFilter
from kofn.rendering import printable, render
from kofn.view import View
from metrics.words import Text

ANSWER = 60
"""Letters of an answer that a cell holds."""


class Listing(NamedTuple):
    """Some questions of a run, in their order.

    Attributes
    ----------
    questions : RunQuestions
    chosen : int array
        Which of them.
    """

    questions: RunQuestions
    chosen: NDArray[np.intp]


Layout = Callable[[Sequence[Listing], View, QuestionFilter], str]


def frame(listings: Sequence[Listing]) -> pd.DataFrame:
    """Lay listed questions out flat, one row for each question of each run.

    Returns
    -------
    pandas.DataFrame
        ``run, model, dataset, question, samples`` (a letter each, of
        `kofn.question_lists.STRIP`), then what the runs have of ``right`` (the share of right
        samples), ``c, n, failed, soft, gap, answer`` (the most common), ``agreed`` (the share of
        samples that give it), ``answer_right, tokens_out, segment.…``. What does not exist is NA.
        Names and answers are `printable`.
    """
    parts = [_part(questions, chosen) for questions, chosen in listings]
    return pd.concat(parts, ignore_index=True).convert_dtypes()


def _part(questions: RunQuestions, chosen: NDArray[np.intp]) -> pd.DataFrame:
    run = questions.run
    columns = {name: make()[chosen] for name, make in questions.columns.items()}
    fixed = {
        "run": np.full(len(chosen), questions.key, dtype=object),
        "model": np.full(len(chosen), printable(run.model), dtype=object),
        "dataset": np.full(len(chosen), printable(run.dataset), dtype=object),
        "question": columns.pop("question"),
        "samples": questions.strips(chosen),
    }
    texts = {name: _cells(values) for name, values in columns.items() if values.dtype == object}
    return pd.DataFrame(fixed | columns | texts)


def _cells(values: NDArray[Any]) -> list[str | None]:
    return [None if value is None else shorten(value) for value in values]


def shorten(answer: str) -> str:
    r"""Return the beginning of an answer for a cell.

    Examples
    --------
    >>> print(shorten("two\nlines"))
    two\nlines
    """
    start = answer if len(answer) <= ANSWER else answer[: ANSWER - 1] + "…"
    return printable(start)


def as_table(listings: Sequence[Listing], view: View, chosen: QuestionFilter) -> str:
    """Lay the questions out for a terminal, a block for each run."""
    return "\n".join(line for listing in listings for line in _block(listing))


def as_json(listings: Sequence[Listing], view: View, chosen: QuestionFilter) -> str:
    """Write ``{"view": …, "filter": …, "questions": […]}``."""
    table = frame(listings)
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    document = {"view": view.to_json(), "filter": chosen.to_json(), "questions": rows}
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def as_csv(listings: Sequence[Listing], view: View, chosen: QuestionFilter) -> str:
    """Write `frame` as CSV."""
    return csv_text(frame(listings))


def as_markdown(listings: Sequence[Listing], view: View, chosen: QuestionFilter) -> str:
    """Write one Markdown table."""
    rows = [{"run": listing.questions.key, **row} for listing in listings for row in _rows(listing)]
    return markdown(rows) + "\n" if rows else ""


FORMATS: Mapping[str, Layout] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "md": as_markdown,
}


def _block(listing: Listing) -> Iterator[str]:
    count, every = len(listing.chosen), len(listing.questions.known.rows)
    about = Text(
        "{count} of {every:,} question",
        "{count:,} of {every:,} questions",
        count=count,
        every=every,
    )
    yield f"{listing.questions.key}, {render(about)}"
    rows = list(_rows(listing))
    if rows:
        yield aligned(rows)
    yield ""


def _rows(listing: Listing) -> Iterator[Row]:
    """Yield what is read by people: question, right of all, answer, and the strip."""
    for row in _part(*listing).to_dict("records"):
        yield {
            "question": row["question"],
            "right": f"{row['c']}/{row['n']}",
            "samples": row["samples"],
            "most common answer": row.get("answer") or "",
        }
