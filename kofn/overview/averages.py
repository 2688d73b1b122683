"""The averages at the edge of the table: of suites, and of all datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import Card
from kofn.choices.runs import index_suites
from kofn.inventory.stated import stated_of_suite
from kofn.overview.analysis import Glance, GlanceCard, datasets_of
from kofn.overview.doubts import Doubt
from kofn.standings.field import called
from kofn.writing.rendering import printable
from metrics.analyses.scorecard import Score, pool_scores
from metrics.data.words import Text
from reports.run.report import Report, Run

MEAN = "mean"
"""What the average over all datasets stands under."""


def averages(reports: Sequence[Report], cards: Sequence[GlanceCard]) -> Iterator[GlanceCard]:
    """Yield the averages of suites all of whose runs are shown, and of each model over all.

    Parameters
    ----------
    reports : sequence of Report
        With the suites that they sum up themselves, and their weights.
    cards : sequence of GlanceCard
        Of runs, under one View.
    """
    by_run = {id(card.run): card for card in cards}
    for key, suite in index_suites(reports).items():
        members = [by_run.get(id(run)) for run in suite.runs]
        found = [member for member in members if member is not None]
        if len(found) == len(members):
            run = Run(suite.model, suite.name, None, suite.reported, source=suite.source)
            of_suite = Glance(None, None, stated_of_suite(suite))
            yield _average(key, run, found, suite.weights, of_suite)
    datasets, lines = len(datasets_of(cards)), lines_of(cards)
    if datasets > 1 and datasets in map(len, lines.values()):
        for name, group in lines.items():
            run = Run(group[0].run.model, MEAN, None)
            key = f"{name} / {MEAN}"
            if len(group) == datasets:
                yield _average(key, run, group, [1.0] * datasets, Glance(None, None))
            else:
                partial = Text("on {count} of {all} datasets", count=len(group), all=datasets)
                yield Card(key, run, group[0].view, None, Glance(None, None), partial)


def lines_of(cards: Sequence[GlanceCard]) -> dict[str, list[GlanceCard]]:
    """Return the lines of the table: a model, and again for each further run of it on a dataset."""
    seen: dict[tuple[str, str], int] = {}
    lines: dict[tuple[str, int], list[GlanceCard]] = {}
    for card in cards:
        place = card.run.model, card.run.dataset
        seen[place] = seen.get(place, 0) + 1
        lines.setdefault((card.run.model, seen[place]), []).append(card)
    return {
        called(group[0].key, model, group[0].run.dataset) if number > 1 else printable(model): group
        for (model, number), group in lines.items()
    }


def _average(
    key: str, run: Run, cards: Sequence[GlanceCard], weights: Sequence[float], glance: Glance
) -> GlanceCard:
    scores = [card.found.score for card in cards if card.found and card.found.score]
    pooled: Score | None = None
    reason: Text | None = next((card.reason for card in cards if card.reason), None)
    if len(scores) == len(cards):
        pooled = pool_scores(scores, weights)
        reason = pooled.reason
    doubts: tuple[Doubt, ...] = tuple(d for card in cards if card.found for d in card.found.doubts)
    found = Glance(pooled if pooled and pooled.estimate else None, None, glance.stated, doubts)
    return Card(key, run, cards[0].view, None, found, reason)
