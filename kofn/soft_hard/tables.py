"""Comparisons of soft with hard accuracy laid out flat, for files and the command."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kofn.card import ABOUT, OF_ESTIMATE, about, frame_of, of_estimate, say
from kofn.soft_hard.analysis import SoftHardCard
from kofn.writing.rendering import ENGLISH, printable
from metrics.analyses.soft_hard.soft_hard import SoftHard
from metrics.data.results import Estimate
from metrics.scoring.registry import METRICS

if TYPE_CHECKING:
    import pandas as pd

QUESTIONS = 20
"""The most questions that are named for the gap they make."""
DIFFERENCES = ("gap", "not counted", "rounded up")
"""Of these numbers, those in percentage points."""
COLUMNS = ABOUT | {
    "threshold": "Float64",
    "rule": "string",
    "metric": "string",
    **OF_ESTIMATE,
    "caveats": "string",
    "reason": "string",
}


def rows(
    cards: Sequence[SoftHardCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay comparisons out flat, a row for each run and number.

    Returns
    -------
    list of dict
        With the keys of `COLUMNS`: fractions at full precision, ``caveats`` a list of sentences.
        A run without a comparison has one row, with its reason. What does not exist is None.
    """

    def row(
        card: SoftHardCard, metric: str | None, what: Estimate | float | None
    ) -> dict[str, Any]:
        threshold, strict = card.settings.of_run(card.run)
        estimate = what if isinstance(what, Estimate) else None
        return {
            **about(card),
            "threshold": threshold,
            "rule": "above" if strict else "reach",
            "metric": metric,
            **of_estimate(estimate, card.view),
            **({"value": what} if isinstance(what, float) else {}),
            "caveats": [say(each, translations) for each in (estimate.caveats if estimate else ())],
            "reason": say(card.reason, translations),
        }

    return [
        row(card, metric, what)
        for card in cards
        for metric, what in (numbers(card.found.accuracies) if card.found else [(None, None)])
    ]


def frame(
    cards: Sequence[SoftHardCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, the caveats joined to one text."""
    return frame_of(rows(cards, translations), COLUMNS)


def numbers(found: SoftHard) -> Iterator[tuple[str, Estimate | float]]:
    """Yield every number of a comparison with its name."""
    yield "soft", found.accuracy
    yield METRICS["avg@n"].label(found.k), found.avg
    yield "gap", found.gap
    yield "not counted", found.levels.below
    yield "rounded up", found.levels.above
    yield METRICS["pass@k"].label(found.k), found.passed
    yield METRICS["cons@n"].label(found.k), found.voted


def gap_makers(card: SoftHardCard) -> list[dict[str, Any]]:
    """Return the questions whose soft and hard accuracy differ most, at most `QUESTIONS`.

    Returns
    -------
    list of dict
        ``question`` (printable), ``scores`` (ascending, None where missing), ``soft, hard, gap``
        and ``share`` (what it adds to the gap of the run).
    """
    outcomes = card.run.outcomes
    if card.found is None or outcomes is None or outcomes.scores is None:
        return []
    found = card.found.accuracies
    soft, hard = found.by_question
    gap = soft - hard
    largest = np.argsort(-np.abs(gap), kind="stable")[:QUESTIONS]
    return [
        {
            "question": printable(outcomes.questions[found.rows[place]]),
            "scores": sorted(
                float(score) for score in outcomes.scores[found.rows[place]] if score == score
            ),
            "soft": float(soft[place]),
            "hard": float(hard[place]),
            "gap": float(gap[place]),
            "share": float(gap[place]) / len(gap),
        }
        for place in largest
        if gap[place]
    ]
