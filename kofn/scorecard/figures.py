"""Turn a table of scores and comparisons into the data of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.dumbbell import DumbbellRow
from charts.forest import ForestRow, forest
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.scorecard.table import RunLine, ScoreTable, lay_out, named_scores, short_names
from kofn.scorecard.words import differs_from_file, forest_words, same_as_file, score_detail
from kofn.writing.estimates import distinct_percents, percent, percent_of, undefined
from metrics.analyses.scorecard import Score
from metrics.data.words import Text, printable
from reports.run.reconcile import Comparison


def forest_rows(table: ScoreTable, numbers: Mapping[str, int]) -> tuple[ForestRow, ...]:
    """Turn the column that numbered runs are sorted by into rows of `charts.forest.forest`.

    Each dataset is a heading where one has several runs; else the datasets are the rows.
    """
    cards = [line.card for line in table.lines]
    contests = len({card.run.dataset for card in cards}) < len(cards)

    def row(line: RunLine, model: str) -> ForestRow:
        dataset = printable(line.card.run.dataset)
        score = line.scores.get(table.sort)
        estimate = None if score is None else score.estimate
        return ForestRow(
            block=dataset if contests else "",
            name=model if contests or len(cards) == 1 else dataset,
            series=model,
            value=None if estimate is None else estimate.value,
            interval=None if estimate is None else estimate.interval,
            detail=_detail(line.card, score),
            number=numbers[line.card.key],
        )

    return tuple(map(row, table.lines, short_names(cards)))


def rows_of_one(card: ScoreCard, number: int) -> tuple[ForestRow, ...]:
    """Turn the metrics of one run, of this number, into rows of `charts.forest.forest`."""
    return tuple(
        ForestRow(
            block="",
            name=str(heading),
            series=card.key,
            value=None if score.estimate is None else score.estimate.value,
            interval=None if score.estimate is None else score.estimate.interval,
            detail=_detail(card, score),
            number=number,
        )
        for heading, score in named_scores(card)
    )


def dumbbell_pairs(compared: Mapping[str, Sequence[Comparison]]) -> tuple[DumbbellRow, ...]:
    """Turn comparisons, by the key of their run, into the rows of `charts.dumbbell.dumbbell`.

    What cannot be recomputed has no row.
    """
    return tuple(
        DumbbellRow(key, printable(line.metric), line.reported, line.recomputed, _difference(line))
        for key, lines in compared.items()
        for line in lines
        if line.recomputed is not None
    )


def _difference(line: Comparison) -> Text:
    if line.reason is None:
        return same_as_file(metric=line.metric, value=percent(line.reported))
    assert line.recomputed is not None
    reported, recomputed = distinct_percents(line.reported, line.recomputed)
    return differs_from_file(
        metric=line.metric, reported=reported, recomputed=recomputed, reason=line.reason
    )


def _detail(card: ScoreCard, score: Score | None) -> Text:
    if score is None or score.estimate is None:
        return undefined(card.reason if score is None else score.reason)
    return score_detail(
        run=card.key,
        metric=score.label,
        value=percent_of(score.estimate),
        count=score.estimate.n_questions,
    )


def picture(cards: Sequence[ScoreCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw the first metric of runs; None where there is nothing."""
    shown = [card for card in cards if scores_of(card)]
    if not shown:
        return None
    view = shown[0].view
    table = lay_out(shown, view, shown[0].settings.sort)
    return forest(forest_rows(table, numbers), view.level, words=forest_words())
