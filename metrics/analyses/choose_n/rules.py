"""Three rules that choose n: a share of the best quality, a budget, what a solution is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.choose_n.tradeoff import ROUNDING, Tradeoff
from metrics.data.arrays import Vector
from metrics.data.shown import brief_repr
from metrics.data.words import Text

Rule = Literal["reach", "budget", "value"]


def chosen_by(
    rule: Rule, limit: float, n: NDArray[np.int64], quality: Any, cost: Any, *, idle: bool = False
) -> Any:
    """Return the n that a rule chooses.

    "reach": the first n whose quality is at least the share `limit` of that at the largest n.
    "budget": the last n before the cost first exceeds `limit`. "value": the last n before the cost
    of each further solved question first exceeds `limit`, or none is solved. The latter two give 0
    where that is the first n.

    Parameters
    ----------
    rule : {"reach", "budget", "value"}
    limit : float
        The share to reach, the budget or the value.
    n : int array, shape (K,)
    quality, cost : float array, shape (…, K)
        Quality of 0 at the largest n reaches nothing before it.
    idle : bool
        Whether "value" goes on where nothing is left to gain and nothing to pay.

    Returns
    -------
    int array, shape (…)
    """
    if rule == "reach":
        best = quality[..., -1:]
        enough = quality >= limit * best - ROUNDING * best
        return np.where(best[..., 0] > 0, n[enough.argmax(axis=-1)], n[-1])
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


Amount = Callable[[float], object]

CONFIDENCE: dict[Rule, float] = {"reach": 0.95, "budget": 0.9, "value": 0.9}
"""Share of resamples in which the safe n is large (reach) or small (value) enough; of the budget
the one-sided level of the limit of the mean cost."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The n that one rule chooses.

    Attributes
    ----------
    rule : {"reach", "budget", "value"}
    limit : float
        The share to reach, the budget or the value.
    n : int or None
        By the data as they are; 0 where not even one sample is within budget or worth its price;
        None where the rule is undefined, as `sentence` explains.
    interval : tuple of int or None
        Percentiles of n over resampled questions; None where there is one question, or cluster.
    safe_n : int or None
        The n to use: large enough (reach) in 95 %, or small enough (value) in 90 % of the
        resamples, or the largest at which the limit of the mean cost is within budget. None as
        above.
    best : str
        The quality at the largest n, such as "pass@16".
    n_max : int
        The largest n.
    """

    rule: Rule
    limit: float
    n: int | None
    interval: tuple[int, int] | None
    safe_n: int | None
    best: str
    n_max: int

    __repr__ = brief_repr

    def sentence(self, amount: Amount = "{:.4g}".format) -> Text:
        """Say it in words, with costs spelled by ``amount``."""
        if self.n is not None and self.safe_n is None:
            return Text(
                "By these data n = {n}, but one question (or group of questions) says nothing "
                "about others.",
                n=self.n,
            )
        return _SENTENCES[self.rule](self, amount)


def advise(
    rule: Rule,
    limit: float,
    best: str,
    table: Tradeoff,
    resampled: tuple[Any, Any] | None,
    spent: Vector,
    level: float,
) -> Advice:
    """Apply a rule to the data and to resamples of their questions.

    Parameters
    ----------
    rule, limit, best
        As in `Advice`.
    table : Tradeoff
    resampled : tuple of float array, shape (B, K), or None
        Quality and cost; None where there is nothing to resample.
    spent : float array, shape (K,)
        What questions like these cost at most on average.
    level : float
        Confidence level of the interval.
    """
    n_max = int(table.n[-1])
    if rule == "reach" and (len(table.n) == 1 or table.quality[-1] == 0):
        return Advice(rule, limit, None, None, None, best, n_max)
    n = int(chosen_by(rule, limit, table.n, table.quality, table.cost))
    if resampled is None:
        return Advice(rule, limit, n, None, None, best, n_max)
    drawn = chosen_by(rule, limit, table.n, *resampled)
    most = chosen_by(rule, limit, table.n, *resampled, idle=True)
    low = np.quantile(drawn, (1 - level) / 2, method="lower")
    high = np.quantile(most, (1 + level) / 2, method="higher")
    if rule == "reach":
        safe = np.quantile(drawn, CONFIDENCE[rule], method="higher")
    elif rule == "budget":
        safe = chosen_by(rule, limit, table.n, table.quality, spent)
    else:
        safe = np.quantile(drawn, 1 - CONFIDENCE[rule], method="lower")
    return Advice(rule, limit, n, (int(low), int(high)), int(safe), best, n_max)


def _of_reach(advice: Advice, amount: Amount) -> Text:
    if advice.safe_n is None and advice.n_max == 1:
        return Text(
            "{best} is all that was measured, so there is no n to choose; sample every question "
            "several times.",
            best=advice.best,
        )
    if advice.safe_n is None:
        return Text(
            "No question was solved: {best} is 0, so no n reaches a share of it.", best=advice.best
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "No n below {n} is {sure:.0%} sure, by resampled questions, to reach {reach:.4g}% of "
            "{best}, the largest measured.",
            n=advice.safe_n,
            reach=100 * advice.limit,
            best=advice.best,
            sure=CONFIDENCE[advice.rule],
        )
    return Text(
        "n = {n} reaches {reach:.4g}% of {best}, the largest measured, with about {sure:.0%} "
        "bootstrap confidence.",
        n=advice.safe_n,
        reach=100 * advice.limit,
        best=advice.best,
        sure=CONFIDENCE[advice.rule],
    )


def _of_budget(advice: Advice, amount: Amount) -> Text:
    budget = amount(advice.limit)
    if advice.safe_n == 0:
        return Text(
            "Not even one sample is sure to stay within {budget} a question.", budget=budget
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "n = {n}, the largest measured, stays within {budget} a question with about {sure:.0%} "
            "confidence; a larger one may too.",
            n=advice.safe_n,
            budget=budget,
            sure=CONFIDENCE[advice.rule],
        )
    return Text(
        "n = {n} is the largest that stays within {budget} a question with about {sure:.0%} "
        "confidence.",
        n=advice.safe_n,
        budget=budget,
        sure=CONFIDENCE[advice.rule],
    )


def _of_value(advice: Advice, amount: Amount) -> Text:
    value = amount(advice.limit)
    if advice.safe_n == 0:
        return Text(
            "Not even one sample is sure to be worth its price, with {value} for a solved "
            "question.",
            value=value,
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "Up to n = {n}, the largest measured, each further solved question costs at most the "
            "{value} it is worth; a larger n may pay too.",
            n=advice.safe_n,
            value=value,
        )
    return Text(
        "Up to n = {n} each further solved question costs at most the {value} it is worth. Near "
        "the best n little is lost by a smaller one.",
        n=advice.safe_n,
        value=value,
    )


_SENTENCES: dict[Rule, Callable[[Advice, Amount], Text]] = {
    "reach": _of_reach,
    "budget": _of_budget,
    "value": _of_value,
}
