"""What must be said of candidates beside their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kofn.candidates.analysis import Examined
from kofn.candidates.readings import of_picks
from kofn.candidates.tables import VOTES
from kofn.choices.view import View
from kofn.writing.estimates import percent
from metrics.data.words import Text


def remarks(found: Examined) -> Iterator[Text]:
    """Say how well the signal ranks, what it gains of what is possible, and what is missing."""
    yield from told_efficiency(found)
    yield from told_ranking(found)
    if found.picked is not None and found.picked.target == "benchmark":
        yield Text(
            "For questions like these, though others are asked for, are the intervals of what it "
            "gains of an oracle and of how it ranks."
        )
    yield from of_picks(found)
    before = found.picked.caveats if found.picked is not None else ()
    yield from before
    weighted = found.way("weighted")
    if weighted is not None and weighted.rule is not None:
        for caveat in weighted.caveats:
            if caveat not in before:
                yield Text("{vote}: {said}", vote=VOTES[weighted.rule], said=caveat)
    yield from found.missing


def told_efficiency(found: Examined) -> Iterator[Text]:
    """Say how much of what an oracle gains the pick gains, or why that is not known."""
    share, reason = found.efficiency or (None, None)
    if share is not None:
        yield Text(
            "It gains {share} of what an oracle gains over one sample, with {k} candidates.",
            share=percent(share.value, *(share.interval or ())),
            k=found.k,
        )
        yield from share.caveats
    elif reason is not None and found.k > 1:
        yield reason


def told_ranking(found: Examined) -> Iterator[Text]:
    """Say how well the signal tells right samples from wrong ones of the same question."""
    quality, reason = found.ranking or (None, None)
    if quality is not None:
        low, high = quality.interval or (0.0, 1.0)
        written = percent(quality.value, *(quality.interval or ()))
        if high < 1 / 2:
            yield Text(
                "A right sample outranks a wrong one of the same question in {chance} of pairs: "
                "the lowest value would pick better.",
                chance=written,
            )
        elif low <= 1 / 2:
            yield Text(
                "A right sample outranks a wrong one of the same question in {chance} of pairs, "
                "where a coin has 50%: it is not shown to say anything.",
                chance=written,
            )
        else:
            yield Text(
                "A right sample outranks a wrong one of the same question in {chance} of pairs, "
                "where a coin has 50%.",
                chance=written,
            )
    elif reason is not None:
        yield reason


def of_target(view: View, names: Iterable[str]) -> Iterator[Text]:
    """Say which intervals are not for these questions, though such are asked for."""
    named = ", ".join(names)
    if view.target == "benchmark" and named:
        yield Text(
            "For questions like these, though others are asked for, are the intervals of: {names}.",
            names=named,
        )


def of_each(names: Sequence[str], said: Iterable[tuple[str, Text]]) -> Iterator[Text]:
    """Say each sentence once, with the names it is said of where these are not all.

    Examples
    --------
    >>> said = [("a", Text("Few.")), ("b", Text("Few.")), ("b", Text("Drawn."))]
    >>> list(map(str, of_each("ab", said)))
    ['Few.', 'b: Drawn.']
    """
    of: dict[Text, dict[str, None]] = {}
    for name, text in said:
        of.setdefault(text, {})[name] = None
    for text, some in of.items():
        if len(some) == len(names):
            yield text
        else:
            yield Text("{names}: {said}", names=", ".join(some), said=text)
