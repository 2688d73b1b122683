"""``kofn choose-n``: how many samples to pay for, for every run in some files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kofn import inputs
from kofn.choice import RunChoice, answer, choose_runs, frame, rows
from kofn.frontier import Offer, frontiers
from kofn.listing import Row, aligned, csv_text, markdown
from kofn.prices import SAMPLES, column
from kofn.pricing import Pricing
from kofn.rendering import percent, printable, render
from kofn.runs import index_runs
from kofn.view import View
from metrics.choice import Choice
from metrics.words import Text

SUMMARY = "weigh what more samples solve against what they cost, and choose n"
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
  csv    the table, with the columns run, model, dataset, segment, metric, n, quality, …, reason
  md     the answers as one Markdown table
JSON and CSV hold fractions and costs at full precision; what is undefined is empty.

exit status:
  0  every path was read and some run has a choice
  2  otherwise, with a line that says why; what could be chosen is printed all the same
"""
SHOWN = frozenset(n for power in range(20) for n in (2**power, 3 * 2**power))
"""Where a table on the terminal stops by, or at the odd n before it where n are odd."""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    parser.add_argument("--format", choices=list(FORMATS), default="table", help="default: table")
    Pricing.add_arguments(parser)
    View.add_arguments(parser, "level", "missing", "segment", "run")


def run(arguments: argparse.Namespace) -> int:
    """Print the choices for the paths; return the exit status."""
    view, pricing = View.from_arguments(arguments), Pricing.from_arguments(arguments)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    chosen = choose_runs(runs, view, pricing)
    problems += inputs.unknown(runs, view)
    if not problems and not any(one.choice for one in chosen):
        problems.append(Text("There is no run to choose n for; the lines above say why."))
    reasons = [f"{one.key}: {render(one.reason)}" for one in chosen if one.reason is not None]
    errors = [f"error: {render(problem)}" for problem in problems]
    notes = inputs.notes(reports, [one.run for one in chosen])
    for line in dict.fromkeys([*notes, *reasons, *errors]):
        print(printable(line), file=sys.stderr)
    if chosen:
        sys.stdout.write(FORMATS[arguments.format](chosen, view, pricing))
    return 2 if problems else 0


def _as_table(chosen: Sequence[RunChoice], view: View, pricing: Pricing) -> str:
    blocks = ["\n".join(_block(one)) for one in chosen]
    offers = ["\n".join(_frontier(*pair)) for pair in _contested(chosen).items()]
    return "\n\n".join([*blocks, *offers]) + "\n"


def _block(one: RunChoice) -> Iterator[str]:
    yield f"{one.key}: {printable(render(answer(one)))}"
    if one.choice is not None and one.priced is not None:
        for remark in (one.priced.basis, *one.choice.remarks):
            yield f"  {printable(render(remark))}"
        steps = list(_steps(one.choice, counted=one.priced.unit == SAMPLES))
        yield from (f"  {line}" for line in aligned(steps).splitlines())


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
        value, low, high = percent(table.quality[at], table.quality_low[at], table.quality_high[at])
        yield {
            "n": f"{n} *" if n == choice.safe_n else str(n),
            "solved": value,
            "interval": render(Text("{low} to {high}", low=low, high=high)),
            **{name: cells[row] for name, cells in columns.items()},
        }


def _stops(choice: Choice, n: int) -> bool:
    if n in (choice.n, choice.safe_n, choice.table.n[-1]):
        return True
    return n in SHOWN or (not choice.stopping and n + 1 in SHOWN)


def _contested(chosen: Sequence[RunChoice]) -> dict[str, tuple[Offer, ...]]:
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
            dataset=printable(dataset),
        )
    )
    found = [
        {
            "cost": cost,
            "solved": percent(offer.quality, offer.low, offer.high)[0],
            "n": str(offer.n),
            "run": offer.key,
        }
        for offer, cost in zip(offers, column([offer.cost for offer in offers]), strict=True)
    ]
    yield from (f"  {line}" for line in aligned(found).splitlines())


def _as_json(chosen: Sequence[RunChoice], view: View, pricing: Pricing) -> str:
    document = {
        "view": view.to_json(),
        "pricing": pricing.to_json(),
        "choices": [_document(one) for one in chosen],
        "table": rows(chosen),
        "frontiers": {
            printable(dataset): [
                {
                    "run": offer.key,
                    "n": offer.n,
                    "cost": offer.cost,
                    "quality": offer.quality,
                    "low": offer.low,
                    "high": offer.high,
                    "best": offer.best,
                    "chosen": offer.chosen,
                }
                for offer in offers
            ]
            for dataset, offers in frontiers(chosen).items()
        },
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _document(one: RunChoice) -> dict[str, Any]:
    choice, priced = one.choice, one.priced
    said = {"run": one.key, "answer": printable(render(answer(one)))}
    if choice is None or priced is None:
        return {**said, "rule": None, "n": None, "interval": None, "safe_n": None}
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
                "sentence": printable(render(advice.sentence(priced.amount))),
            }
            for rule, advice in choice.advice.items()
        },
        "metric": choice.metric,
        "basis": printable(render(priced.basis)),
        "unit": render(priced.unit),
        "method": render(choice.method),
        "remarks": [printable(render(remark)) for remark in choice.remarks],
    }


def _as_csv(chosen: Sequence[RunChoice], view: View, pricing: Pricing) -> str:
    return csv_text(frame(chosen))


def _as_markdown(chosen: Sequence[RunChoice], view: View, pricing: Pricing) -> str:
    lines = []
    for one in chosen:
        remarks = () if one.choice is None else one.choice.remarks
        basis = () if one.priced is None else (one.priced.basis,)
        n = None if one.choice is None else one.choice.safe_n
        lines.append(
            {
                "run": one.key,
                "n": render(Text("N/A")) if n is None else str(n),
                "answer": printable(render(answer(one))),
                "remarks": printable(" ".join(map(render, (*basis, *remarks)))),
            }
        )
    return markdown(lines) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[RunChoice], View, Pricing], str]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "md": _as_markdown,
}
