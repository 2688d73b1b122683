"""Refusals of and questions about a table, however its rows were read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.tables.schema.columns import Columns, Group
from reports.tables.schema.names import numbered
from reports.tables.source import Source
from reports.vocabulary import TOTALS

MAX_NAMES = 1_000
"""Models, and datasets, of one table."""
MAX_RUNS = 50_000
"""Models on datasets of one table; each takes as long as .1 MB of rows."""


@dataclass(frozen=True)
class Odd:
    """Values that are not what they are to be."""

    count: int
    column: str  # Of the first of them.
    row: int | None = None  # Where it is, from 0 on; None where rows have no order.
    value: float | None = None  # What it is, where that is known.


def without_rows(source: Source) -> LoadError:
    """Refuse a table without rows."""
    return source.error(
        Text("the table has no rows"), Text("Write one row for each sample of each question.")
    )


def require_few_names(source: Source, column: str | None, got: int) -> None:
    """Refuse a column of more models or datasets than there may be."""
    if column is not None and got > MAX_NAMES:
        raise source.error(
            Text("has {got:,} values; kofn reads up to {limit}", got=got, limit=MAX_NAMES),
            Text("Check that this is the right column."),
            column,
        )


def require_few_runs(source: Source, got: int) -> None:
    """Refuse more models on datasets than there may be."""
    if got > MAX_RUNS:
        raise source.error(
            Text("holds more than {limit} runs", limit=MAX_RUNS),
            Text("Choose some of them, such as --where \"dataset = 'maths'\"."),
        )


def require_filled(source: Source, column: str, missing: int) -> None:
    """Refuse a column of names that is empty in some rows."""
    if missing:
        raise source.error(
            Text("is empty in {count} row", "is empty in {count} rows", count=missing),
            Text("Fill it in for every row."),
            column,
        )


def require_no_totals(source: Source, column: str, last: str, rows: int) -> None:
    """Refuse a last row that sums up the others, and is no question."""
    if rows > 2 and last.strip().lower() in TOTALS:
        raise source.error(
            Text(
                "the last row, {row}, is called {name}: it seems to be a total of the others, "
                "not a question",
                row=rows,
                name=last.strip(),
            ),
            Text("Remove it, or give it another name if it is a question."),
            column,
        )


def without_outcomes(source: Source, column: str) -> LoadError:
    """Refuse a column of outcomes that has none."""
    return source.error(
        Text("is empty in every row"),
        Text("Write 1 for right, 0 for wrong, and null only where a request failed."),
        column,
    )


def out_of_range(source: Source, odd: Odd, rule: Text) -> LoadError:
    """Refuse outcomes that are none."""
    holds = Text(
        "{count} value is out of range", "{count} values are out of range", count=odd.count
    )
    if odd.row is not None:
        holds = Text("row {row} holds {value:g}", row=odd.row + 1, value=odd.value)
    return source.error(
        Text("{holds}; {rule}", holds=holds, rule=rule),
        Text(
            "Write verdicts as 0 or 1; soft scores from 0 to 1, so percentages divided by 100, in "
            "a column named score; and counts of right samples in a column named c, beside n."
        ),
        odd.column,
    )


def disagreeing(
    source: Source, role: str, groups: Iterable[Group], one: Group, other: Group
) -> LoadError:
    """Ask which of several columns are the outcomes."""
    problem = Text(
        "{first} and {other} could both be the outcomes, and they disagree",
        first=called_by(one),
        other=called_by(other),
    )
    return source.ask(problem, role, tuple(map(called_by, groups)))


def fractions(source: Source, column: str) -> LoadError:
    """Ask whether fractions are rates or scores."""
    problem = Text(
        "{column} holds fractions: if they are rates of several samples, add the number of "
        "these as a column n; if each is the score of one sample, say so",
        column=column,
    )
    return source.ask(problem, "score", (column,))


def repeated_samples(
    source: Source, columns: Columns, count: int, question: str | None = None
) -> LoadError:
    """Refuse questions that have a sample twice, or ask which setting tells these apart.

    count: Of the questions, or of the rows of the one that is named.
    """
    problem = Text(
        "{count} question has the same sample more than once",
        "{count} questions have the same sample more than once",
        count=count,
    )
    if question is not None:
        problem = Text(
            "question {question} has the same sample more than once ({count} such row)",
            "question {question} has the same sample more than once ({count} such rows)",
            question=question,
            count=count,
        )
    if columns.shape == "long" and columns.dividing:
        problem = Text("{problem}, perhaps because a setting differs", problem=problem)
        return source.ask(problem, "setting", columns.dividing)
    return source.error(
        problem,
        Text(
            "Number the samples of each question, remove duplicate rows, or say which column "
            "tells the runs apart, such as --column model=NAME."
        )
        if columns.shape == "long"
        else Text("Give each question one row for each model and dataset."),
        *filter(None, (columns.question, columns.sample)),
    )


def beyond_verdicts(columns: Columns, read: Collection[str]) -> list[str]:
    """Return the columns that say more of samples than verdicts do, but for those that are read."""
    groups = (columns.extracted, columns.reasons, *columns.score, *columns.measured.values())
    names = [*(name for group in groups for name in group), *filter(None, (columns.cluster,))]
    names += [*columns.once.values(), *columns.lists]
    return [name for name in dict.fromkeys(names) if name not in read]


def called_by(group: Group) -> str:
    """Name a column, or what numbered columns have in common."""
    found = numbered(group[0])
    return found[0] if found and len(group) > 1 else group[0]
