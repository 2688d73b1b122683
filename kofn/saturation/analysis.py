"""A metric over k for several runs under one View, for the page, the command and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from kofn.card import Card, attempt, finder, make_one_each
from kofn.choices.codec import Choices
from kofn.choices.runs import known_of, shared_k, shown_runs
from kofn.choices.settings import Setting, excerpt, one_of
from kofn.choices.view import K_MAX, View
from kofn.leaderboard.field import SOFT, usual_metric
from kofn.leaderboard.lines import mean_card, whole_lines
from metrics.analyses.saturation.extrapolation import (
    FARTHEST,
    Foretell,
    extrapolate,
    foretell,
)
from metrics.analyses.saturation.independent_tries import independent_curve
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence, Known
from metrics.data.names import MetricName
from metrics.data.results import Curve, Estimate, Extrapolation
from metrics.data.shown import fields_of
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import why_undefined
from metrics.estimating.curves import curve
from metrics.estimating.estimation import estimate
from metrics.estimating.pooling import pool
from metrics.scoring.registry import METRICS
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

Source = Literal["measured", "model", "bounds"]

DEFAULT: Final = "pass@k"
"""The metric where a View names none."""
_EVERY = 128
"""Up to here a curve has every k."""
_STEPS = 6
"""Above, and beyond the samples, so many for each doubling."""
_ODD = "maj@k"
"""A vote: at even k a tie counts as wrong, so that only odd k make a smooth curve."""


def _read_up_to(texts: Sequence[str]) -> int:
    text = texts[-1].replace(",", "")
    if not (text.isdecimal() and len(text) <= 9 and 2 <= int(text) <= K_MAX):
        raise MetricError(
            Text(
                "up-to must be a whole number from 2 to {most}; got {got}.",
                most=K_MAX,
                got=excerpt(texts[-1:]),
            )
        )
    return int(text)


@dataclass(frozen=True)
class CurveSpan(Choices):
    """How far a curve goes.

    Examples
    --------
    >>> CurveSpan(up_to=1024).to_query()
    {'up-to': ['1024']}
    """

    up_to: int | None = None  # The largest k; None for 16 times the samples, where models end.
    scale: Literal["log", "linear"] = "log"  # Of the axis of k.
    # Keys of the runs whose bands are drawn; empty for the run that the answer names.
    banded: tuple[str, ...] = ()

    SETTINGS: ClassVar = (
        Setting(
            "up-to",
            _read_up_to,
            "K",
            Text("the largest k (default: 16 times the samples, where models end)"),
        ),
        one_of("scale", ("log", "linear"), Text("of the axis of k")),
        Setting(
            "band",
            tuple,
            "RUN",
            Text("a run whose bands are drawn; may be repeated"),
            list,
            field="banded",
        ),
    )


@dataclass(frozen=True, slots=True)
class Point:
    """A metric at one k."""

    k: int
    source: Source  # ``"bounds"``: beyond the samples, and no model is trusted.
    # With the interval or the band of the model.
    value: float | None
    low: float | None
    high: float | None
    # Beyond the samples: what is possible without a model.
    bound_low: float | None
    bound_high: float | None
    alike: float | None  # As if all questions were equally hard.
    gain: float | None  # What each further try adds, up to the next k of the same source.
    # Whether little else is possible than the model says; of what is measured, always.
    firm: bool = True


@dataclass(frozen=True, eq=False)
class Traced:
    """A metric over k."""

    n: int  # The fewest samples of any question.
    n_questions: int  # Questions with a gradable sample.
    measured: Curve  # For k up to n.
    beyond: Extrapolation | None  # For k above n.
    alike: Curve | None  # For all k, as if all questions were equally hard.
    reasons: tuple[Text, ...]  # Why a part is missing.

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each k."""
        import pandas as pd

        return pd.DataFrame([fields_of(point) for point in self.points])

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Every k there is, ascending."""
        return tuple(_points(self))


CurveCard = Card[Traced, CurveSpan]


def trace_run(run: Run, view: View, span: CurveSpan, foretell: Foretell = foretell) -> Traced:
    """Return a metric over k for a run; the k of the View are among those of the curve.

    Models of the run come from `foretell`, such as one with a cache.
    """
    known, metric = known_of(run), metric_of(view)
    evidence = Evidence(known, view.missing, view.segment, run.answers)
    n = evidence.n_min
    ks = ks_to_trace(metric, n, span.up_to or FARTHEST * n, view.k)
    measured = _measured(run, evidence, metric, ks[ks <= n], view)
    beyond, reasons = _extrapolated(known, metric, ks[ks > n], view, foretell)
    alike = None
    if METRICS[metric].payoff is not None:
        reached = ks if beyond is not None else measured.k
        alike = independent_curve(
            known, metric, reached.tolist(), missing=view.missing, segment=view.segment
        )
    n_questions = int(evidence.sizes[1].sum())
    return Traced(n, n_questions, measured, beyond, alike, reasons)


def trace_runs(runs: Mapping[str, Run], view: View, span: CurveSpan) -> tuple[CurveCard, ...]:
    """Trace every run that a View names, in the order of `runs`."""
    shown = replace(view, metric=metric_for(shown_runs(runs, view.runs), view))
    return make_one_each(finder(trace_run), runs, shown, span)


def trace_means(runs: Mapping[str, Run], view: View, span: CurveSpan) -> tuple[CurveCard, ...]:
    """Trace every model on average over the datasets that all ran on; none unless there are such.

    Up to the most tries that all of their questions have; nothing is carried on beyond.
    """
    whole = whole_lines(shown_runs(runs, view.runs))
    if whole is None:
        return ()
    last = shared_k(whole.runs(runs).values(), view)
    plain = replace(view, runs=(), metric=metric_for(whole.runs(runs), view))

    def card(line: str, members: Mapping[str, Run]) -> CurveCard:
        found = attempt(_trace_mean, list(members.values()), plain, last)
        return mean_card(line, members, plain, span, found)

    return tuple(card(line, members) for line, members in whole.members(runs).items())


def _trace_mean(runs: Sequence[Run], view: View, last: int) -> Traced:
    metric = metric_of(view)

    def at(k: int) -> Estimate:
        return pool([estimate(run, metric, k, answers=run.answers, **view.asked) for run in runs])

    ks = ks_to_trace(metric, last, last, [k for k in view.k if k <= last])
    if len(ks) > 1 and attempt(at, 1)[0] is None:
        ks = ks[ks > 1]
    means = list(map(at, ks.tolist()))
    ends = [each.interval or (np.nan, np.nan) for each in means]
    values = np.array([each.value for each in means])
    measured = Curve(ks, values, *np.array(ends).T)
    return Traced(last, means[0].n_questions, measured, None, None, ())


def metric_of(view: View) -> MetricName:
    """Return the metric of a curve."""
    return view.metric or DEFAULT


def metric_for(runs: Mapping[str, Run], view: View) -> MetricName:
    """Return the metric of the curves of runs; where it is assumed which are right, by score.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> scored = Run("7B", "essays", Outcomes([[1, 0]], [[0.6, 0.2]]), threshold=0.5, assumed=True)
    >>> metric_for({"7B": scored}, View())
    'soft-max@k'
    """
    soft = view.metric is None and usual_metric(runs.values()) == SOFT
    return "soft-max@k" if soft else metric_of(view)


def known_points(curve: CurveCard) -> tuple[Point, ...]:
    """Return every k there is, ascending."""
    return curve.found.points if curve.found else ()


def reasons_of(curve: CurveCard) -> tuple[Text, ...]:
    """Return why all or a part of a curve is missing."""
    return curve.found.reasons if curve.found else tuple(filter(None, [curve.reason]))


def _measured(
    run: Run, evidence: Evidence, metric: MetricName, ks: NDArray[np.int64], view: View
) -> Curve:
    entry = METRICS[metric]
    if len(ks) > 1 and why_undefined(entry, evidence, 1, view.target, {}):
        ks = ks[ks > 1]
    return curve(
        run,
        metric,
        ks.tolist(),
        **view.asked,
        answers=run.answers,
    )


def _extrapolated(
    known: Known, metric: MetricName, ks: NDArray[np.int64], view: View, foretell: Foretell
) -> tuple[Extrapolation | None, tuple[Text, ...]]:
    if not len(ks):
        return None, ()
    try:
        beyond = extrapolate(
            known,
            metric,
            ks.tolist(),
            **view.asked_but_target,
            foretell=foretell,
        )
    except MetricError as error:
        return None, (error.text,)
    return beyond, beyond.refused


def ks_to_trace(
    metric: MetricName, n: int, last: int, wanted: Sequence[int] = ()
) -> NDArray[np.int64]:
    """Return the k of a curve, ascending: up to the n measured, and beyond up to the last.

    Each chosen k above `_EVERY`, or beyond n, is followed by the next, so that the gain of one more
    try is known. Metrics that need single samples are slow; they have fewer k.

    Examples
    --------
    >>> ks_to_trace("pass@k", 4, 16).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    >>> ks_to_trace("maj@k", 4, 16).tolist()
    [1, 3, 5, 7, 9, 11, 13, 15]
    """
    step = 2 if metric == _ODD else 1
    counted = METRICS[metric].payoff is not None
    last = max(last, n, *wanted)
    per_doubling = _STEPS if counted else 2
    powers = 2.0 ** (np.arange(per_doubling * np.log2(last) + 1) / per_doubling)
    some = np.array([*powers.round(), n, last], dtype=np.int64)
    if step == 2:
        some -= 1 - some % 2
    some = np.union1d(some, np.array(wanted, dtype=np.int64))
    if counted:
        some = np.union1d(some, some + step)
        some = np.union1d(some, np.arange(1, min(n, _EVERY) + 1, step))
    return some[some <= last]


def _points(found: Traced) -> Iterator[Point]:
    alike = {}
    if found.alike is not None:
        alike = dict(zip(found.alike.k.tolist(), found.alike.value.tolist(), strict=True))
    for part in (found.measured, found.beyond):
        if part is None:
            continue
        unknown = np.full(len(part.k), np.nan)
        bounds, firm = (unknown, unknown), np.ones(len(part.k), dtype=np.bool_)
        if isinstance(part, Extrapolation):
            bounds, firm = (part.bound_low, part.bound_high), part.firm
        gain = np.append(np.diff(part.value) / np.diff(part.k), np.nan)
        columns = (part.value, part.low, part.high, *bounds, gain)
        rows = zip(part.k.tolist(), firm.tolist(), *map(_without_nan, columns), strict=True)
        for k, sure, *numbers in rows:
            value, low, high, bound_low, bound_high, more = numbers
            source: Source = "measured" if part is found.measured else "model"
            if value is None:
                source = "bounds"
            if value is not None or bound_low is not None:
                limits = (bound_low, bound_high)
                yield Point(k, source, value, low, high, *limits, alike.get(k), more, sure)


def _without_nan(numbers: Vector) -> list[float | None]:
    return [None if number != number else number for number in numbers.tolist()]
