"""What the samples gained, what more would gain, and how far to trust that, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from charts.saturation import Growth, SaturationWords
from kofn.card import attempt, cards_by_dataset, names, runs_of
from kofn.choices.runs import FEWEST
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets
from kofn.leaderboard.pairs import Matching, find_order, match_by_texts
from kofn.leaderboard.suite import FindStanding, find_standing
from kofn.leaderboard.words import exceptions, exclusions, questions_to_decide
from kofn.saturation.analysis import CurveCard, Point, Traced, known_points, metric_of, reasons_of
from kofn.writing.estimates import K_AXIS, NA, percent, points_of, span
from kofn.writing.joining import joined, some, with_name
from kofn.writing.layout import short_name
from metrics import Standing
from metrics.data.names import MetricName
from metrics.data.results import Backtest, Curve
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

TRUST = Text(
    "In simulations of 36 kinds of difficulty, with 30 to 500 questions, the line missed pass@k at "
    "16 times the samples by 1 to 10 points, and by up to 41 where questions are of two kinds, "
    "hardly solvable and nearly always solved. Where it is drawn strong it was more than 5 points "
    "off in 0.6% of the cases; it is drawn faint where more than 15 points lie between the limits "
    "of what is possible. The band held the truth in 98%, in the worst case in 68%, the limits in "
    "92% or more."
)
"""How far to trust what is carried beyond the samples; docs/intervals.md has the study."""


def backtest_in_words(found: Backtest, metric: MetricName) -> Text:
    """Say how the model did where the truth is known."""
    return Text(
        "The forecast from half of the samples ({half} of {n}) is {label} = {predicted}; measured "
        "is {observed}.",
        half=found.fitted,
        n=found.k,
        label=METRICS[metric].label(found.k),
        predicted=percent(found.predicted),
        observed=percent(found.observed),
    )


def remarks(curve: CurveCard) -> Iterator[Text]:
    """Say what must be known of a curve: how its model did, and why a part is missing."""
    beyond = curve.found.beyond if curve.found else None
    if beyond is not None and beyond.backtest is not None:
        yield backtest_in_words(beyond.backtest, metric_of(curve.view))
    yield from reasons_of(curve)


def difference_in_words(curves: Sequence[CurveCard]) -> Text | None:
    """Say where the curves are farthest from those of equally hard questions, and why."""
    last = [(curve, points[-1]) for curve in curves if (points := list(_compared(curve)))]
    if not last:
        return None
    curve, (k, alike, value) = max(last, key=lambda each: abs(each[1][1] - each[1][2]))
    metric = metric_of(curve.view)
    return Text(
        "The thin curve is what {metric} would be if all questions were equally hard. For {run} "
        "it says {alike} at k = {k}; measured is {value}. {why}",
        metric=metric,
        run=short_name(curve.key),
        alike=percent(alike),
        value=percent(value),
        k=k,
        why=_WHY.get(metric, Text("Questions differ in difficulty, which it leaves out.")),
    )


_WHY = {
    "pass@k": Text(
        "Questions differ: more tries are lost on the hardest, and the easy ones need no more."
    ),
    "pass^k": Text("Questions differ: the easy ones stay right however often they are asked."),
    "maj@k": Text(
        "Questions differ: a longer vote settles each of them, right or wrong, by its own rate."
    ),
}


def _compared(curve: CurveCard) -> Iterator[tuple[int, float, float]]:
    """Yield each k above 1, what it would be if all questions were equal, and what it is."""
    measured = (point for point in known_points(curve) if point.source == "measured")
    for point in measured:
        if point.k > 1 and point.alike is not None and point.value is not None:
            yield point.k, point.alike, point.value


DATASETS = 3
"""The most datasets of which the answer is told."""
_NOTHING = 0.005
"""A gain that is not worth a word."""
_SURE = 1e-12


def answer(
    curves: Sequence[CurveCard],
    matching: Matching = match_by_texts,
    find_together: FindStanding = find_standing,
) -> Text:
    """Say what the tries of the best model bring over all datasets; else of each its best run.

    curves: Of runs, and of models over several datasets.
    matching: Says which questions of two runs are the same.
    find_together: In place of `kofn.leaderboard.suite.find_standing`, such as one with a cache.
    """
    if whole := cards_over_datasets(curves):
        return _of_means(whole, cards_of_runs(curves), matching, find_together)
    groups = cards_by_dataset(curves)
    sentences = [_of_dataset(group, matching) for group in list(groups.values())[:DATASETS]]
    if len(groups) == 1:
        return sentences[0]
    lines = [
        with_name(short_name(dataset), sentence)
        for dataset, sentence in zip(groups, sentences, strict=False)
    ]
    left = len(groups) - DATASETS
    if left > 0:
        more = Text("{count} further dataset below.", "{count} further datasets below.", count=left)
        lines.append(more)
    return joined(lines)


def highest_curve(curves: Sequence[CurveCard]) -> CurveCard | None:
    """Return the run that is highest with as many tries as all have, else on the first try."""
    measured = [curve for curve in best_first(curves) if _values(curve)]
    return measured[0] if measured else None


def best_first(curves: Sequence[CurveCard]) -> list[CurveCard]:
    """Sort runs by what as many tries as all have solve, then by that of the first try."""
    k = _shared(curves)

    def solved(curve: CurveCard) -> tuple[float, ...]:
        values = _values(curve)
        return (values.get(k, 0.0), *values.values()) if values else ()

    return sorted(curves, key=solved, reverse=True)


def _shared(curves: Sequence[CurveCard]) -> int:
    """Return the most tries that all have that are measured; 0 where they share none."""
    measured = [set(_values(curve)) for curve in curves if _values(curve)]
    return max(set.intersection(*measured), default=0) if measured else 0


def _values(curve: CurveCard) -> dict[int, float]:
    """Return what is measured, by k."""
    return {
        point.k: point.value
        for point in known_points(curve)
        if point.source == "measured" and point.value is not None
    }


def _no_curve(curves: Sequence[CurveCard]) -> Text:
    """Say that nothing is known of any curve, and why of the first."""
    reason = next((reason for curve in curves for reason in reasons_of(curve)), NA)
    label = METRICS[metric_of(curves[0].view)].label(None)
    return joined([Text("{metric} has no value here.", metric=label), reason])


def _of_dataset(curves: Sequence[CurveCard], matching: Matching) -> Text:
    best = highest_curve(curves)
    if best is None or best.found is None:
        return _no_curve(curves)
    metric = metric_of(best.view)
    of = OF_QUESTIONS if metric in SHARES else Text("on average")
    called = {
        curve.key: short_name(name) for curve, name in zip(curves, names(curves), strict=True)
    }
    first, *others = _of_run(best.found, metric, of, called[best.key])
    beside = _lead_in_words(curves, best, called, matching) if len(curves) > 1 else ()
    return joined([first, *beside, *others])


def _lead_in_words(
    curves: Sequence[CurveCard],
    best: CurveCard,
    called: Mapping[str, str],
    matching: Matching,
) -> Iterator[Text]:
    """Say whether the highest is surely better than others, with as many tries as all have."""
    runs = {curve.key: curve.run for curve in curves}
    k, view = _shared(curves), best.view
    found, _reason = attempt(find_order, runs, metric_of(view), k or None, view, matching)
    if found is not None:
        yield from _leading(found, called, Text("runs"))


def _leading(found: Standing, called: Mapping[str, str], what: Text) -> Iterator[Text]:
    if not found.paired:
        return
    label, count = METRICS[found.metric].label(found.k), len(found.estimates)
    if len(found.leaders) == 1:
        second, ahead = next(iter(found.paired.items()))
        yield Text(
            "In {metric} it is the best of {count} {runs}, {gain} ahead of {second}.",
            metric=label,
            count=count,
            runs=what,
            gain=points_of(ahead),
            second=called[second],
        )
        return
    yield Text(
        "In {metric} {names} may each be the best.",
        metric=label,
        names=some(called[key] for key in found.leaders),
    )
    yield from questions_to_decide(found, called)


def _of_means(
    whole: Sequence[CurveCard],
    curves: Sequence[CurveCard],
    matching: Matching,
    find_together: FindStanding,
) -> Text:
    best = highest_curve(whole)
    if best is None or best.found is None:
        return _no_curve(whole)
    runs, view, metric = runs_of(curves), best.view, metric_of(best.view)
    over = Text("on average over {count} datasets", count=len(best.over))
    if metric in SHARES:
        over = Text("of the questions, on average over {count} datasets", count=len(best.over))
    first, *others = _of_run(best.found, metric, over, short_name(best.run.model))
    suite, leaders = find_together(runs, view, matching, metric, _shared(whole))
    if suite is not None:
        lines = suite.standing.estimates
        called = {line: short_name(line) for line in lines}
        leading = _leading(suite.standing, called, Text("models"))
        others = [*leading, *exceptions(suite, leaders), *others, *exclusions(suite)]
    return joined([first, *others])


OF_QUESTIONS = Text("of the questions")
SHARES = ("pass@k", "pass^k", "maj@k", "plurality@k")
"""The metrics that say of how many questions something is so."""


def _of_run(found: Traced, metric: MetricName, of: Text, name: str) -> list[Text]:
    """Say what the tries of a run bought, first of all."""
    points = [point for point in found.points if point.source == "measured"]
    first, last = points[0], points[-1]
    if found.n_questions == 1:
        return [_of_one_question(found, first)]
    if metric == "pass@k" and _sure(last.value, 1.0):
        return [_all_solved(found, points, name)]
    if metric == "pass@k" and _sure(last.value, 0.0):
        return [_none_solved(found)]
    if first is last:
        return [*_of_one_try(found, metric, first, of, name), *_gains(found, metric)]
    return [
        _bought(name, metric, first, last, of),
        *_half(metric, found.measured),
        *_gains(found, metric),
    ]


def _of_one_question(found: Traced, first: Point) -> Text:
    if first.k > 1 or first.value is None:
        return Text("There is one question only, from which nothing follows for others.")
    return Text(
        "There is one question only, from which nothing follows for others: {right} of {count} try "
        "is right.",
        "There is one question only, from which nothing follows for others: {right} of {count} "
        "tries are right.",
        right=round(first.value * found.n),
        count=found.n,
    )


def _all_solved(found: Traced, points: Sequence[Point], name: str) -> Text:
    enough = next(point for point in points if _sure(point.value, 1.0))
    if enough.k == 1:
        return Text(
            "Every try at all {count} questions is right, so that more can gain nothing here.",
            count=found.n_questions,
        )
    return Text(
        "With {k} tries {name} solves all {count} questions, where one solves {one}, so that more "
        "can gain nothing here.",
        k=enough.k,
        name=name,
        count=found.n_questions,
        one=_value(points[0]),
    )


def _none_solved(found: Traced) -> Text:
    none = Text(
        "Not one of {n} tries at {count} questions is right.", n=found.n, count=found.n_questions
    )
    if found.n == 1:
        none = Text("No try at {count} questions is right.", count=found.n_questions)
    ahead = [point for point in found.points if point.bound_high is not None]
    if not ahead:
        return none
    most = Text(
        "{k:,} tries would solve {most} of them at most.",
        k=ahead[-1].k,
        most=percent(ahead[-1].bound_high),
    )
    return joined([none, most])


def _of_one_try(found: Traced, metric: MetricName, only: Point, of: Text, name: str) -> list[Text]:
    value = _value(only)
    if only.k > 1:
        return [Text("{label} is {value}.", label=METRICS[metric].label(only.k), value=value)]
    sentences = [Text("One try of {name} solves {value} {of}.", name=name, value=value, of=of)]
    if found.n == 1:
        sentences.append(
            Text(
                "One sample a question does not say what more would bring: run it with n = {n}.",
                n=FEWEST,
            )
        )
    return sentences


def _value(point: Point) -> Text:
    return percent(point.value, point.low, point.high)


def _bought(name: str, metric: MetricName, first: Point, last: Point, of: Text) -> Text:
    """Say what the tries of a run bought."""
    k, value, one = last.k, _value(last), _value(first)
    if metric == "pass@k" and last.value == first.value:
        return Text(
            "With {k} tries {name} solves {value} {of}, no more than with one.",
            k=k,
            name=name,
            value=value,
            of=of,
        )
    if metric == "pass@k":
        return Text(
            "With {k} tries {name} solves {value} {of}, where one solves {one}.",
            k=k,
            name=name,
            value=value,
            of=of,
            one=one,
        )
    if metric == "pass^k":
        return Text(
            "All of {k} tries of {name} are right on {value} {of}, where one is on {one}.",
            k=k,
            name=name,
            value=value,
            of=of,
            one=one,
        )
    if metric in ("maj@k", "plurality@k"):
        return Text(
            "A vote of {k} by {name} is right on {value} {of}, where one try is on {one}.",
            k=k,
            name=name,
            value=value,
            of=of,
            one=one,
        )
    if metric == "soft-max@k":
        return Text(
            "The best of {k} answers of {name} scores {value} {of}, where one scores {one}.",
            k=k,
            name=name,
            value=value,
            of=of,
            one=one,
        )
    return Text(
        "{name} has {label} {value} {of}, where {other} is {one}.",
        name=name,
        label=METRICS[metric].label(k),
        value=value,
        other=METRICS[metric].label(first.k),
        one=one,
        of=of,
    )


def _half(metric: MetricName, measured: Curve) -> list[Text]:
    """Say by when half of the gain was there."""
    one, *_, all_ = measured.value.tolist()
    if metric != "pass@k":
        return []
    if all_ - one < _NOTHING:
        return [Text("More tries gain next to nothing.")]
    half = measured.k[measured.value >= (one + all_) / 2].min()
    if half == measured.k.max():
        return []
    return [Text("Half of the gain is there by try {k}.", k=half)]


def _gains(found: Traced, metric: MetricName) -> list[Text]:
    """Say what more tries would buy: first what is possible, where that is much."""
    beyond = [point for point in found.points if point.source != "measured"]
    modelled = [point for point in beyond if point.source == "model"]
    if not beyond:
        return []
    return [_carried_on(metric, (modelled or beyond)[-1])]


def _carried_on(metric: MetricName, last: Point) -> Text:
    k, forecast = last.k, span(last.low, last.high)
    if metric == "maj@k":
        return Text("With a vote of {k:,} the forecast is {forecast}.", k=k, forecast=forecast)
    bounds = span(last.bound_low, last.bound_high)
    if last.value is None:
        return Text("With {k:,} tries {bounds} are possible; no more is known.", k=k, bounds=bounds)
    if not last.firm:
        return Text(
            "With {k:,} tries {bounds} are possible, whatever the difficulties; the forecast is "
            "{forecast}.",
            k=k,
            bounds=bounds,
            forecast=forecast,
        )
    certain = (
        Text("{least} or more", least=percent(last.bound_low))
        if metric == "pass@k"
        else Text("{most} or less", most=percent(last.bound_high))
    )
    return Text(
        "With {k:,} tries the forecast is {forecast}, in any case {certain}.",
        k=k,
        forecast=forecast,
        certain=certain,
    )


def _sure(value: float | None, end: float) -> bool:
    return value is not None and abs(value - end) < _SURE


# The figure --------------------------------------------------------------------------------------


def metric_axis(*, metric: object, level: float) -> Text:
    """Name the axis of a metric."""
    return Text("{metric} and {level:.4g}% interval, in percent", metric=metric, level=level)


def point_detail(*, label: object, value: object, source: object) -> Text:
    """Say what a point is, and where from."""
    return Text("{label} = {value}, {source}", label=label, value=value, source=source)


def possible_range(*, label: object, span: object) -> Text:
    """Say what is possible at all."""
    return Text("{label}: {span} is possible at all", label=label, span=span)


def one_more_try(gain: object) -> Text:
    """Say what one more try gains."""
    return Text("One more try: {gain}", gain=gain)


def describe_saturation(growths: Sequence[Growth], metric: str) -> Text:
    """Say in words what `charts.saturation.saturation` shows, for those who do not see it."""
    measured = [growth for growth in growths if len(growth.measured.x)]
    if not measured:
        return Text("{metric} over k, without any run to draw.", metric=metric)
    best = max(measured, key=lambda growth: float(growth.measured.value[-1]))
    return Text(
        "{metric} over k for {count} run: from {first:.1%} at k = {low} to {last:.1%} at k = "
        "{high}. The table has the same numbers.",
        "{metric} over k for {count} runs. Highest in the end is {name}: from {first:.1%} at k = "
        "{low} to {last:.1%} at k = {high}. The table has the same numbers.",
        metric=metric,
        count=len(measured),
        name=best.name,
        first=float(best.measured.value[0]),
        last=float(best.measured.value[-1]),
        low=int(best.measured.x[0]),
        high=int(best.measured.x[-1]),
    )


def saturation_words() -> SaturationWords:
    """Return what the figure of curves says."""
    return SaturationWords(
        K_AXIS,
        Text("forecast"),
        Text("limits of what is possible"),
        Text("if all were equally hard"),
    )
