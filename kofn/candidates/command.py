"""``kofn candidates``: what a signal gains by picking one of several samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kofn.candidates.analysis import NO_SIGNAL, CandidateCard, examine_runs
from kofn.candidates.choices import CommandFurther, Picking
from kofn.candidates.columns import (
    BEHIND,
    CHECKLIST,
    COLUMNS,
    NUMBERS,
    RIVALS,
    CandidateLine,
    OfRun,
    numbers_behind,
    read_numbers,
    rows_by_k,
    run_columns,
    worth_columns,
)
from kofn.candidates.details import (
    PickDetails,
    RunDetails,
    WholeCard,
    pick_details,
    without_details,
)
from kofn.candidates.judging import Judged
from kofn.candidates.ranking_metrics import Lists
from kofn.candidates.words import (
    answer,
    calibration_in_words,
    correction_remarks,
    diversity_remarks,
    each_with_names,
    nested_in_words,
    order_remarks,
    remarks,
    target_remarks,
)
from kofn.card import Card, attempt, say, title, value_of
from kofn.choices.signals import numbers_of
from kofn.choices.view import View
from kofn.citing.sources import JARVELIN, LANG, LI_DISTINCT, POWERED, ROGAN
from kofn.citing.used import PICKED, MethodNote, Used, used_of_estimates, used_of_metric
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, written
from kofn.writing.joining import with_name
from kofn.writing.layout import Row
from metrics.analyses.judges.corrected import COUNTED, Corrected
from metrics.analyses.judges.powered import Powered
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import METRICS
from reports import load_calibration
from reports.run.report import Run

DETAILS = Text(
    """\
A signal is a column of numbers, one for each sample: the score of a reward model or a judge, a
log-probability, a length. Of every set of k samples of a question it picks the sample with its
highest value; samples with the same value share the pick. An oracle picks a right sample where
there is one (pass@k). A vote counts answers where they are known (plurality@k), else verdicts
(maj@k, a tie as half). efficiency is the share of what an oracle gains over one sample that the
pick gains; ranking is the chance that a right sample has a higher value than a wrong one of the
same question, .5 for a signal that says nothing.

formats:
  table  a block for each run: what k candidates solve with each way to pick, for k that double; for
         a single run also other signals, lists, diversity, judges and a checklist
  json   {{"view", "picking", "further": the settings, "numbers": [one object for each run, number
         and k], "runs": [for each, its other signals, checklist and sentences]}}
  csv    the numbers; tokens, seconds and cost are of k samples, where they are known
  md     the numbers as one Markdown table
