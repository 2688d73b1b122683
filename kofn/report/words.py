"""What a report says beside its chapters."""

from __future__ import annotations

from metrics.data.words import Text

WORDS = {
    "contents": Text("Contents"),
    "table": Text("Table"),
    "texts": Text("Answers whose verdicts are doubtful"),
    "quoted": Text("At most five answers of each kind and run are quoted."),
    "sample": Text("sample"),
    "prompt": Text("Prompt"),
    "reference": Text("Reference"),
    "prediction": Text("Answer"),
    "notes": Text("Notes of the readers"),
    "no_notes": Text("Nothing was found, repaired or left out in reading."),
    "made": Text("How this was made"),
    "references": Text("References"),
    "again": Text("This command makes the report again:"),
    "view": Text("A dashboard that has loaded these files shows the same view at:"),
    "settings": Text("Settings and inputs"),
}
"""By what the template calls them."""


def no_pictures(missing: Text) -> Text:
    """Say why a report in Markdown has no pictures."""
    return Text("There are no pictures here. {missing}", missing=missing)
