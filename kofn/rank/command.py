"""``kofn rank``: which places each of several runs may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.card import full_name, of_datasets
from kofn.choices.focus import Focus
from kofn.choices.view import View
from kofn.compare.analysis import CompareCard, rank_runs, reasons_of
from kofn.compare.command import ASKED, DEFAULTS, PAIRED, known, match_shown, used
from kofn.compare.instrument import UNNAMED
from kofn.rank.answer import answer, answer_of
from kofn.rank.tables import frame, rows
from kofn.terminal.subcommand import Listing
from kofn.writing.estimates import likely, percent, points
from kofn.writing.layout import Row, aligned, named
from kofn.writing.rendering import printable, render
from metrics.data.words import Text
from reports.run.report import Run

DETAILS = f"""\
{PAIRED}
A run may have any of its ranks: the first is 1 and one for each run that is surely better. All
pairs are compared, and none of these claims is wrong with the confidence of --level (Holm). The
chance of being the best takes into account how far the runs lie apart at all; the expected loss is
how much worse a run is than the best on average, 0 where it is the best itself.

formats:
  table  a block for each dataset, the best first
  json   {{"view", "focus": the settings, "ranks": [one object for each run]}}
  csv    the same rows: run, model, dataset, verified, grouping, segment, metric, k, value, low,
         high, rank_first, rank_last, chance_of_best, expected_loss, questions, level, target,
         remarks, reason
  md     a Markdown table for each dataset
"""


def _rank(runs: Mapping[str, Run], view: View, focus: Focus) -> Sequence[CompareCard]:
    return rank_runs(runs, view, None, known(focus, runs), match_shown)


def _blocks(cards: Sequence[CompareCard]) -> Iterator[list[str]]:
    groups = of_datasets(cards)
    for dataset, group in groups.items():
        said = f": {render(answer_of(group))}" if len(groups) > 1 else ""
        yield [
            f"{named(printable(dataset))}{said}",
            *aligned(list(map(_line, group))),
            *_reasons(group),
        ]


def _line(card: CompareCard) -> Row:
    (row,) = rows([card])
    first, last, chance = row["rank_first"], row["rank_last"], row["chance_of_best"]
    loss = row["expected_loss"]
    return {
        "run": full_name(card),
        "rank": "" if first is None else str(first) if first == last else f"{first} to {last}",
        (card.found.contest.label if card.found else ""): render(
            percent(row["value"], row["low"], row["high"])
        ),
        "chance of best": "" if chance is None else render(likely(chance)),
        "expected loss": "" if loss is None else render(points(loss)),
    }


def _reasons(cards: Sequence[CompareCard]) -> Iterator[str]:
    for text, keys in reasons_of(cards).items():
        yield f"{', '.join(map(named, keys))}: {render(text)}"
    contest = next((card.found.contest for card in cards if card.found), None)
    if contest is not None and contest.ranking is not None:
        if any(found.unnamed for found in contest.matches.values()):
            yield render(UNNAMED)
        yield from dict.fromkeys(map(render, contest.ranking.caveats))


RANK = Listing(
    about=DETAILS,
    result=Text("another run to be ranked with"),
    view=ASKED,
    defaults=DEFAULTS,
    choices={"focus": (Focus, ())},
    compute=_rank,
    found=lambda card: card.found and card.found.contest.ranking,
    answer=answer,
    blocks=_blocks,
    tables=lambda cards: [list(map(_line, group)) for group in of_datasets(cards).values()],
    compares=True,
    used=used,
    figure="kofn.rank.figures:picture",
    frame=frame,
    document=lambda cards: {"ranks": rows(cards)},
)
