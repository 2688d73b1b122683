"""The pooled scorecard of a suite: each metric averaged over its datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from kofn.card import Card
from kofn.choices.runs import index_suites
from kofn.scorecard.analysis import ScoreCard, Scorecard, scores_of
from metrics.analyses.scorecard import pool_scores
from metrics.data.words import Text
from reports.run.report import Evidence, Report, Run, Suite


def pool_suites(reports: Sequence[Report], scored: Sequence[ScoreCard]) -> Iterator[ScoreCard]:
    """Yield a scorecard for every suite all of whose runs are among those scored.

    reports: With the suites that they sum up themselves, and their weights.
    """
    cards = {id(card.run): card for card in scored}
    for key, suite in index_suites(reports).items():
        members = [cards.get(id(run)) for run in suite.runs]
        found = [member for member in members if member is not None]
        if len(found) == len(members) and all(scores_of(card) for card in found):
            yield _pool(key, suite, found)


def _pool(key: str, suite: Suite, cards: Sequence[ScoreCard]) -> ScoreCard:
    pooled = Text("mean over {count} dataset", "mean over {count} datasets", count=len(suite.runs))
    return Card(
        key,
        Run(
            suite.model,
            suite.name,
            None,
            suite.reported,
            grouping=max((run.grouping for run in suite.runs), key=get_args(Evidence).index),
            source=suite.source,
        ),
        cards[0].view,
        cards[0].settings,
        Scorecard(
            tuple(
                pool_scores(column, suite.weights)
                for column in zip(*map(scores_of, cards), strict=True)
            ),
            pooled,
        ),
    )
