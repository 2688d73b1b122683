"""``kofn choose-n``: how many samples to pay for, for every run in some files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kofn.card import of_datasets, say, title
from kofn.choices.focus import Focus
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard, choose_runs, frame, rows
from kofn.choose_n.answer import advice, answer, answer_of, reasons, told_of
from kofn.choose_n.early import tables as early_tables
from kofn.choose_n.early.ending import Ending
from kofn.choose_n.early.sentences import in_orders
from kofn.choose_n.frontier import Offer, best_in_words, frontiers
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.prices import SAMPLES, column
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.tables import Line, lines
from kofn.citing.sources import AGGARWAL, LI_WINDOWS
from kofn.citing.used import PICKED, Told, Used
from kofn.terminal import waiting
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent
from kofn.writing.layout import Grid, Lines, Row, named
from kofn.writing.rendering import printable, render
from metrics.analyses.choose_n.choice import Choice
from metrics.data.evidence import Evidence
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import METHODS
from reports.run.report import Run

DETAILS = """\
All runs of a dataset have one aim: --value (go on while a further solved question costs at most
that), else --budget (the most that fits, for a question) or --total (for all of them, or for
--questions many), else --quality (the cheapest that is sure to solve as many), else --reach (the
cheapest that comes close to the best of all runs). The answer is of the dataset that --dataset
names, else of the one with the most samples. Intervals are about questions like these. Costs and
limits are in one unit: samples, tokens, seconds, or the currency of the prices.

Where answers vote (--verifier no) it is also said what that takes if votes end early, of the run to
take: --stop, --confidence, --window and --cap say how.

formats:
  table  the answer; for each dataset what it rests on, its runs at the n to use, and which is best
         for its cost; then for each run a table of some n
  json   {"answer", "view", "pricing", "focus": the settings, "datasets": {dataset: its answer, the
         run to take, its aim and why, and of each run with an n to use chance_of_best, that none
         is better by the aim at its own, and expected_loss, by how much the best is better on
         average, in shares of questions within a budget, else in the unit of costs}, "choices":
         [what is said of each run], "table": [one object for each run and n], "frontiers":
         {dataset: [each run and n]}, "early": [votes that end early, of the run to take of each
         dataset: each rule at the cap, and its curve]}
  csv    the table: run, model, dataset, verified, grouping, segment, metric, n, quality, …, reason;
         votes that end early have their rule in ends_early, and take attempts of at most n samples
  md     the runs at the n to use as one Markdown table, and one of the votes that end early
