"""What tokens and time buy as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.budgets.analysis import BudgetCard, Budgeted, dearest
from kofn.budgets.rivals import rivals_of
from kofn.card import ABOUT, VALUE, about, frame_of, of_datasets, say, value_of
from kofn.choose_n.prices import quantity
from kofn.writing.estimates import percent
from kofn.writing.rendering import ENGLISH
from metrics.data.results import Estimate
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ABOUT | {
    "metric": "string",
    "number": "string",
    "unit": "string",
    "k": "Int64",
    "budget": "Float64",
    "cut": "Float64",
    **dict.fromkeys(("spent", "spent_low", "spent_high"), "Float64"),
    **VALUE,
    "best": "boolean",
    "level": "Float64",
    "target": "string",
    "questions": "Int64",
    "against": "string",
    "caveats": "string",
    "reason": "string",
}
_ROUND = (1.0, 2.0, 5.0)
"""Of each power of ten, the cuts that are read."""
_FEW = 6


class Line(NamedTuple):
    """One cut as it is read.

    Attributes
    ----------
    k : int
        Of several.
    budget : float
    cut : float
        Share of the answers that are longer.
    one, several : Text
        What one answer solves, and k answers, with intervals.
    spent : Text
        Tokens of one answer, with their interval.
    """

    k: int
    budget: float
    cut: float
    one: Text
    several: Text
    spent: Text


def lines(found: Budgeted) -> list[Line]:
    """Return the cuts to read: 1, 2 and 5 of each power of ten, and none; of few cuts all."""
    table, k = found.budgets, found.k
    ones, several = ((table.k == each).nonzero()[0].tolist() for each in (1, k))
    said = []
    for one, more in zip(ones, several, strict=True):
        budget = float(table.budget[one])
        if len(ones) > _FEW and one != ones[-1] and _leading(budget) not in _ROUND:
            continue
        alone, together = (
            percent(float(table.value[row]), float(table.low[row]), float(table.high[row]))
            for row in (one, more)
        )
        spent = Text(
            "{value} ({low} to {high})",
            value=quantity(float(table.spent[one])),
            low=quantity(float(table.spent_low[one])),
            high=quantity(float(table.spent_high[one])),
        )
        if table.n_questions == 1:
            spent = Text("{value}", value=quantity(float(table.spent[one])))
        said.append(Line(k, budget, float(table.cut[one]), alone, together, spent))
    return said


def _leading(number: float) -> float:
    return float(f"{number:e}".partition("e")[0])


def rows(
    cards: Sequence[BudgetCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay everything out flat, a row for each run and number.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`: a row ``budget`` for each k and cut, then ``short``, ``long`` and
        ``gain``, lengths and times; ``unit`` says what value, low and high are in. What does not
        exist is None.
    """
    return [
        {**dict.fromkeys(COLUMNS), **about(card), **_asked(card), **row, **_reason(card, row)}
        for card in cards
        for row in (_of_run(card, translations) if card.found else ({},))
    ]


def _asked(card: BudgetCard) -> dict[str, Any]:
    return {
        "metric": card.settings.metric,
        "level": card.view.level,
        "target": card.view.target,
    }


def _reason(card: BudgetCard, row: dict[str, Any]) -> dict[str, Any]:
    return {} if "reason" in row else {"reason": say(card.reason)}


def _of_run(card: BudgetCard, translations: gettext.NullTranslations) -> Iterator[dict[str, Any]]:
    assert card.found is not None
    found, table = card.found, card.found.budgets
    for place in range(len(table.k)):
        numbers = {
            name: _known(getattr(table, name)[place].item())
            for name in ("spent", "spent_low", "spent_high", "value", "low", "high")
        }
        yield {
            "number": "budget",
            "unit": "fraction",
            "k": int(table.k[place]),
            "budget": float(table.budget[place]),
            "cut": float(table.cut[place]),
            **numbers,
            "best": bool(table.best[place]),
            "questions": table.n_questions,
            "caveats": [say(each, translations) for each in table.caveats],
        }
    split, why = found.split
    for name in ("short", "long"):
        answers = None if split is None else getattr(split, name)
        row = _number(name, "fraction", answers and answers.value, translations)
        if answers is not None:
            spent = value_of(answers.spent)
            row |= {"k": answers.k, "budget": answers.budget}
            row |= {"spent": spent["value"], "spent_low": spent["low"], "spent_high": spent["high"]}
        yield row | {"reason": say(why, translations)}
    more = None if split is None else split.gain
    gain = _number("gain", "fraction", more, translations)
    yield gain | {"k": found.k, "reason": say(why, translations)}
    lengths, why = found.lengths
    for name, unit, field in (
        ("length ratio", "times", "ratio"),
        ("right longer", "fraction", "longer"),
        ("length ratio over all", "times", "over_all"),
    ):
        what = None if lengths is None else getattr(lengths, field)
        yield _number(name, unit, what, translations) | {"reason": say(why, translations)}
    times, why = found.times
    for name, unit in (
        ("all_at_once", "seconds"),
        ("all_in_turn", "seconds"),
        ("all_faster", "times"),
        ("right_at_once", "seconds"),
        ("right_in_turn", "seconds"),
        ("right_faster", "times"),
        ("none_right", "fraction"),
    ):
        what = None if times is None else getattr(times, name)
        row = _number(name.replace("_", " "), unit, what, translations)
        yield row | {"k": None if times is None else times.k, "reason": say(why, translations)}


def _number(
    name: str, unit: str, what: Estimate | None, translations: gettext.NullTranslations
) -> dict[str, Any]:
    return {
        "number": name,
        "unit": unit,
        **value_of(what),
        "target": None if what is None else what.target,
        "questions": None if what is None else what.n_questions,
        "caveats": [say(each, translations) for each in (what.caveats if what else ())],
    }


def _known(value: float) -> float | None:
    return value if value == value else None


def frame(
    cards: Sequence[BudgetCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the caveats joined to one text; what does not exist is NA.

    Below them stand two rows for each run whose answers are set against one of another run:
    ``instead``, what they solve, and ``instead more``, that beyond the one.
    """
    return frame_of([*rows(cards, translations), *_of_rivals(cards, translations)], COLUMNS)


def _of_rivals(
    cards: Sequence[BudgetCard], translations: gettext.NullTranslations
) -> Iterator[dict[str, Any]]:
    own = {card.key: card for card in cards}
    for group in of_datasets(cards).values():
        card = dearest(group)
        for rival in rivals_of(card, group):
            low, high = rival.more.interval or (None, None)
            asked = {
                **dict.fromkeys(COLUMNS),
                **about(own[rival.key]),
                **_asked(own[rival.key]),
                "k": rival.k,
                "spent": rival.spent,
                "against": None if card is None else card.key,
            }
            solved = _number("instead", "fraction", rival.value, translations)
            yield asked | solved
            caveats = [say(each, translations) for each in rival.more.caveats]
            yield asked | {
                "number": "instead more",
                "unit": "fraction",
                "value": rival.more.value,
                "low": low,
                "high": high,
                "questions": rival.more.n_questions,
                "caveats": caveats,
            }
