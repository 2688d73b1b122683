"""Sentences about scores: who leads, whether limits hold, and what a screen leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from charts.dumbbell import DumbbellRow, DumbbellWords
from charts.forest import ForestRow, ForestWords
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import shared_k
from kofn.leaderboard.field import Field, find_field
from kofn.leaderboard.suite import SuiteStanding, find_suite
from kofn.leaderboard.words import exclusions, leaders_in_words, leaders_on_many_tries
from kofn.scorecard.analysis import ScoreCard
from kofn.writing.estimates import NA, distinct_percents, percent, value_axis
from kofn.writing.joining import joined
from metrics.analyses.scorecard import Score
from metrics.data.words import Text

HOW_TO_SEE_MORE = Text(
    "More: --all for every metric of every run and every note, --run NAME for one run, "
    "--metrics METRIC,… for others."
)


def answer(cards: Sequence[ScoreCard]) -> Text:
    """Say who leads the runs of some cards, dataset by dataset."""
    return answer_of(fields_of(cards), suite_of(cards))


def answer_of(fields: Sequence[Field], suite: SuiteStanding | None = None) -> Text:
    """Say who leads some datasets, together where that is known."""
    return joined(
        [*leaders_in_words(fields, suite), *leaders_on_many_tries(fields), *exclusions(suite)]
    )


def suite_of(cards: Sequence[ScoreCard]) -> SuiteStanding | None:
    """Find out who leads over the datasets of some cards; averages of suites do not count."""
    own = {card.key: card.run for card in cards if not (card.found and card.found.pooled)}
    return find_suite(own, cards[0].view.plain) if own else None


def fields_of(cards: Sequence[ScoreCard]) -> list[Field]:
    """Find out who leads the datasets of some cards; averages of suites do not count."""
    own = {card.key: card for card in cards if not (card.found and card.found.pooled)}
    fields = []
    for dataset, runs in runs_by_dataset({key: card.run for key, card in own.items()}).items():
        view = own[next(iter(runs))].view
        k = max(view.k, default=0) or shared_k(runs.values(), view)
        fields.append(find_field(dataset, runs, k, view.plain))
    return fields


def no_such_score(metric: str) -> Text:
    """Say that no scorecard has a metric."""
    return Text("No scorecard has {metric}, which fail-under is of.", metric=metric)


def limit_in_words(name: str, score: Score, least: float) -> Text:
    """Say whether the lower limit of a score of a run is as high as asked."""
    estimate = score.estimate
    if estimate is None or estimate.interval is None:
        return Text(
            "{run}: {metric} is {value}. {why}",
            run=name,
            metric=score.label,
            value=NA,
            why=score.reason,
        )
    low, high = estimate.interval
    fields = {
        "run": name,
        "metric": score.label,
        "value": percent(estimate.value, low, high),
        "line": distinct_percents(least, low)[0],
    }
    if low >= least:
        return Text("{run}: {metric} is {value}, surely {line} or more.", **fields)
    if high < least:
        return Text("{run}: {metric} is {value}, surely below {line}.", **fields)
    return Text("{run}: {metric} is {value}, which may be below {line}.", **fields)


# The figure --------------------------------------------------------------------------------------


def same_as_file(*, metric: object, value: object) -> Text:
    """Say that a stated number is that of its samples."""
    return Text("{metric}: both {value}", metric=metric, value=value)


def differs_from_file(
    *, metric: object, reported: object, recomputed: object, reason: object
) -> Text:
    """Say how a stated number differs from its samples."""
    return Text(
        "{metric}: {reported} in the file, {recomputed} by its samples. {reason}",
        metric=metric,
        reported=reported,
        recomputed=recomputed,
        reason=reason,
    )


def score_detail(*, run: object, metric: object, value: object, count: int) -> Text:
    """Say what a score rests on."""
    return Text(
        "{run}: {metric} {value}, {count} question",
        "{run}: {metric} {value}, {count} questions",
        run=run,
        metric=metric,
        value=value,
        count=count,
    )


def describe_dumbbell(pairs: Sequence[DumbbellRow]) -> Text:
    """Say in words what `charts.dumbbell.dumbbell` shows, for those who do not see it."""
    widest = max(pairs, key=lambda pair: abs(pair.recomputed - pair.reported))
    return Text(
        "Reported against recomputed for {count} metric: {name} {reported:.1%} against "
        "{recomputed:.1%}.",
        "Reported against recomputed for {count} metrics. They differ most for {name}: "
        "{reported:.1%} against {recomputed:.1%}.",
        count=len(pairs),
        name=widest.name,
        reported=widest.reported,
        recomputed=widest.recomputed,
    )


def describe_forest(rows: Sequence[ForestRow], confidence_level: float) -> Text:
    """Say in words what `charts.forest.forest` shows, for those who do not see it."""
    values = [row.value for row in rows if row.value is not None]
    if not values:
        return Text("Forest plot without any estimate.")
    return Text(
        "Forest plot of {count} estimate with its {level:.4g}% interval: {low:.1%}.",
        "Forest plot of {count} estimates with their {level:.4g}% intervals, from {low:.1%} to "
        "{high:.1%}. The table has the same numbers.",
        count=len(values),
        level=100 * confidence_level,
        low=min(values),
        high=max(values),
    )


def dumbbell_words() -> DumbbellWords:
    """Return what the figure of stated numbers says."""
    return DumbbellWords(
        Text("Reported in the file"),
        Text("Recomputed from its samples"),
        Text("Value, in percent"),
    )


def forest_words() -> ForestWords:
    """Return what the figure of scores says."""
    return ForestWords(value_axis, _not_drawn)


def _not_drawn(count: int) -> Text:
    return Text(
        "{count} more estimate is not drawn; choose fewer runs to see it.",
        "{count} more estimates are not drawn; choose fewer runs to see them.",
        count=count,
    )
