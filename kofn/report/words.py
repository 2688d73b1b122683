"""Sentences in a report outside its chapters."""

from __future__ import annotations

from metrics.data.words import Text

WORDS = {
    "language": Text("en"),  # as HTML calls it
    "contents": Text("Contents"),
    "table": Text("Table"),
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


def no_pictures(missing: Text) -> Text:
    """Say why a report in Markdown has no pictures."""
    return Text("The report has no pictures. {missing}", missing=missing)
