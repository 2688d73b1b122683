"""The scorecard on one screen: a table of runs or, if there are many, of models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kofn.card import cards_by_dataset
from kofn.leaderboard.field import Field
from kofn.leaderboard.suite import SuiteStanding
from kofn.run_columns import RUN
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.terminal.brief import MOST_RUNS
from kofn.writing.columns import Block, Column, Columns, for_people, member
from kofn.writing.joining import with_name
from kofn.writing.kinds import DIFFERENCE, ESTIMATE, NAME, REMARKS, WORD
from metrics import Ranks, Standing
from metrics.analyses.scorecard import Score
from metrics.data.results import Estimate
from metrics.data.words import Text

METRICS = ("avg@n", "pass@k", "pass^k", "cons@n")
"""What stands on it unless others are asked for."""


class _Model(NamedTuple):
    """A line of the table of models."""

    name: str
    rank: Ranks | int
    estimate: Estimate
    behind: Any


def screen(
    cards: Sequence[ScoreCard], fields: Sequence[Field], suite: SuiteStanding | None
) -> Iterator[Block]:
    """Yield the table of runs, dataset by dataset, the best by the first metric on top.

    cards: Of runs, and of suites.
    suite: Who leads over all of them; of many runs only this is shown.
    """
    single = [card for card in cards if not (card.found and card.found.pooled)]
    metrics = cards[0].settings.names or _plain(cards)
    standing = suite.standing if suite else fields[0].one_try if len(fields) == 1 else None
    if standing and len(single) > MOST_RUNS and metrics == METRICS:
        yield _models(standing, suite, fields)
        return
    shown = {id(card): _chosen_scores(card, metrics) for card in cards}
    count = max(map(len, shown.values()))

    def value(card: ScoreCard) -> float:
        estimates = [score.estimate for score in shown[id(card)][:1]]
        return estimates[0].value if estimates and estimates[0] else -1.0

    ordered = [
        card
        for group in cards_by_dataset(cards).values()
        for card in sorted(group, key=value)[::-1]
    ]
    columns: Columns[ScoreCard] = (
        RUN,
        *(_column(shown, place) for place in range(count)),
        for_people(Text("remarks"), REMARKS, lambda card: [*_remarks(shown[id(card)])]),
    )
    yield Block("", columns, ordered)


def _models(standing: Standing, suite: SuiteStanding | None, fields: Sequence[Field]) -> Block:
    """Lay out a line for each model: its place, its mean over datasets, how far it is behind."""
    names = {} if suite else fields[0].names
    over = Text("{metric}", metric=standing.metric)
    if suite:
        count = len(suite.datasets)
        over = Text("{metric}, mean of {count} datasets", metric=standing.metric, count=count)
    leaders = Ranks(1, len(standing.leaders))
    lines = [
        _Model(
            names.get(name, name),
            leaders if name in standing.leaders else Ranks(place, place),
            estimate,
            standing.ahead.get(name),
        )
        for place, (name, estimate) in enumerate(standing.estimates.items(), start=1)
    ]
    columns: Columns[_Model] = (
        for_people(Text("model"), NAME, member("name")),
        for_people(Text("rank"), WORD, lambda line: str(line.rank)),
        for_people(over, ESTIMATE, member("estimate")),
        for_people(Text("behind the first"), DIFFERENCE.optional, member("behind")),
    )
    return Block("", columns, lines)


def _column(shown: Mapping[int, Sequence[Score]], place: int) -> Column[ScoreCard]:
    def score(card: ScoreCard) -> Score | None:
        scores = shown[id(card)]
        return scores[place] if place < len(scores) else None

    def label(card: ScoreCard) -> Text | None:
        found = score(card)
        return Text("{metric}", metric=found.label) if found else None

    return for_people(label, ESTIMATE, lambda card: member("estimate")(score(card)))


def _plain(cards: Sequence[ScoreCard]) -> tuple[str, ...]:
    """Return the metrics that are shown; of single samples all are one number."""
    sizes = {score.k for card in cards for score in scores_of(card)}
    return METRICS[:1] if sizes <= {1} else METRICS


def _chosen_scores(card: ScoreCard, metrics: Sequence[str]) -> list[Score]:
    found = {score.label: score for score in scores_of(card) if score.metric.name in metrics}
    return list(found.values())


def _remarks(scores: Sequence[Score]) -> Iterator[Text]:
    for score in scores:
        yield from score.estimate.caveats if score.estimate else ()
        if score.reason:
            yield with_name(score.label, score.reason)
