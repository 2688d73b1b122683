"""The averages at the edge of the table: of suites, and of all datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import Card
from kofn.choices.runs import index_suites
from kofn.inventory.stated import stated_of_suite
from kofn.overview.analysis import Glance, GlanceCard
from kofn.overview.doubts import Doubt
from kofn.standings.lines import MEAN, lines_of, shared_datasets
from metrics.analyses.scorecard import Score, pool_scores
from metrics.data.words import Text
from reports.run.report import Report, Run


def averages(reports: Sequence[Report], cards: Sequence[GlanceCard]) -> Iterator[GlanceCard]:
    """Yield the averages of suites all of whose runs are shown, and of models over datasets.

    The latter are over the datasets that all models have, so that they can be compared.

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
    runs = {card.key: card.run for card in cards}
    shared, by_key = shared_datasets(runs), {card.key: card for card in cards}
    count = len(shared)
    for name, keys in lines_of(runs).items() if count > 1 else ():
        group = [by_key[keys[dataset]] for dataset in shared if dataset in keys]
        run = Run(runs[next(iter(keys.values()))].model, MEAN, None)
        key = f"{name} / {MEAN}"
        if len(group) == count:
            yield _average(key, run, group, [1.0] * count, Glance(None, None))
        else:
            partial = Text("on {count} of {all} datasets", count=len(group), all=count)
            yield Card(key, run, cards[0].view, None, Glance(None, None), partial)


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
