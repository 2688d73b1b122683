"""``kofn trust``: whether the verdicts are right, by the final answers of the texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import full_name, limits, say, title
from kofn.terminal.gate import Gate
from kofn.terminal.subcommand import Listing
from kofn.trust.analysis import TrustCard, claims, doubts
from kofn.trust.answer import MEANINGS, VERDICTS, about, answer, in_words
from kofn.trust.gate import STATUSES, TrustGate, judge
from kofn.trust.labels import Labelling, planned
from kofn.trust.tables import document, frame
from kofn.writing.estimates import percent, points
from kofn.writing.layout import Grid, Lines, Row
from kofn.writing.rendering import render
from metrics.data.words import Text

DETAILS = """\
The texts are read for their final answers (options, numbers, formulas, short texts; English and
Chinese) by rules of kofn's own, independent of the tool's extraction. Verdicts are not changed: as
judged comes first, as read beside it.

kinds of verdicts:
  agrees       the final answer of the text agrees with the verdict
  missed       judged wrong, though the text ends by stating the reference
  generous     judged right, though the text states another answer
  divided      the text states several answers
  unsupported  no final answer is found in the text

labels:
  --to-label FILE writes samples to be labelled, with their texts, drawn at random within each kind.
  Fill in human (1 right, 0 wrong) or human_unsure (1 where you cannot tell), as many as you like
  from the top, and give the file as --labels FILE: avg@n then rests on labels, with its interval.

formats:
  table  a block for each run: its number by each reading, and how many samples are of each kind
  json   {"numbers": [one object for each run and reading], "guesses", "labelled": [by labels],
         "comparisons": [whether which of two runs is better holds, rests on which answer is taken,
         turns or is open], "samples": [the doubtful ones]}
  csv    the doubtful samples, with the columns run, model, dataset, verified, grouping, question,
         sample, kind, correct, stated, reference, extracted, reason
  md     the numbers as one Markdown table
"""


def _blocks(cards: Sequence[TrustCard]) -> Iterator[Lines]:
    for card in cards:
        yield _block(card)
    compared = [
        {
            "comparison": render(in_words(claim)),
            "as judged": render(points(claim.judged.value, *(claim.judged.interval or ()))),
            "as read": render(points(claim.read.value, *(claim.read.interval or ()))),
            "the difference": render(VERDICTS[claim.verdict]),
        }
        for claim in claims(cards)
    ]
    if compared:
        yield ["Which run is better", Grid(compared)]


def _block(card: TrustCard) -> Lines:
    if card.found is None:
        yield f"{title(card)}: {say(card.reason)}"
        return
    yield title(card)
    yield from map(render, about(card.found))
    read = card.found.audit.read
    counts = card.found.audit.counts.items()
    kinds = [
        {
            "kind": kind,
            "samples": f"{count:,}",
            "share": render(percent(count / read)) if read else "",
            "meaning": render(MEANINGS[kind]),
        }
        for kind, count in counts
        if count
    ]
    yield Grid(kinds)
    if card.found.labelled is None and (more := planned(card.run, card.found.audit, card.view)):
        yield render(more)


def _lines(cards: Sequence[TrustCard]) -> Iterator[Row]:
    for card in cards:
        if card.found is None:
            yield {"run": full_name(card), "remarks": say(card.reason) or ""}
            continue
        found = card.found
        yield {
            "run": full_name(card),
            "judged": render(percent(found.judged.value, *limits(found.judged))),
            "as read": render(percent(found.read.value, *limits(found.read))),
            "least": render(percent(found.least.value)),
            "most": render(percent(found.most.value)),
            **{kind: f"{count:,}" for kind, count in found.audit.counts.items()},
        }


TRUST = Listing(
    about=DETAILS,
    result=Text("texts whose final answers can be read"),
    view=("metric", "k", "level", "target", "missing", "segment", "run"),
    defaults={"metric": "avg@n", "k": "the fewest samples of any question"},
    choices={"labelling": (Labelling, ())},
    compute=doubts,
    found=lambda card: card.found,
    answer=answer,
    blocks=_blocks,
    tables=lambda cards: [[*_lines(cards)]],
    figure="kofn.trust.figures:picture",
    frame=frame,
    document=document,
    gate=Gate(TrustGate, judge),
    compares=True,
    judged=STATUSES,
)