"""
SHOWN = frozenset(n for power in range(20) for n in (2**power, 3 * 2**power))
"""Where a table on the terminal stops by, or at the odd n before it where n are odd."""


def _tokens(run: Run) -> Tokens:
    with waiting.shown(f"Counting tokens of {run.source}") as progress:
        return estimate_tokens(run, progress)


def _choose(
    runs: Mapping[str, Run], view: View, pricing: Pricing, focus: Focus, ending: Ending
) -> Sequence[ChoiceCard]:
    if focus.dataset and focus.dataset not in {run.dataset for run in runs.values()}:
        raise MetricError(Text("No dataset is called {name}.", name=focus.dataset))
    return choose_runs(runs, view, pricing, focus, ending, _tokens)


def _blocks(chosen: Sequence[ChoiceCard]) -> Iterator[Lines]:
    datasets = of_datasets(chosen)
    for dataset, cards in datasets.items():
        yield _dataset(dataset if len(datasets) > 1 else None, cards)
    yield from map(_block, chosen)


def _dataset(dataset: str | None, cards: Sequence[ChoiceCard]) -> Lines:
    """Yield what the runs of a dataset say together; its answer where it is one of several."""
    said = list(map(render, reasons(cards)))
    if dataset is not None:
        yield f"{named(dataset)}: {render(answer_of(cards))}"
    elif said:
        yield said.pop(0)
    yield from said
    found = lines(cards)
    if any(line.n for line in found):
        yield Grid(list(_lines(found)))
    best = best_in_words(cards)
    if best is not None:
        yield render(best)


def _lines(found: Sequence[Line]) -> Iterator[Row]:
    amounts = {
        "a question": [line.cost for line in found],
        "all": [line.all for line in found],
        "each further": [line.further for line in found],
    }
    columns = {name: column(amount) for name, amount in amounts.items()}
    for row, line in enumerate(found):
        yield {
            "run": line.key,
            "n": render(Text("N/A")) if line.n is None else str(line.n),
            "solves": render(percent(*(line.quality or (None,)))),
            **{name: cells[row] for name, cells in columns.items()},
            "note": render(line.note or Text("")),
        }


def _block(one: ChoiceCard) -> Lines:
    yield f"{title(one)}: {render(advice(one))}"
    if one.found is not None:
        choice, priced = one.found.choice, one.found.priced
        yield from map(render, (priced.basis, *choice.remarks))
        steps = list(_steps(choice, counted=priced.unit == SAMPLES))
        yield Grid(steps)
        early, _ = one.found.early
        if early is not None:
            yield render(Text("Votes of up to {cap} that end early:", cap=early.cap))
            yield Grid(early_tables.written(early, counted=priced.unit == SAMPLES))
            yield from map(render, in_orders(early))


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
    return n in SHOWN or (choice.votes and n + 1 in SHOWN)


def _rows(chosen: Sequence[ChoiceCard]) -> list[Row]:
    found = [line for cards in of_datasets(chosen).values() for line in lines(cards)]
    cards = {card.key: card for card in chosen}
    return [{**row, "remarks": _remarks(cards[row["run"]])} for row in _lines(found)]


def _tables(chosen: Sequence[ChoiceCard]) -> Iterator[list[Row]]:
    yield _rows(chosen)
    for one in chosen:
        if one.found is not None and one.found.early[0] is not None:
            early, counted = one.found.early[0], one.found.priced.unit == SAMPLES
            ended = early_tables.written(early, counted=counted)
            yield [{"run": one.key, "up to": str(early.cap), **row} for row in ended]


def _remarks(card: ChoiceCard) -> str:
    found = card.found
    said = () if found is None else (found.priced.basis, *found.choice.remarks)
    return printable(" ".join(map(render, said)))


def _document(chosen: Sequence[ChoiceCard]) -> dict[str, Any]:
    datasets = of_datasets(chosen).items()
    return {
        "datasets": {printable(dataset): _together(cards) for dataset, cards in datasets},
        "choices": list(map(_advice, chosen)),
        "table": rows(chosen),
        "frontiers": {
            printable(dataset): list(map(_offer, offers))
            for dataset, offers in frontiers(chosen).items()
        },
        "early": [
            early_tables.document(one.key, one.found.early)
            for one in chosen
            if one.found is not None and any(one.found.early)
        ],
    }


def _together(cards: Sequence[ChoiceCard]) -> dict[str, Any]:
    told = told_of(cards)
    selection = told.selection
    taken = None if selection is None or selection.run is None else selection.choices[selection.run]
    return {
        "answer": say(answer_of(cards)),
        "reasons": [say(reason) for reason in reasons(cards)],
        "rule": None if selection is None else selection.aim.rule,
        "limit": None if selection is None else selection.aim.limit,
        "target": None if selection is None else selection.aim.target,
        "run": None if selection is None else selection.run,
        "n": None if taken is None else taken.safe_n,
        "chance_of_best": None if selection is None else dict(selection.chances),
        "expected_loss": None if selection is None else dict(selection.losses),
    }


def _offer(offer: Offer) -> dict[str, Any]:
    names = ("n", "cost", "quality", "low", "high", "best", "chosen")
    return {"run": offer.key, **{name: getattr(offer, name) for name in names}}


def _advice(one: ChoiceCard) -> dict[str, Any]:
    said = {"run": one.key, "advice": say(advice(one))}
    if one.found is None:
        return {**said, "rule": None, "n": None, "interval": None, "safe_n": None}
    choice, priced = one.found.choice, one.found.priced
    return {
        **said,
        "rule": choice.rule,
        "n": choice.n,
        "interval": choice.interval,
        "safe_n": choice.safe_n,
        "metric": choice.metric,
        "basis": say(priced.basis),
        "unit": say(priced.unit),
        "method": say(choice.method),
        "held": say(choice.held),
        "remarks": [say(remark) for remark in choice.remarks],
    }


def _used(chosen: Sequence[ChoiceCard]) -> Iterator[Used | Told]:
    for one in chosen:
        if one.found is not None:
            clustered = Evidence(one.run).clusters is not None
            method = METHODS["clustered" if clustered else "population"]
            yield Used(one.found.choice.metric, None, method)
            if one.found.choice.metric == "selected@k":
                yield PICKED
            yield _BOOTSTRAPPED
            if one.found.early[0] is not None:
                yield _REPLAYED


_BOOTSTRAPPED = Told(Text("The interval of n is that of bootstraps of the questions."))
_REPLAYED = Told(
    Text(
        "Votes that end early are the stored samples replayed: Adaptive-Consistency is the rule of "
        "{confidence}, early-stopping self-consistency that of {windows}.",
        confidence=AGGARWAL.short,
        windows=LI_WINDOWS.short,
    ),
    (AGGARWAL, LI_WINDOWS),
)


CHOOSE_N = Listing(
    about=DETAILS,
    result=Text("an n to choose"),
    view=("level", "missing", "segment", "run"),
    choices={"pricing": (Pricing, ()), "focus": (Focus, ()), "ending": (Ending, ())},
    compute=_choose,
    found=lambda one: one.found,
    answer=answer,
    blocks=_blocks,
    tables=_tables,
    used=_used,
    figure="kofn.choose_n.figures:picture",
    frame=frame,
    document=_document,
)
