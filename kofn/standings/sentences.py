"""Who leads a dataset, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.standings.field import ONE_TRY, SOFT, Field
from kofn.writing.estimates import likely, percent, points
from kofn.writing.joining import some
from metrics import Crossed, Standing
from metrics.data.names import MetricName
from metrics.data.results import Estimate
from metrics.data.words import Listed, Text
from metrics.scoring.registry import find_metric
from reports.run.matching import Match
from reports.run.same_answers import SameAnswers

_ALIKE = 1e-9
RUNNABLE = 10
"""More questions than so many times those at hand are no advice."""


def by(metric: MetricName, k: int | None) -> Text:
    """Say by what runs are compared, at the end of a phrase.

    Examples
    --------
    >>> str(by("avg@n", None)), str(by("soft", None)), str(by("pass@k", 4))
    ('on one try', 'by soft score', 'in pass@4')
    """
    if metric == ONE_TRY:
        return Text("on one try")
    if metric == SOFT:
        return Text("by soft score")
    return Text("in {metric}", metric=find_metric(metric).label(k))


def rests_on(threshold: float | None) -> Text | None:
    """Say from which score on a try counts as right, where that is assumed."""
    if threshold is None:
        return None
    return Text(
        "A try counts as right above a score of {threshold:g}, which is assumed.",
        threshold=threshold,
    )


def one_set(found: SameAnswers, base: Text | str, other: Text | str) -> Text:
    """Say that two runs are one set of answers under two rules, and what the second changed."""
    return Text(
        "{base} and {other} hold the same answers, judged by two rules, so chance plays no part "
        "in their difference: of {shared:,} verdicts, the rule of {other} changes {gained:,} to "
        "right and {lost:,} to wrong.",
        base=base,
        other=other,
        shared=found.shared,
        gained=len(found.to_right),
        lost=len(found.to_wrong),
    )


def close_on_many(field: Field) -> bool:
    """Whether one run leads on one try, and with many tries it is too close to call."""
    if field.one_try is None or field.many is None:
        return False
    alone, after = field.one_try.leader, field.many.leaders
    return alone in after and len(after) > 1


def told(field: Field) -> Iterator[Text]:
    """Say who leads a dataset on one try, and on many where that is another."""
    if field.one_try is None:
        yield field.reason or Text("Its runs have no avg@n.")
        return
    yield from _standing(field, field.one_try)
    many = list(_on_many(field, field.one_try))
    yield from many
    if many and (threshold := rests_on(field.assumed)) is not None:
        yield threshold


def _on_many(field: Field, one_try: Standing) -> Iterator[Text]:
    if field.many is None:
        return
    if not one_try.ahead:
        yield Text(
            "With {k} tries it solves {value}.",
            k=field.k,
            value=_value(field.many.estimates[field.many.first]),
        )
        return
    if not field.many.ahead:
        return
    before, after = set(one_try.leaders), set(field.many.leaders)
    if before.isdisjoint(after) or len(after) == 1 < len(before):
        yield from _standing(field, field.many)
        if field.crossed is not None:
            yield _overtaken(field, one_try.first, field.crossed)
    elif close_on_many(field):
        yield Text("With {k} tries it is too close to call.", k=field.k)


def unlike(field: Field) -> Iterator[Text]:
    """Say which runs are not compared with the first, and which were asked otherwise."""
    if field.one_try is not None:
        names = field.names
        matches = {names[key]: found for key, found in field.matches.items()}
        yield from unlike_in_words(names[field.one_try.first], matches)
        yield from _run_otherwise(field, names[field.one_try.first])


def _run_otherwise(field: Field, first: str) -> Iterator[Text]:
    """Say which runs were made with other settings than the first, and which these are."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for key, settings in field.settings.items():
        alike.setdefault(settings, []).append(field.names[key])
    for settings, names in alike.items():
        if settings:
            yield Text(
                "{names} was run with a different {settings} than {first}.",
                "{names} were run with a different {settings} than {first}.",
                count=len(names),
                names=some(names),
                first=first,
                settings=Listed(settings),
            )


def unlike_in_words(first: str, matches: Mapping[str, Match]) -> Iterator[Text]:
    """Say which runs are not compared with a first one, and which were asked otherwise.

    Parameters
    ----------
    first : str
        How it is called.
    matches : mapping of str to Match
        Which of its questions each other run has, by how these are called.
    """
    refused: dict[Text, list[str]] = {}
    for name, found in matches.items():
        if found.refused is not None:
            refused.setdefault(found.refused, []).append(name)
    for reason, names in refused.items():
        yield Text(
            "Not compared with {first}: {names}. {reason}",
            first=first,
            names=some(names),
            reason=reason,
        )
    reworded = [name for name, found in matches.items() if found.reworded]
    if reworded:
        yield Text(
            "{names} got the same questions as {first}, but with different prompts.",
            names=some(reworded),
            first=first,
        )


