"""The scorecards of several runs under one View, for the page, the command and files."""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

from kofn.card import ABOUT, Card, about, finder, frame_of, limits, make_one_each, say
from kofn.choices.codec import Choices, Setting
from kofn.choices.runs import outcomes_of
from kofn.choices.view import View
from kofn.writing.rendering import ENGLISH
from metrics.analyses.scorecard import Score, Scores, score_all
from metrics.data.shown import brief_repr
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.run.report import Run
from reports.run.shown import html_table


@dataclass(frozen=True, eq=False)
class Scorecard:
    """The scores of a run or a suite.

    Attributes
    ----------
    scores : tuple of Score
        One for each metric and k, in the order of the registry.
    pooled : Text or None
        Of a suite, over how many datasets they are means.
    """

    scores: tuple[Score, ...]
    pooled: Text | None = None

    __repr__ = brief_repr

    def _repr_html_(self) -> str:
        rows = [score.summary for score in self.scores]
        return html_table("" if self.pooled is None else str(self.pooled), rows)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each metric and k, with its interval or the reason why not."""
        return Scores(self.scores).to_frame()


@dataclass(frozen=True)
class ChosenMetrics(Choices):
    """Which metrics a scorecard has.

    Attributes
    ----------
    names : tuple of str
        Of `metrics.METRICS`; empty for all.
    """

    names: tuple[str, ...] = ()

    SETTINGS: ClassVar = (
        Setting(
            "metric",
            "names",
            lambda texts: tuple(
                dict.fromkeys(find_metric(name).name for text in texts for name in text.split(","))
            ),
            "METRIC,METRIC,…",
            Text("only these metrics, such as pass@k,avg@n; may be repeated (default: all)"),
            list,
        ),
    )


ScoreCard = Card[Scorecard, ChosenMetrics]
EVERY_METRIC = ChosenMetrics()


def score_run(run: Run, view: View, chosen: ChosenMetrics = EVERY_METRIC) -> Scorecard:
    """Estimate every metric of a run, or those chosen."""
    scores = score_all(
        outcomes_of(run),
        ks=view.k,
        target=view.target,
        confidence_level=view.level,
        missing=view.missing,
        segment=view.segment,
        answers=run.answers,
    )
    wanted = [s for s in scores if not chosen.names or s.metric.name in chosen.names]
    return Scorecard(tuple(wanted))


def score_runs(
    runs: Mapping[str, Run], view: View, chosen: ChosenMetrics = EVERY_METRIC
) -> tuple[ScoreCard, ...]:
    """Make the scorecard of every run that a View names, in the order of `runs`."""
    return make_one_each(finder(score_run), runs, view, chosen)


def scores_of(card: ScoreCard) -> tuple[Score, ...]:
    """Return the scores of a run; none where there is a reason."""
    return card.found.scores if card.found else ()


def rows(
    scored: Sequence[ScoreCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay scorecards out flat, one row for each run, metric and k.

    Parameters
    ----------
    scored : sequence of ScoreCard
    translations : gettext.NullTranslations, optional
        For method, caveats and reason.

    Returns
    -------
    list of dict
        ``run, model, dataset, verified`` (True, False or None), ``grouping, segment``
        (``attribute=label``, None for all questions), ``metric``, ``k``, ``value, low, high``
        (full precision, as fractions), ``level, target, questions, method, caveats`` (a list of
        sentences) and ``reason`` (why there is no value). A run without any score has one row,
        with its reason. What does not exist is None. Names and sentences are `printable`.
    """

    def row(card: ScoreCard, score: Score | None) -> dict[str, Any]:
        estimate = None if score is None else score.estimate
        low, high = limits(estimate)
        return about(card) | {
            "metric": None if score is None else score.metric.name,
            "k": None if score is None else score.k,
            "value": None if estimate is None else estimate.value,
            "low": low,
            "high": high,
            "level": card.view.level,
            "target": card.view.target,
            "questions": None if estimate is None else estimate.n_questions,
            "method": None if estimate is None else say(estimate.method, translations),
            "caveats": [say(each, translations) for each in (estimate.caveats if estimate else ())],
            "reason": say(card.reason if score is None else score.reason, translations),
        }

    return [row(card, score) for card in scored for score in scores_of(card) or (None,)]


COLUMNS = ABOUT | {
    "metric": "string",
    "k": "Int64",
    "value": "Float64",
    "low": "Float64",
    "high": "Float64",
    "level": "Float64",
    "target": "string",
    "questions": "Int64",
    "method": "string",
    "caveats": "string",
    "reason": "string",
}


def frame(
    scored: Sequence[ScoreCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, the caveats joined to one text.

    Returns
    -------
    pandas.DataFrame
        The columns and types of `COLUMNS`; what does not exist is NA.
    """
    return frame_of(rows(scored, translations), COLUMNS)
