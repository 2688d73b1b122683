"""Questions as rows: a frame of the listed for files, and what is read of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kofn.card import OF_RUN, of_run
from kofn.choices.view import View
from kofn.questions.analysis import RunQuestions
from kofn.questions.losses import Losses
from kofn.questions.paging import Page
from kofn.questions.references import References, beside, why
from kofn.writing.estimates import percent
from kofn.writing.layout import Row
from kofn.writing.rendering import printable, render
from metrics import Suspect
from metrics.analyses.suspects.suspects import Reason
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.run.report import Run

ANSWER = 60
"""Letters of an answer that a cell holds."""


class Listed(NamedTuple):
    """Some questions of a run, in their order.

    Attributes
    ----------
    questions : RunQuestions
    chosen : int array
        Which of them.
    """

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
    def more(self) -> Text | None:
        """That there is more on other pages."""
        return None

    def table(self) -> pd.DataFrame:
        """Return a row for each."""
        return _rows(self.questions, self.chosen)


def frame(listed: Sequence[Listed | Page]) -> pd.DataFrame:
    """Lay listed questions out flat, one row for each question of each run.

    Returns
    -------
    pandas.DataFrame
        ``run, model, dataset, verified, grouping, question, samples`` (a letter each, of
        `kofn.questions.analysis.STRIP`), then what the runs have of ``right`` (the share of right
        samples), ``c, n, failed, soft, gap, answer`` (the most common), ``agreed`` (the share of
        samples that give it), ``answer_right, tokens_out, segment.…``. What does not exist is NA.
        Names and answers are `printable`.
    """
    parts = [each.table() for each in listed]
    return pd.concat(parts, ignore_index=True).convert_dtypes()


def _rows(questions: RunQuestions, chosen: NDArray[np.intp]) -> pd.DataFrame:
    columns = {name: make()[chosen] for name, make in questions.columns.items()}
    fixed = {
        **{
            name: np.full(len(chosen), cell, dtype=object)
            for name, cell in of_run(questions.key, questions.run).items()
        },
        "question": columns.pop("question"),
        "samples": questions.strips(chosen),
    }
    texts = {name: _cells(values) for name, values in columns.items() if values.dtype == object}
    return pd.DataFrame(fixed | columns | texts).astype(OF_RUN)


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


def lines(listed: Listed | Page) -> Iterator[Row]:
    """Yield what is read by people: question, right of all, and where known strip and answer."""
    if isinstance(listed, Page):
        for row in listed.table().to_dict("records"):
            yield {"question": row["question"], "right": f"{row['c']}/{row['n']}"}
        return
    for row in listed.table().to_dict("records"):
        yield {
            "question": row["question"],
            "right": f"{row['c']}/{row['n']}",
            "samples": row["samples"],
            "most common answer": row.get("answer") or "",
        }


def suspected(suspect: Suspect, found: References) -> Row:
    """Return what is read of a question whose reference is worth checking."""
    return {
        "question": printable(suspect.question),
        "right": f"{suspect.right}/{suspect.samples}",
        "why": render(why(suspect, found)),
    }


def set_beside(row: Mapping[str, Any]) -> Row:
    """Return what is read of a metric with and without such questions."""
    metric = find_metric(row["metric"])
    return {
        "run": row["run"],
        "metric": metric.label(row["k"]),
        "value": render(percent(row["value"])),
        "without": render(percent(row["without"])),
    }


def to_paper(
    found: References, runs: Mapping[str, Run], view: View, reasons: Collection[Reason]
) -> tuple[list[Row], list[Row]]:
    """Return the questions that are worth checking for some reasons, and metrics without them."""
    return (
        [suspected(each, found) for each in found.suspects.of(reasons)],
        list(map(set_beside, beside(found, runs, view, reasons))),
    )
