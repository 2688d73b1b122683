"""``kofn trade-offs``: any metric or cost of every run against any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.card import cards_by_dataset
from kofn.choices.runs import USUAL_K, shared_k
from kofn.choices.view import View
from kofn.choose_n.pricing import Pricing
from kofn.citing.used import Used
from kofn.leaderboard.lines import cards_of_runs
from kofn.leaderboard.places_over_k import find_places
from kofn.leaderboard.words import along_in_words
from kofn.terminal.subcommand import Listing
from kofn.trade_offs.analysis import TradeCard, weigh, weigh_means
from kofn.trade_offs.choices import TradeChoices
from kofn.trade_offs.columns import COLUMNS, TRADES, lines, remarks
from kofn.trade_offs.numbers import is_cost
from kofn.trade_offs.words import answer, names_of
from kofn.writing.columns import Block
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text
from metrics.scoring.registry import METRICS, metric_name
from reports.run.report import Run

DETAILS = Text(
    """\
A cost is the cost of the samples that the other axis takes: k for pass@k, one for avg@n, all for
cons@n. Tokens and seconds are those of the file, or as --basis says; money needs a price, or costs
in the file. More of a metric is better, less of a cost. Without --k, k is the most samples that all
runs of a dataset share; of several k the first counts.

Runs that no other run beats on both axes are marked as best, by the numbers as measured. If an axis
takes k, lines below say which run certainly leads at which k, and which run passes which as k
grows, by paired differences that exclude 0; the k at which a leader is sought double.

formats:
  table  a block for each dataset
  json   {{"view", "choices", "pricing": the settings, "trade_offs": [one object for each run]}}
  csv    the same rows
  md     a Markdown table for each dataset
"""
)


def _weigh(
    runs: Mapping[str, Run], view: View, choices: TradeChoices, pricing: Pricing
) -> Sequence[TradeCard]:
    return [*weigh(runs, view, choices, pricing), *weigh_means(runs, view, choices, pricing)]


def _blocks(cards: Sequence[TradeCard]) -> Iterator[Block]:
    for dataset, group in cards_by_dataset(cards).items():
        shown = lines(group)
        along = () if group[0].over else _order_over_k(group)
        below = [*along, *(text for line in shown for text in remarks(line))]
        heading = f"{short_name(dataset)}, k = {group[0].view.k[0]}"
        reasons = (
            str(with_name(short_name(card.key), card.reason)) for card in group if card.reason
        )
        yield Block(heading, COLUMNS, shown, [*dict.fromkeys(below), *reasons])


def _order_over_k(cards: Sequence[TradeCard]) -> Iterator[Text]:
    """Say of both axes who leads at which k, and which run passes which."""
    (x, y), view = cards[0].settings.axes, cards[0].view
    runs = {card.key: card.run for card in cards}
    last = shared_k(runs.values(), view)
    for metric in dict.fromkeys((y, x)):
        along = None if is_cost(metric) else find_places(runs, metric_name(metric), last, view)
        if along is not None:
            yield from along_in_words(along, names_of(cards))


def _used(cards: Sequence[TradeCard]) -> Iterator[Used]:
    for card in (card for card in cards_of_runs(cards) if card.found):
        assert card.found is not None
        both = (card.found.x, card.found.y)
        for axis, number in zip(card.settings.axes, both, strict=True):
            if number.method is not None:
                yield Used(axis, card.view.k[0] if METRICS[axis].takes_k else None, number.method)


TRADE_OFFS = Listing(
    about=DETAILS,
    result=Text("both numbers"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": USUAL_K},
    choices={
        "choices": (TradeChoices, TradeChoices.KEYS),
        "pricing": (
            Pricing,
            ("basis", "token-price", "tokens", "second-price", "sample-price", "currency"),
        ),
    },
    compute=_weigh,
    answer=answer,
    blocks=_blocks,
    table=TRADES,
    tables=lambda cards: map(TRADES.written, cards_by_dataset(cards).values()),
    used=_used,
    figure="kofn.trade_offs.figures:picture",
)
