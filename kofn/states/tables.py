"""How samples ended, as flat rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import ABOUT, VALUE, about, frame_of, limits, say, value_of
from kofn.citing.used import Used, estimated
from kofn.states.analysis import METRIC, Ended, EndedCard
from kofn.states.sentences import NAMES
from kofn.writing.estimates import percent
from kofn.writing.layout import Row
from kofn.writing.rendering import render
from metrics.data.results import Estimate
from reports.run.states import STATES

if TYPE_CHECKING:
    import pandas as pd

TREATMENTS = ("judged", "all_wrong", "all_right", "answered")
"""Of samples that were cut, failed or have no answer, as `metrics.ScoreRange` has them."""
_COUNTS = (*(state.replace(" ", "_") for state in STATES), "cut_right")
COLUMNS = (
    ABOUT
    | {"samples": "Int64", **dict.fromkeys(_COUNTS, "Int64")}
    | {"cut_known": "Int64", "no_answer_known": "Int64", "cut_by": "string", "metric": "string"}
    | {
        (kind if part == "value" else f"{kind}_{part}"): of
        for kind in TREATMENTS
        for part, of in VALUE.items()
    }
    | {"left_out": "Int64", "reason": "string"}
)


def rows(cards: Sequence[EndedCard]) -> list[dict[str, Any]]:
    """Lay out flat how samples ended, a row for each run.

    Returns
    -------
    list of dict
        With the keys of `COLUMNS`: ``samples`` in each state; ``cut_right`` of the cut ones;
        ``cut_known`` and ``no_answer_known``, of how many samples of the run files tell it, 0 for
        not known; the metric as judged, with all unsettled samples wrong, all right, and among
        answered ones only, with the ends of their intervals. What does not exist is None.
    """
    return [_row(card) for card in cards]


def _row(card: EndedCard) -> dict[str, Any]:
    found = card.found
    row: dict[str, Any] = {**dict.fromkeys(COLUMNS), **about(card), "reason": say(card.reason)}
    if found is None:
        return row
    counts = {state.replace(" ", "_"): count for state, count in found.counts.items()}
    row |= counts | {
        "samples": found.samples,
        "cut_right": found.cut_right,
        "cut_known": found.told["cut"],
        "no_answer_known": found.told["no answer"],
        "cut_by": ", ".join(found.signs) or None,
    }
    if found.range is None:
        return row
    row |= {"metric": METRIC, "left_out": found.range.left_out}
    for kind in TREATMENTS:
        for part, value in value_of(getattr(found.range, kind)).items():
            row[kind if part == "value" else f"{kind}_{part}"] = value
    return row


def frame(cards: Sequence[EndedCard]) -> pd.DataFrame:
    """Return `rows` as a frame; what does not exist is NA."""
    return frame_of(rows(cards), COLUMNS)


def table(cards: Sequence[EndedCard]) -> list[Row]:
    """Return what is read of each run: its samples in each state, and the score that they give."""
    return [
        {
            "run": card.key,
            **{render(name): f"{card.found.counts[state]:,}" for state, name in NAMES.items()},
            **{
                f"{METRIC} {kind.replace('_', ' ')}": _scored(card.found, kind)
                for kind in TREATMENTS
            },
        }
        for card in cards
        if card.found is not None
    ]


def _scored(found: Ended, kind: str) -> str:
    if found.range is None:
        return ""
    estimate: Estimate = getattr(found.range, kind)
    return render(percent(estimate.value, *limits(estimate)))


def used(cards: Sequence[EndedCard]) -> Iterator[Used]:
    """Yield how the scores of `table` were made."""
    for card in cards:
        if card.found is not None and card.found.range is not None:
            treated = [getattr(card.found.range, kind) for kind in TREATMENTS]
            yield from estimated(METRIC, None, treated)
