"""From votes that end early to what the chart of quality against cost draws."""

from __future__ import annotations

from collections.abc import Callable

from charts.strokes import Stretch
from charts.tradeoff import Offer, Pick
from kofn.choose_n.early.analysis import Early
from kofn.choose_n.early.sentences import briefly, called
from kofn.choose_n.prices import Priced, quantity
from kofn.writing.estimates import percent
from metrics import AdaptiveCurve, Choice
from metrics.data.results import Interval
from metrics.data.words import Text

Render = Callable[[Text], str]
FIXED = 0
"""The colour of votes of all samples; the rules follow it."""


def told_offer(
    early: Early, priced: Priced, name: str, number: int, render: Render = str
) -> list[Offer]:
    """Return votes of the numbered run that end by the rule that is told, if any is."""
    if early.rule is None:
        return []
    curve, shown = early.curves[early.rule], Text("{name}, ended early", name=name)
    return [_offer(shown, number, curve, early.cap, priced, False, render)]


def offers(early: Early, choice: Choice, priced: Priced, render: Render = str) -> list[Offer]:
    """Return votes of all samples, and those that each rule ends early."""
    table = choice.table
    details = [
        (
            Text("All of {n} vote", n=n),
            percent(*ends),
            priced.amount(cost),
        )
        for n, cost, *ends in zip(
            table.n.tolist(),
            table.cost.tolist(),
            table.quality.tolist(),
            table.quality_low.tolist(),
            table.quality_high.tolist(),
            strict=True,
        )
    ]
    fixed = Stretch(table.cost, table.quality, table.quality_low, table.quality_high, details)
    found = [Offer(render(Text("All vote")), FIXED, fixed, [""] * len(table.n), None)]
    for number, (name, curve) in enumerate(early.curves.items(), start=FIXED + 1):
        found.append(
            _offer(
                briefly(curve.rule), number, curve, early.cap, priced, name == early.rule, render
            )
        )
    return found


def describe(early: Early) -> Text:
    """Say in words what the picture of all rules shows, for those who do not see it."""
    return Text(
        "Accuracy against cost of votes of all samples, and of votes that end early by {count} "
        "rules. The table has the numbers of votes of up to {cap}.",
        count=len(early.curves),
        cap=early.cap,
    )


def _offer(
    name: Text,
    number: int,
    curve: AdaptiveCurve,
    cap: int,
    priced: Priced,
    taken: bool,
    render: Render,
) -> Offer:
    details = [
        (
            called(curve.rule),
            Text("Up to {cap}: {samples} samples", cap=most, samples=quantity(samples)),
            percent(*ends),
            Text("{cost} a question", cost=priced.amount(cost)),
        )
        for most, samples, cost, *ends in zip(
            curve.cap.tolist(),
            curve.samples.tolist(),
            curve.cost.tolist(),
            curve.value.tolist(),
            curve.low.tolist(),
            curve.high.tolist(),
            strict=True,
        )
    ]
    vote = curve.at(cap)
    assert vote.cost.interval is not None
    assert vote.value.interval is not None
    pick = Pick(
        render(Text("up to {cap}", cap=cap)),
        vote.cost.value,
        vote.value.value,
        Interval(*vote.cost.interval),
        Interval(*vote.value.interval),
        taken,
    )
    points = Stretch(curve.cost, curve.value, curve.low, curve.high, details)
    return Offer(render(name), number, points, [""] * len(curve.cap), pick, dashed=True)
