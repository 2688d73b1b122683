"""``kofn choose-n``: how many samples to pay for, for every run in some files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kofn.card import say, title
from kofn.choose_n.analysis import ChoiceCard, answer, choose_runs, frame, rows
from kofn.choose_n.frontier import Offer, frontiers
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.prices import SAMPLES, column
from kofn.choose_n.pricing import Pricing
from kofn.terminal import waiting
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent
from kofn.writing.layout import Row, aligned, named
from kofn.writing.rendering import printable, render
from metrics.analyses.choose_n.choice import Choice
from metrics.data.words import Text
from reports.run.report import Run

DETAILS = """\
Three rules choose: --value (go on while a further solved question costs at most that), else
--budget (the most that fits), else --reach (the least that comes close to the best measured).
Intervals are about questions like these. Costs and limits are in one unit: samples, tokens,
seconds, or the currency of the prices; each block of a table says which.

formats:
  table  a block for each run: the answer, what it rests on and a table of some n; then, where
         several runs share a dataset, what none of the others solves for less
  json   {"view", "pricing": the settings, "choices": [what each rule says of each run],
         "table": [one object for each run and n], "frontiers": {dataset: [each run and n]}}
  csv    the table: run, model, dataset, verified, grouping, segment, metric, n, quality, …, reason
  md     the answers as one Markdown table
"""
SHOWN = frozenset(n for power in range(20) for n in (2**power, 3 * 2**power))
"""Where a table on the terminal stops by, or at the odd n before it where n are odd."""


def _tokens(run: Run) -> Tokens:
    with waiting.shown(run.source) as progress:
        return estimate_tokens(run, progress)


def _blocks(chosen: Sequence[ChoiceCard]) -> Iterator[Iterator[str]]:
    yield from map(_block, chosen)
    yield from (_frontier(*pair) for pair in _contested(chosen).items())


def _block(one: ChoiceCard) -> Iterator[str]:
    yield f"{title(one)}: {render(answer(one))}"
    if one.found is not None:
        choice, priced = one.found.choice, one.found.priced
        yield from map(render, (priced.basis, *choice.remarks))
        steps = list(_steps(choice, counted=priced.unit == SAMPLES))
        yield from aligned(steps)


def _steps(choice: Choice, counted: bool) -> Iterator[Row]:
    """Yield a row for some n; where costs count samples, those drawn are the cost."""
    table = choice.table
    shown = [at for at, n in enumerate(table.n.tolist()) if _stops(choice, n)]
    amounts = {
        "samples": table.attempts,
        **({} if counted else {"cost": table.cost}),
        "each further": table.cost_per_further,
        "each solved": table.cost_per_solved,
    }
    columns = {name: column(amount[shown].tolist()) for name, amount in amounts.items()}
    for row, at in enumerate(shown):
        n = int(table.n[at])
        quality = table.quality[at], table.quality_low[at], table.quality_high[at]
        yield {
            "n": f"{n} *" if n == choice.safe_n else str(n),
            "solved": render(percent(*map(float, quality))),
            **{name: cells[row] for name, cells in columns.items()},
        }


def _stops(choice: Choice, n: int) -> bool:
    if n in (choice.n, choice.safe_n, choice.table.n[-1]):
        return True
    return n in SHOWN or (not choice.stopping and n + 1 in SHOWN)


def _contested(chosen: Sequence[ChoiceCard]) -> dict[str, tuple[Offer, ...]]:
    """Return the datasets of several runs with the offers that are worth considering."""
    best = {
        dataset: tuple(offer for offer in offers if offer.best)
        for dataset, offers in frontiers(chosen).items()
        if len({offer.key for offer in offers}) > 1
    }
    return {dataset: offers for dataset, offers in best.items() if offers}


def _frontier(dataset: str, offers: Sequence[Offer]) -> Iterator[str]:
    yield render(
        Text(
            "{dataset}: no other run and n here solves as many for less, or more for as little, as",
            dataset=named(dataset),
        )
    )
    found = [
        {
            "cost": cost,
            "solved": render(percent(offer.quality, offer.low, offer.high)),
            "n": str(offer.n),
            "run": offer.key,
        }
        for offer, cost in zip(offers, column([offer.cost for offer in offers]), strict=True)
    ]
    yield from aligned(found)


def _line(one: ChoiceCard) -> Row:
    n: int | None = None
    remarks: tuple[Text, ...] = ()
    if one.found is not None:
        n = one.found.choice.safe_n
        remarks = (one.found.priced.basis, *one.found.choice.remarks)
    return {
        "run": one.key,
        "n": render(Text("N/A")) if n is None else str(n),
        "answer": printable(render(answer(one))),
        "remarks": printable(" ".join(map(render, remarks))),
    }


def _document(chosen: Sequence[ChoiceCard]) -> dict[str, Any]:
    return {
        "choices": list(map(_advice, chosen)),
        "table": rows(chosen),
        "frontiers": {
            printable(dataset): list(map(_offer, offers))
            for dataset, offers in frontiers(chosen).items()
        },
    }


def _offer(offer: Offer) -> dict[str, Any]:
    names = ("n", "cost", "quality", "low", "high", "best", "chosen")
    return {"run": offer.key, **{name: getattr(offer, name) for name in names}}


def _advice(one: ChoiceCard) -> dict[str, Any]:
    said = {"run": one.key, "answer": say(answer(one))}
    if one.found is None:
        return {**said, "rule": None, "n": None, "interval": None, "safe_n": None}
    choice, priced = one.found.choice, one.found.priced
    return {
        **said,
        "rule": choice.rule,
        "n": choice.n,
        "interval": choice.interval,
        "safe_n": choice.safe_n,
        "rules": {
            rule: {
                "limit": advice.limit,
                "n": advice.n,
                "interval": advice.interval,
                "safe_n": advice.safe_n,
                "sentence": say(advice.sentence(priced.amount)),
            }
            for rule, advice in choice.advice.items()
        },
        "metric": choice.metric,
        "basis": say(priced.basis),
        "unit": say(priced.unit),
        "method": say(choice.method),
        "remarks": [say(remark) for remark in choice.remarks],
    }


CHOOSE_N = Listing(
    about=DETAILS,
    result=Text("an n to choose"),
    view=("level", "missing", "segment", "run"),
    choices={"pricing": (Pricing, ())},
    compute=partial(choose_runs, tokens_of=_tokens),
    found=lambda one: one.found,
    blocks=_blocks,
    tables=lambda chosen: [list(map(_line, chosen))],
    frame=frame,
    document=_document,
)
