"""The sentence that candidates open with: what a pick solves, of what there is to gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.candidates.analysis import CandidateCard, Examined
from kofn.card import names
from kofn.choices.runs import FEWEST, NO_VERDICTS
from kofn.writing.estimates import percent, points
from kofn.writing.joining import joined
from kofn.writing.layout import named
from metrics.data.results import Estimate
from metrics.data.words import Text

NEEDED = Text(
    "A column of numbers, one for each sample, such as the score of a reward model or a judge, or "
    "a log-probability, would show how much of that can be had."
)
"""What would bring the page to life."""
_NOTHING = 0.0005


def answer(cards: Sequence[CandidateCard], detail: str = "") -> Text:
    """Say what a pick solves, between one sample and an oracle, and whom picking harms.

    Parameters
    ----------
    cards : sequence of CandidateCard
    detail : str
        The run to tell of; by default the one that `leading` returns.
    """
    card = leading(cards, detail)
    if card is None or card.found is None:
        return next((card.reason for card in cards if card.reason is not None), NO_VERDICTS)
    told = joined(list(_of_run(card.found)))
    if len(cards) == 1:
        return told
    called = dict(zip((each.key for each in cards), names(cards), strict=True))
    return joined(
        [
            Text("{name}: {told}", name=named(called[card.key]), told=told),
            *_of_others(cards),
        ]
    )


def leading(cards: Sequence[CandidateCard], detail: str = "") -> CandidateCard | None:
    """Return the run of a name, or the one of which most is known and whose pick is best."""
    known = [card for card in cards if card.found is not None]
    return max(
        known,
        key=lambda card: (card.key == detail, *_rank(card.found)),
        default=None,
    )


def share_of(found: Examined) -> Estimate | None:
    """Return the share of what picking can gain that the pick gains, if it is known."""
    return None if found.efficiency is None else found.efficiency[0]


def _rank(found: Examined | None) -> tuple[bool, float]:
    if found is None:
        return False, 0.0
    picked = found.value("picked")
    return picked is not None, picked or found.value("oracle") or 0.0


def _of_run(found: Examined) -> Iterator[Text]:
    if found.k == 1 and found.n > 1:
        yield Text("One candidate leaves nothing to pick from: choose k from 2 to {n}.", n=found.n)
        return
    if found.k == 1:
        yield Text(
            "One sample of each question leaves nothing to pick from: run it with n = {n}.",
            n=FEWEST,
        )
        return
    if found.n_questions == 1:
        yield Text("There is one question only, from which nothing follows for others.")
    oracle, picked, one = (found.value(who) for who in ("oracle", "picked", "one"))
    if picked is None or found.signal is None:
        yield from _without(found, oracle or 0.0, one or 0.0)
        return
    yield _with(found, found.signal)
    if found.is_optimistic:
        yield Text("That is optimistic: {signal} gives the verdicts too.", signal=found.signal)
    fall = found.picked and found.picked.fall
    if fall:
        low, high = fall.change.interval or (None, None)
        lost = points(-fall.change.value, high and -high, low and -low)
        yield Text(
            "It gets worse beyond {first} candidates, by {lost} with {last}.",
            first=fall.first,
            last=fall.last,
            lost=lost,
        )


def _with(found: Examined, signal: Text) -> Text:
    share = share_of(found)
    oracle, picked, one = (percent(found.value(who)) for who in ("oracle", "picked", "one"))
    if share is None:
        return Text(
            "Picking by {signal} among {k} solves {picked}, an oracle {oracle}, one sample {one}.",
            signal=signal,
            k=found.k,
            oracle=oracle,
            picked=picked,
            one=one,
        )
    part = percent(share.value, *(share.interval or ()))
    if share.interval is not None and share.interval.high < 0:
        return Text(
            "Picking by {signal} harms: among {k} it solves {picked}, one sample {one} and an "
            "oracle {oracle}, which is {part} of what is possible.",
            signal=signal,
            k=found.k,
            part=part,
            oracle=oracle,
            picked=picked,
            one=one,
        )
    told = Text(
        "Picking by {signal} among {k} solves {picked} where an oracle solves {oracle} and one "
        "sample {one}: {part} of what is possible.",
        signal=signal,
        k=found.k,
        part=part,
        oracle=oracle,
        picked=picked,
        one=one,
    )
    if share.interval is not None and share.interval.low <= 0:
        return Text("{told} It may gain nothing.", told=told)
    return told


def _without(found: Examined, oracle: float, one: float) -> Iterator[Text]:
    if oracle - one < _NOTHING:
        yield Text(
            "{k} candidates are worth no more than one, {one}, whoever picks.",
            k=found.k,
            one=percent(one),
        )
        return
    vote = found.value("vote")
    if vote is None:
        yield Text(
            "Among {k} candidates an oracle solves {oracle} where one sample solves {one}.",
            k=found.k,
            oracle=percent(oracle),
            one=percent(one),
        )
    else:
        yield Text(
            "Among {k} candidates an oracle solves {oracle}, a majority vote {vote}, one sample "
            "{one}.",
            k=found.k,
            oracle=percent(oracle),
            vote=percent(vote),
            one=percent(one),
        )
    yield NEEDED


def _of_others(cards: Sequence[CandidateCard]) -> Iterator[Text]:
    shares = [share for card in cards if card.found and (share := share_of(card.found))]
    known = [share.interval for share in shares if share.interval is not None]
    if len(shares) < 2:
        return
    gains = sum(interval.low > 0 for interval in known)
    yield Text(
        "Picking surely gains for {gains} of {count} runs.",
        gains=gains,
        count=len(shares),
    )
    harms = sum(interval.high < 0 for interval in known)
    if harms:
        yield Text("It surely harms {count}.", count=harms)
