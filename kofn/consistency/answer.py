"""What a vote gains and loses over one sample, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kofn.card import names, runs_of
from kofn.choices.runs import NO_VERDICTS
from kofn.consistency.analysis import VoteCard
from kofn.standings.criteria import FindWinner, find_winner
from kofn.standings.sentences import rests_on
from kofn.writing.estimates import points
from kofn.writing.joining import joined
from kofn.writing.layout import named
from metrics.data.results import Estimate
from metrics.data.words import Text


def answer(cards: Sequence[VoteCard], winner: FindWinner = find_winner) -> Text:
    """Say for how many runs a vote gains, for how many it loses, and by how much at most.

    Then whose vote by answers is right most often.

    Parameters
    ----------
    cards : sequence of VoteCard
        Of several k the first counts; segments beside their runs do not.
    winner : callable
        In place of `kofn.standings.criteria.find_winner`, such as one with a cache.
    """
    first = [card for card in cards if card.settings.k == cards[0].settings.k]
    whole = [card for card in first if not card.settings.part]
    known = [card for card in whole if card.found is not None]
    if not known:
        return next((card.reason for card in whole if card.reason is not None), NO_VERDICTS)
    if all(is_one_sample(card) for card in known):
        return _nothing_to_vote(known[0])
    assumed = rests_on(next((card.assumed for card in known if card.assumed is not None), None))
    resting = [] if assumed is None else [assumed]
    if len(known) == 1:
        return joined([_of_one(known[0]), *resting])
    runs = runs_of(whole)
    voting = all(run.answers is not None for run in runs.values() if run.known is not None)
    best = winner(runs, cards[0].view, "plurality@k") if voting else ()
    opening, *others = _of_several(known, whole)
    return joined([opening, *resting, *others, *best])


def by_size(cards: Sequence[VoteCard]) -> list[VoteCard]:
    """Sort runs by the size of their difference, the largest first; segments follow their run."""
    blocks: list[list[VoteCard]] = []
    for card in cards:
        if card.settings.part and blocks:
            blocks[-1].append(card)
        else:
            blocks.append([card])
    return [card for block in sorted(blocks, key=lambda block: -_size(block[0])) for card in block]


def _size(card: VoteCard) -> float:
    return -1.0 if card.found is None else abs(card.found.compared.difference.value)


def is_one_sample(card: VoteCard) -> bool:
    """Return whether a vote is one of a single sample, which is that sample."""
    if card.found is None:
        return False
    return (card.found.compared.k or card.found.compared.tally.n_max) == 1


def _nothing_to_vote(card: VoteCard) -> Text:
    if card.settings.k == 1:
        return Text("A vote of one sample is just that sample; choose a larger k.")
    return Text("Each question has one sample, so there is nothing to vote on.")


def _of_one(card: VoteCard) -> Text:
    assert card.found is not None
    found = card.found.compared
    vote, difference = _vote(card), _written(found.difference)
    return {
        "above": Text(
            "{vote} gains {difference} over one sample.", vote=vote, difference=difference
        ),
        "below": Text("{vote} loses {loss} against one sample.", vote=vote, loss=_loss(card)),
        "about equal": Text(
            "{vote} makes almost no difference to one sample: {difference}.",
            vote=vote,
            difference=difference,
        ),
        "cannot tell": Text(
            "Whether {vote} gains or loses against one sample is too close to call: {difference}.",
            vote=_vote(card, inside=True),
            difference=difference,
        ),
    }[found.scenario(card.settings.margin).name]


def _of_several(known: Sequence[VoteCard], whole: Sequence[VoteCard]) -> Iterator[Text]:
    called = dict(zip((card.key for card in whole), map(named, names(whole)), strict=True))
    groups: dict[str, list[VoteCard]] = {}
    for card in by_size(known):
        assert card.found is not None
        name = card.found.compared.scenario(card.settings.margin).name
        groups.setdefault(name, []).append(card)
    gains, losses = groups.get("above", []), groups.get("below", [])
    unsure = len(groups.get("cannot tell", []))
    if unsure == len(known):
        yield Text(
            "Whether {vote} gains or loses over one sample is too close to call for each of "
            "{count} runs.",
            vote=_vote(known[0], inside=True),
            count=unsure,
        )
        return
    vote = _vote(known[0])
    if gains:
        yield Text(
            "{vote} gains for {count} of {all} runs over one sample: {run}, {difference}.",
            "{vote} gains for {count} of {all} runs over one sample, most for {run}: {difference}.",
            vote=vote,
            all=len(known),
            count=len(gains),
            run=called[gains[0].key],
            difference=_written(gains[0].found.compared.difference) if gains[0].found else "",
        )
    else:
        yield Text("{vote} shows no gain over one sample.", vote=vote)
    if losses:
        yield Text(
            "It loses for {count}: {run}, {loss}.",
            "It loses for {count}, most for {run}: {loss}.",
            count=len(losses),
            run=called[losses[0].key],
            loss=_loss(losses[0]),
        )
    if equal := len(groups.get("about equal", [])):
        yield Text("For {count} it makes almost no difference.", count=equal)
    if unsure:
        yield Text("For {count} it is too close to call.", count=unsure)


def _vote(card: VoteCard, *, inside: bool = False) -> Text:
    assert card.found is not None
    found = card.found.compared
    if found.k is not None:
        texts = Text("A vote of {k} samples", k=found.k), Text("a vote of {k} samples", k=found.k)
    else:
        texts = Text("A vote of all samples"), Text("a vote of all samples")
    return texts[inside]


def _written(difference: Estimate) -> Text:
    return points(difference.value, *(difference.interval or ()))


def _loss(card: VoteCard) -> Text:
    assert card.found is not None
    difference = card.found.compared.difference
    low, high = difference.interval or (None, None)
    if low is None or high is None:
        return points(-difference.value)
    return points(-difference.value, -high, -low)
