"""The pooled scorecard of a suite: each metric averaged over its datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from kofn.card import Card
from kofn.leaderboard.lines import run_of, whole_suites
from kofn.scorecard.analysis import ScoreCard, Scorecard, scores_of
from metrics.analyses.scorecard import pool_scores
from metrics.data.words import Text
from reports.run.report import Evidence, Report, Suite


def pool_suites(reports: Sequence[Report], scored: Sequence[ScoreCard]) -> Iterator[ScoreCard]:
    """Yield a scorecard for every suite all of whose runs are among those scored.

    reports: With the suites that they sum up themselves, and their weights.
    """
    for key, suite, members in whole_suites(reports, scored):
        if all(map(scores_of, members)):
            yield _pool(key, suite, members)


def _pool(key: str, suite: Suite, cards: Sequence[ScoreCard]) -> ScoreCard:
    pooled = Text("mean over {count} dataset", "mean over {count} datasets", count=len(suite.runs))
    grouping = max((run.grouping for run in suite.runs), key=get_args(Evidence).index)
    return Card(
        key,
        replace(run_of(suite), grouping=grouping),
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
