"""The conclusions, figures and tables of each chapter of a report, by the code of its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.choices.codec import Choices
from kofn.choices.run_numbers import number_runs
from kofn.choices.runs import index_runs, index_suites
from kofn.choices.view import View
from kofn.citing.methods import Methods
from kofn.leaderboard.unnamed_datasets import as_one_dataset
from kofn.writing.layout import Row
from metrics.data.words import MetricError, Text, plain
from reports.files.errors import LoadError
from reports.run.report import Report

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from kofn.terminal.subcommand import Listing


class ReportChapter(NamedTuple):
    """A chapter that a report may have."""

    title: Text  # The question that it answers.
    # Of its `kofn.terminal.subcommand.Listing`, as `pkgutil.resolve_name` takes it.
    dotted_name: str


PARTS = {
    "overview": ReportChapter(Text("Which model should I use?"), "kofn.overview.command:OVERVIEW"),
    "inventory": ReportChapter(
        Text("What was reported wrongly?"), "kofn.inventory.command:INVENTORY"
    ),
    "trust": ReportChapter(Text("Can I believe these numbers?"), "kofn.trust.command:TRUST"),
    "compare": ReportChapter(
        Text("Is one model better than another?"), "kofn.compare.command:COMPARE"
    ),
    "choose-n": ReportChapter(Text("How many tries pay?"), "kofn.choose_n.command:CHOOSE_N"),
    "saturation": ReportChapter(
        Text("What do more tries bring?"), "kofn.saturation.command:SATURATION"
    ),
    "consistency": ReportChapter(
        Text("Does a vote beat one answer?"), "kofn.consistency.command:CONSISTENCY"
    ),
    "guidance": ReportChapter(Text("What is the model fit for?"), "kofn.guidance.command:GUIDANCE"),
    "soft-vs-hard": ReportChapter(
        Text("What does partial credit hide?"), "kofn.soft_vs_hard.command:SOFT_VS_HARD"
    ),
}
"""By the subcommand that prints the same."""


@dataclass(frozen=True)
class Chapter:
    """What a chapter says."""

    key: str  # Of `PARTS`.
    title: str
    answer: str  # The sentence that the page opens with, or why there is none.
    covers: str = ""  # What its intervals are about; empty where it has none.
    figure: go.Figure | None = None
    tables: Sequence[Sequence[Row]] = ()  # The shortest first: it sums up the others.
    methods: Methods | None = None  # How its numbers were made.


def chapters(
    reports: Sequence[Report], view: View, only: Iterable[str] = (), *chosen: Choices
) -> Iterator[Chapter]:
    """Yield the chapters of a report on some loaded reports.

    only: Keys of `PARTS`, in any order; empty for all.
    *chosen: Further settings of some chapters; what is not among them is as by default.
    """
    runs = index_runs(reports)
    view = replace(view, k=(), metric=None)
    numbers = number_runs(runs, index_suites(reports))
    wanted = set(only) or set(PARTS)
    settings = {type(each): each for each in chosen}
    for key, (title, dotted_name) in PARTS.items():
        if key not in wanted:
            continue
        listing: Listing[Any] = resolve_name(dotted_name)
        own = as_one_dataset(runs) if listing.compares else runs
        try:
            kinds = (kind for kind, _ in listing.choices.values())
            cards = listing.compute(own, view, *(settings.get(kind) or kind() for kind in kinds))
        except (MetricError, LoadError) as error:
            yield Chapter(key, str(title), plain(error.text))
            continue
        figure = resolve_name(listing.figure)(cards, numbers) if listing.figure else None
        has_findings = any(map(listing.found, cards))
        shown = [*cards, *listing.pooled(reports, cards)]
        yield Chapter(
            key,
            str(title),
            listing.answer_in_words(shown),
            listing.covers(view) if has_findings else "",
            figure,
            sorted(filter(None, listing.read(shown)), key=len),
            listing.methods(cards, view) if has_findings else None,
        )
