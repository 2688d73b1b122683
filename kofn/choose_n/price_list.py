"""Prices as one table with a row for each model, read from a pricing and written back to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import NamedTuple

from kofn.choose_n.pricing import LARGEST, Basis, PerModel, Pricing
from metrics.data.words import Text

Row = dict[str, float | None]
"""Amounts of a model by what they are of."""


class Amount(NamedTuple):
    """An amount that a model has of its own."""

    key: str
    label: Text
    field: str  # Of a pricing.
    place: int  # Among the amounts of the field.
    of: int  # How many those are.


_MEANS = (
    Amount("tokens in", Text("tokens in, on average"), "typed_tokens", 0, 2),
    Amount("tokens out", Text("tokens out, on average"), "typed_tokens", 1, 2),
)
_TOKENS = (
    Amount("input", Text("input, 1M tokens"), "token_prices", 0, 2),
    Amount("output", Text("output, 1M tokens"), "token_prices", 1, 2),
)
AMOUNTS: Mapping[Basis, Sequence[Amount]] = {
    "tokens": _TOKENS,
    "lengths": _TOKENS,
    "typed": (*_MEANS, *_TOKENS),
    "seconds": (Amount("price", Text("a second"), "second_prices", 0, 1),),
    "samples": (Amount("price", Text("a sample"), "sample_prices", 0, 1),),
    "recorded": (),
}
"""What is asked of each model, by what costs rest on."""


def price_rows(pricing: Pricing, models: Sequence[str]) -> list[Row]:
    """Return what models cost under a settled pricing, a row for each.

    Of two amounts a single one is both prices, or the tokens out.

    Examples
    --------
    >>> price_rows(Pricing("tokens", token_prices=(("", (1.0,)), ("7B", (0.1, 0.4)))), ["7B", "4B"])
    [{'input': 0.1, 'output': 0.4}, {'input': 1.0, 'output': 1.0}]
    """
    return [
        {each.key: _amount(getattr(pricing, each.field), model, each) for each in _fields(pricing)}
        for model in models
    ]


def with_rows(
    pricing: Pricing, models: Sequence[str], rows: Sequence[Mapping[str, float | None]]
) -> Pricing:
    """Return a settled pricing with these rows; a model without any amount has none.

    What is no price, as a number below 0, counts as none.

    Examples
    --------
    >>> with_rows(Pricing("samples"), ["7B", "4B"], [{"price": 2.0}, {"price": None}]).sample_prices
    (('7B', (2.0,)),)
    """
    fields: dict[str, PerModel] = {}
    for name in dict.fromkeys(each.field for each in _fields(pricing)):
        keys = [each.key for each in _fields(pricing) if each.field == name]
        amounts = {
            model: tuple(_price(row.get(key)) for key in keys)
            for model, row in zip(models, rows, strict=True)
        }
        kept = {model: each for model, each in getattr(pricing, name) if model not in amounts}
        if any(map(sum, amounts.values())):
            kept.pop("", None)
        fields[name] = tuple(
            (model, each) for model, each in {**kept, **amounts}.items() if sum(each) > 0
        )
    return pricing.changed(**fields)


def _fields(pricing: Pricing) -> Sequence[Amount]:
    return AMOUNTS.get(pricing.basis, ())


def _amount(entries: PerModel, model: str, asked: Amount) -> float | None:
    found = dict(entries).get(model, dict(entries).get("", ()))
    missing = asked.of - len(found)
    if not found:
        return None
    whole = ((0.0,) * missing if asked.field == "typed_tokens" else found * missing) + found
    return whole[asked.place]


def _price(amount: float | None) -> float:
    if amount is None or not isfinite(amount) or not 0 <= amount <= LARGEST:
        return 0.0
    return float(amount)
