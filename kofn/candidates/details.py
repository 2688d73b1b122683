"""Everything about best-of-n selection that the samples of a run show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kofn.candidates.analysis import CandidateCard, Examined
from kofn.candidates.choices import Picking
from kofn.candidates.diversity import measure_diversity, measure_texts
from kofn.candidates.judging import Judged, judge_run
from kofn.candidates.ranking_metrics import Lists, examine_lists
from kofn.candidates.signals import (
    Chosen,
    Rivals,
    SignalTrust,
    check_signal,
    choose_nested,
    compare_signals,
)
from kofn.candidates.words import Item, checklist
from kofn.card import Card, attempt
from kofn.choices.view import View
from metrics.analyses.diversity.diversity import Diversity
from metrics.data.words import Text
from reports.run.calibration import Calibration
from reports.run.report import Run

NOTHING = None, None
"""Of what was not asked for."""


class PickDetails(NamedTuple):
    """What lies behind a pick; None where there is nothing of the kind."""

    rivals: Rivals | None
    trust: SignalTrust | None
    nested: Chosen | None
    lists: Lists | None
    diversity: Diversity | None
    judged: Judged | None
    items: tuple[Item, ...]  # What should be seen to.
    missing: tuple[Text, ...]  # Why something that was asked for is not there.


def pick_details(
    run: Run,
    view: View,
    picking: Picking,
    found: Examined,
    calibration: Calibration | None = None,
    *,
    texts: bool = False,
) -> PickDetails:
    """Find out all that lies behind a pick; texts are compared where that is asked for."""
    beside, _reason = attempt(compare_signals, run, view, picking)
    trusted, _reason = attempt(check_signal, run, view, picking)
    nested, unchosen = (
        attempt(choose_nested, run, view, picking) if picking.nested else (None, None)
    )
    listed, _reason = attempt(examine_lists, run, view, picking)
    compared, unread = attempt(measure_texts, run) if texts else NOTHING
    different, _reason = attempt(measure_diversity, run, view, compared)
    judged, unjudged = attempt(judge_run, run, view, picking, calibration)
    asked = picking.judge or calibration
    return PickDetails(
        beside,
        trusted,
        nested,
        listed,
        different,
        judged if judged is not None and (judged.is_known or asked) else None,
        checklist(
            run, found, picking, calibrated=calibration is not None, compared=compared is not None
        ),
        tuple(reason for reason in (unchosen, unread, unjudged) if reason is not None),
    )


class RunDetails(NamedTuple):
    """All that is found of a run."""

    examined: Examined
    details: PickDetails


WholeCard = Card[RunDetails, Picking]


def without_details(cards: Sequence[WholeCard]) -> list[CandidateCard]:
    """Return the cards without what lies behind them."""
    return [card.about(card.found and card.found.examined, card.reason) for card in cards]
