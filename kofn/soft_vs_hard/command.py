"""``kofn soft-hard``: why accuracy and avg@n of one run differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kofn.card import blocks_of, cards_by_dataset, title
from kofn.citing.used import Used, used_of_estimates
from kofn.run_columns import RUN, without_names
from kofn.soft_vs_hard.analysis import Compared, Cutoff, SoftHardCard, compare_runs, gap_makers
from kofn.soft_vs_hard.columns import BY_RUN, COLUMNS, NUMBERS, numbers
from kofn.soft_vs_hard.rankings import rankings
from kofn.soft_vs_hard.words import answer, explain, rule_of
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.layout import Lines, short_name
from metrics.analyses.soft_vs_hard.thresholds import Band
from metrics.data.words import Text, printable

DETAILS = Text(
    """\
Only runs whose samples have soft scores are compared; for the others, kofn says why not.

formats:
  table  a block for each run: both accuracies, the gap between them and what makes it
  json   {{"view", "mark": the settings, "numbers": [one object for each run and number], "runs":
         [levels, replicas, questions and the sweep over all thresholds], "rankings": by dataset}}
  csv    the numbers
  md     the numbers as one Markdown table
"""
)


def _blocks(cards: Sequence[SoftHardCard]) -> Iterator[Lines]:
    yield from blocks_of(cards, _block)
    for group in cards_by_dataset(cards).values():
        yield from ([line] for line in _orders(group))


def _block(card: SoftHardCard, found: Compared) -> Block:
    sentences = [explain(found.accuracies), *filter(None, [found.contrary])]
    return Block(title(card, rule_of(card)), without_names(COLUMNS), list(numbers(card)), sentences)


def _orders(cards: Sequence[SoftHardCard]) -> Iterator[str]:
    for ranking in rankings(cards):
        order = " > ".join(" = ".join(map(short_name, group)) for group in ranking.order)
        yield str(
            Text(
                "By hard accuracy, threshold {low:g} to {high:g}: {order}",
                low=ranking.low,
                high=ranking.high,
                order=order,
            )
        )


def _document(cards: Sequence[SoftHardCard]) -> dict[str, Any]:
    return {
        "runs": list(map(_details, cards)),
        "rankings": {
            printable(dataset): [
                {"low": part.low, "high": part.high, "order": part.order}
                for part in rankings(group)
            ]
            for dataset, group in cards_by_dataset(cards).items()
        },
    }


def _details(card: SoftHardCard) -> dict[str, Any]:
    if card.found is None:
        return {"run": card.key}
    found, sweep = card.found.accuracies, card.found.sweep
    levels = zip(
        found.levels.score, found.levels.share, found.levels.right, found.levels.credit, strict=True
    )
    return {
        "run": card.key,
        "levels": [
            {"score": float(s), "share": float(p), "right": bool(r), "adds": float(a)}
            for s, p, r, a in levels
        ],
        "replicas": {
            name: replica.tolist()
            for name, replica in zip(("soft", "hard"), found.by_replica, strict=True)
        },
        "questions": gap_makers(card),
        "sweep": {
            "threshold": sweep.threshold.tolist(),
            "above": _band(sweep.above),
            "reached": _band(sweep.reached),
        },
    }


def _band(band: Band) -> dict[str, list[float]]:
    return {name: getattr(band, name).tolist() for name in ("value", "low", "high")}


def _used(cards: Sequence[SoftHardCard]) -> Iterator[Used]:
    for found in (card.found.accuracies for card in cards if card.found):
        yield from used_of_estimates("soft", None, [found.accuracy])
        yield from used_of_estimates("avg@n", found.k, [found.avg])
        yield from used_of_estimates("gap", None, [found.gap])
        yield from used_of_estimates("pass@k", found.k, [found.passed])
        yield from used_of_estimates("cons@n", found.k, [found.voted])


SOFT_VS_HARD = Listing(
    about=DETAILS,
    result=Text("soft scores to compare"),
    view=("level", "target", "missing", "segment", "run"),
    choices={"mark": (Cutoff, ())},
    compute=compare_runs,
    answer=answer,
    blocks=_blocks,
    screen=lambda cards: [Block("", (RUN, *BY_RUN), cards)],
    table=NUMBERS,
    used=_used,
    figure="kofn.soft_vs_hard.figures:picture",
    document=_document,
)
