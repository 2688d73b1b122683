"""Which columns of a table hold the outcomes, wherever its rows are."""

from __future__ import annotations

from typing import Protocol

from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.meaning.refusals import (
    Odd,
    disagreeing,
    fractions,
    out_of_range,
    without_outcomes,
)
from reports.tables.schema.columns import Columns, Group
from reports.tables.schema.names import RATE, key
from reports.tables.source import Source

THRESHOLD = 0.5
"""A score above it counts as correct where no column gives verdicts."""

VERDICT = Text("a verdict is 0 or 1")
SCORE = Text("a score lies between 0 and 1")


class OutcomeColumns(Protocol):
    """Columns that may be the outcomes, wherever they are."""

    def are_empty(self, group: Group) -> bool:
        """Whether they hold nothing."""

    def agree(self, one: Group, other: Group) -> bool:
        """Whether both hold the same."""

    def odd(self, group: Group, *, between: bool) -> Odd | None:
        """Return the values that are neither 0 nor 1, or lie not even between these, if any."""


def choose(
    source: Source, columns: Columns, candidates: OutcomeColumns, notes: list[Note]
) -> tuple[Group, float | None]:
    """Choose the columns of outcomes; return the threshold too, if they are scores.

    Parameters
    ----------
    source, columns
        The table, and the candidates for verdicts and scores.
    candidates : OutcomeColumns
        What is known of these.

    Raises
    ------
    LoadError
        If values are out of range or all null, or candidates disagree.
    """
    role, groups = ("correct", columns.correct) if columns.correct else ("score", columns.score)
    held = [group for group in groups if not candidates.are_empty(group)]
    if not held:
        raise without_outcomes(source, groups[0][0])
    group = held[0]
    for other in held[1:]:
        if not candidates.agree(group, other):
            raise disagreeing(source, role, groups, group, other)
    odd = candidates.odd(group, between=False)
    if odd is None:
        return group, None
    if role == "correct":
        raise out_of_range(source, odd, VERDICT)
    is_rate = columns.shape == "long" and columns.sample is None and RATE.fullmatch(key(group[0]))
    if is_rate and "score" not in source.chosen:
        raise fractions(source, group[0])
    if beyond := candidates.odd(group, between=True):
        raise out_of_range(source, beyond, SCORE)
    what = Text(
        "No column says which samples are correct; a score above {threshold} counts as correct.",
        threshold=THRESHOLD,
    )
    notes.append(Note(what, source.place, severity="warning"))
    return group, THRESHOLD
