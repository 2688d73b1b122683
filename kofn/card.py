"""What all tables have in common: whose a row is, how sentences and numbers are written."""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pandas as pd

from kofn.choices.view import View
from kofn.writing.layout import named
from kofn.writing.rendering import ENGLISH, percent, printable, render
from metrics.data.results import Estimate
from metrics.data.words import Text
from reports.run.report import Run

OF_RUN = dict.fromkeys(("run", "model", "dataset"), "string") | {
    "verified": "boolean",
    "grouping": "string",
}
"""The columns that tell of a run, and their types."""
ABOUT = OF_RUN | {"segment": "string"}
"""The first columns of a table, and their types."""


class Card(Protocol):
    """What was found of one run, by its key of `kofn.choices.runs.index_runs`, under a View."""

    @property
    def key(self) -> str:
        """The run's name."""

    @property
    def run(self) -> Run:
        """With the notes of its reader."""

    @property
    def view(self) -> View:
        """With the segment."""


def of_run(key: str, run: Run) -> dict[str, str | bool | None]:
    """Return the cells of `OF_RUN`; verified is None where the file states no numbers.

    Examples
    --------
    >>> list(of_run("7B / gsm8k", Run("7B", "gsm8k", None, verified=True)).values())
    ['7B / gsm8k', '7B', 'gsm8k', True, 'proven']
    """
    return {
        "run": key,
        "model": printable(run.model),
        "dataset": printable(run.dataset),
        "verified": run.verified,
        "grouping": run.grouping,
    }


def about(card: Card) -> dict[str, str | bool | None]:
    """Return the cells of `ABOUT`; the segment is None for all questions."""
    return of_run(card.key, card.run) | {"segment": _segment(card)}


def _segment(card: Card) -> str | None:
    segment = card.view.segment
    return None if segment is None else printable("=".join(segment))


def title(card: Card, *more: Text | None) -> str:
    """Name a run and its segment above its block, with what else there is to say of it."""
    whose = map(named, filter(None, (card.key, _segment(card))))
    said = map(say, (*more, verified(card.run), grouped(card.run)))
    return ", ".join([*whose, *filter(None, said)])


def is_verified(run: Run) -> bool:
    """Return whether the samples of a run give the file's own numbers and are grouped as known."""
    return run.verified is True and run.grouping != "unknown"


def verified(run: Run) -> Text | None:
    """Say whether a run is verified; None where its file states no numbers."""
    if run.verified is None:
        return None
    if is_verified(run):
        return Text("verified")
    if run.verified:
        return Text("not verified, though the samples have the mean that the file states")
    return Text("not verified, as the file states other numbers")


def checks(run: Run) -> dict[str, str]:
    """Return what is known of a run's verdicts and grouping as words for a table.

    Examples
    --------
    >>> checks(Run("7B", "gsm8k", None, verified=True, grouping="unknown"))
    {'verified': 'yes', 'grouping': 'unknown'}
    """
    words = {True: "yes", False: "no", None: ""}
    return {"verified": words[run.verified], "grouping": run.grouping}


def grouped(run: Run) -> Text | None:
    """Say how it is known which samples of a run are of one question; None if of course by ids."""
    if run.verified is None and run.grouping == "proven":
        return None
    return {
        "proven": Text("grouping proven"),
        "stated": Text("grouping stated by the tool only"),
        "unknown": Text("grouping unknown"),
    }[run.grouping]


def names(cards: Sequence[Card]) -> list[str]:
    """Name runs in a figure: by their model, or by their key where a model has several."""
    models = [printable(card.run.model) for card in cards]
    return [
        model if models.count(model) == 1 else card.key
        for card, model in zip(cards, models, strict=True)
    ]


def say(text: Text | None, translations: gettext.NullTranslations = ENGLISH) -> str | None:
    """Render a sentence for a cell, `printable`; None stays None."""
    return None if text is None else printable(render(text, translations))


def limits(estimate: Estimate | None) -> tuple[float, float] | tuple[None, None]:
    """Return the ends of an interval, None without one."""
    return (estimate and estimate.interval) or (None, None)


def written(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    points: bool = False,
) -> tuple[str, str]:
    """Write a number and its interval to be read.

    Parameters
    ----------
    value : float or None
        A fraction; None for N/A.
    low, high : float or None
        The ends of its interval, None without one.
    points : bool, default: False
        Whether it is a difference, in percentage points.

    Examples
    --------
    >>> written(0.423, 0.351, 0.498), written(-0.02, points=True)
    (('42.3%', '35.1% to 49.8%'), ('-2.0 points', ''))
    """
    if value is None:
        return render(Text("N/A")), ""
    number, *ends = percent(value, *(() if low is None or high is None else (low, high)))
    if points:
        number, *ends = (part.removesuffix("%") for part in (number, *ends))
        number = render(Text("{value} points", value=number))
    return number, render(Text("{low} to {high}", low=ends[0], high=ends[1])) if ends else ""


def frame_of(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Return rows as a frame for CSV and Parquet.

    Parameters
    ----------
    rows : sequence of mapping
    columns : mapping of str to str
        The columns, and their types. A list of sentences becomes one text.
    """
    joined = [
        {
            name: " ".join(cell) or None if isinstance(cell, list) else cell
            for name, cell in row.items()
        }
        for row in rows
    ]
    return pd.DataFrame(joined, columns=list(columns)).astype(dict(columns))
