"""The number of a run on an axis: a metric, or the cost of samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import fmean

from kofn.choices.runs import known_of
from kofn.choices.view import View
from kofn.choose_n.lengths import Tokens
from kofn.choose_n.prices import Priced, price_run, quantity, with_basis
from kofn.choose_n.pricing import Pricing
from kofn.trade_offs.choices import COSTS
from kofn.writing.estimates import percent, percent_of
from metrics.analyses.trade_offs.costs import Cost, mean_cost
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Interval, Target
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate
from metrics.estimating.pooling import pool
from metrics.scoring.registry import METRICS, metric_name
from reports.run.report import Run

TOKENS = ("tokens", "lengths", "typed")
"""The bases of a pricing that count tokens."""


@dataclass(frozen=True, eq=False)
class AxisNumber:
    """Where a run stands on an axis."""

    value: float  # A fraction, or an amount.
    interval: Interval | None
    # The value alone, and with its interval, to be read.
    amount: Text
    written: Text
    label: str  # The metric with its number, or the cost.
    questions: int
    caveats: tuple[Text, ...]  # What must be known before using it; of a cost what it rests on.
    method: Text | None = None  # How a metric and its interval were made.


def is_cost(axis: str) -> bool:
    """Return whether an axis is a cost, of which less is better."""
    return axis in COSTS


def samples_paid(axis: str, k: int) -> int | None:
    """Return how many samples of a question a metric takes; None for all there are."""
    return (
        k
        if is_cost(axis) or METRICS[axis].takes_k
        else {"one": 1, "all": None}[METRICS[axis].draws]
    )


def metric_of(runs: Sequence[Run], name: str, view: View) -> AxisNumber:
    """Estimate a metric of a run, at the k of a View; of several, its mean over their datasets."""
    metric, k = METRICS[name], view.k[0]
    target: Target = "benchmark" if metric.needs == "posterior" else view.target
    each = [
        estimate(
            known_of(run),
            metric_name(name),
            k if metric.takes_k else None,
            answers=run.answers,
            **replace(view, target=target).asked,
        )
        for run in runs
    ]
    pooled = each[0] if len(each) == 1 else pool(each)
    fewest = {Evidence(known_of(run), view.missing, view.segment).n_min for run in runs}
    label = metric.label(k if metric.takes_k else min(fewest))
    return AxisNumber(
        pooled.value,
        pooled.interval,
        percent(pooled.value),
        percent_of(pooled),
        label if metric.takes_k or len(fewest) == 1 else name,
        pooled.n_questions,
        pooled.caveats,
        pooled.method,
    )


def cost_of(
    runs: Sequence[Run],
    kind: str,
    samples: int | None,
    questions: int,
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens],
) -> AxisNumber:
    """Estimate what some samples cost, for so many questions; of several runs, on average.

    runs: Of one model, on one dataset or several, which are independent.
    kind: Of `COSTS`.
    samples: Drawn of a question; None for all there are.
    tokens_of: As in `kofn.choose_n.prices.price_run`.
    """
    known = list(map(known_of, runs))
    prices = [price_run(run, _priced_by(kind, run, pricing), tokens_of) for run in runs]
    found = [
        mean_cost(held, priced.costs, samples, Question(**view.asked))
        for held, priced in zip(known, prices, strict=True)
    ]
    value = questions * fmean(each.value for each in found)
    interval = _mean_limits(found, questions)
    unknown = sum(each.unknown for each in found)
    grounds = (text for priced in prices for text in _rests_on(kind, priced, unknown))
    return AxisNumber(
        value,
        interval,
        prices[0].amount(value),
        _written(value, interval, prices[0]),
        kind,
        sum(each.n_questions for each in found),
        tuple(dict.fromkeys(grounds)),
    )


def _mean_limits(costs: Sequence[Cost], questions: int) -> Interval | None:
    """Return the limits of the mean of independent costs, by the limits of each (MOVER)."""
    if all(each.interval is None for each in costs):
        return None
    value = fmean(each.value for each in costs)
    ends = [each.interval or Interval(each.value, each.value) for each in costs]
    below, above = (
        hypot(*(each.value - end[side] for each, end in zip(costs, ends, strict=True))) / len(costs)
        for side in (0, 1)
    )
    return Interval(questions * max(0.0, value - below), questions * (value + above))


def _priced_by(kind: str, run: Run, pricing: Pricing) -> Pricing:
    """Return a pricing in the unit of an axis."""
    if kind == "samples":
        return Pricing("samples")
    if kind == "tokens":
        basis = with_basis(pricing, [run]).basis
        basis = basis if basis in TOKENS else "tokens"
        return Pricing(basis, typed_tokens=pricing.typed_tokens)
    if kind == "seconds":
        return Pricing("seconds")
    if with_basis(pricing, [run]).has_prices:
        return pricing
    if "cost" in run.columns:
        return Pricing("recorded")
    raise MetricError(
        Text("Nothing has a price: give that of a million tokens, of a second or of a sample.")
    )


def _rests_on(kind: str, priced: Priced, unknown: int) -> list[Text]:
    grounds = [] if kind == "samples" else [priced.basis]
    if unknown:
        grounds.append(
            Text(
                "The cost of {count} sample is not known; the mean of the others stands in.",
                "The costs of {count} samples are not known; the mean of the others stands in.",
                count=unknown,
            )
        )
    return grounds


def _written(value: float, interval: Interval | None, priced: Priced) -> Text:
    amount = priced.amount(value)
    if interval is None:
        return amount
    return Text(
        "{amount} ({low} to {high})",
        amount=amount,
        low=quantity(interval.low),
        high=quantity(interval.high),
    )
