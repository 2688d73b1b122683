"""Who leads a dataset, or several, and at which k, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from kofn.card import attempt
from kofn.leaderboard.field import ONE_TRY, SOFT, Field
from kofn.leaderboard.lines import Lines, whole_lines
from kofn.leaderboard.places_over_k import Passing, PlacesOverK
from kofn.leaderboard.same_tokens import SameTokens
from kofn.leaderboard.suite import SuiteStanding
from kofn.writing.estimates import chance_in_percent, percent_of, points, points_of
from kofn.writing.joining import NAMED, in_a_row, listed, some, with_name
from kofn.writing.layout import short_name
from metrics import Crossed, Standing, pool
from metrics.data.names import MetricName
from metrics.data.words import Enumerated, Text, printable
from metrics.scoring.registry import METRICS, find_metric
from reports.run.matching import Match
from reports.run.report import Run
from reports.run.same_answers import SameAnswers

_ALIKE = 1e-9
RUNNABLE = 10
"""More questions than so many times those at hand are no advice."""


def by_metric(metric: MetricName, k: int | None) -> Text:
    """Say by what runs are compared, at the end of a phrase.

    Examples
    --------
    >>> str(by_metric("avg@n", None)), str(by_metric("soft", None)), str(by_metric("pass@k", 4))
    ('on one try', 'by soft score', 'in pass@4')
    """
    if metric == ONE_TRY:
        return Text("on one try")
    if metric == SOFT:
        return Text("by soft score")
    return Text("in {metric}", metric=find_metric(metric).label(k))


def with_assumption(threshold: float | None, sentence: Text) -> Text:
    """Say of a sentence from which score on a try counts as right, where that is assumed."""
    if threshold is None:
        return sentence
    return Text(
        "Assuming scores above {threshold:g} are right: {said}", threshold=threshold, said=sentence
    )


def same_answers_in_words(found: SameAnswers, base: Text | str, other: Text | str) -> Text:
    """Say that two runs are one set of answers under two rules, and what the second changed."""
    return Text(
        "{base} and {other} hold the same answers, judged by two rules: of {shared} verdicts, "
        "the rule of {other} changes {gained} to right and {lost} to wrong. Chance plays no "
        "part in their difference.",
        base=base,
        other=other,
        shared=found.shared,
        gained=len(found.to_right),
        lost=len(found.to_wrong),
    )


def is_close_on_many(field: Field) -> bool:
    """Whether one run leads on one try, and with many tries it is too close to call."""
    if field.one_try is None or field.many is None:
        return False
    alone, after = field.one_try.leader, field.many.leaders
    return alone in after and len(after) > 1


def field_in_words(field: Field) -> Iterator[Text]:
    """Say who leads a dataset on one try, and on many where that is another."""
    if field.one_try is None:
        assert field.reason is not None
        yield field.reason
        return
    yield from _standing(field, field.one_try)
    if many := list(_on_many(field, field.one_try)):
        yield with_assumption(field.assumed, many[0])
        yield from many[1:]


def _on_many(field: Field, one_try: Standing) -> Iterator[Text]:
    if field.many is None:
        return
    if not one_try.ahead:
        yield Text(
            "With {k} tries it solves {value}.",
            k=field.k,
            value=percent_of(field.many.estimates[field.many.first]),
        )
        return
    if not field.many.ahead:
        return
    before, after = set(one_try.leaders), set(field.many.leaders)
    if before.isdisjoint(after) or len(after) == 1 < len(before):
        yield from _standing(field, field.many)
        if field.crossed is not None:
            first, k = field.names[one_try.first], crossing_point(field.crossed)
            yield Text("It passes {before} at {k}.", before=first, k=k)
    elif is_close_on_many(field):
        yield Text("With {k} tries it is too close to call.", k=field.k)


def unlike_runs_of(field: Field) -> Iterator[Text]:
    """Say which runs are not compared with the first, and which were asked otherwise."""
    if field.one_try is not None:
        names = field.names
        matches = {names[key]: found for key, found in field.matches.items()}
        yield from unlike_runs_in_words(names[field.one_try.first], matches)
        yield from _made_otherwise(field, names[field.one_try.first])


def _made_otherwise(field: Field, first: str) -> Iterator[Text]:
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
                settings=Enumerated(settings),
            )


def unlike_runs_in_words(first: str, matches: Mapping[str, Match]) -> Iterator[Text]:
    """Say which runs are not compared with a first one, and which were asked otherwise.

    matches: Which of its questions each other run has, by how these are called.
    """
    refused: dict[Text, list[str]] = {}
    for name, match in matches.items():
        if match.refused is not None:
            refused.setdefault(match.refused, []).append(name)
    for reason, names in refused.items():
        yield Text(
            "Not compared with {first}: {names}. {reason}",
            first=first,
            names=some(names),
            reason=reason,
        )
    reworded = [name for name, match in matches.items() if match.reworded]
    if reworded:
        yield Text(
            "{names} got the same questions as {first}, but with different prompts.",
            names=some(reworded),
            first=first,
        )


def _standing(field: Field, standing: Standing) -> Iterator[Text]:
    first, names = standing.first, field.names
    value, measure = percent_of(standing.estimates[first]), _measure(standing)
    if not standing.ahead:
        yield (
            Text("{name} has a soft score of {value}.", name=names[first], value=value)
            if standing.metric == SOFT
            else Text("{name} solves {value} on one try.", name=names[first], value=value)
        )
    elif not standing.paired:
        yield Text(
            "{name} is the highest {by}, {value}, but no other run is known to have the same "
            "questions.",
            name=names[first],
            by=measure,
            value=value,
        )
    elif len(standing.leaders) == 1:
        yield _sure(field, standing, value)
    else:
        leaders = some(names[key] for key in standing.leaders)
        yield Text(
            "{names} may each be the best {by}; the first has {value}.",
            names=leaders,
            by=measure,
            value=value,
        )
        yield from questions_to_decide(standing, names)


def questions_to_decide(standing: Standing, called: Mapping[str, str]) -> Iterator[Text]:
    """Say what would settle which of several is the best.

    Where nobody could run so many questions it is what a wrong choice costs.
    """
    first_two = standing.ahead[standing.leaders[1]]
    needed = first_two.questions_to_decide()
    if needed is None or needed > RUNNABLE * first_two.n_questions:
        if standing.best is not None:
            names = [called[key] for key in (standing.first, *standing.paired)]
            yield from likeliest_in_words(names, *standing.best)
    elif len(standing.leaders) == 2:
        yield Text(
            "About {needed} questions would decide it (you have {have}).",
            needed=_rounded(needed),
            have=first_two.n_questions,
        )
    else:
        yield Text(
            "About {needed} questions would decide between the first two (you have {have}).",
            needed=_rounded(needed),
            have=first_two.n_questions,
        )


def likeliest_in_words(
    names: Sequence[str], chances: Sequence[float], losses: Sequence[float]
) -> Iterator[Text]:
    """Say which of several is most likely the best, and what taking it costs where it is not.

    Examples
    --------
    >>> print(*likeliest_in_words(["a", "b"], [0.6, 0.4], [0.002, 0.005]))
    a is the best with a chance of 60%; if it is not, that costs 0.5 points on average.
    """
    place = max(range(len(names)), key=chances.__getitem__)
    if chances[place] < 1 and losses[place] > _ALIKE:
        yield Text(
            "{name} is the best with a chance of {chance}; if it is not, that costs {loss} on "
            "average.",
            name=names[place],
            chance=chance_in_percent(chances[place]),
            loss=points(losses[place] / (1 - chances[place])),
        )


def _measure(standing: Standing) -> Text:
    """Say by what the runs of a dataset are compared."""
    if standing.k is None:
        return by_metric(standing.metric, None)
    return Text("with {k} tries", k=standing.k)


def _sure(field: Field, standing: Standing, value: Text) -> Text:
    second, lead = next(iter(standing.paired.items()))
    ahead = Text(
        "{value}, {points} ahead of {next}",
        value=value,
        points=points_of(lead),
        next=field.names[second],
    )
    name, measure = field.names[standing.first], _measure(standing)
    if standing.unpaired:
        return Text(
            "Among the runs on the same questions, {name} leads {by}: {ahead}.",
            name=name,
            by=measure,
            ahead=ahead,
        )
    return Text("{name} leads {by}: {ahead}.", name=name, by=measure, ahead=ahead)


def crossing_point(crossed: Crossed) -> Text:
    """Write from which k on another leads, and between which k it is sure that they cross.

    Examples
    --------
    >>> for limits in ((2, 6), (2, None), (None, 6), (None, None)):
    ...     print(crossing_point(Crossed(4, *limits, True)))
    k = 4 (2 to 6)
    k = 4 (after 2)
    k = 4 (by 6)
    k = 4
    """
    low, high = crossed.low, crossed.high
    if low is None and high is None:
        return Text("k = {k}", k=crossed.k)
    if high is None:
        return Text("k = {k} (after {low})", k=crossed.k, low=low)
    if low is None:
        return Text("k = {k} (by {high})", k=crossed.k, high=high)
    return Text("k = {k} ({low} to {high})", k=crossed.k, low=low, high=high)


def _rounded(count: int) -> int:
    """Return a number with two digits that are not 0, so that it does not pretend to more."""
    unit = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // unit) * unit


def leaders_of(fields: Sequence[Field]) -> dict[str, str | None]:
    """Return the model that leads on one try on each of some datasets; None where it is open."""
    return {field.dataset: _leader(field) for field in fields if field.one_try}


def suite_in_words(suite: SuiteStanding, leaders: Mapping[str, str | None]) -> Iterator[Text]:
    """Say who leads over all datasets, and on which ones it is otherwise.

    leaders: Who leads on each of its datasets; others are passed over.
    """
    standing, count = suite.standing, len(suite.datasets)
    name = short_name(standing.first)
    value = percent_of(standing.estimates[standing.first])
    if not standing.paired:
        yield Text(
            "{name} is the highest {by}, {value} on average over {count} datasets, but no "
            "other model is known to have the same questions.",
            name=name,
            by=by_metric(standing.metric, standing.k),
            value=value,
            count=count,
        )
    elif len(standing.leaders) == 1:
        second, ahead = next(iter(standing.paired.items()))
        yield Text(
            "{name} is the best {by}: {value} on average over {count} datasets, {gain} ahead of "
            "{second}.",
            name=name,
            by=by_metric(standing.metric, standing.k),
            value=value,
            count=count,
            gain=points_of(ahead),
            second=short_name(second),
        )
    else:
        yield Text(
            "{names} may each be the best {by}; the first has {value} on average over {count} "
            "datasets.",
            by=by_metric(standing.metric, standing.k),
            names=some(short_name(line) for line in standing.leaders),
            value=value,
            count=count,
        )
        yield from questions_to_decide(
            standing, {line: short_name(line) for line in standing.estimates}
        )
    if standing.paired:
        yield from exceptions(suite, leaders)
    if standing.paired and standing.unpaired:
        yield Text(
            "{names} is not known to have the same questions.",
            "{names} are not known to have the same questions.",
            names=some(short_name(line) for line in standing.unpaired),
            count=len(standing.unpaired),
        )


def exclusions(whole: SuiteStanding | Lines | None) -> Iterator[Text]:
    """Say which datasets and models do not count in what is said of all together."""
    if whole is None:
        return
    count, datasets = len(whole.alone), [short_name(name) for name in whole.left_out]
    if datasets and count:
        yield Text(
            "The average leaves out datasets that not all models ran on ({names}), and {count} "
            "model that ran on one dataset only.",
            "The average leaves out datasets that not all models ran on ({names}), and {count} "
            "models that ran on one dataset only.",
            names=some(datasets),
            count=count,
        )
    elif datasets:
        yield Text(
            "The average leaves out {names}: not all models ran there.", names=some(datasets)
        )
    elif count:
        yield Text(
            "The average leaves out {count} model that ran on one dataset only.",
            "The average leaves out {count} models that ran on one dataset only.",
            count=count,
        )


def exclusions_among(runs: Mapping[str, Run]) -> Iterator[Text]:
    """Say which datasets and models of some runs do not count in what is said of all together."""
    return exclusions(whole_lines(runs))


def exceptions(suite: SuiteStanding, leaders: Mapping[str, str | None]) -> Iterator[Text]:
    """Say on how many datasets the first leads, on which another does, and which are open."""
    within = {name: leaders[name] for name in suite.datasets if name in leaders}
    first, count = suite.standing.first, len(within)
    alone = len(suite.standing.leaders) == 1
    won = sum(line == first for line in within.values())
    if not within or (not alone and not any(within.values())):
        return
    if won == count:
        yield Text("It leads on both.") if count == 2 else Text("It leads on each.")
        return
    parts: list[Text] = []
    if alone and not won:
        parts.append(Text("It surely leads on none of them alone"))
    elif alone and won <= NAMED:
        parts.append(Text("It leads on {datasets}", datasets=_on(within, first)))
    elif alone:
        parts.append(Text("It leads on {won} of them", won=won))
    others = [line for line in within.values() if line is not None]
    if alone:
        others = [line for line in others if line != first]
    for line in dict.fromkeys(others):
        parts.append(
            Text("{name} leads on {datasets}", name=short_name(line), datasets=_on(within, line))
        )
    if alone and None in within.values():
        parts.append(Text("on {datasets} it is too close to call", datasets=_on(within, None)))
    yield Text("{parts}.", parts=listed(parts))


def _on(leaders: Mapping[str, str | None], line: str | None) -> Text:
    return some(short_name(name) for name, leader in leaders.items() if leader == line)


def _leader(field: Field) -> str | None:
    found = field.one_try
    return printable(field.models[found.leader]) if found and found.leader is not None else None


def along_in_words(along: PlacesOverK, names: Mapping[str, str]) -> Iterator[Text]:
    """Say who leads at which k, and which passes which."""
    yield _who_leads(along, names)
    matches = {names[key]: match for key, match in along.matches.items()}
    yield from unlike_runs_in_words(names[along.highest], matches)
    yield from (_passes(each, along.metric, names) for each in along.passings)
    if not along.others:
        return
    if along.passings:
        yield Text(
            "{count} more pair of runs changes places, as measured.",
            "{count} more pairs of runs change places, as measured.",
            count=along.others,
        )
    else:
        yield Text(
            "{count} pair of runs may change places as k grows; it is too close to call.",
            "{count} pairs of runs may change places as k grows; they are too close to call.",
            count=along.others,
        )


def _who_leads(along: PlacesOverK, names: Mapping[str, str]) -> Text:
    label, last = METRICS[along.metric].label, along.k[-1]
    stretches = [
        (leader, [k for k, _first in group])
        for leader, group in groupby(zip(along.k, along.first, strict=True), lambda each: each[1])
    ]
    if all(leader is None for leader, _ks in stretches):
        return Text("No run certainly leads at any k up to {metric}.", metric=label(last))
    if len(stretches) == 1:
        return Text(
            "{name} certainly leads at each k up to {metric}.",
            name=names[along.first[0] or ""],
            metric=label(last),
        )
    parts = [
        Text("nobody at {ks}", ks=_stretch(ks))
        if leader is None
        else Text("{name} certainly leads at {ks}", name=names[leader], ks=_stretch(ks))
        for leader, ks in sorted(stretches, key=lambda each: each[0] is None)
    ]
    return Text("{parts}.", parts=listed(parts))


def _stretch(ks: Sequence[int]) -> Text:
    if len(ks) == 1:
        return Text("k = {k}", k=ks[0])
    return Text("k = {first} to {last}", first=ks[0], last=ks[-1])


def _passes(passing: Passing, metric: MetricName, names: Mapping[str, str]) -> Text:
    lead, label = passing.lead, METRICS[metric].label
    before, after = names[passing.before], names[passing.after]
    at_first, at_last = passing.sure
    assert lead.crossed is not None
    ends = Text(
        "in {first_metric} {first}, in {last_metric} {last}",
        first_metric=label(int(lead.k[0])),
        first=_ahead(before, -lead.value[0], (-lead.high[0], -lead.low[0]), at_first),
        last_metric=label(int(lead.k[-1])),
        last=_ahead(after, lead.value[-1], (lead.low[-1], lead.high[-1]), at_last),
    )
    k = crossing_point(lead.crossed)
    if at_first and at_last:
        return Text(
            "{after} passes {before} at {k}: {ends}.", after=after, before=before, k=k, ends=ends
        )
    if at_first:
        return Text(
            "{after} catches up with {before} at {k}: {ends}.",
            after=after,
            before=before,
            k=k,
            ends=ends,
        )
    return Text(
        "{after} pulls ahead of {before} at {k}: {ends}.",
        after=after,
        before=before,
        k=k,
        ends=ends,
    )


def _ahead(name: str, value: float, ends: tuple[float, float], sure: bool) -> Text:
    gain = points(value, *ends)
    if sure:
        return Text("{name} leads by {gain}", name=name, gain=gain)
    return Text("it is too close to call, {gain}", gain=gain)


def tokens_in_words(found: SameTokens) -> Iterator[Text]:
    """Say who solves most for the tokens of one long answer, and how far ahead that is."""
    standing, names = found.standing, found.names
    first = standing.first
    over = (
        Text(" on average over {count} datasets", count=found.datasets)
        if found.datasets > 1
        else Text("")
    )
    yield Text(
        "For the {spent} of one answer of {longest}, {k} of {first} solves {value}{over}.",
        "For the {spent} of one answer of {longest}, {k} of {first} solve {value}{over}.",
        count=found.k[first],
        spent=Text("{count} token", "{count} tokens", count=round(found.spent)),
        longest=names[found.longest],
        k=found.k[first],
        first=names[first],
        value=percent_of(standing.estimates[first]),
        over=over,
    )
    if len(standing.leaders) > 1:
        others = [name_with_answers(found, name) for name in standing.leaders if name != first]
        yield Text("That is too close to call with {others}.", others=some(others))
        return
    second, ahead = next(iter(standing.paired.items()))
    yield Text(
        "That is {gain} ahead of {second}.",
        gain=points_of(ahead),
        second=name_with_answers(found, second),
    )


def name_with_answers(found: SameTokens, name: str) -> str:
    """Name a model with how many answers it has.

    Of several it is the number behind a cross: "7B × 4".
    """
    return f"{found.names[name]} × {found.k[name]}"


def winner_in_words(standing: Standing, names: Mapping[str, str]) -> Iterator[Text]:
    """Say who wins on a dataset, with what and by how much."""
    value = percent_of(standing.estimates[standing.first])
    if len(standing.leaders) > 1:
        yield Text(
            "{names} may each be the best {by}; the first has {value}.",
            names=some(names[key] for key in standing.leaders),
            by=by_metric(standing.metric, standing.k),
            value=value,
        )
        yield from questions_to_decide(standing, names)
        return
    second, ahead = next(iter(standing.paired.items()))
    yield Text(
        "{name} is the best {by}: {value}, {gain} ahead of {second}.",
        name=names[standing.first],
        by=by_metric(standing.metric, standing.k),
        value=value,
        gain=points_of(ahead),
        second=names[second],
    )


def leaders_in_words(fields: Sequence[Field], suite: SuiteStanding | None = None) -> Iterator[Text]:
    """Say who leads a dataset, or several together.

    Where too few datasets are shared for that, on how many each model leads on one try.
    """
    judged = [field for field in fields if field.one_try is not None]
    contested = [field for field in judged if field.one_try and field.one_try.ahead]
    if len(fields) == 1:
        yield from field_in_words(fields[0])
    elif suite is not None:
        yield from suite_in_words(suite, leaders_of(fields))
    elif not judged:
        yield Text("No run says which samples were right.")
    elif not contested:
        yield from _averages(judged)
    elif len(contested) == 1:
        first, *rest = field_in_words(contested[0])
        yield with_name(_called(contested[0]), first)
        yield from rest
    else:
        yield from _lead_counts(contested)


def leaders_on_many_tries(fields: Sequence[Field]) -> Iterator[Text]:
    """Say on which of several datasets a model surely leads on many tries, and not on one."""
    led: dict[str, list[str]] = {}
    for field in fields if len(fields) > 1 else ():
        if field.one_try is None or field.many is None or field.many.leader is None:
            continue
        if field.many.leader != field.one_try.leader:
            name = short_name(field.models[field.many.leader])
            led.setdefault(name, []).append(f"{_called(field)} (k = {field.k})")
    for name, datasets in led.items():
        yield Text(
            "With many tries {name} leads on {datasets}.", name=name, datasets=some(datasets)
        )


def unlike_runs_by_dataset(fields: Sequence[Field]) -> Iterator[Text]:
    """Say of each dataset which runs are not compared with the first, or were asked otherwise."""
    for field in fields:
        for sentence in unlike_runs_of(field):
            yield (sentence if len(fields) == 1 else with_name(_called(field), sentence))


def _called(field: Field) -> str:
    return short_name(field.dataset)


def _averages(fields: Sequence[Field]) -> Iterator[Text]:
    """Say what a model solves on average, where no two ran on the same dataset."""
    estimated = [
        (field.models[field.one_try.first], field.one_try.estimates[field.one_try.first])
        for field in fields
        if field.one_try
    ]
    if len({model for model, _estimate in estimated}) > 1:
        yield Text("No two models ran on the same dataset, so there is nothing to compare.")
        return
    mean, _reason = attempt(pool, [estimate for _model, estimate in estimated])
    if mean is not None:
        yield Text(
            "{name} solves {value} on one try, on average over {count} datasets.",
            name=short_name(estimated[0][0]),
            value=percent_of(mean),
            count=len(estimated),
        )


def _lead_counts(fields: Sequence[Field]) -> Iterator[Text]:
    """Say on how many datasets each model leads, and on how many the data cannot tell."""
    sure = Counter(
        short_name(field.models[field.one_try.leader])
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
    yield Text("On one try {parts}.", parts=in_a_row(parts))
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
        for name in {short_name(field.models[key]): None for key in field.one_try.leaders}
    )
    (name, most), *others = among.most_common(2)
    if others and others[0][1] < most:
        yield (
            Text("{name} is among the leaders of each.", name=name)
            if most == len(fields)
            else Text("{name} is among the leaders of {most} of them.", name=name, most=most)
        )
