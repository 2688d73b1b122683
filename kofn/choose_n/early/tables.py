"""Each rule that ends votes early, at the most samples that are told of: tables and JSON."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kofn.card import Finding, limits, say, value_of
from kofn.choose_n.early.analysis import Early, pays
from kofn.choose_n.early.sentences import amount, beyond, called
from kofn.writing.estimates import percent
from kofn.writing.layout import Row
from kofn.writing.rendering import ENGLISH, render
from metrics import AdaptiveVote
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Line:
    """A rule, with what its votes take and answer.

    Attributes
    ----------
    rule, samples, saved, cost, right, gain : Text
    as_accurate : int or None
        The fewest samples that, all voting, are right as often.
    note : Text
    """

    rule: Text
    samples: Text
    saved: Text
    cost: Text
    right: Text
    gain: Text
    as_accurate: int | None
    note: Text


def lines(early: Early) -> list[Line]:
    """Lay out the rules, those that take the fewest samples first."""
    votes = {name: curve.at(early.cap) for name, curve in early.curves.items()}
    order = sorted(votes, key=lambda name: votes[name].samples.value)
    return [_line(early, name, votes[name]) for name in order]


def _line(early: Early, name: str, vote: AdaptiveVote) -> Line:
    note = Text("")
    if pays(early.curves[name], early.cap):
        note = Text("pays most") if name == early.best else Text("pays")
    return Line(
        called(vote.rule),
        amount(vote.samples),
        percent(vote.saved.value, *limits(vote.saved)),
        amount(vote.cost),
        percent(vote.value.value, *limits(vote.value)),
        beyond(vote),
        early.curves[name].fewest(early.cap),
        note,
    )


def written(early: Early, *, counted: bool) -> list[Row]:
    """Return what is read of each rule; where samples are counted, they are the cost."""
    return [
        {
            "rule": render(line.rule),
            "samples": render(line.samples),
            "saves": render(line.saved),
            **({} if counted else {"cost": render(line.cost)}),
            "solved": render(line.right),
            "beyond all": render(line.gain),
            "as good a fixed n": "" if line.as_accurate is None else str(line.as_accurate),
            "note": render(line.note),
        }
        for line in lines(early)
    ]


def document(key: str, early: Finding[Early]) -> dict[str, Any]:
    """Return what JSON holds of the votes of a run that end early, or why there are none."""
    found, reason = early
    if found is None:
        return {"run": key, "cap": None, "rule": None, "reason": say(reason), "rules": []}
    return {
        "run": key,
        "cap": found.cap,
        "rule": found.rule,
        "reason": None,
        "rules": [
            {
                "rule": name,
                "called": say(called(curve.rule)),
                "pays": pays(curve, found.cap),
                **_numbers(curve.at(found.cap)),
                "as_accurate": curve.fewest(found.cap),
                "curve": list(_points(name, found)),
            }
            for name, curve in found.curves.items()
        ],
    }


def _numbers(vote: AdaptiveVote) -> dict[str, Any]:
    names = ("samples", "saved", "cost", "value", "gain")
    return {**{name: value_of(getattr(vote, name)) for name in names}, "orders": vote.orders}


def _points(name: str, early: Early) -> Iterator[dict[str, Any]]:
    curve = early.curves[name]
    for at, cap in enumerate(curve.cap.tolist()):
        columns = ("samples", "cost", "value", "low", "high", "voted")
        numbers = {column: float(getattr(curve, column)[at]) for column in columns}
        yield {"cap": cap, **numbers, "as_accurate": curve.fewest(cap)}


def frame(early: Early, translations: gettext.NullTranslations = ENGLISH) -> pd.DataFrame:
    """Return every rule at every most samples, for a file."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"rule": say(called(curve.rule), translations), **point}
            for name, curve in early.curves.items()
            for point in _points(name, early)
        ]
    )
