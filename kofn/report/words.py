"""Sentences in a report outside its chapters."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.writing.joining import with_name
from kofn.writing.layout import Row
from metrics.data.words import Text, some_of

_COLUMNS = 4
"""The most columns that the name of a table has."""

WORDS = {
    "language": Text("en"),  # as HTML calls it
    "contents": Text("Contents"),
    "texts": Text("Answers with doubtful verdicts"),
    "quoted": Text("At most five answers of each kind and run are quoted."),
    "prompt": Text("Prompt"),
    "reference": Text("Reference"),
    "prediction": Text("Answer"),
    "notes": Text("Notes of the readers"),
    "no_notes": Text("Reading found nothing unusual, repaired nothing and left nothing out."),
    "made": Text("How this was made"),
    "references": Text("References"),
    "again": Text("To make this report again, run:"),
    "view": Text("A dashboard that has loaded these files shows the same view at:"),
    "settings": Text("Settings and inputs"),
}
"""By what the template calls them."""


def table_name(rows: Sequence[Row]) -> Text:
    """Name a table by its columns, and by the dataset if all its runs are of one.

    Examples
    --------
    >>> rows = [{"run": f"{model} / maths", "avg@n": "50.0%"} for model in ("cedar", "aspen")]
    >>> str(table_name(rows))
    'maths: run, avg@n (2 rows)'
    """
    columns = Text(
        "{columns} ({count} row)",
        "{columns} ({count} rows)",
        columns=some_of(rows[0], _COLUMNS),
        count=len(rows),
    )
    ends = {str(next(iter(row.values()))).rpartition(" / ")[1:] for row in rows}
    sign, dataset = ends.pop()
    return with_name(dataset, columns) if sign and not ends else columns


def no_pictures(missing: Text) -> Text:
    """Say why a report in Markdown has no pictures."""
    return Text("The report has no pictures. {missing}", missing=missing)
