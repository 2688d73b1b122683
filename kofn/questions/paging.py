"""The questions of a run whose samples stay elsewhere, asked for page by page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kofn.choices.view import View
from kofn.questions import words
from kofn.questions.filters import PAGE, QuestionFilter
from kofn.questions.kinds import KINDS, is_within
from kofn.questions.losses import Losses, share_right
from metrics import QuestionStatistics
from metrics.data.arrays import Flags
from metrics.data.counts import NEEDS_SAMPLES, Counts, samples_and_right
from metrics.data.outcomes import Missing
from metrics.data.words import MetricError, Text, printable
from reports.run.remote import By, ListOrder, Remote, Which
from reports.run.report import Run

ORDERS: Mapping[str, By] = {
    "": "question",
    "question": "question",
    "right": "share",
    "c": "right",
    "n": "samples",
    "failed": "failed",
}
"""What such a list can be ordered by."""
_NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class Contents:
    """What counts say of a list of questions, before any of them is asked for."""

    key: str
    run: Run
    losses: Losses
    # every, found: Questions in all, and those that are listed on all pages.
    every: int
    found: int
    order: ListOrder
    which: Which

    def page(self, number: int, remote: Remote | None = None) -> Page:
        """Ask for a page, from 1, of the place of the samples, or as it is given."""
        place, first = remote or self.run.remote, (number - 1) * PAGE
        assert place is not None
        if 0 < self.found <= first:
            raise MetricError(words.no_such_page(-(-self.found // PAGE)))
        count = min(PAGE, max(self.found - first, 0))
        rows = place.questions(first, count, self.order, self.which).to_pandas()
        laid_out = _laid_out(rows, self.which.missing)
        return Page(**vars(self), first=first, rows=laid_out)


@dataclass(frozen=True, eq=False)
class Page(Contents):
    """A page of a list of questions."""

    first: int  # Where the page begins, from 0.
    rows: pd.DataFrame  # A line for each question, by the keys of `kofn.questions.columns`.

    @property
    def count(self) -> int:
        """Questions on this page."""
        return len(self.rows)

    def cells(self, key: str) -> NDArray[Any] | None:
        """Return a column of its questions; None where counts do not tell."""
        return self.rows[key].to_numpy() if key in self.rows else None

    @cached_property
    def more(self) -> Text | None:
        """Say which part of the list this is; None of the whole."""
        if len(self.rows) == self.found:
            return None
        return words.part_in_words(self.first + 1, self.first + len(self.rows))


def contents_of(key: str, run: Run, view: View, chosen: QuestionFilter) -> Contents:
    """Say what a filter lists, by counts alone."""
    if run.counts is None or run.remote is None or chosen.agreed is not None:
        raise MetricError(NEEDS_SAMPLES)
    if chosen.search:
        raise MetricError(words.NO_TEXTS)
    if chosen.sort not in ORDERS:
        raise MetricError(words.no_column(chosen.sort, filter(None, ORDERS)))
    counts = run.counts.members(view.segment)
    statistics = _statistics(counts, view)
    keep = _are_selected(key, statistics, chosen)
    return Contents(
        key,
        run,
        Losses.of(statistics, counts.questions),
        counts.n_questions(),
        int(counts.questions[keep].sum()),
        ListOrder(ORDERS[chosen.sort], chosen.down),
        _row_filter(statistics, keep, view, chosen),
    )


def kinds_counted(counts: Counts, view: View) -> dict[str, int]:
    """Return how many questions there are of each kind that counts tell; of failed if there are.

    Examples
    --------
    >>> kinds_counted(Counts([4, 4], [0, 1], [0, 0], [10, 20]), View())
    {'all': 30, 'always': 0, 'never': 10, 'flaky': 20, 'majority-wrong': 20}
    """
    part = counts.members(view.segment)
    statistics = _statistics(part, view)
    return {
        name: int(part.questions[kind.counted(statistics)].sum())
        for name, kind in KINDS.items()
        if kind.counted is not None and (name != "failed" or part.failed.any())
    }


def orders_counted(counts: Counts, view: View) -> list[str]:
    """Return the columns that tell questions apart: not where all have the same of it."""
    part = counts.members(view.segment)
    n, _ = samples_and_right(part.graded, part.right, part.failed, view.missing)
    differing = {"": True, "right": True, "n": len(np.unique(n)) > 1, "failed": part.failed.any()}
    return [name for name, tells in differing.items() if tells]


def page_of(key: str, run: Run, view: View, chosen: QuestionFilter) -> Page:
    """Ask for a page of the questions that a filter lists."""
    return contents_of(key, run, view, chosen).page(chosen.page or 1)


def _statistics(counts: Counts, view: View) -> QuestionStatistics:
    n, c = samples_and_right(counts.graded, counts.right, counts.failed, view.missing)
    return QuestionStatistics(n, c, counts.failed)


def _are_selected(key: str, statistics: QuestionStatistics, chosen: QuestionFilter) -> Flags:
    kind = KINDS[chosen.kind]
    if kind.counted is None:
        raise MetricError(words.unknown_kind(key, chosen.kind))
    return kind.counted(statistics) & is_within(share_right(statistics), chosen.right)


def _row_filter(
    statistics: QuestionStatistics, keep: Flags, view: View, chosen: QuestionFilter
) -> Which:
    """Return what lists the rows that are kept: a kind is a range of shares of right samples."""
    failed = chosen.kind == "failed"
    plain = (chosen.kind == "all" or failed) and chosen.right is None
    if plain or not keep.any():
        return Which(view.missing, view.segment, None, failed)
    shares = share_right(statistics)[keep]
    span = float(np.min(shares)) - _NEAR, float(np.max(shares)) + _NEAR
    return Which(view.missing, view.segment, span, failed)


def _laid_out(rows: pd.DataFrame, missing: Missing) -> pd.DataFrame:
    graded, right, failed = (rows[name].to_numpy() for name in ("graded", "right", "failed"))
    n, c = samples_and_right(graded, right, failed, missing)
    statistics = QuestionStatistics(n, c, failed)
    segments = {name: rows[name] for name in rows if str(name).startswith("segment.")}
    return pd.DataFrame(
        {
            "question": [printable(each) for each in rows["question"]],
            "right": share_right(statistics),
            "c": c,
            "n": n,
            "failed": failed,
            **{printable(str(name)): labels.map(printable) for name, labels in segments.items()},
        }
    )
