"""``kofn rank``: the ranks that each of several runs may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import cards_by_dataset
from kofn.choices.focus import Focus, runs_in_focus
from kofn.compare.analysis import CompareCard, rank_runs, reasons_of
from kofn.compare.command import ASKED, DEFAULTS, PAIRED, match_shown, used
from kofn.compare.words import UNNAMED
from kofn.rank.columns import COLUMNS, RANKED
from kofn.rank.words import answer, answer_of
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.words import Enumerated, Text

DETAILS = Text(
    """\
{paired}
A run may have any of its ranks: its best rank is 1 plus the number of runs that are surely better.
All pairs are compared, and with the confidence of --level none of these claims is wrong (Holm). The
chance of being the best takes into account how far apart the runs are; the expected loss is how
much worse a run is than the best, on average, and 0 if it is the best itself.

formats:
  table  a block for each dataset, the best first
  json   {{"view", "focus": the settings, "ranks": [one object for each run]}}
  csv    the same rows
  md     a Markdown table for each dataset
""",
    paired=PAIRED,
)


def _blocks(cards: Sequence[CompareCard]) -> Iterator[Block]:
    groups = cards_by_dataset(cards)
    for dataset, group in groups.items():
        name = short_name(dataset)
        heading = with_name(name, answer_of(group)) if len(groups) > 1 else name
        yield Block(str(heading), COLUMNS, group, _reasons(group))


def _reasons(cards: Sequence[CompareCard]) -> Iterator[Text | str]:
    for text, keys in reasons_of(cards).items():
        yield str(with_name(Enumerated(map(short_name, keys)), text))
    contest = next((card.found.contest for card in cards if card.found), None)
    if contest is not None and contest.ranking is not None:
        if any(found.unnamed for found in contest.matches.values()):
            yield UNNAMED
        yield from dict.fromkeys(contest.ranking.caveats)


RANK = Listing(
    about=DETAILS,
    result=Text("another run to be ranked with"),
    view=ASKED,
    defaults=DEFAULTS,
    choices={"focus": (Focus, ())},
    compute=lambda runs, view, focus: rank_runs(
        runs_in_focus(runs, focus), view, None, focus, match_shown
    ),
    found=lambda card: card.found and card.found.contest.ranking,
    answer=answer,
    blocks=_blocks,
    table=RANKED,
    tables=lambda cards: map(RANKED.written, cards_by_dataset(cards).values()),
    compares=True,
    used=used,
    figure="kofn.rank.figures:picture",
)
