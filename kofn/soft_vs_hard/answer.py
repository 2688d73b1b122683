"""The sentence that soft against hard opens with: what partial credit is worth, and decides."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.card import names
from kofn.soft_vs_hard.analysis import SoftHardCard, by_dataset
from kofn.soft_vs_hard.orders import is_kept
from kofn.writing.estimates import percent, points
from kofn.writing.layout import named
from metrics.analyses.soft_vs_hard.comparison import SoftHard
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import Text

NOTHING = Text("No run here has soft scores, so soft and hard accuracy are the same.")
ALL_OR_NONE = Text("Every score is 0 or 1, so soft and hard accuracy are the same.")


def answer(cards: Sequence[SoftHardCard]) -> Text:
    """Say what partial credit is worth where that is most, and what the threshold changes."""
    counted = all(card.reason == NEEDS_SAMPLES for card in cards)
    cards = [card for card in cards if card.found is not None]
    found = [
        (name, card.found.accuracies)
        for name, card in zip(names(cards), cards, strict=True)
        if card.found is not None
    ]
    if not found:
        return NEEDS_SAMPLES if counted else NOTHING
    if not any(each.partial for _name, each in found):
        return ALL_OR_NONE
    name, most = max(found, key=lambda each: abs(each[1].gap.value))
    worth = _worth(name, most)
    groups = [group for group in by_dataset(cards).values() if len(group) > 1]
    if not groups:
        return worth
    return Text("{worth} {order}", worth=worth, order=_order(groups))


def _worth(name: str, found: SoftHard) -> Text:
    gap = found.gap
    low, high = gap.interval or (-1.0, 1.0)
    run, written = named(name), points(gap.value, *(gap.interval or ()))
    if low <= 0 <= high:
        return Text(
            "Partial credit is worth {gap} for {run}: with {count} question, nothing to build on.",
            "Partial credit is worth {gap} for {run}: with {count} questions, nothing to build on.",
            gap=written,
            run=run,
            count=gap.n_questions,
        )
    return Text(
        "Partial credit is worth {gap} for {run}: {soft} soft, {hard} hard.",
        gap=written,
        run=run,
        soft=percent(found.accuracy.value),
        hard=percent(found.avg.value),
    )


def _order(groups: Sequence[Sequence[SoftHardCard]]) -> Text:
    changed = [group for group in groups if not is_kept(group)]
    if not changed:
        return Text("The order of the models is the same at every threshold.")
    if len(groups) == 1:
        return Text("The order of the models depends on the threshold.")
    return Text(
        "The order of the models depends on the threshold on {count} of {all} dataset.",
        "The order of the models depends on the threshold on {count} of {all} datasets.",
        count=len(changed),
        all=len(groups),
    )
