"""``kofn consistency``: what a vote of the samples gains over a single one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kofn.card import title
from kofn.choices.runs import require_segment
from kofn.choices.view import View
from kofn.citing.used import DIFFERENCE, Used, estimated
from kofn.consistency.analysis import VoteCard, VoteChoices, compare_votes, no_parts
from kofn.consistency.answer import answer, by_size
from kofn.consistency.replicas import spread
from kofn.consistency.tables import SCENARIOS, frame, remarks, rows
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import percent, points
from kofn.writing.layout import Row, aligned
from kofn.writing.rendering import render
from metrics.data.words import MetricError, Text
from reports.run.report import Run

DETAILS = """\
Without --k all samples of a question vote: cons@n. With --k it is maj@k, over all choices of k of
the n samples. The difference is paired, question by question. AISBench's three scenarios: the vote
is above or below the average when the interval of the difference leaves out 0, about equal when it
lies within the margin; else the data cannot tell.

In JSON and CSV, tied is the share of votes that tie, which count as wrong; half_ties is the vote if
half of them counted as right. aisbench is what AISBench's own formula for cons@k gives where k is
less than n, which is no majority of k. Where answers were extracted, agreement is the mean share of
samples that give the most common answer, agreed the share of questions where that is a majority,
confidently_wrong the share of questions whose answers agree and are wrong. Where there are several
samples, spread is the standard deviation of the averages of replicas (the first sample of every
question, the second …), spread_by_chance what chance alone makes of it, p_of_spread how likely that
is so large, standing_out the replicas that chance does not explain, flipped the share of
questions that some samples get right and others wrong, flips the chance that two samples of a
question disagree, within the share of the variance of verdicts within questions.

formats:
  table  a block for each run and k
  json   {"view", "choices": the settings, "votes": [one object for each run, segment and k]}
  csv    the same rows: run, model, dataset, verified, grouping, segment, k, vote, cons, avg,
         difference (each with _low and _high), scenario, tied, half_ties, aisbench, agreement,
         agreed, confidently_wrong, spread, spread_by_chance, p_of_spread, standing_out, flipped,
         flips, within (each with _low and _high), level, target, margin, questions, remarks, reason
  md     one Markdown table
"""
NAMES: Mapping[str, Text] = {
    "agreement": Text("agreement"),
    "agreed": Text("majority for one answer"),
    "confidently_wrong": Text("confidently wrong"),
    "difference": Text("difference"),
}
"""Numbers of a row that are no metrics by name."""


def _compare(runs: Mapping[str, Run], view: View, choices: VoteChoices) -> Sequence[VoteCard]:
    if choices.by:
        require_segment(runs.values(), choices.by)
    cards = compare_votes(runs, view, choices)
    if choices.by and not view.segment and not any(card.settings.part for card in cards):
        raise MetricError(no_parts(choices.by))
    return cards


def _block(card: VoteCard) -> Iterator[str]:
    (row,) = rows([card])
    if card.found is None:
        yield f"{title(card)}: {row['reason']}"
        return
    yield title(card, Text("{count} question", "{count} questions", count=row["questions"]))
    yield from aligned(list(_numbers(row)), head=False)
    if card.found.replicas is not None:
        yield render(spread(card.found.replicas))
    yield from map(render, remarks(card))


def _numbers(row: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the numbers of a row, one below the other."""
    for key in ("cons", "avg", "difference", "agreement", "agreed", "confidently_wrong"):
        if row[key] is not None:
            name = {"cons": row["vote"], "avg": "avg@n"}.get(key) or render(NAMES[key])
            yield {"number": name, "value": _written(row, key)}


def _written(row: Mapping[str, Any], key: str) -> str:
    write = points if key == "difference" else percent
    return render(write(row[key], row.get(f"{key}_low"), row.get(f"{key}_high")))


def _line(row: Mapping[str, Any]) -> Row:
    scenario = row["scenario"]
    return {
        "run": row["run"],
        "segment": row["segment"] or "",
        "vote": row["vote"] or "",
        **{key: _written(row, key) for key in ("cons", "avg", "difference")},
        "scenario": render(SCENARIOS[scenario]) if scenario else "",
        "remarks": row["reason"] or " ".join(row["remarks"]),
    }


def _used(cards: Sequence[VoteCard]) -> Iterator[Used]:
    for found in (card.found.compared for card in cards if card.found):
        n = int(found.tally.n.min())
        yield from estimated("maj@k" if found.k else "cons@n", found.k or n, [found.cons])
        yield from estimated("avg@n", n, [found.avg])
        yield from estimated(DIFFERENCE, None, [found.difference])


CONSISTENCY = Listing(
    about=DETAILS,
    result=Text("votes to count"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": "all samples of each question vote, as in cons@n"},
    choices={"choices": (VoteChoices, ("margin", "by"))},
    compute=_compare,
    found=lambda card: card.found,
    answer=answer,
    blocks=lambda cards: map(_block, by_size(cards)),
    tables=lambda cards: [list(map(_line, rows(by_size(cards))))],
    used=_used,
    figure="kofn.consistency.figures:picture",
    frame=frame,
    document=lambda cards: {"votes": rows(cards)},
)
