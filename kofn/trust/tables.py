"""Readings of runs laid out flat, and their doubtful samples one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kofn.card import OF_RUN, about, frame_of, of_estimate, of_run, say
from kofn.trust.analysis import READINGS, Claim, Doubts, TrustCard, claims
from kofn.writing.rendering import printable
from metrics import Labelled
from metrics.scoring.registry import find_metric
from reports.readings.kinds import KINDS
from reports.readings.statements import SEVERAL

if TYPE_CHECKING:
    import pandas as pd

SAMPLES = OF_RUN | {
    "question": "string",
    "sample": "Int64",
    "kind": "string",
    "correct": "Int64",
    "stated": "string",
    "reference": "string",
    "extracted": "string",
    "reason": "string",
}
_WRITTEN = 200


def rows(cards: Sequence[TrustCard]) -> list[dict[str, Any]]:
    """Return a row for each run and reading: its number, and how many samples are of each kind."""
    found: list[dict[str, Any]] = []
    for card in cards:
        if card.found is None:
            found.append({**about(card), "reading": None, "reason": say(card.reason)})
            continue
        metric, k = card.found.asked
        for reading in READINGS:
            found.append(
                {
                    **about(card),
                    "reading": reading,
                    "metric": find_metric(metric).label(k),
                    **of_estimate(getattr(card.found, reading), card.view),
                    **card.found.audit.counts,
                    "reason": None,
                }
            )
    return found


def document(cards: Sequence[TrustCard]) -> dict[str, Any]:
    """Return what JSON holds: the numbers, guesses, comparisons and doubtful samples."""
    guessed = [
        {"run": card.key, **card.found.guesses._asdict()}
        for card in cards
        if card.found is not None and card.found.guesses is not None
    ]
    return {
        "numbers": rows(cards),
        "guesses": guessed,
        "labelled": [
            _labelled(card, card.found.labelled)
            for card in cards
            if card.found is not None and card.found.labelled is not None
        ],
        "comparisons": [_comparison(claim) for claim in claims(cards)],
        "samples": [
            {name: value for name, value in row.items() if name not in _UNSAID}
            for row in samples(cards)
        ],
    }


_UNSAID = ("id", "model", "dataset", "verified", "grouping", "reason")


def _labelled(card: TrustCard, found: Labelled) -> dict[str, Any]:
    return {
        "run": card.key,
        **of_estimate(found.estimate, card.view),
        "labels": found.labels,
        "kinds": [each._asdict() for each in found.strata],
        "caveats": [say(each) for each in found.estimate.caveats],
    }


def _comparison(claim: Claim) -> dict[str, Any]:
    low, high = claim.read.interval or (None, None)
    return {
        "runs": list(claim.keys),
        "judged": claim.judged.value,
        "read": claim.read.value,
        "low": low,
        "high": high,
        "verdict": claim.verdict,
    }


def samples(
    cards: Sequence[TrustCard], kinds: Collection[str] = KINDS[1:]
) -> Iterator[dict[str, Any]]:
    """Yield the samples of some kinds, and what their texts state.

    The texts of their questions are read again.
    """
    for card in cards:
        if card.found is None:
            yield {**of_run(card.key, card.run), "reason": say(card.reason)}
        else:
            yield from _of_kinds(card, card.found, [KINDS.index(kind) for kind in kinds])


def _of_kinds(card: TrustCard, found: Doubts, wanted: Sequence[int]) -> Iterator[dict[str, Any]]:
    kinds, outcomes = found.audit.kinds, found.audit.outcomes
    listed = np.isin(kinds, wanted)
    for row in np.flatnonzero(listed.any(axis=1)).tolist():
        question = outcomes.questions[row]
        texts, reference, stated = found.audit.readings(question)
        for column in np.flatnonzero(listed[row]).tolist():
            said = [each.value for each in stated[column]]
            yield {
                **of_run(card.key, card.run),
                "question": printable(question),
                "id": question,
                "sample": column,
                "kind": KINDS[kinds[row, column]],
                "correct": int(outcomes.correct[row, column]),
                "stated": printable("; ".join(_word(value) for value in said)[:_WRITTEN]) or None,
                "reference": printable((reference or "")[:_WRITTEN]) or None,
                "extracted": printable((texts.answers[column] or "")[:_WRITTEN]) or None,
                "reason": None,
            }


def _word(value: str) -> str:
    return "several" if value == SEVERAL else value


def frame(cards: Sequence[TrustCard]) -> pd.DataFrame:
    """Return `samples` as a frame for CSV."""
    return frame_of([*samples(cards)], SAMPLES)
