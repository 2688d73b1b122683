"""The n that a rule chooses, and what it says in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from metrics.data.shown import brief_repr
from metrics.data.words import Text

Rule = Literal["value", "budget", "quality", "reach"]
Amount = Callable[[float], object]
"""Spells a cost."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The n that one rule chooses.

    Attributes
    ----------
    rule : {"value", "budget", "quality", "reach"}
    limit : float
        The worth, the budget, the quality, or the share of the best to reach.
    target : float or None
        The quality to reach; None where the rule asks for none.
    n : int or None
        By the data as they are; 0 where no n is worth its price, within budget or good enough;
        None where the rule is undefined, as `sentence` explains.
    interval : tuple of int or None
        Percentiles of n over resampled questions; None where there is one question, or cluster.
    safe_n : int or None
        The n to use: large enough (reach) or small enough (value) in a share of the
        resamples, or the n at which the limit of the mean cost (quality) is still (first) within
        the budget (good enough). 0 and None as above.
    best : str or Text
        What "reach" takes a share of, such as "pass@16", and of which of several runs.
    n_max : int
        The largest n.
    sure : float
        The share of resamples, or the level.
    """

    rule: Rule
    limit: float
    target: float | None
    n: int | None
    interval: tuple[int, int] | None
    safe_n: int | None
    best: str | Text
    n_max: int
    sure: float

    __repr__ = brief_repr

    def sentence(self, amount: Amount = "{:.4g}".format) -> Text:
        """Say it in words, with costs spelled by ``amount``."""
        if self.n is not None and self.safe_n is None:
            return Text(
                "These data give n = {n}, but one question (or group of questions) says nothing "
                "about others.",
                n=self.n,
            )
        return _SENTENCES[self.rule](self, amount)


def _of_reach(advice: Advice, amount: Amount) -> Text:
    if advice.n is None and advice.target == 0:
        return Text(
            "No question was solved. {best} is 0, so no n reaches a share of it.", best=advice.best
        )
    if advice.n is None:
        return Text(
            "Only {best} was measured, so there is no n to choose. Sample every question "
            "several times.",
            best=advice.best,
        )
    aim = Text(
        "{target:.1%}, which is {reach:.4g}% of {best}",
        target=advice.target,
        reach=100 * advice.limit,
        best=advice.best,
    )
    if not advice.safe_n:
        return Text(
            "No n up to {n}, the largest measured, is {sure:.0%} sure to reach {aim}.",
            n=advice.n_max,
            sure=advice.sure,
            aim=aim,
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "No n below {n}, the largest measured, is {sure:.0%} sure to reach {aim}.",
            n=advice.safe_n,
            sure=advice.sure,
            aim=aim,
        )
    return Text(
        "n = {n} is {sure:.0%} sure to reach {aim}.", n=advice.safe_n, sure=advice.sure, aim=aim
    )


def _of_quality(advice: Advice, amount: Amount) -> Text:
    target = f"{100 * advice.limit:.4g}"
    if not advice.safe_n:
        return Text(
            "No n up to {n}, the largest measured, is {sure:.0%} sure to solve {target}% of "
            "questions like these.",
            n=advice.n_max,
            target=target,
            sure=advice.sure,
        )
    return Text(
        "n = {n} is {sure:.0%} sure to solve {target}% of questions like these.",
        n=advice.safe_n,
        target=target,
        sure=advice.sure,
    )


def _of_budget(advice: Advice, amount: Amount) -> Text:
    budget = amount(advice.limit)
    if advice.safe_n == 0:
        return Text(
            "Not even one sample is {sure:.0%} sure to stay within {budget} a question.",
            budget=budget,
            sure=advice.sure,
        )
    if advice.safe_n == advice.n_max:
        return Text(
            "n = {n}, the largest measured, is {sure:.0%} sure to stay within {budget} a question; "
            "a larger one may too.",
            n=advice.safe_n,
            budget=budget,
            sure=advice.sure,
        )
    return Text(
        "n = {n} is the largest that is {sure:.0%} sure to stay within {budget} a question.",
        n=advice.safe_n,
        budget=budget,
        sure=advice.sure,
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
            "Up to n = {n}, the largest measured, each additional solved question costs at most "
            "the {value} it is worth; a larger n may pay too.",
            n=advice.safe_n,
            value=value,
        )
    return Text(
        "Up to n = {n}, each additional solved question costs at most the {value} it is worth.",
        n=advice.safe_n,
        value=value,
    )


_SENTENCES: dict[Rule, Callable[[Advice, Amount], Text]] = {
    "value": _of_value,
    "budget": _of_budget,
    "quality": _of_quality,
    "reach": _of_reach,
}
