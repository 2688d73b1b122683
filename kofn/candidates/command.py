"""``kofn candidates``: what a signal gains that picks one of several samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kofn.candidates.analysis import NO_SIGNAL, CandidateCard, examine_runs
from kofn.candidates.answer import answer
from kofn.candidates.choices import Picking
from kofn.candidates.figures import called
from kofn.candidates.sentences import remarks
from kofn.candidates.tables import COSTS, Line, frame, lines, rows
from kofn.card import attempt, title
from kofn.choices.signals import numbers_of
from kofn.choices.view import View
from kofn.choose_n.prices import quantity
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent
from kofn.writing.layout import Row, aligned
from kofn.writing.rendering import printable, render
from metrics.data.words import MetricError, Text
from reports.run.report import Run

DETAILS = """\
A signal is a column of numbers, one for each sample: the score of a reward model or a judge, a
log-probability, a length. It picks the sample with its highest value, of all sets of k samples of a
question; samples with the same value share the pick. An oracle picks a right sample where there is
one (pass@k). A vote counts answers where they are known (plurality@k), else verdicts (maj@k).
efficiency is the share of what an oracle gains over one sample that the pick gains; ranking is the
chance that a right sample has a higher value than a wrong one of the same question, .5 for a signal
that says nothing.

formats:
  table  a block for each run: what k candidates solve by who picks, for k that double
  json   {"view", "picking": the settings, "numbers": [one object for each run, number and k]}
  csv    the numbers, with the columns run, model, dataset, verified, grouping, segment, signal,
         number, k, value, low, high, level, target, questions, tokens, seconds, cost (of k samples,
         where known), caveats, reason
  md     one Markdown table
"""


def _examine(runs: Mapping[str, Run], view: View, picking: Picking) -> Sequence[CandidateCard]:
    """Examine runs; refuse a signal that none of them has."""
    reasons = [attempt(numbers_of, run, picking.signal)[1] for run in runs.values()]
    if picking.signal and reasons and all(reasons):
        raise MetricError(reasons[0] or NO_SIGNAL)
    return examine_runs(runs, view, picking)


def _block(card: CandidateCard) -> Iterator[str]:
    yield title(card)
    if card.found is None:
        yield render(card.reason or "")
        return
    yield from aligned([_cells(card, each) for each in lines(card.found)])
    yield from (printable(render(text)) for text in remarks(card.found))


def _cells(card: CandidateCard, line: Line) -> Row:
    assert card.found is not None
    worth = {
        printable(render(called(card.found, way))): _written(line, way.who)
        for way in card.found.ways
    }
    costs = {what: quantity(line.costs[what]) for what in COSTS if what in line.costs}
    return {"k": str(line.k), **worth, **costs}


def _written(line: Line, who: Any) -> str:
    return render(percent(*line.worth.get(who, (None,))))


def _line(row: Mapping[str, Any]) -> Row:
    return {
        "run": row["run"],
        "signal": row["signal"] or "",
        "number": row["number"] or "",
        "k": str(row["k"] or ""),
        "value": render(percent(row["value"], row["low"], row["high"])),
        "remarks": row["reason"] or " ".join(row["caveats"]),
    }


def _tables(cards: Sequence[CandidateCard]) -> Iterable[list[Row]]:
    shown = {card.key: {line.k for line in lines(card.found)} for card in cards if card.found}
    told = (row for row in rows(cards) if row["k"] is None or row["k"] in shown.get(row["run"], ()))
    return [list(map(_line, told))]


CANDIDATES = Listing(
    about=DETAILS,
    result=Text("candidates to pick from"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": "the fewest samples of any question"},
    choices={"picking": (Picking, ("signal", "soft"))},
    compute=_examine,
    found=lambda card: card.found,
    answer=answer,
    blocks=lambda cards: map(_block, cards),
    tables=_tables,
    frame=frame,
    document=lambda cards: {"numbers": rows(cards)},
)
