"""How the replicas of a run differ, in words."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.card import limits
from kofn.citing.used import Told
from kofn.writing.estimates import percent
from kofn.writing.joining import joined, listed, some
from kofn.writing.layout import Row
from kofn.writing.rendering import render
from metrics import Replicas
from metrics.analyses.replicas.judging import Judged
from metrics.data.words import Text

MADE = Told(
    Text(
        "A replica is one sample of every question, in the order of the file. Beside each "
        "average is the range in which all averages lie if only chance separates replicas, that "
        "is, if a sample could belong to any of them; p-values are adjusted for their number "
        "(Bonferroni)."
    )
)
"""How what is said of each replica is made."""
RAREST = 1e-4
"""A smaller chance is not written out."""


def heading(found: Replicas) -> Text:
    """Say in a few words how replicas differ."""
    if not found.standing_out:
        return Text("Run to run: {apart}", apart=briefly(found))
    return Text("Run to run: {odd}", odd=briefly(found))


def in_words(found: Replicas) -> Text:
    """Say how far replicas lie apart, whether chance explains it, and which one stands out."""
    return joined([_apart(found), *odd_ones(found), *_behind(found)])


def odd_ones(found: Replicas) -> Iterator[Text]:
    """Name the replicas that chance does not explain; of two, say that they differ."""
    yield from standing_out(found)
    if not found.standing_out and found.p_of_spread <= 1 - found.confidence_level:
        yield Text(
            "Chance makes replicas differ this much in {p} of 100 runs. Check whether they were "
            "made in the same way.",
            p=_of_hundred(found.p_of_spread),
        )


def standing_out(found: Replicas | Judged) -> Iterator[Text]:
    """Name each replica that stands out, with its number and the chance of one as far off."""
    for number in found.standing_out:
        place = found.replica.tolist().index(number)
        yield Text(
            "Replica {number} stands out: {accuracy:.1%} of its samples are right, while chance "
            "gives {low:.1%} to {high:.1%}. A replica this far off occurs by chance in {p} of "
            "100 runs.",
            number=number,
            accuracy=found.accuracy[place],
            low=found.low[place],
            high=found.high[place],
            p=_of_hundred(found.p_value[place]),
        )
    if found.standing_out:
        yield Text("Look for a different server, seed or version, or a crash.")


def _of_hundred(p: float) -> Text:
    if p < RAREST:
        return Text("fewer than {most:g}", most=100 * RAREST)
    return Text("{count:.2g}", count=100 * p)


def briefly(found: Replicas) -> Text:
    """Set how far replicas lie apart against chance, and name those that stand out, for a cell."""
    apart = Text(
        "{spread:.2f} points, by chance {chance:.2f}",
        spread=100 * found.spread,
        chance=100 * found.spread_by_chance,
    )
    if not found.standing_out:
        return apart
    odd = some(map(str, found.standing_out))
    return Text("{apart}; replica {odd} stands out", apart=apart, odd=odd)


def spread(found: Replicas) -> Text:
    """Say how far replicas lie apart, and what lies behind it."""
    return joined([_apart(found), *_behind(found)])


def _apart(found: Replicas) -> Text:
    return Text(
        "{count} replicas range from {lowest:.1%} to {highest:.1%}, a standard deviation of "
        "{spread:.2f} points; chance alone gives {chance:.2f}.",
        count=len(found.replica),
        lowest=found.accuracy.min(),
        highest=found.accuracy.max(),
        spread=100 * found.spread,
        chance=100 * found.spread_by_chance,
    )


def _behind(found: Replicas) -> Iterator[Text]:
    said = [
        Text(
            "{flipped} flip between right and wrong in {tries} tries",
            flipped=percent(found.flipped.value, *limits(found.flipped)),
            tries=found.tries,
        ),
        Text(
            "two tries of a question disagree in {flips} of cases",
            flips=percent(found.flips.value, *limits(found.flips)),
        ),
    ]
    if found.within is not None:
        said.append(
            Text(
                "{within} of the variance of verdicts lies within questions, the rest between them",
                within=percent(found.within.value, *limits(found.within)),
            )
        )
    yield Text("Of these questions: {said}.", said=listed(said))


def table(found: Replicas) -> list[Row]:
    """Return what is read of each replica; where it would lie by chance is no interval of it."""
    return [
        {
            str(Text("replica")): str(number),
            str(Text("questions")): str(found.n_questions[place]),
            str(Text("right")): render(percent(float(found.accuracy[place]))),
            str(Text("lowest by chance")): render(percent(float(found.low[place]))),
            str(Text("highest by chance")): render(percent(float(found.high[place]))),
            str(Text("p")): f"{found.p_value[place]:.2g}",
        }
        for place, number in enumerate(found.replica.tolist())
    ]
