"""Kinds of questions, and which questions of a run a filter lists, in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kofn.questions import words
from kofn.questions.analysis import Cells, RunQuestions
from kofn.questions.filters import Kind, QuestionFilter, Span
from metrics import QuestionStatistics
from metrics.analyses.compare.sides import DIGITS
from metrics.data.arrays import Flags, Vector
from metrics.data.words import MetricError
from reports.readings.kinds import KINDS as VERDICTS
from reports.run.finish_reasons import State

Counting = Callable[[QuestionStatistics], Flags]


class KindOf(NamedTuple):
    """Which questions are of a kind; None where none can be.

    `counted` says it of counts, if they tell; shares of right samples between two are then of the
    kind as well. `kofn.questions.words.KINDS` has what each is called.
    """

    select: Callable[[RunQuestions, RunQuestions | None], Flags | None]
    counted: Counting | None = None


def _by_counts(counted: Counting) -> KindOf:
    return KindOf(lambda a, _b: counted(a.known.statistics), counted)


def _confidently_wrong(a: RunQuestions, _b: RunQuestions | None) -> Flags | None:
    found = a.known.statistics
    return None if found.agreement is None else found.confidently_wrong()


def _a_beats_b(a: RunQuestions, b: RunQuestions | None) -> Flags | None:
    if b is None:
        return None
    return (a.right > 0.5) & (right_beside(a, b) <= 0.5)


def _gained(a: RunQuestions, b: RunQuestions) -> Vector:
    """Return by how much more `a` has right, rounded as `metrics.compare` does."""
    return np.asarray(np.round(a.right - right_beside(a, b), DIGITS))


def right_beside(a: RunQuestions, b: RunQuestions) -> Vector:
    """Return the share of right samples of `b` for each question of `a`, NaN where it has none."""
    places = a.places(b)
    return np.asarray(np.where(places >= 0, b.right[places], np.nan))


def _with(state: State) -> Callable[..., Flags | None]:
    def select(a: RunQuestions, _b: RunQuestions | None) -> Flags | None:
        count = a.ended(state)
        return None if count is None else count > 0

    return select


def _read_as(kind: str) -> Callable[..., Flags | None]:
    def select(a: RunQuestions, _b: RunQuestions | None) -> Flags | None:
        found = a.readings
        return None if found is None else (found == VERDICTS.index(kind)).any(axis=1)

    return select


KINDS: Mapping[Kind, KindOf] = {
    "all": _by_counts(lambda found: found.n >= 0),
    "always": _by_counts(lambda found: found.always_right),
    "never": _by_counts(lambda found: found.never_right),
    "flaky": _by_counts(lambda found: found.flaky),
    "majority-wrong": _by_counts(lambda found: found.majority_wrong),
    "picked-wrong": KindOf(lambda a, _b: a.lost),
    "confidently-wrong": KindOf(_confidently_wrong),
    "a-beats-b": KindOf(_a_beats_b),
    "a-above-b": KindOf(lambda a, b: None if b is None else _gained(a, b) > 0),
    "a-equals-b": KindOf(lambda a, b: None if b is None else _gained(a, b) == 0),
    "failed": _by_counts(lambda found: found.failed > 0),
    "cut": KindOf(_with("cut")),
    "no-answer": KindOf(_with("no answer")),
    "soft-gap": KindOf(lambda a, _b: None if a.gap is None else np.nan_to_num(a.gap) != 0),
    "disputed": KindOf(lambda a, _b: a.known.disputed),
    "missed": KindOf(_read_as("missed")),
    "generous": KindOf(_read_as("generous")),
    "divided": KindOf(_read_as("divided")),
    "unsupported": KindOf(_read_as("unsupported")),
}

OF_TWO = frozenset(("a-beats-b", "a-above-b", "a-equals-b"))
"""The kinds that set a run against another."""
OF_VERDICTS = frozenset(VERDICTS[1:])
"""The kinds for which the final answers of its texts are read."""


def select(
    a: RunQuestions,
    others: Sequence[RunQuestions],
    chosen: QuestionFilter,
    found: Flags | None = None,
) -> NDArray[np.intp]:
    """Return which questions of `a` are listed, in their order.

    others: What is shown beside it, B first; without any, nothing can be right in A and wrong in B.
        The list can be ordered by the share of right samples of each, ``right.KEY``.
    found: What a search found. Shape (M,).
    """
    kind = KINDS[chosen.kind]
    keep = kind.select(a, others[0] if others else None)
    if keep is None:
        raise MetricError(words.unknown_kind(a.key, chosen.kind))
    keep = keep & is_within(a.right, chosen.right)
    if chosen.agreed is not None:
        modes = a.known.statistics.agreement
        keep &= False if modes is None else is_within(modes.share, chosen.agreed)
    if found is not None:
        keep &= found
    rows = np.flatnonzero(keep)
    if not chosen.sort:
        return rows[::-1] if chosen.down else rows
    columns: dict[str, Cells] = dict(a.columns)
    columns |= {f"right.{b.key}": partial(right_beside, a, b) for b in others}
    if chosen.sort not in columns:
        raise MetricError(words.no_column(chosen.sort, columns))
    values = pd.Series(columns[chosen.sort]()[rows], index=rows)
    ordered = values.sort_values(ascending=not chosen.down, kind="stable", na_position="last")
    return ordered.index.to_numpy(dtype=np.intp)


def is_within(values: Vector, span: Span | None) -> Flags:
    """Return which values are from one to another; all without a span."""
    if span is None:
        return np.ones(len(values), dtype=bool)
    return np.asarray((values >= span[0] - 1e-9) & (values <= span[1] + 1e-9))


def search(questions: RunQuestions, needle: str, in_texts: Flags | None) -> Flags:
    """Find the questions with some letters in their id or, as found before, in their texts.

    in_texts: From `Run.search`, for every question of the run; None where it has no texts.
    """
    wanted = needle.casefold()
    named = np.array([wanted in each.casefold() for each in questions.ids], dtype=bool)
    return named if in_texts is None else named | in_texts[questions.known.rows]
