"""What there is to say of a dataset: who leads, what is stated wrongly, what to be careful of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kofn.choices.view import View
from kofn.inventory.stated import Stated, what_is_wrong
from kofn.overview.analysis import Field
from kofn.overview.doubts import Doubt, Kind, treatment
from kofn.overview.standings import Standing
from kofn.writing.estimates import percent, points
from metrics.data.results import Estimate
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS

NAMED = 3
"""The most names in a sentence."""


def told(field: Field, fields: Sequence[Field]) -> Iterator[Text]:
    """Say of one of several datasets what the answer to all of them does not."""
    yield from lead(field, close=not all(map(close_on_many, fields)))


def close_on_many(field: Field) -> bool:
    """Whether one run leads on one try, and with many tries it is too close to call."""
    if field.one_try is None or field.many is None or not field.one_try.ahead:
        return False
    alone, after = field.one_try.leaders, field.many.leaders
    return len(alone) == 1 < len(after) and alone[0] in after


def lead(field: Field, *, close: bool = True) -> Iterator[Text]:
    """Say who leads a dataset on one try, and on many where that is another.

    That many tries are too close to call is said if `close`.
    """
    if field.one_try is None:
        yield field.reason or Text("Its runs have no avg@n.")
        return
    yield from _standing(field, field.one_try)
    if field.many is None:
        return
    if not field.one_try.ahead:
        yield Text(
            "With {k} tries, some try solves {value}.",
            k=field.k,
            value=_value(field.many.estimates[field.many.first]),
        )
        return
    if not field.many.ahead:
        return
    before, after = set(field.one_try.leaders), set(field.many.leaders)
    if before.isdisjoint(after) or len(after) == 1 < len(before):
        yield from _standing(field, field.many)
    elif close and close_on_many(field):
        yield Text("With {k} tries it is too close to call.", k=field.k)


def wrong(stated: Sequence[Stated], *, worst: bool = True) -> Iterator[Text]:
    """Say what is wrong with stated numbers, if anything is, and which is the worst of them."""
    if any(each.is_wrong or each.is_doubtful for each in stated):
        yield from what_is_wrong(stated, worst=worst)


def stated_in(field: Field) -> list[Stated]:
    """Return what the files state of a dataset."""
    return [each for fact in field.facts.values() for each in fact.stated]


def careful(field: Field, view: View) -> Iterator[Text]:
    """Say what to be careful of before using the numbers of a dataset."""
    silent = [name for key, name in field.names.items() if key not in field.facts]
    if silent and field.facts:
        yield Text("{names}: the file does not say which samples were right.", names=some(silent))
    doubts: dict[Kind, dict[str, Doubt]] = {}
    for key, fact in field.facts.items():
        for doubt in fact.doubts:
            doubts.setdefault(doubt.kind, {})[field.names[key]] = doubt
    for kind, found in doubts.items():
        if kind == "failed":
            yield _failed(field, found, view)
        elif kind in _DOUBTS:
            yield Text("{names}: {doubt}", names=some(found), doubt=_DOUBTS[kind])
    fewest = min((fact.questions for fact in field.facts.values()), default=FEW_QUESTIONS)
    if fewest < FEW_QUESTIONS and view.target == "population":
        yield Text(
            "{count} question says nothing about questions like it.",
            "{count} questions are too few for a claim about questions like them.",
            count=fewest,
        )
    if field.one_try is not None and field.one_try.unpaired:
        yield Text(
            "{names}: not known to be the same questions, so nothing is compared question by "
            "question.",
            names=some(field.names[key] for key in field.one_try.unpaired),
        )


_DOUBTS: dict[Kind, Text] = {
    "unknown": Text("nothing tells which samples are of one question, only one try can be judged."),
    "stated": Text("which samples are of one question is stated by the tool only, not proven."),
    "copied": Text("samples repeat one another, or look like it."),
}


def some(names: Iterable[str]) -> Text:
    """Name several things, and say that there are more."""
    every = list(names)
    if len(every) > NAMED:
        return Text(
            "{names} and {count} more",
            names=", ".join(every[: NAMED - 1]),
            count=len(every) - NAMED + 1,
        )
    *before, last = every
    if not before:
        return Text("{name}", name=last)
    return Text("{names} and {last}", names=", ".join(before), last=last)


def _standing(field: Field, standing: Standing) -> Iterator[Text]:
    first, names = standing.first, field.names
    value = _value(standing.estimates[first])
    if not standing.ahead:
        yield Text("{name} solves {value} on one try.", name=names[first], value=value)
    elif len(standing.leaders) == 1:
        yield _sure(field, standing, value)
    else:
        leaders = some(names[key] for key in standing.leaders)
        yield (
            Text("{names} lead on one try, the first with {value}.", names=leaders, value=value)
            if standing.k is None
            else Text(
                "With {k} tries {names} lead; some try of the first solves {value}.",
                k=standing.k,
                names=leaders,
                value=value,
            )
        )
        yield _deciding(standing)


def _sure(field: Field, standing: Standing, value: Text) -> Text:
    second, found = next(iter(standing.ahead.items()))
    ahead = Text(
        "{value}, {points} ahead of {next}",
        value=value,
        points=points(found.value, *(found.interval or ())),
        next=field.names[second],
    )
    name = field.names[standing.first]
    if standing.k is None:
        return Text("{name} leads on one try: {ahead}.", name=name, ahead=ahead)
    return Text(
        "With {k} tries {name} leads: some try solves {ahead}.",
        k=standing.k,
        name=name,
        ahead=ahead,
    )


def _deciding(standing: Standing) -> Text:
    """Say how many questions would tell the first two leaders apart, if that can be said."""
    found = standing.ahead[standing.leaders[1]]
    needed = found.questions_to_decide()
    if needed is None:
        return Text("Too close to call.")
    if len(standing.leaders) == 2:
        return Text(
            "Too close to call; about {needed:,} questions would decide it (you have {have:,}).",
            needed=_rounded(needed),
            have=found.n_questions,
        )
    return Text(
        "Too close to call; about {needed:,} questions would decide between the first two (you "
        "have {have:,}).",
        needed=_rounded(needed),
        have=found.n_questions,
    )


def _failed(field: Field, found: Mapping[str, Doubt], view: View) -> Text:
    failed = sum(doubt.count for doubt in found.values())
    return Text(
        "{count} of {all:,} requests of {names} failed and {treatment}.",
        "{count:,} of {all:,} requests of {names} failed and {treatment}.",
        count=failed,
        all=sum(doubt.all for doubt in found.values()),
        names=some(found),
        treatment=treatment(view.missing, failed),
    )


def _value(found: Estimate) -> Text:
    return percent(found.value, *(found.interval or ()))


def _rounded(count: int) -> int:
    """Return a number with two digits that are not 0, so that it does not pretend to more."""
    unit = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // unit) * unit
