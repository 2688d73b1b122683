"""What the loaded runs say, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.overview.analysis import GlanceCard, datasets_of, suite_of
from kofn.overview.sentences import wrong
from kofn.standings.datasets import leading
from kofn.writing.joining import joined
from metrics.data.words import Text


def answer(cards: Sequence[GlanceCard]) -> Text:
    """Say who leads over all datasets, or the only one, and what is stated wrongly."""
    fields = [dataset.field for dataset in datasets_of(cards)]
    stated = [each for card in cards if card.found for each in card.found.stated]
    suite = suite_of(cards)
    return joined([*leading(fields, suite), *wrong(stated)])


def scope(cards: Sequence[GlanceCard]) -> Text:
    """Say what is looked at."""
    own = [card for card in cards if card.found and card.found.dataset]
    return Text(
        "{runs}, {models}, {datasets}",
        runs=Text("{count} run", "{count} runs", count=len(own)),
        models=Text("{count} model", "{count} models", count=len({c.run.model for c in own})),
        datasets=Text("{count} dataset", "{count} datasets", count=len(datasets_of(own))),
    )
