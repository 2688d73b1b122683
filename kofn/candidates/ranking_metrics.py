"""What candidates are worth as a list that is read from its first place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kofn.candidates.analysis import ks_to_examine
from kofn.candidates.choices import Picking
from kofn.card import attempt
from kofn.choices.runs import outcomes_of
from kofn.choices.signals import column_of, default_signal, numbers_of, signal_name
from kofn.choices.view import View
from metrics.analyses.ranking_metrics.first import any_pass, first_pass
from metrics.analyses.ranking_metrics.gains import dcg, ndcg
from metrics.analyses.ranking_metrics.places import POSITION, Listed
from metrics.analyses.ranking_metrics.recall import recall_of_facts
from metrics.analyses.ranking_metrics.weighted import weighted_mean
from metrics.data.evidence import Evidence
from metrics.data.results import Estimate, Target
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate
from reports.run.report import Run

Worth = tuple[float, float | None, float | None]
"""A value with its interval."""


class ListNumber(NamedTuple):
    """A number of lists, for several k or for whole lists."""

    name: str  # With ``@k`` where it has a k.
    at: dict[int, Worth]  # By k; 0 for whole lists.
    target: Target  # What its intervals cover.
    caveats: tuple[Text, ...] = ()
    share: bool = True  # Whether it is a fraction of 1.


class Lists(NamedTuple):
    """What the lists of a run are worth."""

    order: Text | None  # What puts candidates in order; None where nothing does.
    numbers: tuple[ListNumber, ...]
    missing: tuple[Text, ...]  # Why a number is not there.


def examine_lists(run: Run, view: View, picking: Picking) -> Lists:
    """Find out what the lists of a run are worth, in the order of their positions or a signal."""
    n = Evidence(outcomes_of(run), view.missing, view.segment).n_min
    ks = [k for k in ks_to_examine(n, view.k).tolist() if k & (k - 1) == 0 or k in (3, n, *view.k)]
    ordered, order = _order(run, picking)
    numbers: list[ListNumber] = []
    missing: dict[Text, None] = {}
    for make in _numbers(run, view, picking, ks, ordered):
        number, reason = attempt(make)
        if number is not None:
            numbers.append(number)
        elif reason is not None:
            missing[reason] = None
    return Lists(order, tuple(numbers), tuple(missing))


def _order(run: Run, picking: Picking) -> tuple[dict[str, Any], Text | None]:
    """Return what tells the order of candidates, as `metrics.dcg` takes it, and its name."""
    if POSITION in run.columns:
        return {"position": POSITION}, Text("their positions")
    signal = picking.signal or default_signal(run)
    if not signal:
        return {}, None
    return {"by": numbers_of(run, signal)}, signal_name(signal, column_of(run, signal))


def _numbers(
    run: Run, view: View, picking: Picking, ks: list[int], ordered: dict[str, Any]
) -> Iterator[Callable[[], ListNumber]]:
    asked = view.asked
    gains = {**ordered, "gain": picking.gain, "soft": picking.soft, **asked}

    def listed(name: str, make: Callable[..., Listed], **how: Any) -> ListNumber:
        found = make(run, ks, **how)
        ends = zip(found.k.tolist(), found.value, found.low, found.high, strict=True)
        at: dict[int, Worth] = {k: (float(v), float(a), float(b)) for k, v, a, b in ends}
        share = bool(found.most.max() <= 1)
        return ListNumber(name, at, found.target, found.caveats, share)

    def drawn() -> ListNumber:
        found = {k: estimate(run, "pass@k", k, **asked) for k in ks}
        return ListNumber("pass@k", {k: worth_of(found[k]) for k in ks}, asked["target"])

    def whole(name: str, make: Callable[[], Estimate]) -> ListNumber:
        found = make()
        return ListNumber(name, {0: worth_of(found)}, found.target, found.caveats)

    yield partial(listed, "nDCG@k", ndcg, **gains)
    yield partial(listed, "DCG@k", dcg, **gains)
    yield partial(listed, "first@k", first_pass, **ordered, **asked)
    yield drawn
    if run.facts is not None:
        yield partial(listed, "recall@k", recall_of_facts, **asked)
        if run.facts.first is not None:
            yield partial(listed, "first-recall@k", recall_of_facts, ranked=True, **asked)
    yield partial(whole, "any-pass", partial(any_pass, run, **asked))
    for ties in ("fail", "half", "pass"):
        majority = partial(estimate, run, "cons@n", ties=ties, **asked)
        yield partial(whole, f"majority, ties {ties}", majority)
    if picking.weights:
        mean = partial(weighted_mean, soft=picking.soft, **asked)
        yield partial(
            whole, "weighted mean", partial(_weighted, mean, run, picking.weights, ordered)
        )


def worth_of(estimate: Estimate) -> Worth:
    """Return a value with its interval."""
    return estimate.value, *(estimate.interval or (None, None))


def _weighted(
    mean: Callable[..., Estimate], run: Run, weights: str, ordered: dict[str, Any]
) -> Estimate:
    if weights in run.columns:
        return mean(run, weights)
    try:
        numbers = [float(part) for part in weights.split(",")]
    except ValueError:
        raise MetricError(
            Text(
                "Weights are numbers separated by commas, or a column; there is no column {name}.",
                name=weights[:40],
            )
        ) from None
    n = outcomes_of(run).shape[1]
    filled = np.zeros(max(n, len(numbers)))
    filled[: len(numbers)] = numbers
    return mean(run, filled[:n], **ordered)
