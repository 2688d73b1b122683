"""Who leads on how many of several datasets, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kofn.card import attempt
from kofn.standings.field import Field
from kofn.standings.sentences import told, unlike
from kofn.standings.suite import Suite, leaders_of, left_out
from kofn.standings.suite import in_words as suite_in_words
from kofn.writing.estimates import percent
from kofn.writing.joining import some
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics import pool
from metrics.data.words import Text


def leading(fields: Sequence[Field], suite: Suite | None = None) -> Iterator[Text]:
    """Say who leads a dataset, or several together.

    Where too few datasets are shared for that, on how many each model leads on one try.
    """
    judged = [field for field in fields if field.one_try is not None]
    contested = [field for field in judged if field.one_try and field.one_try.ahead]
    if len(fields) == 1:
        yield from told(fields[0])
    elif suite is not None:
        yield from suite_in_words(suite, leaders_of(fields))
        yield from left_out(suite)
    elif not judged:
        yield Text("No run says which samples were right.")
    elif not contested:
        yield from _averages(judged)
    elif len(contested) == 1:
        first, *rest = told(contested[0])
        yield Text("{dataset}: {leading}", dataset=_called(contested[0]), leading=first)
        yield from rest
    else:
        yield from _counted(contested)


def on_many_tries(fields: Sequence[Field]) -> Iterator[Text]:
    """Say on which of several datasets a model surely leads on many tries, and not on one."""
    found: dict[str, list[str]] = {}
    for field in fields if len(fields) > 1 else ():
        if field.one_try is None or field.many is None or field.many.leader is None:
            continue
        if field.many.leader != field.one_try.leader:
            name = named(printable(field.models[field.many.leader]))
            found.setdefault(name, []).append(f"{_called(field)} (k = {field.k})")
    for name, datasets in found.items():
        yield Text(
            "With many tries {name} leads on {datasets}.", name=name, datasets=some(datasets)
        )


def all_unlike(fields: Sequence[Field]) -> Iterator[Text]:
    """Say of each dataset which runs are not compared with the first, or were asked otherwise."""
    for field in fields:
        for said in unlike(field):
            yield (
                said
                if len(fields) == 1
                else Text("{dataset}: {said}", dataset=_called(field), said=said)
            )


def _called(field: Field) -> str:
    return named(printable(field.dataset))


def _averages(fields: Sequence[Field]) -> Iterator[Text]:
    """Say what a model solves on average, where no two ran on the same dataset."""
    found = [
        (field.models[field.one_try.first], field.one_try.estimates[field.one_try.first])
        for field in fields
        if field.one_try
    ]
    if len({model for model, _estimate in found}) > 1:
        yield Text("No two models ran on the same dataset, so there is nothing to compare.")
        return
    mean, _reason = attempt(pool, [estimate for _model, estimate in found])
    if mean is not None:
        yield Text(
            "{name} solves {value} on one try, on average over {count} datasets.",
            name=named(printable(found[0][0])),
            value=percent(mean.value, *(mean.interval or ())),
            count=len(found),
        )


def _counted(fields: Sequence[Field]) -> Iterator[Text]:
    """Say on how many datasets each model leads, and on how many the data cannot tell."""
    sure = Counter(
        named(printable(field.models[field.one_try.leader]))
        for field in fields
        if field.one_try and field.one_try.leader is not None
    )
    close = sum(len(field.one_try.leaders) > 1 for field in fields if field.one_try)
    count = len(fields)
    apart = count - close - sum(sure.values())
    if close == count:
        yield Text("On one try, it is too close to call on {all}.", all=_all(count))
        yield from _among(fields)
        return
    if not sure:
        yield Text("On one try, no model surely leads on any of {count} datasets.", count=count)
        yield from _not_alike(apart)
        return
    (name, won), *others = sure.most_common()
    if won == count:
        yield Text("On one try {name} leads on {all}.", name=name, all=_all(count))
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
    yield from _not_alike(apart)


def _not_alike(count: int) -> Iterator[Text]:
    if count:
        yield Text(
            "On {count} dataset, it is unknown whether all runs have the same questions.",
            "On {count} datasets, it is unknown whether all runs have the same questions.",
            count=count,
        )


def _all(count: int) -> Text:
    return Text("both datasets") if count == 2 else Text("all {count} datasets", count=count)


def _among(fields: Sequence[Field]) -> Iterator[Text]:
    """Name the model that is among the leaders of more datasets than any other."""
    among = Counter(
        name
        for field in fields
        if field.one_try
        for name in {named(printable(field.models[key])): None for key in field.one_try.leaders}
    )
    (name, most), *others = among.most_common(2)
    if others and others[0][1] < most:
        yield (
            Text("{name} is among the leaders of each.", name=name)
            if most == len(fields)
            else Text("{name} is among the leaders of {most} of them.", name=name, most=most)
        )


def _listed(parts: Sequence[Text]) -> Text:
    first, *rest = parts
    return Text("{first}, {rest}", first=first, rest=_listed(rest)) if rest else first
