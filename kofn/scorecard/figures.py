"""From scorecards and comparisons to what the charts draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from charts.dumbbell import Pair
from charts.forest import ForestRow
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.writing.estimates import percent, told_apart
from kofn.writing.rendering import printable
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
        return Text("{metric}: both {value}", metric=line.metric, value=percent(line.reported))
    assert line.recomputed is not None
    reported, recomputed = told_apart(line.reported, line.recomputed)
    return Text(
        "{metric}: {reported} in the file, {recomputed} by its samples. {reason}",
        metric=line.metric,
        reported=reported,
        recomputed=recomputed,
        reason=line.reason,
    )


def _detail(key: str, score: Score) -> Text:
    estimate = score.estimate
    if estimate is None:
        return score.reason or Text("not estimated")
    return Text(
        "{run}: {metric} {value}, {count} question",
        "{run}: {metric} {value}, {count} questions",
        run=key,
        metric=score.label,
        value=percent(estimate.value, *(estimate.interval or ())),
        count=estimate.n_questions,
    )
