"""What the loaded runs say, in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kofn.card import Card, attempt
from kofn.overview.analysis import Field, GlanceCard, fields_of
from kofn.overview.sentences import close_on_many, lead, some, wrong
from kofn.writing.estimates import percent
from kofn.writing.joining import joined
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics import pool
from metrics.data.words import Text


def answer(cards: Sequence[GlanceCard]) -> Text:
    """Say who leads where, and what is stated wrongly; of a single dataset who leads it."""
    fields = fields_of(cards)
    if len(fields) == 1:
        sentences = [*lead(fields[0]), *_wrong(cards)]
    else:
        sentences = [*leaders(cards, fields), *_close(fields), *_wrong(cards)]
    return joined(sentences)


def scope(cards: Sequence[GlanceCard]) -> Text:
    """Say what is looked at."""
    own = [card for card in cards if card.found and card.found.field]
    return Text(
        "{runs}, {models}, {datasets}",
        runs=Text("{count} run", "{count} runs", count=len(own)),
        models=Text("{count} model", "{count} models", count=len({c.run.model for c in own})),
        datasets=Text("{count} dataset", "{count} datasets", count=len(fields_of(own))),
    )


def _close(fields: Sequence[Field]) -> Iterator[Text]:
    """Say once what holds of every dataset: that many tries cannot be told apart."""
    if all(map(close_on_many, fields)):
        fewest, *_between, most = sorted(field.k for field in fields)
        yield (
            Text("With {k} tries it is too close to call.", k=most)
            if fewest == most
            else Text(
                "With {fewest} to {most} tries it is too close to call.", fewest=fewest, most=most
            )
        )


def leaders(cards: Sequence[Card[Any, Any]], fields: Sequence[Field]) -> Iterator[Text]:
    """Say on how many of several datasets each model leads on one try."""
    judged = [field for field in fields if field.one_try is not None]
    contested = [field for field in judged if field.one_try and field.one_try.ahead]
    if not judged:
        yield Text("None of the runs says which samples were right.")
    elif not contested:
        yield from _averages(cards, judged)
    else:
        yield from _counted(cards, contested)


def _averages(cards: Sequence[Card[Any, Any]], fields: Sequence[Field]) -> Iterator[Text]:
    """Say what each model solves on average, where no two ran on the same dataset."""
    models = {key: card.run.model for card in cards for key in [card.key]}
    found = [
        (models[field.one_try.first], field.one_try.estimates[field.one_try.first])
        for field in fields
        if field.one_try
    ]
    if len({model for model, _estimate in found}) > 1:
        yield Text("No two models ran on the same dataset, so none can be compared.")
        return
    mean, _reason = attempt(pool, [estimate for _model, estimate in found])
    if mean is not None:
        yield Text(
            "{name} solves {value} on one try, on average over {count} datasets.",
            name=named(printable(found[0][0])),
            value=percent(mean.value, *(mean.interval or ())),
            count=len(found),
        )


def _counted(cards: Sequence[Card[Any, Any]], fields: Sequence[Field]) -> Iterator[Text]:
    """Say on how many datasets each model leads, and on how many the data cannot tell."""
    if len(fields) == 1:
        first, *rest = lead(fields[0])
        dataset = named(printable(fields[0].dataset))
        yield Text("{dataset}: {leading}", dataset=dataset, leading=first)
        yield from rest
        return
    models = {card.key: named(printable(card.run.model)) for card in cards}
    sure = Counter(
        models[field.one_try.first]
        for field in fields
        if field.one_try and len(field.one_try.leaders) == 1
    )
    close, count = len(fields) - sum(sure.values()), len(fields)
    if not sure:
        yield Text("On one try it is too close to call on all {count} datasets.", count=count)
        yield from _among(models, fields)
        return
    (name, won), *others = sure.most_common()
    if won == count:
        yield Text("On one try {name} leads on all {count} datasets.", name=name, count=count)
        return
    parts = [
        Text("{name} leads on {won} of {count} datasets", name=name, won=won, count=count),
        *([some(f"{other} on {times}" for other, times in others)] if others else []),
        *(
            [Text("{count} is too close to call", "{count} are too close to call", count=close)]
            if close
            else []
        ),
    ]
    yield Text("On one try {parts}.", parts=_listed(parts))


def _among(models: Mapping[str, str], fields: Sequence[Field]) -> Iterator[Text]:
    """Name the model that is among the leaders of more datasets than any other."""
    leading = Counter(
        models[key] for field in fields if field.one_try for key in field.one_try.leaders
    )
    (name, most), *others = leading.most_common(2)
    if others and others[0][1] < most:
        yield (
            Text("{name} is among the leaders of each.", name=name)
            if most == len(fields)
            else Text("{name} is among the leaders of {most} of them.", name=name, most=most)
        )


def _listed(parts: Sequence[Text]) -> Text:
    first, *rest = parts
    return Text("{first}, {rest}", first=first, rest=_listed(rest)) if rest else first


def _wrong(cards: Sequence[GlanceCard]) -> Iterator[Text]:
    yield from wrong([each for card in cards if card.found for each in card.found.stated])
