"""The scorecards of several runs under one View, for the page, the command and files."""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kofn.card import ABOUT, about, frame_of, limits, say
from kofn.choices.runs import NO_VERDICTS, shown_runs
from kofn.choices.view import View
from kofn.writing.rendering import ENGLISH
from metrics.analyses.scorecard import Score, score_all
from metrics.data.words import MetricError, Text
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class RunScores:
    """The scorecard of one run.

    Attributes
    ----------
    key : str
        The run's name, from `kofn.choices.runs.index_runs`.
    run : Run
        With the notes that belong beside the scores.
    view : View
        What was asked for.
    scores : tuple of Score
        One for each metric and k, in the order of the registry.
    reason : Text or None
        Why there is not one score.
    about : Text or None
        Of a suite, what was pooled.
    """

    key: str
    run: Run
    view: View
    scores: tuple[Score, ...]
    reason: Text | None = None
    about: Text | None = None


def score_runs(runs: Mapping[str, Run], view: View) -> tuple[RunScores, ...]:
    """Make the scorecard of every run that a View names.

    Parameters
    ----------
    runs : mapping of str to Run
        From `kofn.choices.runs.index_runs`.
    view : View
        A name in ``view.runs`` that no run has is passed over.

    Returns
    -------
    tuple of RunScores
        In the order of `runs`.
    """
    return tuple(_score_run(key, run, view) for key, run in shown_runs(runs, view.runs).items())


def _score_run(key: str, run: Run, view: View) -> RunScores:
    if run.outcomes is None:
        return RunScores(key, run, view, (), NO_VERDICTS)
    try:
        scores = score_all(
            run.outcomes,
            ks=view.k,
            target=view.target,
            confidence_level=view.level,
            missing=view.missing,
            segment=view.segment,
            answers=run.answers,
        )
    except MetricError as error:
        return RunScores(key, run, view, (), error.text)
    return RunScores(key, run, view, scores)


def rows(
    scored: Sequence[RunScores], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay scorecards out flat, one row for each run, metric and k.

    Parameters
    ----------
    scored : sequence of RunScores
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

    def row(card: RunScores, score: Score | None) -> dict[str, Any]:
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

    return [row(card, score) for card in scored for score in card.scores or (None,)]


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
    scored: Sequence[RunScores], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, the caveats joined to one text.

    Returns
    -------
    pandas.DataFrame
        The columns and types of `COLUMNS`; what does not exist is NA.
    """
    return frame_of(rows(scored, translations), COLUMNS)