def _standing(field: Field, standing: Standing) -> Iterator[Text]:
    first, names = standing.first, field.names
    value, one = _value(standing.estimates[first]), by(standing.metric, None)
    if not standing.ahead:
        yield (
            Text("{name} has a soft score of {value}.", name=names[first], value=value)
            if standing.metric == SOFT
            else Text("{name} solves {value} on one try.", name=names[first], value=value)
        )
    elif not standing.paired:
        yield _highest(names[first], standing, value)
    elif len(standing.leaders) == 1:
        yield _sure(field, standing, value)
    else:
        leaders = some(names[key] for key in standing.leaders)
        yield (
            Text("{names} lead {by}, the first with {value}.", names=leaders, by=one, value=value)
            if standing.k is None
            else Text(
                "With {k} tries {names} lead, the first with {value}.",
                k=standing.k,
                names=leaders,
                value=value,
            )
        )
        yield from open_still(standing, names)


def open_still(found: Standing, called: Mapping[str, str]) -> Iterator[Text]:
    """Say that it is too close to call, what would settle it, and what a wrong choice costs."""
    yield deciding(found)
    if found.best is not None:
        yield from likely_best([called[key] for key in (found.first, *found.paired)], *found.best)


def likely_best(
    names: Sequence[str], chances: Sequence[float], losses: Sequence[float]
) -> Iterator[Text]:
    """Say which of several is most likely the best, and what taking it costs where it is not.

    Examples
    --------
    >>> print(*likely_best(["a", "b"], [0.6, 0.4], [0.002, 0.005]))
    a is the best with a chance of 60%; if it is not, that costs 0.5 points on average.
    """
    place = max(range(len(names)), key=chances.__getitem__)
    if chances[place] < 1 and losses[place] > _ALIKE:
        yield Text(
            "{name} is the best with a chance of {chance}; if it is not, that costs {loss} on "
            "average.",
            name=names[place],
            chance=likely(chances[place]),
            loss=points(losses[place] / (1 - chances[place])),
        )


def _highest(name: str, standing: Standing, value: Text) -> Text:
    if standing.k is None:
        return Text(
            "{name} is the highest {by}, {value}, but no other run is known to have the same "
            "questions.",
            name=name,
            by=by(standing.metric, None),
            value=value,
        )
    return Text(
        "With {k} tries {name} is the highest, {value}.", k=standing.k, name=name, value=value
    )


def _sure(field: Field, standing: Standing, value: Text) -> Text:
    second, found = next(iter(standing.paired.items()))
    ahead = Text(
        "{value}, {points} ahead of {next}",
        value=value,
        points=points(found.value, *(found.interval or ())),
        next=field.names[second],
    )
    name = field.names[standing.first]
    if standing.k is not None:
        return Text(
            "With {k} tries {name} leads: {ahead}.",
            k=standing.k,
            name=name,
            ahead=ahead,
        )
    if standing.unpaired:
        return Text(
            "Among the runs on the same questions, {name} leads {by}: {ahead}.",
            name=name,
            by=by(standing.metric, None),
            ahead=ahead,
        )
    return Text("{name} leads {by}: {ahead}.", name=name, by=by(standing.metric, None), ahead=ahead)


def _overtaken(field: Field, before: str, crossed: Crossed) -> Text:
    return Text("It passes {before} at {k}.", before=field.names[before], k=crossing_point(crossed))


def crossing_point(crossed: Crossed) -> Text:
    """Write from which k on another leads, and between which k it is sure that they cross.

    Examples
    --------
    >>> str(crossing_point(Crossed(4, 2, 6, True))), str(crossing_point(Crossed(4, 2, None, True)))
    ('k = 4 (2 to 6)', 'k = 4 (after 2)')
    """
    low, high = crossed.low, crossed.high
    if low is None and high is None:
        return Text("k = {k}", k=crossed.k)
    if high is None:
        return Text("k = {k} (after {low})", k=crossed.k, low=low)
    if low is None:
        return Text("k = {k} (by {high})", k=crossed.k, high=high)
    return Text("k = {k} ({low} to {high})", k=crossed.k, low=low, high=high)


def deciding(standing: Standing) -> Text:
    """Say how many questions would tell the first two leaders apart, if somebody could run them."""
    found = standing.ahead[standing.leaders[1]]
    needed = found.questions_to_decide()
    if needed is None or needed > RUNNABLE * found.n_questions:
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


def _value(found: Estimate) -> Text:
    return percent(found.value, *(found.interval or ()))


def _rounded(count: int) -> int:
    """Return a number with two digits that are not 0, so that it does not pretend to more."""
    unit = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // unit) * unit
