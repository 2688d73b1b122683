"""The meaning of a table's columns, as needed to arrange or count its samples."""

from __future__ import annotations

from dataclasses import dataclass

from reports.tables.schema.columns import Columns, Group


@dataclass(frozen=True)
class Meaning:
    """How to read the rows of a table.

    Attributes
    ----------
    columns : Columns
    model, dataset : str
        Their names where no column has them.
    outcome : tuple of str
        The columns of verdicts or scores that count; of counts, none.
    right : tuple of str
        Words in them that mean right, in small letters.
    threshold : float or None
        A score above it counts as right; None where there are verdicts.
    segments : tuple of str
        The columns that divide the questions.
    numbers : tuple of int or None
        The least and most number of a sample, where they are so few whole numbers that a question's
        fit into one word.
    """

    columns: Columns
    model: str
    dataset: str
    outcome: Group = ()
    right: tuple[str, ...] = ()
    threshold: float | None = None
    segments: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
