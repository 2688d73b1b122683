"""How a metric changes along a series, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from charts.series import Stop
from kofn.compare.words import lead_in_words
from kofn.series.analysis import Followed, SeriesCard, series_of
from kofn.writing.estimates import percent_of
from kofn.writing.joining import joined, with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text

_REASONS = 3
"""The most reasons that are told for differences that are not paired."""


def answer(cards: Sequence[SeriesCard]) -> Text:
    """Say what changed along the first series; of several datasets it is named."""
    group = series_of(cards)[0]
    found = group[0].found
    if found is None:
        reasons = list(dict.fromkeys(card.reason for card in cards if card.reason is not None))
        return reasons[0] if len(reasons) == 1 else Text("No run belongs to a series.")
    sentence = answer_of(found)
    if len({card.run.dataset for card in cards}) == 1:
        return sentence
    return with_name(short_name(found.dataset), sentence)


def answer_of(followed: Followed) -> Text:
    """Say which run is the first that surely differs from the first, which is highest, and more."""
    return joined([*_changed(followed), _highest(followed), *_fallen(followed)])


def adjustment(followed: Followed) -> Text:
    """Say what the intervals of the differences are adjusted for, and why some are not paired."""
    if not followed.refused:
        return _adjustment(followed)
    return Text(
        "{adjusted} Not all differences are paired, which makes the intervals wide. {why}",
        adjusted=_adjustment(followed),
        why=joined(followed.refused[:_REASONS]),
    )


def _adjustment(followed: Followed) -> Text:
    level, count = 100 * followed.series.confidence_level, followed.looked_at
    if followed.against == "best":
        return Text(
            "All differences hold simultaneously with {level:.4g}% confidence: they are "
            "adjusted for all {count} pairs, because the data choose which run is best.",
            level=level,
            count=count,
        )
    return Text(
        "The difference holds with {level:.4g}% confidence.",
        "All {count} differences hold at once with {level:.4g}% confidence: each interval is "
        "adjusted for their number, and not for all pairs, as ranks are.",
        level=level,
        count=count,
    )


def _changed(followed: Followed) -> Iterator[Text]:
    compared, names = followed.series, followed.names
    every = zip(compared.names, compared.from_first, strict=True)
    steps = {name: step for name, step in every if step is not None}
    first = names[compared.names[0]]
    if compared.first_better is not None:
        yield Text(
            "{run} is the first that is surely better than {first}: by {points} in {metric}.",
            run=names[compared.first_better],
            first=first,
            points=lead_in_words(steps[compared.first_better]),
            metric=followed.label,
        )
    if compared.first_worse is not None:
        yield Text(
            "{run} is the first that is surely worse than {first}: by {points} in {metric}.",
            run=names[compared.first_worse],
            first=first,
            points=lead_in_words(steps[compared.first_worse]),
            metric=followed.label,
        )
    if compared.first_better is None and compared.first_worse is None:
        yield Text(
            "The other run does not surely differ from {first} in {metric}.",
            "None of the {count} others surely differs from {first} in {metric}.",
            count=len(compared.names) - 1,
            first=first,
            metric=followed.label,
        )


def _highest(followed: Followed) -> Text:
    found = followed.series
    return Text(
        "{run} is highest, with {value}.",
        run=followed.names[found.best],
        value=percent_of(found.estimates[found.names.index(found.best)]),
    )


def _fallen(followed: Followed) -> Iterator[Text]:
    found = followed.series
    last, step = found.names[-1], found.from_best[-1]
    if step is not None and step.sure:
        yield Text(
            "{last}, the last, is surely below it: by {points}.",
            last=followed.names[last],
            points=lead_in_words(step),
        )


# The figure --------------------------------------------------------------------------------------


def stop_detail(*, run: object, value: object, difference: object) -> Text:
    """Say what a run of a series has, and what changed."""
    return Text("{run}: {value}; {difference}", run=run, value=value, difference=difference)


def describe_series(stops: Sequence[Stop]) -> Text:
    """Say in words what `charts.series.series` shows, for those who do not see it."""
    return Text(
        "{count} run in order, from {first:.1%} to {last:.1%}; {sure} surely differ.",
        "{count} runs in order, from {first:.1%} to {last:.1%}; {sure} surely differ. The table "
        "has the same numbers.",
        count=len(stops),
        first=stops[0].value,
        last=stops[-1].value,
        sure=sum(stop.sure for stop in stops),
    )
