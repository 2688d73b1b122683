"""``kofn trust``: what may have moved numbers, and whether they are as expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import title
from kofn.citing.used import Used, used_of_estimates
from kofn.terminal.gate import Gate
from kofn.terminal.subcommand import Listing
from kofn.trust.analysis import trust
from kofn.trust.checks import Check
from kofn.trust.columns import (
    CAUSE,
    CAUSES,
    COMPARED,
    EXPECTED,
    SAMPLES,
    SUMMARY,
    OfCard,
    document,
    screen_columns,
)
from kofn.trust.expectations import Expecting
from kofn.trust.gate import STATUSES, TrustGate, judge
from kofn.trust.labels import Labelling
from kofn.trust.labels import labels_needed as plan_labels
from kofn.trust.result import TrustCard, doubtful
from kofn.trust.words import (
    KINDS_CALLED,
    MEANINGS,
    answer,
    contradictions_in_words,
    correction_in_words,
    doubtful_in_words,
    in_words,
    plan_in_words,
    settings_in_words,
)
from kofn.writing.columns import Block, Columns, for_people, written
from kofn.writing.estimates import NA
from kofn.writing.joining import with_name
from kofn.writing.kinds import COUNT, SHARE, WORD
from kofn.writing.layout import Grid, Lines, Row
from metrics.data.words import Text, plain

DETAILS = Text(
    """\
What may have moved each number: chance, verdicts that contradict the texts, cut answers, failed
requests, wrong averaging by the tool, references worth checking, odd replicas, missing questions;
each with the points that it could move.

The texts are read for their final answers (options, numbers, formulas, short texts; English and
Chinese) by rules of kofn's own, independent of the tool's extraction. Verdicts are not changed: the
number as judged comes first, the number as read beside it.

kinds of verdicts:
  agrees       the final answer of the text agrees with the verdict
  missed       judged wrong, though the text ends by stating the reference
  generous     judged right, though the text states another answer
  divided      the text states several answers
  unsupported  no final answer is found in the text

expected numbers:
  --expect gsm8k:avg@n=59.74% compares a run with a stated number, --expect
  avg@8=63.6% with the mean of 8 samples a question. --expect FILE takes a table: CSV with the
  columns dataset, model, metric, value, n (its samples a question), questions, source, and any
  setting (temperature, max_tokens …); YAML or JSON as a list of the same. --expect REPORT expects
  the runs of a report, question by question. If both hold the same answers, only the rule changed,
  and kofn says so.
  With --margin it is an acceptance test: passed if a number is surely not lower by more than that.

labels:
  --to-label FILE writes samples to be labelled, with their texts, drawn at random within each kind.
  Fill in human (1 right, 0 wrong) or human_unsure (1 if you cannot tell) for as many as you like,
  from the top, and give the file back with --labels FILE: avg@n then rests on the labels, with its
  interval.

formats:
  table  a block for each run: what is expected of it, what may have moved its number, its number by
         each reading, and how many samples are of each kind
  json   {{"expected": [one object for each expected number], "causes", "numbers": [one for each run
         and reading], "guesses", "labelled": [by labels], "comparisons": [whether which of two runs
         is better holds, rests on which answer is taken, turns or is open], "samples": [the
         doubtful ones], "changed": [verdicts that another rule changed]}}
  csv    the doubtful samples
  md     a table of the expected numbers, and one of the runs
"""
)


def _checks(cards: Sequence[TrustCard]) -> list[Check]:
    return [check for card in cards if card.found for check in card.found.checks]


def _blocks(cards: Sequence[TrustCard]) -> Iterator[Lines]:
    several = len(_checks(cards)) > 1
    yield from (_block(card, several) for card in cards)
    compared = list(COMPARED.lines(cards))
    if compared:
        yield Block(str(Text("Which run is better")), COMPARED.columns, compared)


def _screen(cards: Sequence[TrustCard]) -> Iterator[Block]:
    """Yield what may have moved each number, what was expected of it and what labels say."""
    sentences = [in_words(check) for check in _checks(cards)] if len(_checks(cards)) > 1 else []
    read = [card.found for card in doubtful(cards) if card.found]
    sentences += [
        correction_in_words(found.labelled) for found in read if found.labelled is not None
    ]
    yield Block("", screen_columns(cards), cards, sentences)


_KINDS: Columns[tuple[str, int, int]] = (
    for_people(Text("kind"), WORD, lambda line: KINDS_CALLED[line[0]]),
    for_people(Text("samples"), COUNT, lambda line: line[1]),
    for_people(Text("share"), SHARE, lambda line: line[1] / line[2]),
    for_people(Text("meaning"), WORD, lambda line: MEANINGS[line[0]]),
)


def _block(card: TrustCard, in_full: bool) -> Lines:
    """Yield what is known of a run; what a check found, where the answer does not tell it."""
    if card.found is None:
        yield str(with_name(title(card), card.reason))
        return
    yield title(card)
    for check in card.found.checks:
        yield from map(plain, (*([in_words(check)] if in_full else []), *settings_in_words(check)))
    yield Grid(written(CAUSE, [OfCard(card, cause) for cause in card.found.causes], "terminal"))
    (read,) = doubtful([card])
    if read.found is None:
        yield plain(read.reason or NA)
        return
    yield from map(plain, (contradictions_in_words([read]), *doubtful_in_words(read.found)))
    counts = read.found.audit.counts.items()
    kinds = [(kind, count, read.found.audit.read) for kind, count in counts if count]
    if kinds:
        yield Grid(written(_KINDS, kinds, "terminal"))
    more = plan_in_words(plan_labels(card.run, read.found.audit, card.view))
    if read.found.labelled is None and more is not None:
        yield plain(more)


def _tables(cards: Sequence[TrustCard]) -> Iterator[Sequence[Row]]:
    if any(card.found and card.found.checks for card in cards):
        yield EXPECTED.written(cards)
    yield SUMMARY.written(cards)
    yield CAUSES.written(cards)


def _used(cards: Sequence[TrustCard]) -> Iterator[Used]:
    for card in cards:
        if card.found is not None:
            yield from used_of_estimates(*card.found.asked, [card.found.judged])


TRUST = Listing(
    about=DETAILS,
    result=Text("verdicts that could be looked at"),
    view=("metric", "k", "level", "target", "missing", "segment", "run"),
    defaults={"metric": "avg@n", "k": Text("the fewest samples of any question")},
    choices={"labelling": (Labelling, ()), "expecting": (Expecting, ())},
    compute=trust,
    answer=answer,
    blocks=_blocks,
    screen=_screen,
    table=SAMPLES,
    tables=_tables,
    used=_used,
    figure="kofn.trust.figures:picture",
    document=document,
    gate=Gate(TrustGate, judge),
    compares=True,
    judged=STATUSES,
)
