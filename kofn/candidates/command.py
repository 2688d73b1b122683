"""``kofn candidates``: what a signal gains that picks one of several samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.candidates import judging, trust
from kofn.candidates.analysis import NO_SIGNAL, CandidateCard, Examined, examine_runs
from kofn.candidates.answer import answer
from kofn.candidates.checklist import STATES
from kofn.candidates.choices import Further, Picking
from kofn.candidates.details import Details, look_into, numbers
from kofn.candidates.figures import called
from kofn.candidates.readings import of_diversity, of_lists
from kofn.candidates.resting import resting
from kofn.candidates.rivals import Rivals
from kofn.candidates.sentences import of_each, of_target, remarks
from kofn.candidates.tables import COSTS, Line, frame, lines, rows
from kofn.card import Card, attempt, say, title, value_of
from kofn.choices.signals import numbers_of
from kofn.choices.view import View
from kofn.choose_n.prices import quantity
from kofn.citing.used import PICKED, Told, Used, estimated, measured
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent, points
from kofn.writing.layout import Grid, Lines, Row
from kofn.writing.rendering import printable, render
from metrics.analyses.compare.difference import Difference
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import METRICS
from reports import load_calibration
from reports.run.report import Run

if TYPE_CHECKING:
    import plotly.graph_objects as go

DETAILS = """\
A signal is a column of numbers, one for each sample: the score of a reward model or a judge, a
log-probability, a length. It picks the sample with its highest value, of all sets of k samples of a
question; samples with the same value share the pick. An oracle picks a right sample where there is
one (pass@k). A vote counts answers where they are known (plurality@k), else verdicts (maj@k, a tie
as half). efficiency is the share of what an oracle gains over one sample that the pick gains;
ranking is the chance that a right sample has a higher value than a wrong one of the same question,
.5 for a signal that says nothing.

formats:
  table  a block for each run: what k candidates solve by who picks, for k that double; of a single
         run also what lies behind it: other signals, lists, diversity, judges, what to see to
  json   {"view", "picking", "further": the settings, "numbers": [one object for each run, number
         and k], "runs": [of each its other signals, what to see to, and what is said of them]}
  csv    the numbers, with the columns run, model, dataset, verified, grouping, segment, signal,
         number, k, value, low, high, share (whether it is a fraction of 1), level, target (of its
         interval), questions, tokens, seconds, cost (of k samples, where known), caveats, reason
  md     the numbers as one Markdown table
"""


class Whole(NamedTuple):
    """All that is found of a run."""

    examined: Examined
    details: Details


WholeCard = Card[Whole, Picking]


def _examine(
    runs: Mapping[str, Run], view: View, picking: Picking, further: Further
) -> Sequence[WholeCard]:
    """Examine runs wholly; refuse a signal that none of them has."""
    reasons = [attempt(numbers_of, run, picking.signal)[1] for run in runs.values()]
    if picking.signal and reasons and all(reasons):
        raise MetricError(reasons[0] or NO_SIGNAL)
    labels = load_calibration(further.calibration) if further.calibration else None

    def whole(card: CandidateCard) -> WholeCard:
        found = None
        if card.found is not None:
            details = look_into(
                card.run, card.view, picking, card.found, labels, texts=further.texts
            )
            found = Whole(card.found, details)
        return Card(card.key, card.run, card.view, picking, found, card.reason)

    return [whole(card) for card in examine_runs(runs, view, picking)]


def _bare(cards: Sequence[WholeCard]) -> list[CandidateCard]:
    """Return the cards without what lies behind them."""
    return [
        Card(card.key, card.run, card.view, card.settings, card.found and card.found.examined)
        if card.found
        else Card(card.key, card.run, card.view, card.settings, None, card.reason)
        for card in cards
    ]


def _further(cards: Sequence[WholeCard]) -> dict[str, list[dict[str, Any]]]:
    return {card.key: list(numbers(card.found.details)) for card in cards if card.found}


def _blocks(cards: Sequence[WholeCard]) -> Iterator[Lines]:
    for card, bare in zip(cards, _bare(cards), strict=True):
        yield _block(bare)
        if len(cards) == 1 and card.found is not None:
            yield from _behind(card.found.details, card.view)


def picture(cards: Sequence[WholeCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw quality against the number of candidates, of the first run; None without several."""
    from kofn.candidates import figures

    return figures.picture(_bare(cards))


def _block(card: CandidateCard) -> Lines:
    yield title(card)
    if card.found is None:
        yield render(card.reason or "")
        return
    yield Grid([_cells(card, each) for each in lines(card.found)])
    yield from map(_said, dict.fromkeys(remarks(card.found)))


def _cells(card: CandidateCard, line: Line) -> Row:
    assert card.found is not None
    worth = {
        _said(called(card.found, way)): render(percent(*line.worth.get(way.who, (None,))))
        for way in card.found.ways
    }
    costs = {what: quantity(line.costs[what]) for what in COSTS if what in line.costs}
    return {"k": str(line.k), **worth, **costs}


def _behind(found: Details, view: View) -> Iterator[Lines]:
    """Yield a block for each kind of thing that lies behind a pick."""
    if found.nested is not None:
        yield ["Chosen on other questions", *map(_said, trust.told_nested(found.nested))]
    if found.rivals is not None and len(found.rivals.each) > 1:
        yield [
            "Other signals on the same candidates",
            Grid(list(_rivals(found.rivals))),
            *map(_said, found.rivals.missing),
        ]
    if found.trust is not None and (told := list(trust.told(found.trust))):
        told += of_target(view, ["all that is said here"])
        yield ["Whether the signal can be trusted", *map(_said, told)]
    table = [
        {"number": cells["number"], "value": _written(cells)}
        for cells in numbers(found)
        if cells.get("value") is not None
    ]
    if table:
        yield ["Lists, diversity and judges", Grid(table), *map(_said, _of_all(found, view))]
    yield [
        "Seen to before this is relied on",
        Grid(
            [
                {
                    "point": _said(item.name),
                    "state": _said(STATES[item.state]),
                    "": _said(item.said),
                }
                for item in found.items
            ],
            head=False,
        ),
    ]


