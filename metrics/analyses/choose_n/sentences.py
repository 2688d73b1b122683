"""The n that a rule chooses, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from metrics.data.words import Text

if TYPE_CHECKING:
    from metrics.analyses.choose_n.rules import Advice, Rule

Amount = Callable[[float], object]
"""Spells a cost."""


def _of_reach(advice: Advice, amount: Amount) -> Text:
    if advice.n is None and advice.target == 0:
        return Text(
            "No question was solved: {best} is 0, so no n reaches a share of it.", best=advice.best
        )
    if advice.n is None:
        return Text(
            "{best} is all that was measured, so there is no n to choose; sample every question "
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
            "Up to n = {n}, the largest measured, each further solved question costs at most the "
            "{value} it is worth; a larger n may pay too.",
            n=advice.safe_n,
            value=value,
        )
    return Text(
        "Up to n = {n} each further solved question costs at most the {value} it is worth.",
        n=advice.safe_n,
        value=value,
    )


SENTENCES: dict[Rule, Callable[[Advice, Amount], Text]] = {
    "value": _of_value,
    "budget": _of_budget,
    "quality": _of_quality,
    "reach": _of_reach,
}
