"""``kofn series``: a metric along checkpoints, versions or temperatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import full_name
from kofn.citing.used import BONFERRONI, DIFFERENCE, MethodNote, Used, used_of_estimates
from kofn.compare.command import ASKED, DEFAULTS, PAIRED
from kofn.series.analysis import SeriesCard, follow_runs, series_of
from kofn.series.choices import SeriesChoices
from kofn.series.columns import COLUMNS, FOLLOWED
from kofn.series.words import adjustment, answer, answer_of
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text, some_of

DETAILS = Text(
    """\
{paired}
Runs form a series if three or more names differ in one number (ckpt-3000, step_1200, 7b), version
(v1.2) or date, or runs of one model in a setting such as the temperature, or in their time. --along
puts any runs in the order of a setting, or of the number behind a word in their names.

Each run is compared with the first, the one before it and the best of its series. Intervals of one
kind of difference hold for the whole series simultaneously: they are adjusted for the number of
runs, and against the best for all pairs, because the data choose the best.

formats:
  table  a block for each series
  json   {{"view", "choices": the settings, "series": [one object for each run]}}
  csv    the same rows
  md     a Markdown table for each series
""",
    paired=PAIRED,
)


def _blocks(cards: Sequence[SeriesCard]) -> Iterator[Block]:
    for group in series_of(cards):
        found = group[0].found
        if found is None:
            yield from _reasons(group)
            continue
        heading = str(with_name(short_name(found.dataset), answer_of(found)))
        yield Block(heading, COLUMNS, group, [adjustment(found)])


def _reasons(cards: Sequence[SeriesCard]) -> Iterator[Block]:
    for text in dict.fromkeys(card.reason for card in cards if card.reason is not None):
        keys = [short_name(full_name(card)) for card in cards if card.reason == text]
        yield Block(str(text), below=[str(some_of(keys, 3))])


def _used(cards: Sequence[SeriesCard]) -> Iterator[Used | MethodNote]:
    for found in (card.found for card in cards if card.found):
        yield from used_of_estimates(found.series.metric, found.series.k, found.series.estimates)
        steps = (step for step in found.steps.values() if step is not None)
        yield from (Used(DIFFERENCE, None, step.method) for step in steps)
        if found.looked_at > 1:
            yield BONFERRONI


SERIES = Listing(
    about=DETAILS,
    result=Text("two others to be put in an order with"),
    view=ASKED,
    defaults=DEFAULTS,
    choices={"choices": (SeriesChoices, ())},
    compute=follow_runs,
    answer=answer,
    blocks=_blocks,
    table=FOLLOWED,
    tables=lambda cards: map(FOLLOWED.written, series_of(cards)),
    used=_used,
    figure="kofn.series.figures:picture",
)
