"""``kofn compare``: which run is better, by how much, and whether it could be luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext

from kofn.card import cards_by_dataset
from kofn.choices.focus import Focus, runs_in_focus
from kofn.choices.runs import USUAL_K, require_segment
from kofn.choices.view import View
from kofn.citing.used import DIFFERENCE, HOLM_ADJUSTED, MethodNote, Used, used_of_estimates
from kofn.compare.analysis import CompareCard, RunInContest, compare_runs, reasons_of
from kofn.compare.choices import CompareChoices
from kofn.compare.columns import (
    COLUMNS,
    COMPARED,
    SEGMENTS,
    TOGETHER,
    pairs_of_models,
    parts,
    remarks,
)
from kofn.compare.contest import require_named
from kofn.compare.gate import STATUSES, GateChoices, judge
from kofn.compare.words import (
    answer,
    answer_of,
    power_in_words,
    segments_in_words,
    settings_in_words,
)
from kofn.terminal import waiting
from kofn.terminal.gate import Gate
from kofn.terminal.subcommand import Listing
from kofn.writing import columns
from kofn.writing.columns import Block
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.words import Enumerated, Text
from reports.files.errors import LoadError
from reports.run.digests import are_unread
from reports.run.matching import Match, match
from reports.run.report import Run

PAIRED = Text(
    """\
Runs are paired on the questions that both answered: by id, proven by prompt and reference where the
files hold them. If equal ids stand for different texts, the two runs are compared unpaired. Tables
that name no dataset count as one dataset if most of their questions have the same ids. Without --k,
k is the most samples that all runs of a dataset with several samples have; of several k the largest
counts.
"""
)
DETAILS = Text(
    """\
{paired}
Each run is compared with the baseline of its dataset: --base, or the first. told_apart holds for
all pairs of a dataset simultaneously (Holm); an interval is for its pair alone. could_show is the
smallest difference that the benchmark can detect; below it, "no difference" says little.

With --margin, the runs of the second file must not be surely worse than those of the first by more
than this. A line for each dataset, and one for all together, says whether that holds. Their
intervals hold simultaneously (Bonferroni), so a gate fails by chance in at most half of 1 - level,
however many datasets there are. If a file has several models, name one with --run.

formats:
  table  a block for each dataset, and what holds on all datasets together
  json   {{"view", "focus", "choices": the settings, "compare": [one object for each run but the
         baselines, with the difference at each k in along, and with --by in each segment],
         "together": [one for each two models, with chance_of_best and expected_loss of both],
         and with --margin "gate": {{"status", "verdicts": [{{"passed", "says"}}]}}}}
  csv    the same rows
  md     a Markdown table for each dataset
""",
    paired=PAIRED,
)


def _compare(
    runs: Mapping[str, Run], view: View, focus: Focus, choices: CompareChoices
) -> Sequence[CompareCard]:
    runs = runs_in_focus(runs, focus)
    require_named((choices.base,), runs)
    if choices.by:
        require_segment(runs.values(), choices.by)
    return compare_runs(runs, view, choices, focus, match_shown)


def match_shown(a: Run, b: Run) -> Match:
    """Match two runs, and show how far the reading of their texts has come."""
    name = Text("{model} / {dataset}", model=a.model, dataset=a.dataset)
    reads = are_unread(a) or are_unread(b)
    with waiting.show_progress(name) if reads else nullcontext() as progress:
        try:
            return match(a, b, progress)
        except LoadError as error:
            return Match(0, 0, proven=False, refused=error.text)


def _blocks(cards: Sequence[CompareCard]) -> Iterator[Block]:
    groups = cards_by_dataset(cards)
    for dataset, group in groups.items():
        name = short_name(dataset)
        heading = with_name(name, answer_of(group)) if len(groups) > 1 else name
        yield Block(str(heading), COLUMNS, group, _reasons(group))
    for card in cards:
        if card.settings.by and card.found and card.found.pair:
            yield _segments(card, card.found)
    if both := pairs_of_models(cards):
        yield Block(str(Text("All datasets together")), TOGETHER, both)


def _screen(cards: Sequence[CompareCard]) -> Iterator[Block]:
    if both := pairs_of_models(cards):
        yield Block(str(Text("All datasets together")), TOGETHER, both)
    for card in cards:
        if card.settings.by and card.found and card.found.pair:
            yield _segments(card, card.found)
    shown = [column for column in COLUMNS if column.key != "settings"]
    yield Block("", shown, cards)


def _reasons(cards: Sequence[CompareCard]) -> Iterator[Text | str]:
    for text, keys in reasons_of(cards).items():
        yield str(with_name(Enumerated(map(short_name, keys)), text))
    pairs = [card.found.pair for card in cards if card.found and card.found.pair]
    if len(pairs) == 1:
        yield power_in_words(pairs[0])
    of_pair = {card.key: card for card in cards}
    others: dict[Text, list[str]] = {}
    for pair in pairs:
        for text in dict.fromkeys(
            (settings_in_words(pair.settings), *remarks(of_pair[pair.other]))
        ):
            others.setdefault(text, []).append(pair.other)
    for text, keys in others.items():
        yield with_name(Enumerated(map(short_name, keys)), text) if len(keys) < len(pairs) else text


def _segments(card: CompareCard, beside: RunInContest) -> Block:
    found, reason = beside.segments
    base = beside.contest.names[beside.contest.base or ""]
    heading = Text(
        "{run} less {base}, by {attribute}", run=card.key, base=base, attribute=card.settings.by
    )
    if found is None:
        return Block(str(heading), below=[reason or ""])
    return Block(str(heading), SEGMENTS, parts(found), [segments_in_words(found)])


ASKED = ("metric", "k", "level", "target", "missing", "segment", "run")
DEFAULTS: dict[str, Text | str] = {
    "metric": "avg@n",
    "k": USUAL_K,
}


def used(cards: Sequence[CompareCard]) -> Iterator[Used | MethodNote]:
    """Yield what places of runs, and differences from the baseline, rest on."""
    for contest in (card.found.contest for card in cards if card.found):
        yield from used_of_estimates(contest.metric, contest.k, contest.estimates.values())
        yield from (Used(DIFFERENCE, None, each.method) for each in contest.against.values())
        if contest.ranking is not None:
            yield HOLM_ADJUSTED


COMPARE = Listing(
    about=DETAILS,
    result=Text("another run to be compared with"),
    view=ASKED,
    defaults=DEFAULTS,
    choices={"focus": (Focus, ()), "choices": (CompareChoices, ("base", "by"))},
    compute=_compare,
    found=lambda card: card.found and card.found.pair,
    answer=answer,
    blocks=_blocks,
    screen=_screen,
    table=COMPARED,
    tables=lambda cards: map(COMPARED.written, cards_by_dataset(cards).values()),
    compares=True,
    used=used,
    figure="kofn.compare.figures:picture",
    document=lambda cards: {"together": columns.rows(TOGETHER, pairs_of_models(cards))},
    gate=Gate(GateChoices, judge),
    judged=STATUSES,
)
