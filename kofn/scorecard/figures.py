"""From scorecards and comparisons to what the charts draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from charts.dumbbell import Pair
from charts.forest import ForestRow
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.writing.rendering import percent, printable
from metrics.analyses.scorecard import Score
from metrics.data.words import Text
from reports.run.reconcile import Comparison


def forest_rows(scored: Sequence[ScoreCard], numbers: Mapping[str, int]) -> tuple[ForestRow, ...]:
    """Turn scorecards of numbered runs into the rows of `charts.forest.forest`.

    With several models, or several runs of one, each metric is a heading and the runs stand below
    it, by dataset where there are several. With a single model each dataset is a heading, and the
    metrics stand below it.
    """
    models = {card.run.model for card in scored}
    datasets = {card.run.dataset for card in scored}
    repeated = len({(card.run.model, card.run.dataset) for card in scored}) < len(scored)

    def row(card: ScoreCard, score: Score) -> ForestRow:
        dataset, model = printable(card.run.dataset), printable(card.run.model)
        if len(models) > 1 or repeated:
            name = series = card.key if repeated else model
            kind = score.metric.name if score.metric.draws == "one" else score.label
            block = f"{dataset} · {kind}" if len(datasets) > 1 else kind
        else:
            name, series = score.label, model
            block = dataset if len(datasets) > 1 else ""
        estimate = score.estimate
        return ForestRow(
            block=block,
            name=name,
            series=series,
            value=None if estimate is None else estimate.value,
            interval=None if estimate is None else estimate.interval,
            detail=_detail(card.key, score),
            number=numbers[card.key],
        )

    return tuple(row(card, score) for card in scored for score in scores_of(card))


def dumbbell_pairs(compared: Mapping[str, Sequence[Comparison]]) -> tuple[Pair, ...]:
    """Turn comparisons, by the key of their run, into the rows of `charts.dumbbell.dumbbell`.

    What cannot be recomputed has no row.
    """
    return tuple(
        Pair(key, printable(line.metric), line.reported, line.recomputed, _difference(line))
        for key, lines in compared.items()
        for line in lines
        if line.recomputed is not None
    )


def _difference(line: Comparison) -> Text:
    if line.reason is None:
        return Text("{metric}: both {value:.2%}", metric=line.metric, value=line.reported)
    return Text(
        "{metric}: {reported:.2%} in the file, {recomputed:.2%} by its samples. {reason}",
        metric=line.metric,
        reported=line.reported,
        recomputed=line.recomputed,
        reason=line.reason,
    )


def _detail(key: str, score: Score) -> Text:
    estimate = score.estimate
    if estimate is None:
        return score.reason or Text("not estimated")
    value, *limits = percent(estimate.value, *(estimate.interval or ()))
    if not limits:
        return Text("{run}: {metric} {value}", run=key, metric=score.label, value=value)
    return Text(
        "{run}: {metric} {value}, {level:.4g}% interval {low} to {high}, {count} question",
        "{run}: {metric} {value}, {level:.4g}% interval {low} to {high}, {count} questions",
        run=key,
        metric=score.label,
        value=value,
        level=100 * estimate.confidence_level,
        low=limits[0],
        high=limits[1],
        count=estimate.n_questions,
    )
