"""What is said of the verdicts of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import are_counted, limits
from kofn.trust.analysis import Claim, Doubts, Guesses, TrustCard, claims
from kofn.trust.labels import corrected
from kofn.writing.estimates import percent, points, span
from kofn.writing.layout import named
from kofn.writing.rendering import printable, render
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import Text, some_of
from metrics.scoring.registry import find_metric

NOTHING = Text("No run here keeps texts whose final answers can be read.")
OWN = Text("kofn judged this run itself, so that its readings are no second opinion.")
POINT = 0.01
"""From how wide a range on it is said."""
MEANINGS = {
    "agrees": Text("the final answer of the text agrees with the verdict"),
    "missed": Text("judged wrong, though the text ends by stating the reference"),
    "generous": Text("judged right, though the text states another answer"),
    "divided": Text("the text states several answers"),
    "unsupported": Text("no final answer is found in the text"),
}
"""What each kind is."""


VERDICTS = {
    "holds": Text("holds by every reading"),
    "rests": Text("rests on which answers are taken"),
    "turns": Text("turns round as read"),
    "open": Text("too close to call as judged"),
}
"""What becomes of a difference of two runs."""


def answer(cards: Sequence[TrustCard], claimed: Sequence[Claim] | None = None) -> Text:
    """Say how many verdicts contradict their texts, and what that does where it does most.

    Parameters
    ----------
    cards : sequence of TrustCard
    claimed : sequence of Claim, optional
        What `claims` found of them, where that is known.
    """
    found = [(card, card.found) for card in cards if card.found is not None]
    if not found:
        return NEEDS_SAMPLES if cards and are_counted(cards) else NOTHING
    read = sum(each.audit.read for _, each in found)
    wrong = sum(each.wrong for _, each in found)
    card, worst = max(found, key=lambda each: each[1].reach)
    said = Text(
        "{contradicted} {moved}",
        contradicted=_contradicted(wrong, read),
        moved=_moved(named(card.key), worst),
    )
    order = _order([*claims(cards)] if claimed is None else claimed)
    return said if order is None else Text("{said} {order}", said=said, order=order)


def _contradicted(wrong: int, read: int) -> Text:
    if wrong:
        return Text(
            "{share} of {read:,} verdicts contradict the text.",
            share=percent(wrong / read),
            read=read,
        )
    return Text("None of {read:,} verdicts contradicts its text.", read=read)


def _moved(run: str, found: Doubts) -> Text:
    if found.reach < POINT:
        return Text(
            "Texts that state no answer or several change no number by more than {most}.",
            most=points(POINT),
        )
    judged, read = percent(found.judged.value), percent(found.read.value, *limits(found.read))
    metric = find_metric(found.asked.metric).label(found.asked.k)
    if found.most.value - found.least.value < abs(found.read.value - found.judged.value):
        return Text(
            "{run}: {judged} as judged, {read} as its texts read ({metric}).",
            run=run,
            judged=judged,
            read=read,
            metric=metric,
        )
    return Text(
        "{run}: {judged} as judged, {read} as its texts read, and {between} depending on which of "
        "several stated answers counts ({metric}).",
        run=run,
        judged=judged,
        read=read,
        between=span(found.least.value, found.most.value),
        metric=metric,
    )


def _order(found: Sequence[Claim]) -> Text | None:
    """Say which comparisons do not survive; None where all do, or there are none."""
    turned = [claim for claim in found if claim.verdict == "turns"]
    if len(turned) == len(found) == 1:
        loser, winner = turned[0].models if turned[0].read.value > 0 else turned[0].models[::-1]
        return Text(
            "As read, {winner} leads {loser}, not the other way round.",
            winner=named(printable(winner)),
            loser=named(printable(loser)),
        )
    if turned:
        return Text(
            "As read, the other model leads in {count} of {all} comparison: {pairs}.",
            "As read, the other model leads in {count} of {all} comparisons: {pairs}.",
            count=len(turned),
            all=len(found),
            pairs=_pairs(turned),
        )
    resting = [claim for claim in found if claim.verdict == "rests"]
    if resting:
        return Text(
            "Which model is better depends on which answers count in {count} of {all} comparison: "
            "{pairs}.",
            "Which model is better depends on which answers count in {count} of {all} comparisons: "
            "{pairs}.",
            count=len(resting),
            all=len(found),
            pairs=_pairs(resting),
        )
    return None


def in_doubt(cards: Sequence[TrustCard]) -> Iterator[Text]:
    """Say which numbers verdicts move by a point or more, and which orders they change."""
    moved = sorted(
        (card for card in cards if card.found and card.found.moved >= POINT),
        key=lambda card: -card.found.moved if card.found else 0,
    )
    if moved and moved[0].found is not None:
        yield Text(
            "Verdicts contradict the texts: {run} has {judged} as judged and {read} as its texts "
            "read.",
            "Verdicts contradict the texts of {count} runs; furthest off is {run}, with {judged} "
            "as judged and {read} as its texts read.",
            count=len(moved),
            run=named(moved[0].key),
            judged=percent(moved[0].found.judged.value),
            read=percent(moved[0].found.read.value),
        )
    if (order := _order([*claims(cards)])) is not None:
        yield order


def _pairs(found: Sequence[Claim]) -> str:
    return some_of((render(in_words(claim)) for claim in found), 3)


def in_words(claim: Claim) -> Text:
    """Name the two models of a comparison, and their dataset."""
    first, second = claim.models
    return Text(
        "{first} and {second} on {dataset}",
        first=named(printable(first)),
        second=named(printable(second)),
        dataset=named(printable(claim.dataset)),
    )


def about(found: Doubts) -> list[Text]:
    """Say what doubtful verdicts do to the number of a run, and what is guessed in it."""
    low, high = limits(found.least)[0], limits(found.most)[1]
    said = [
        Text(
            "as judged {judged}; as read {read}; between {least} and {most} whatever divided and "
            "unsupported answers are worth",
            judged=percent(found.judged.value, *limits(found.judged)),
            read=percent(found.read.value, *limits(found.read)),
            least=_end(found.least.value, low),
            most=_end(found.most.value, high),
        )
    ]
    if found.guesses is not None:
        said.append(guessed(found.guesses))
    if found.audit.run.rule is not None:
        said.append(OWN)
    if found.labelled is not None:
        said += [corrected(found.labelled), *found.labelled.estimate.caveats]
    return said


def _end(value: float, end: float | None) -> Text:
    return (
        percent(value)
        if end is None
        else Text("{value} ({end})", value=percent(value), end=percent(end))
    )


def guessed(found: Guesses) -> Text:
    """Say how much of a number is guessing."""
    return Text(
        "Of {answers:,} answers that state no option {right:,} are judged right, as guessing among "
        "{options} gives: {points} of the average.",
        answers=found.answers,
        right=found.right,
        options=found.options,
        points=points(found.share),
    )
