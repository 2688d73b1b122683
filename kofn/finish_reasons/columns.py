"""Columns that say how the samples of a run ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kofn.citing.used import Used, used_of_estimates
from kofn.finish_reasons.analysis import METRIC, EndedCard
from kofn.finish_reasons.words import NAMES
from kofn.run_columns import ABOUT, REASON
from kofn.writing.columns import Column, Columns, Table, in_files, member
from kofn.writing.kinds import COUNT, ESTIMATE, WORD
from metrics.data.words import Text
from reports.run.finish_reasons import STATES, State

TREATMENTS = ("judged", "all_wrong", "all_right", "answered")
"""Of samples that were cut, failed or have no answer, as `metrics.ScoreRange` has them."""


def _in_state(state: State) -> Callable[[EndedCard], Any]:
    return lambda card: card.found.counts.get(state) if card.found else None


def _known_of(state: State) -> Callable[[EndedCard], Any]:
    return lambda card: card.found.known[state] if card.found else None


def _treated(kind: str) -> Column[EndedCard]:
    head = Text("{metric} {kind}", metric=METRIC, kind=kind.replace("_", " "))
    return Column(kind, head, ESTIMATE.optional, member(f"found.range.{kind}"))


def _cut_by(card: EndedCard) -> str | None:
    return ", ".join(card.found.signs) or None if card.found else None


COLUMNS: Columns[EndedCard] = (
    *ABOUT,
    in_files("samples", COUNT, member("found.samples")),
    *(
        Column(state.replace(" ", "_"), NAMES.get(state), COUNT, _in_state(state))
        for state in STATES
    ),
    in_files("cut_right", COUNT, member("found.cut_right"), Text("of the cut ones")),
    in_files("cut_known", COUNT, _known_of("cut"), Text("of how many samples it is told")),
    in_files("no_answer_known", COUNT, _known_of("no answer")),
    in_files("cut_by", WORD, _cut_by),
    in_files("metric", WORD, lambda card: METRIC if member("found.range")(card) else None),
    *map(_treated, TREATMENTS),
    in_files("left_out", COUNT, member("found.range.left_out")),
    REASON,
)


def _with_findings(cards: Sequence[EndedCard]) -> list[EndedCard]:
    return [card for card in cards if card.found is not None]


ENDED: Table[EndedCard, EndedCard] = Table("states", COLUMNS, lambda cards: cards, _with_findings)


def used(cards: Sequence[EndedCard]) -> Iterator[Used]:
    """Yield how the scores were made."""
    for card in cards:
        if card.found is not None and card.found.range is not None:
            treated = [getattr(card.found.range, kind) for kind in TREATMENTS]
            yield from used_of_estimates(METRIC, None, treated)