"""
)


def _examine(
    runs: Mapping[str, Run], view: View, picking: Picking, further: CommandFurther
) -> Sequence[WholeCard]:
    """Examine runs wholly; refuse a signal that none of them has."""
    reasons = [attempt(numbers_of, run, picking.signal)[1] for run in runs.values()]
    if picking.signal and reasons and all(reasons):
        raise MetricError(reasons[0] or NO_SIGNAL)
    labels = load_calibration(further.calibration) if further.calibration else None

    def whole(card: CandidateCard) -> WholeCard:
        details_of_run = None
        if card.found is not None:
            details = pick_details(
                card.run, card.view, picking, card.found, labels, texts=further.texts
            )
            details_of_run = RunDetails(card.found, details)
        return Card(card.key, card.run, card.view, picking, details_of_run, card.reason)

    return [whole(card) for card in examine_runs(runs, view, picking)]


def _blocks(cards: Sequence[WholeCard]) -> Iterator[Block]:
    for card, alone in zip(cards, without_details(cards), strict=True):
        yield _block(alone)
        if len(cards) == 1 and card.found is not None:
            yield from _detail_blocks(card, card.found.details)


def _screen(cards: Sequence[WholeCard]) -> Iterator[Block]:
    alone = without_details(cards)
    yield Block("", run_columns(alone), alone)


def _block(card: CandidateCard) -> Block:
    if card.found is None:
        return Block(str(with_name(title(card), card.reason or "")))
    below = dict.fromkeys(remarks(card.found))
    return Block(title(card), worth_columns(card.found), rows_by_k(card.found), below)


def _detail_blocks(card: WholeCard, found: PickDetails) -> Iterator[Block]:
    """Yield a block for each kind of thing that lies behind a pick."""
    if found.nested is not None:
        yield Block(str(Text("Chosen on other questions")), below=nested_in_words(found.nested))
    if found.rivals is not None and len(found.rivals.each) > 1:
        heading = str(Text("Other signals on the same candidates"))
        yield Block(heading, RIVALS, _rivals(card, found), found.rivals.missing)
    if found.trust is not None and (sentences := list(calibration_in_words(found.trust))):
        sentences += target_remarks(card.view, ["all that is said here"])
        yield Block(str(Text("Whether the signal can be trusted")), below=sentences)
    lines = [line for line in numbers_behind(CandidateLine(card), found) if line.value is not None]
    if lines:
        yield Block(
            str(Text("Lists, diversity and judges")), BEHIND, lines, _all_remarks(card, found)
        )
    yield Block(str(Text("Seen to before this is relied on")), CHECKLIST, found.items, head=False)


def _rivals(card: WholeCard, found: PickDetails) -> list[OfRun]:
    return [OfRun(card, each) for each in found.rivals.each] if found.rivals else []


def _all_remarks(card: WholeCard, found: PickDetails) -> Iterator[Text]:
    if found.lists is not None:
        yield from order_remarks(found.lists)
        listed = [each for each in found.lists.numbers if each.name != "pass@k"]
        sentences = [(each.name, text) for each in listed for text in each.caveats]
        yield from each_with_names([each.name for each in listed], sentences)
        yield from found.lists.missing
    if found.diversity is not None:
        yield from diversity_remarks(found.diversity)
        known = {each.name: each.estimate for each in found.diversity.measures if each.estimate}
        sentences = [(name, text) for name, each in known.items() for text in each.caveats]
        yield from each_with_names(list(known), sentences)
    if found.judged is not None:
        yield from correction_remarks(found.judged)
    yield from found.missing
    lines = numbers_behind(CandidateLine(card), found)
    others = (line.number or "" for line in lines if line.target == "population")
    yield from target_remarks(card.view, others)


def _tables(cards: Sequence[WholeCard]) -> Iterator[Sequence[Row]]:
    yield written(COLUMNS, read_numbers(cards), "paper")


def _paper(cards: Sequence[WholeCard]) -> Iterator[Sequence[Row]]:
    """Yield the numbers, and the other signals on the same candidates."""
    yield from _tables(cards)
    beside = [each for card in cards if card.found for each in _rivals(card, card.found.details)]
    yield written(RIVALS, beside, "paper")


def _document(cards: Sequence[WholeCard]) -> dict[str, Any]:
    return {"numbers": NUMBERS.rows(cards), "runs": [_details(card) for card in cards]}


def _details(card: WholeCard) -> dict[str, Any]:
    if card.found is None:
        return {"run": card.key}
    found = card.found.details
    sentences = [*remarks(card.found.examined), *_all_remarks(card, found)]
    if found.rivals is not None:
        sentences += found.rivals.missing
    if found.trust is not None:
        sentences += calibration_in_words(found.trust)
    if found.nested is not None:
        sentences += nested_in_words(found.nested)
    return {
        "run": card.key,
        "signals": [
            {
                "signal": say(each.name),
                "value": each.value,
                "ranking": None if each.ranking is None else value_of(each.ranking),
                "difference": None if each.difference is None else value_of(each.difference),
            }
            for each in (found.rivals.each if found.rivals else ())
        ],
        "checklist": [
            {"point": say(item.name), "state": item.state, "says": say(item.sentence)}
            for item in found.items
        ],
        "says": [say(text) for text in dict.fromkeys(sentences)],
    }


def _used(cards: Sequence[WholeCard]) -> Iterator[Used | MethodNote]:
    for whole, card in zip(cards, without_details(cards), strict=True):
        if whole.found is None or card.found is None:
            continue
        for way in card.found.ways:
            if way.metric in METRICS:
                yield used_of_metric(METRICS[way.metric], None, card.run, card.view)
        if card.found.picked is not None:
            yield PICKED
            yield Used(f"selected@{card.found.k}", None, card.found.picked.method)
        if card.found.efficiency is not None:
            yield from used_of_estimates("selection efficiency", None, [card.found.efficiency[0]])
        yield from _resting(whole.found.details)


def _resting(found: PickDetails) -> Iterator[Used | MethodNote]:
    """Yield how the numbers behind a pick were made, of those that there are."""
    if found.lists is not None:
        yield from _lists(found.lists)
    for measure in found.diversity.measures if found.diversity else ():
        yield from used_of_estimates(measure.name, None, [measure.estimate])
        if measure.estimate is not None and measure.name in _DISTINCT:
            yield _OF_DISTINCT
    if found.judged is not None:
        yield from _judged(found.judged)


def _lists(found: Lists) -> Iterator[MethodNote]:
    if {"nDCG@k", "DCG@k"} & {number.name for number in found.numbers}:
        yield _OF_GAINS


def _judged(found: Judged) -> Iterator[Used | MethodNote]:
    for name, (number, _reason) in found.numbers.items():
        if number is None:
            continue
        yield from used_of_estimates(f"corrected {name}", None, [number.estimate])
        if isinstance(number, Powered):
            yield _OF_POWERED
        elif isinstance(number, Corrected) and number.metric not in COUNTED:
            yield _OF_RATES


_DISTINCT = ("distinct-1", "distinct-2")
_OF_GAINS = MethodNote(
    Text(
        "Gains in a list count for less the further down they are ({source}).",
        source=JARVELIN.short,
    ),
    (JARVELIN,),
)
_OF_DISTINCT = MethodNote(
    Text("distinct-1 and distinct-2 are as in {source}.", source=LI_DISTINCT.short), (LI_DISTINCT,)
)
_OF_RATES = MethodNote(
    Text(
        "Rates from a judge are corrected for its sensitivity and specificity ({value}), with "
        "the interval of {interval}.",
        value=ROGAN.short,
        interval=LANG.short,
    ),
    (ROGAN, LANG),
)
_OF_POWERED = MethodNote(
    Text(
        "Labels of some questions and the judge's verdicts on all are combined by "
        "prediction-powered inference with a tuned weight ({source}).",
        source=POWERED.short,
    ),
    (POWERED,),
)


CANDIDATES = Listing(
    about=DETAILS,
    result=Text("candidates to pick from"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": Text("the fewest samples of any question")},
    choices={
        "picking": (
            Picking,
            (
                *("signal", "vote", "gain", "weights", "soft"),
                *("judge", "threshold", "strict", "nested"),
            ),
        ),
        "further": (CommandFurther, ()),
    },
    compute=_examine,
    answer=lambda cards: answer(without_details(cards)),
    blocks=_blocks,
    screen=_screen,
    table=NUMBERS,
    tables=_tables,
    paper=_paper,
    used=_used,
    figure="kofn.candidates.figures:picture",
    document=_document,
)
