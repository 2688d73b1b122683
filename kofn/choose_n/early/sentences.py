"""What votes that end early take and answer, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kofn.card import Finding, limits
from kofn.choose_n.early.analysis import LOSS, Early
from kofn.choose_n.prices import column, quantity
from kofn.writing.estimates import percent, points
from metrics import AdaptiveVote
from metrics.analyses.adaptive.stopping import Confidence, Decided, Stopping
from metrics.data.results import Estimate
from metrics.data.words import Text

NAMES = {
    "decided": Text("Winner decided"),
    "confidence": Text("Adaptive-Consistency"),
    "windows": Text("Early-stopping self-consistency"),
}
"""What the rules are called."""


def called(rule: Stopping) -> Text:
    """Name a rule with its setting.

    Examples
    --------
    >>> str(called(Confidence(0.9)))
    'Adaptive-Consistency, 90%'
    """
    if isinstance(rule, Decided):
        return NAMES[rule.name]
    if isinstance(rule, Confidence):
        return Text("{name}, {level:.4g}%", name=NAMES[rule.name], level=100 * rule.threshold)
    return Text("{name}, windows of {width}", name=NAMES[rule.name], width=rule.width)


def briefly(rule: Stopping) -> Text:
    """Name a rule where there is little room."""
    if isinstance(rule, Decided):
        return Text("decided")
    if isinstance(rule, Confidence):
        return Text("leader {level:.4g}% likely", level=100 * rule.threshold)
    return Text("windows of {width}", width=rule.width)


def ended(rule: Stopping) -> Text:
    """Say when a rule ends a vote."""
    if isinstance(rule, Decided):
        return Text("Ended once nothing can change its winner")
    if isinstance(rule, Confidence):
        return Text(
            "Ended once its leader is {level:.4g}% likely to stay ahead", level=100 * rule.threshold
        )
    return Text("Ended by a window of {width} equal answers", width=rule.width)


def amount(found: Estimate) -> Text:
    """Write a number of samples, or a cost, with its interval.

    Examples
    --------
    >>> from metrics.data.results import Interval
    >>> str(amount(Estimate(5.213, Interval(4.95, 5.47), 0.95, "population", 9, Text(""))))
    '5.21 (4.95 to 5.47)'
    """
    low, high = limits(found)
    if low is None or high is None:
        return Text("{value}", value=quantity(found.value))
    value, low_written, high_written = column([found.value, low, high])
    return Text("{value} ({low} to {high})", value=value, low=low_written, high=high_written)


def beyond(vote: AdaptiveVote) -> Text:
    """Say how much more often than a vote of all it is right."""
    if isinstance(vote.rule, Decided):
        return Text("the same")
    return points(vote.gain.value, *limits(vote.gain))


def in_words(vote: AdaptiveVote, cost: Callable[[float], Text] | None = None) -> Text:
    """Say what a vote that ends early takes, saves and loses.

    Parameters
    ----------
    vote : AdaptiveVote
    cost : callable, optional
        Spells its cost, where that is not its number of samples.
    """
    answers = Text("changes what is right by {gain}", gain=beyond(vote))
    if isinstance(vote.rule, Decided):
        answers = Text("answers the same")
    return Text(
        "{ended}, a vote of up to {cap} takes {samples} samples{cost}: {saved} fewer, and "
        "{answers}.",
        ended=ended(vote.rule),
        cap=vote.cap,
        samples=amount(vote.samples),
        cost="" if cost is None else Text(" for {cost}", cost=cost(vote.cost.value)),
        saved=percent(vote.saved.value, *limits(vote.saved)),
        answers=answers,
    )


def in_orders(early: Early) -> list[Text]:
    """Say of each rule that was replayed in random orders how far others would move it."""
    found = []
    for curve in early.curves.values():
        place = int(np.argmax([vote.orders > 0 for vote in curve.each]))
        orders, questions = curve.each[place].orders, curve.each[place].samples.n_questions
        if orders:
            error = 1 / 2 / np.sqrt(orders * questions)
            found.append(
                Text(
                    "{rule}: to count every order would take long, so {count} was taken at random "
                    "of each question; others move samples by at most {samples:.2g}, and what is "
                    "right by at most {points:.2g} points (standard errors).",
                    "{rule}: to count every order would take long, so {count} were taken at random "
                    "of each question; others move samples by at most {samples:.2g}, and what is "
                    "right by at most {points:.2g} points (standard errors).",
                    rule=called(curve.rule),
                    count=orders,
                    samples=early.cap * error,
                    points=0.0 if isinstance(curve.rule, Decided) else 100 * error,
                )
            )
    return found


def not_told(early: Finding[Early]) -> Text | None:
    """Say why no vote that ends early is told of; None where one is, or none was looked for."""
    found, reason = early
    if reason is not None:
        return Text("Votes cannot end early here: {why}", why=reason)
    if found is None or found.told is not None:
        return None
    return Text(
        "No rule that ends votes of up to {cap} early surely pays here: it should take fewer "
        "samples than a vote of all that is right as often, and lose at most {loss:.2g} point.",
        cap=found.cap,
        loss=100 * LOSS,
    )
