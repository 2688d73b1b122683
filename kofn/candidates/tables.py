"""Candidates laid out flat, for files and the command, and by k, to read."""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.candidates.analysis import CandidateCard, Examined, Who, label
from kofn.card import ABOUT, VALUE, about, frame_of, say, value_of
from kofn.writing.rendering import ENGLISH
from metrics.analyses.candidates.weighted_vote import Weighing
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

WHO: Mapping[Who, Text] = {
    "oracle": Text("An oracle"),
    "picked": Text("The pick"),
    "weighted": Text("Weighted vote"),
    "vote": Text("Majority vote"),
    "one": Text("One sample"),
}
VOTES: Mapping[Weighing, Text] = {
    "sum": Text("Vote by sum of signals"),
    "mean": Text("Vote by mean signal"),
    "max": Text("Vote by highest signal"),
}
COSTS = ("tokens", "seconds", "cost")
COLUMNS = ABOUT | {
    "signal": "string",
    "number": "string",
    "k": "Int64",
    **VALUE,
    "share": "boolean",
    "level": "Float64",
    "target": "string",
    "questions": "Int64",
    **dict.fromkeys(COSTS, "Float64"),
    "caveats": "string",
    "reason": "string",
}


class Line(NamedTuple):
    """One k as it is read: what each way is worth there, with its interval, and what it takes."""

    k: int
    worth: Mapping[Who, tuple[float, float, float]]
    costs: Mapping[str, float]


def lines(found: Examined) -> list[Line]:
    """Return the k to read: those that double, and that of the answer."""
    ks = found.ways[0].k.tolist()
    shown = [k for k in ks if k & (k - 1) == 0 or k in (found.k, ks[-1])]
    return [
        Line(
            k,
            {way.who: worth for way in found.ways if (worth := way.at(k)) is not None},
            {what: k * mean for what, mean in found.costs.items()},
        )
        for k in shown
    ]


def rows(
    cards: Sequence[CandidateCard],
    translations: gettext.NullTranslations = ENGLISH,
    further: Mapping[str, Iterable[Mapping[str, Any]]] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Lay candidates out flat, a row for each run, number and k.

    Parameters
    ----------
    cards : sequence of CandidateCard
    translations : gettext.NullTranslations, optional
        For names and sentences.
    further : mapping of str to iterable of mapping
        Cells of further numbers of a run, by its key.

    Returns
    -------
    list of dict
        With the keys of `COLUMNS`: fractions at full precision, ``caveats`` a list of sentences,
        costs of k samples. A run of which nothing is known has one row, with its reason.
    """

    def row(card: CandidateCard, cells: Mapping[str, Any]) -> dict[str, Any]:
        found = card.found
        known = {
            **about(card),
            "signal": say(found.signal, translations) if found else None,
            "level": card.view.level,
            "target": card.view.target,
            "questions": found.n_questions if found else None,
            "reason": say(card.reason, translations),
            **cells,
        }
        return {name: known.get(name) for name in COLUMNS} | {
            "caveats": [say(each, translations) for each in cells.get("caveats", ())]
        }

    def told(card: CandidateCard) -> Iterator[dict[str, Any]]:
        if card.found is None:
            yield row(card, {})
            return
        for cells in chain(_numbers(card.found), further.get(card.key, ())):
            reason = cells.get("reason")
            yield row(card, {**cells, "reason": say(reason, translations)})

    return [each for card in cards for each in told(card)]


def _numbers(found: Examined) -> Iterator[dict[str, Any]]:
    for way in found.ways:
        points = zip(way.k.tolist(), way.value, way.low, way.high, strict=True)
        for k, value, low, high in points:
            yield {
                "number": label(way, k) if way.who != "one" else way.metric,
                "k": k,
                "value": float(value),
                "low": float(low),
                "high": float(high),
                "share": True,
                "caveats": way.caveats,
                **{what: k * mean for what, mean in found.costs.items()},
            }
    for name, what in (("efficiency", found.efficiency), ("ranking", found.ranking)):
        k = found.k if name == "efficiency" else None
        estimate, reason = what or (None, None)
        if estimate is not None:
            yield {
                "number": name,
                "k": k,
                **value_of(estimate),
                "share": True,
                "target": estimate.target,
                "questions": estimate.n_questions,
                "caveats": estimate.caveats,
            }
        elif reason is not None:
            yield {"number": name, "k": k, "reason": reason}


def frame(
    cards: Sequence[CandidateCard],
    translations: gettext.NullTranslations = ENGLISH,
    further: Mapping[str, Iterable[Mapping[str, Any]]] = MappingProxyType({}),
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, the caveats joined to one text."""
    return frame_of(rows(cards, translations, further), COLUMNS)
