"""Chapters bound with what readers need to trust and to reproduce them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from kofn.choices.runs import index_runs, shown_runs
from kofn.choices.view import View
from kofn.provenance import Provenance
from kofn.report.chapters import Chapter
from kofn.report.quoting import Quoted
from kofn.terminal import inputs
from kofn.writing.layout import Row
from kofn.writing.settings import in_words
from metrics.data.words import Enumerated, Text, plain, printable
from reports.run.report import Report


@dataclass(frozen=True)
class Bound:
    """A whole report, before it has a format."""

    title: str
    chapters: Sequence[Chapter]
    quoted: Sequence[Quoted]  # Answers whose verdicts are doubtful, where texts may leave.
    notes: Sequence[str]  # What the readers found, repaired or left out.
    runs: Sequence[Row]  # How each run was made, as far as its files say.
    # methods, references: How the numbers were made, and by whose work.
    methods: Sequence[str]
    references: Sequence[str]
    made: Provenance
    address: str  # Of the same view on a dashboard, behind its host and port.


def bind(
    reports: Sequence[Report],
    view: View,
    chapters: Sequence[Chapter],
    quoted: Sequence[Quoted],
    command: str,
) -> Bound:
    """Bind chapters on some loaded reports.

    chapters: Of the same reports and view.
    command: What makes the report again.
    """
    runs = shown_runs(index_runs(reports), view.runs)
    methods = [each.methods for each in chapters if each.methods is not None]
    sources = dict.fromkeys(source for each in methods for source in each.sources)
    return Bound(
        str(Enumerated(printable(report.name) for report in reports)),
        chapters,
        quoted,
        [*dict.fromkeys(map(str, inputs.notes(reports, [*runs.values()])))],
        [
            {
                str(Text("run")): key,
                str(Text("made with")): printable(str(in_words(run.settings))) or "–",
            }
            for key, run in runs.items()
        ],
        [*dict.fromkeys(plain(text) for each in methods for text in each.sentences)],
        [source.bibtex() for source in sources],
        Provenance.of(reports, view.to_json(), command),
        f"/overview?{query}" if (query := urlencode(view.to_query(), doseq=True)) else "/overview",
    )
