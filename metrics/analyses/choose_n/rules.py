"""Four rules that choose n: what a solution is worth, a budget, a quality, a share of the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.choose_n.advice import Advice, Rule
from metrics.analyses.choose_n.tradeoff import ROUNDING, Tradeoff
from metrics.data.arrays import Vector
from metrics.data.words import Text

CONFIDENCE: dict[Rule, float] = {"value": 0.9, "budget": 0.9, "quality": 0.9, "reach": 0.95}
"""Share of resamples in which the safe n is large (reach) or small (value) enough; of budget and
quality the one-sided level of the limit of the mean."""

_LIMITED: tuple[Rule, ...] = ("budget", "quality")


def confidence_among(runs: int) -> dict[Rule, float]:
    r"""Return `CONFIDENCE` for each of some runs, of which the one that looks best is taken.

    The levels of limits miss by :math:`1 / \sqrt{R}` of what they do for one run.
    """
    levels = {rule: 1 - (1 - CONFIDENCE[rule]) / sqrt(runs) for rule in _LIMITED}
    return {**CONFIDENCE, **levels}


def chosen_by(
    rule: Rule, limit: Any, n: NDArray[np.int64], quality: Any, cost: Any, *, idle: bool = False
) -> Any:
    """Return the n that a rule chooses.

    "value": the last n before the cost of each further solved question first exceeds `limit`, or
    none is solved. "budget": the last n before the cost first exceeds `limit`. "quality" and
    "reach": the first n whose quality is at least `limit`. All give 0 where there is none.

    n: Shape (K,).
    quality, cost: Shape (…, K).
    idle: Whether "value" goes on where nothing is left to gain and nothing to pay.
    """
    if rule in ("quality", "reach"):
        enough = quality >= limit - ROUNDING
        return np.where(enough.any(axis=-1), n[enough.argmax(axis=-1)], 0)
    if rule == "budget":
        allowed = cost <= limit * (1 + ROUNDING)
    else:
        zero = np.zeros((*quality.shape[:-1], 1))
        gain = np.diff(quality, axis=-1, prepend=zero)
        paid = np.diff(cost, axis=-1, prepend=zero)
        allowed = (gain > ROUNDING) & (paid <= limit * gain * (1 + ROUNDING))
        if idle:
            allowed |= paid <= ROUNDING * cost
    return np.r_[0, n][np.logical_and.accumulate(allowed, axis=-1).sum(axis=-1)]


@dataclass(frozen=True, eq=False)
class Aim:
    """A rule with its limit, and the quality that it asks for."""

    rule: Rule
    limit: float  # The worth, the budget, the quality, or the share of the best to reach.
    # The quality to reach; None where the rule asks for none, or there is but one n.
    target: float | None = None
    run: str = ""  # The run that is best, of several.
    best: str = ""  # Its quality that "reach" takes a share of, such as "pass@16".
    # That target for resampled questions, where it depends on them. Shape (B, 1).
    resampled: Vector | None = None

    def n(self, table: Tradeoff) -> int:
        """Return the n that the data choose as they are."""
        return int(chosen_by(self.rule, self._aim(None), table.n, table.quality, table.cost))

    def of_resamples(self, table: Tradeoff, sure: Sure, *, idle: bool = False) -> Any:
        """Return the n that each resample chooses."""
        return chosen_by(self.rule, self._aim(sure), table.n, *sure.resampled, idle=idle)

    def _aim(self, sure: Sure | None) -> Any:
        if self.rule in ("value", "budget"):
            return self.limit
        return self.target if sure is None or self.resampled is None else self.resampled


@dataclass(frozen=True, eq=False)
class Sure:
    """How sure quality and cost are at each n."""

    # What questions like these solve at least, and cost at most, one-sided. Shape (K,).
    quality: Vector
    cost: Vector
    resampled: tuple[Vector, Vector]  # Quality and cost of resampled questions. Shape (B, K).
    # How sure: `CONFIDENCE`, or `confidence_among` several runs.
    confidence: Mapping[Rule, float] = field(default_factory=lambda: CONFIDENCE)


def advise(aim: Aim, table: Tradeoff, sure: Sure | None, level: float) -> Advice:
    """Apply a rule to the data and to resamples of their questions.

    `sure` is None where one question, or cluster, says nothing of others.
    """
    rule, n_max = aim.rule, int(table.n[-1])

    def advice(n: int | None, interval: Any = None, safe: int | None = None) -> Advice:
        confidence = (sure.confidence if sure else CONFIDENCE)[rule]
        best = Text("{best} of {run}", best=aim.best, run=aim.run) if aim.run else aim.best
        return Advice(rule, aim.limit, aim.target, n, interval, safe, best, n_max, confidence)

    if rule == "reach" and not aim.target:
        return advice(None)
    n = aim.n(table)
    if sure is None:
        return advice(n)
    drawn, most = aim.of_resamples(table, sure), aim.of_resamples(table, sure, idle=True)
    if aim.target is not None:
        drawn = most = np.where(drawn == 0, n_max, drawn)
    low = np.quantile(drawn, (1 - level) / 2, method="lower")
    high = np.quantile(most, (1 + level) / 2, method="higher")
    return advice(n, (int(low), int(high)), int(_SAFE[rule](aim, table, sure)))


def shortfall(aim: Aim, table: Tradeoff, sure: Sure) -> Vector:
    """Return by how much quality must exceed a target to be sure, at each n, shape (K,)."""
    if aim.resampled is None:
        return table.quality - sure.quality
    assert aim.target is not None
    over = sure.resampled[0] - aim.resampled
    least = np.quantile(over, 1 - sure.confidence[aim.rule], axis=0, method="lower")
    return np.asarray(table.quality - aim.target - least)


def _by_limit_of_cost(aim: Aim, table: Tradeoff, sure: Sure) -> Any:
    return chosen_by(aim.rule, aim.limit, table.n, table.quality, sure.cost)


def _by_resamples(aim: Aim, table: Tradeoff, sure: Sure) -> Any:
    drawn = aim.of_resamples(table, sure)
    return np.quantile(drawn, 1 - sure.confidence[aim.rule], method="lower")


def _by_shortfall(aim: Aim, table: Tradeoff, sure: Sure) -> Any:
    enough = table.quality - shortfall(aim, table, sure)
    return chosen_by(aim.rule, aim.target, table.n, enough, table.cost)


_SAFE: dict[Rule, Callable[[Aim, Tradeoff, Sure], Any]] = {
    "value": _by_resamples,
    "budget": _by_limit_of_cost,
    "quality": _by_shortfall,
    "reach": _by_shortfall,
}