def _of_all(found: Details, view: View) -> Iterator[Text]:
    if found.lists is not None:
        yield from of_lists(found.lists)
        listed = [each for each in found.lists.numbers if each.name != "pass@k"]
        said = [(each.name, text) for each in listed for text in each.caveats]
        yield from of_each([each.name for each in listed], said)
        yield from found.lists.missing
    if found.diversity is not None:
        yield from of_diversity(found.diversity)
        known = {each.name: each.estimate for each in found.diversity.measures if each.estimate}
        said = [(name, text) for name, each in known.items() for text in each.caveats]
        yield from of_each(list(known), said)
    if found.judged is not None:
        yield from judging.told(found.judged)
    yield from found.missing
    others = (cells["number"] for cells in numbers(found) if cells.get("target") == "population")
    yield from of_target(view, others)


def _rivals(found: Rivals) -> Iterator[Row]:
    for each in found.each:
        against = each.difference
        yield {
            "picked by": _said(each.name),
            "solves": render(percent(each.value)),
            "more than the first": ""
            if against is None
            else render(points(against.value, *(against.interval or ()))),
        }


def _written(cells: Mapping[str, Any]) -> str:
    value, low, high = (cells.get(name) for name in ("value", "low", "high"))
    assert value is not None
    if cells["share"]:
        return render(percent(value, low, high))
    ends = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    return f"{value:.2f}{ends}"


def _line(row: Mapping[str, Any]) -> Row:
    known = row["value"] is not None
    return {
        "run": row["run"],
        "signal": row["signal"] or "",
        "number": row["number"] or "",
        "k": str(row["k"] or ""),
        "value": _written(row) if known else "N/A",
        "remarks": row["reason"] or " ".join(row["caveats"]),
    }


def _tables(cards: Sequence[WholeCard]) -> Iterable[list[Row]]:
    bare = _bare(cards)
    shown = {card.key: {line.k for line in lines(card.found)} for card in bare if card.found}
    told = (
        row
        for row in rows(bare, further=_further(cards))
        if row["k"] is None or row["k"] in shown.get(row["run"], ())
    )
    return [list(map(_line, told))]


def _paper(cards: Sequence[WholeCard]) -> Iterable[list[Row]]:
    """Yield the numbers, and the other signals on the same candidates."""
    yield from _tables(cards)
    yield [
        {"run": card.key, **row}
        for card in cards
        if card.found is not None and card.found.details.rivals is not None
        for row in _rivals(card.found.details.rivals)
    ]


def _document(cards: Sequence[WholeCard]) -> dict[str, Any]:
    return {
        "numbers": rows(_bare(cards), further=_further(cards)),
        "runs": [_details(card) for card in cards],
    }


def _details(card: WholeCard) -> dict[str, Any]:
    if card.found is None:
        return {"run": card.key}
    found = card.found.details
    said = [*remarks(card.found.examined), *_of_all(found, card.view)]
    if found.rivals is not None:
        said += found.rivals.missing
    if found.trust is not None:
        said += trust.told(found.trust)
    if found.nested is not None:
        said += trust.told_nested(found.nested)
    return {
        "run": card.key,
        "signals": [
            {
                "signal": say(each.name),
                "value": each.value,
                "ranking": None if each.ranking is None else value_of(each.ranking),
                "difference": None if each.difference is None else _apart(each.difference),
            }
            for each in (found.rivals.each if found.rivals else ())
        ],
        "checklist": [
            {"point": say(item.name), "state": item.state, "says": say(item.said)}
            for item in found.items
        ],
        "says": [say(text) for text in dict.fromkeys(said)],
    }


def _apart(found: Difference) -> dict[str, float | None]:
    low, high = found.interval or (None, None)
    return {"value": found.value, "low": low, "high": high}


def _said(text: Text) -> str:
    return printable(render(text))


def _used(cards: Sequence[WholeCard]) -> Iterator[Used | Told]:
    for whole, card in zip(cards, _bare(cards), strict=True):
        if whole.found is None or card.found is None:
            continue
        for way in card.found.ways:
            if way.metric in METRICS:
                yield measured(METRICS[way.metric], None, card.run, card.view)
        if card.found.picked is not None:
            yield PICKED
            yield Used(f"selected@{card.found.k}", None, card.found.picked.method)
        if card.found.efficiency is not None:
            yield from estimated("selection efficiency", None, [card.found.efficiency[0]])
        yield from resting(whole.found.details)


CANDIDATES = Listing(
    about=DETAILS,
    result=Text("candidates to pick from"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": "the fewest samples of any question"},
    choices={
        "picking": (
            Picking,
            (
                *("signal", "vote", "gain", "weights", "soft"),
                *("judge", "threshold", "strict", "nested"),
            ),
        ),
        "further": (Further, ()),
    },
    compute=_examine,
    found=lambda card: card.found,
    answer=lambda cards: answer(_bare(cards)),
    blocks=_blocks,
    tables=_tables,
    paper=_paper,
    used=_used,
    figure="kofn.candidates.command:picture",
    frame=lambda cards: frame(_bare(cards), further=_further(cards)),
    document=_document,
)
