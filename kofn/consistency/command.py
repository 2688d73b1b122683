"""``kofn consistency``: what a vote of the samples gains over a single one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.card import blocks_of, title
from kofn.choices.runs import require_segment
from kofn.choices.view import View
from kofn.citing.used import DIFFERENCE, Used, used_of_estimates
from kofn.consistency.analysis import VoteCard, VoteChoices, VoteResult, compare_votes, no_parts
from kofn.consistency.columns import COLUMNS, ON_SCREEN, VOTES
from kofn.consistency.words import answer, remarks, sorted_by_size, spread
from kofn.run_columns import without_names
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from metrics.data.words import MetricError, Text
from reports.run.report import Run

DETAILS = Text(
    """\
Without --k, all samples of a question vote: cons@n. With --k it is maj@k, over all choices of k
from the n samples. The difference is paired, question by question. AISBench's three scenarios: the
vote is above or below the average if the interval of the difference excludes 0, and about equal if
the interval lies within the margin; otherwise the data cannot tell.

formats:
  table  a block for each run and k
  json   {{"view", "choices": the settings, "votes": [one object for each run, segment and k]}}
  csv    the same rows
  md     one Markdown table
"""
)


def _compare(runs: Mapping[str, Run], view: View, choices: VoteChoices) -> Sequence[VoteCard]:
    if choices.by:
        require_segment(runs.values(), choices.by)
    cards = compare_votes(runs, view, choices)
    if choices.by and not view.segment and not any(card.settings.part for card in cards):
        raise MetricError(no_parts(choices.by))
    return cards


def _block(card: VoteCard, found: VoteResult) -> Block:
    asked = found.compared.difference.n_questions
    heading = title(card, Text("{count} question", "{count} questions", count=asked))
    lying = [spread(found.replicas)] if found.replicas else []
    return Block(heading, without_names(COLUMNS), [card], [*lying, *remarks(card)], upright=True)


def _used(cards: Sequence[VoteCard]) -> Iterator[Used]:
    for found in (card.found.compared for card in cards if card.found):
        n = int(found.tally.n.min())
        yield from used_of_estimates("maj@k" if found.k else "cons@n", found.k or n, [found.cons])
        yield from used_of_estimates("avg@n", n, [found.avg])
        yield from used_of_estimates(DIFFERENCE, None, [found.difference])


CONSISTENCY = Listing(
    about=DETAILS,
    result=Text("votes to count"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": Text("all samples of each question vote, as in cons@n")},
    choices={"choices": (VoteChoices, ("margin", "by"))},
    compute=_compare,
    answer=answer,
    blocks=lambda cards: blocks_of(sorted_by_size(cards), _block),
    screen=lambda cards: [Block("", ON_SCREEN, cards)],
    table=VOTES,
    tables=lambda cards: [VOTES.written(sorted_by_size(cards))],
    used=_used,
    figure="kofn.consistency.figures:picture",
)
